import { expect } from 'vitest';
import type { PageCase } from '../case.ts';

export const COUNCIL_CASES: readonly PageCase[] = [
  {
    name: 'council',
    path: () => '/council',
    act: async (page) => {
      // The filter's links are the first tab stops of the content.
      await page.locator('main').focus();
      for (let stop = 0; stop < 2; stop++) await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('open for votes (1)');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/council?state=deliberating');
    },
  },
  {
    name: 'council-none',
    isState: true,
    path: () => '/council?state=expired&kind=glossary',
  },
  {
    name: 'amendment',
    path: ({ amendmentId }) => `/council/${amendmentId}`,
  },
];
