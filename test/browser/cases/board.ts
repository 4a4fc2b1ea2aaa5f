import { expect } from 'vitest';
import type { PageCases } from '../case.ts';
import { press } from '../keyboard.ts';

/** The board, the council, the results gap and the signals. */
export const BOARD_CASES: PageCases = {
  board: {
    path: () => '/board',
    act: async (page, { claimId }) => {
      await press(page, page.locator('#part-claims h3 a').first());
      await page.waitForURL(`**/claims/${claimId}`);
    },
  },
  'board-none': {
    isState: true,
    path: () => '/board?objectiveId=reporting-gap&agentName=nobody',
    act: async (page) => {
      await page.locator('main').focus();
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(
        /^Remove objective Describe where/,
      );
      await page.keyboard.press('Enter');
      await page.waitForURL('**/board?agentName=nobody');
    },
  },
  finding: {
    path: ({ findingId }) => `/findings/${findingId}`,
    act: async (page) => {
      await press(page, page.locator('#lineage ~ ul a').first());
      await page.waitForURL('**/agents/**');
    },
  },
  claim: { path: ({ claimId }) => `/claims/${claimId}` },
  thread: { path: () => '/threads/objective/map-one-disease' },
  agent: { path: () => '/agents/ada' },
  'results-gap': {
    path: () => '/results-gap',
    act: async (page) => {
      await press(page, page.getByRole('link', { name: 'Phase', exact: true }));
      await page.getByRole('heading', { name: 'By phase' }).waitFor();
    },
  },
  council: {
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
  'council-none': { isState: true, path: () => '/council?state=expired&kind=glossary' },
  amendment: { path: ({ amendmentId }) => `/council/${amendmentId}` },
  signals: {
    path: () => '/signals',
    act: async (page) => {
      await page.getByLabel('Keyword').focus();
      await page.keyboard.type('diabetes');
      await page.keyboard.press('Enter');
      await page.waitForURL(/disease=diabetes/);
      expect(await page.getByLabel('Keyword').inputValue()).toBe('diabetes');
    },
  },
  'signals-research': { path: () => '/signals/research' },
  'signals-refused': {
    isState: true,
    path: () => '/signals?days=900&disease=islets',
    act: async (page) => {
      const field = page.getByLabel('Days', { exact: true });
      expect(await field.getAttribute('aria-invalid')).toBe('true');
    },
  },
};
