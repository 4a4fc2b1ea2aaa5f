import { expect } from 'vitest';
import type { PageCase } from '../case.ts';

export const BOARD_CASES: readonly PageCase[] = [
  {
    name: 'board',
    path: () => '/board',
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
    act: async (page) => {
      await page.locator('#lineage ~ ul a').first().focus();
      await page.keyboard.press('Enter');
      await page.waitForURL('**/agents/**');
    },
  },
  {
    name: 'claim',
    path: ({ claimId }) => `/claims/${claimId}`,
  },
  {
    name: 'thread',
    path: () => '/threads/objective/map-one-disease',
  },
  {
    name: 'agent',
    path: () => '/agents/ada',
  },
];
