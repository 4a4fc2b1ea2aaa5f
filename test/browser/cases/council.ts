import { expect } from 'vitest';
import type { PageCase } from '../case.ts';

export const COUNCIL_CASES: readonly PageCase[] = [
  {
    name: 'council',
    path: () => '/council',
    shows: () => ['deliberating (1)', 'ratified (2)', 'rejected (1)', 'reverted (1)', 'Protected surfaces', 'missing'],
    act: async (page) => {
      // The filter's links are the first tab stops of the content.
      await page.locator('main').focus();
      for (let stop = 0; stop < 2; stop++) await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('deliberating (1)');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/council?state=deliberating');
    },
  },
  {
    name: 'council-none',
    isState: true,
    path: () => '/council?state=expired&kind=glossary',
    shows: () => ['No amendment matches.', 'Show every amendment'],
  },
  {
    name: 'amendment',
    path: ({ amendmentId }) => `/council/${amendmentId}`,
    shows: ({ amendmentId }) => [`Amendment ${amendmentId}`, 'Votes (3)', 'Exercises (1)', 'Vote on it'],
  },
];
