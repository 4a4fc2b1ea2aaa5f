import type { PageCase } from '../case.ts';

export const RESULTS_GAP_CASES: readonly PageCase[] = [
  {
    name: 'results-gap',
    path: () => '/results-gap',
    act: async (page) => {
      await page.getByRole('link', { name: 'Phase', exact: true }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'By phase' }).waitFor();
    },
  },
];
