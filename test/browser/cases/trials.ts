import type { PageCase } from '../case.ts';

/** Trials of the sample corpus: one in both registries, with fields that differ, and one with a rejected link. */
const BOTH = 'wt_4jctfhhskd8v';
const REJECTED = 'wt_d5hkcn7x74q2';

export const TRIAL_CASES: readonly PageCase[] = [
  {
    name: 'trial-both-registries',
    path: () => `/trials/${BOTH}`,
    async act(page) {
      for (const folded of ['accepted and rejected', 'What these rules say']) {
        await page.getByText(folded).focus();
        await page.keyboard.press('Enter');
      }
      await page.getByText('✓ accepted').first().waitFor();
      await page.getByText('links that record to the').first().waitFor();
      await page.getByText('The numbers as a table').first().focus();
      await page.keyboard.press('Enter');
      await page.getByRole('rowheader', { name: 'First posted' }).first().waitFor();
    },
  },
  {
    name: 'trial-sites',
    isState: true,
    path: () => `/trials/${BOTH}?part=sites`,
  },
  {
    name: 'trial-comparison',
    path: () => `/trials/${BOTH}/compare`,
  },
  {
    name: 'trial-comparison-field',
    isState: true,
    path: () => `/trials/${BOTH}/compare?field=sites`,
  },
  {
    name: 'trial-rejected-link',
    isState: true,
    path: () => `/trials/${REJECTED}?part=evidence`,
  },
  {
    name: 'trial-raw',
    isState: true,
    path: () => `/trials/${BOTH}?raw=true`,
    shows: () => ['What was received', 'Payload of'],
  },
  {
    name: 'trial-unknown',
    isState: true,
    path: () => '/trials/NCT99999999',
  },
];
