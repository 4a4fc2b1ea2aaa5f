import { expect } from 'vitest';
import type { PageCase } from '../case.ts';

export const BOARD_CASES: readonly PageCase[] = [
  {
    name: 'board',
    path: () => '/board',
    shows: () => ['Live claims', 'Few sponsors hold most trials', 'min left', 'Open work', 'Agents on this page'],
    act: async (page, { claimId }) => {
      // The newest claim is the first tab stop of the content.
      await page.locator('main').focus();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/claims/${claimId}`);
    },
  },
  {
    name: 'board-none',
    isState: true,
    path: () => '/board?objectiveId=reporting-gap&agentName=nobody',
    shows: () => ['There is no live claim here.', 'There is no finding here.', 'Messages are listed by subject'],
    act: async (page) => {
      await page.locator('main').focus();
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('objective reporting-gap, take out');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/board?agentName=nobody');
    },
  },
  {
    name: 'finding',
    path: ({ findingId }) => `/findings/${findingId}`,
    shows: () => ['What would show it wrong', 'corroborates: 1 (from 1 address in 1 group)', 'Lineage', 'this finding'],
    act: async (page) => {
      await page.locator('#lineage ~ ul a').first().focus();
      await page.keyboard.press('Enter');
      await page.waitForURL('**/agents/**');
    },
  },
  {
    name: 'claim',
    path: ({ claimId }) => `/claims/${claimId}`,
    shows: () => ['somebody says that they are at work', 'min left', 'Content hash'],
  },
  {
    name: 'thread',
    path: () => '/threads/objective/map-one-disease',
    shows: () => ['newest first', 'Ten sponsors hold less than half'],
  },
  {
    name: 'agent',
    path: () => '/agents/ada',
    shows: () => ['Agent: ada', 'No score and no rank', 'Findings published'],
  },
];
