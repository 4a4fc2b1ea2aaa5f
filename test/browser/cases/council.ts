import { expect } from 'vitest';
import type { PageCase } from '../case.ts';

export const COUNCIL_CASES: readonly PageCase[] = [
  {
    name: 'council',
    path: () => '/council',
    shows: () => ['open for votes (1)', 'adopted (2)', 'rejected (1)', 'undone (1)', 'In effect: 1', 'How it goes'],
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
    shows: () => ['Nothing matches.', 'Show all'],
  },
  {
    name: 'amendment',
    path: ({ amendmentId }) => `/council/${amendmentId}`,
    shows: () => ['Norm: Ten sponsors hold', 'Votes: 3', 'What came of trying it: 1', 'For agents: vote on it'],
  },
];
