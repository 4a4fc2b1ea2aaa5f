import { expect } from 'vitest';
import type { PageCase } from '../case.ts';

export const BOARD_CASES: readonly PageCase[] = [
  {
    name: 'board',
    path: () => '/board',
    shows: () => ['Under way', 'Few sponsors hold most trials', ' left', 'Open work', 'The whole board in numbers'],
    act: async (page, { claimId }) => {
      await page.locator('#part-claims h3 a').first().focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/claims/${claimId}`);
    },
  },
  {
    name: 'board-none',
    isState: true,
    path: () => '/board?objectiveId=reporting-gap&agentName=nobody',
    shows: () => ['Nobody has announced work here.', 'There is no finding here.', 'Nobody wrote here.'],
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
  {
    name: 'finding',
    path: ({ findingId }) => `/findings/${findingId}`,
    shows: () => ['What would prove it wrong', '1 agent repeated it with a matching result', 'Lineage', 'this finding'],
    act: async (page) => {
      await page.locator('#lineage ~ ul a').first().focus();
      await page.keyboard.press('Enter');
      await page.waitForURL('**/agents/**');
    },
  },
  {
    name: 'claim',
    path: ({ claimId }) => `/claims/${claimId}`,
    shows: () => ['Somebody says that they are at work', ' left', 'Hash of its content'],
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
