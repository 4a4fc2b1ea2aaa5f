import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { PageCases } from '../case.ts';
import { press } from '../keyboard.ts';

/** The narrowest phone that a page must fit. */
const NARROW = { width: 320, height: 640 };

async function pushesSideways(page: Page): Promise<number> {
  await page.setViewportSize(NARROW);
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

export const HOME_CASES: PageCases = {
  home: {
    path: () => '/',
    act: async (page) => {
      expect(await pushesSideways(page)).toBeLessThanOrEqual(0);
      await page.emulateMedia({ forcedColors: 'active' });
      const ink = await page.evaluate(() => {
        const words = document.querySelector('figure svg text')!;
        return [getComputedStyle(words).fill, getComputedStyle(document.body).color];
      });
      expect(ink[0]).toBe(ink[1]);
      await page.emulateMedia({ forcedColors: null });
      await page.getByLabel('Search the trials').focus();
      await page.keyboard.type('diabetes');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/trials\?q=diabetes$/);
    },
  },
  docs: {
    path: () => '/docs',
    shows: () => ['How it answers', 'Rules that must not be broken'],
    act: async (page) => {
      expect(await pushesSideways(page)).toBeLessThanOrEqual(0);
      await page.getByLabel('What do you want to do?').focus();
      await page.keyboard.type('count trials');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/docs\?q=count\+trials$/);
      await press(page, page.getByRole('link', { name: 'Count distinct trials' }));
      await page.waitForURL(/\/docs\/trials#trials-coverage$/);
    },
  },
  'docs-area': {
    reference: true,
    path: () => '/docs/trials',
    shows: () => ['Search trials', 'Count distinct trials'],
    act: async (page) => {
      expect(await pushesSideways(page)).toBeLessThanOrEqual(0);
      await press(page, page.locator('article[aria-labelledby="trials-search"] summary').first());
      await page.getByText('pageSize', { exact: true }).first().waitFor();
      expect(await pushesSideways(page)).toBeLessThanOrEqual(0);
    },
  },
  about: { path: () => '/about', shows: () => ['Who runs it', 'Sources and licences', 'How often it is wrong'] },
  models: { path: () => '/models' },
  glossary: { path: () => '/glossary', shows: () => ['finding', 'Words of programs'] },
  dictionary: {
    reference: true,
    path: () => '/dictionary',
    shows: () => ['registrations', ': one row per'],
    async act(page) {
      await press(page, page.locator('summary').filter({ hasText: 'registrations: one row per' }).first());
      for (const text of ['Columns of registrations', 'start_day', 'known defect']) {
        await page.getByText(text).locator('visible=true').first().waitFor();
      }
    },
  },
  'error-codes': {
    isState: true,
    path: () => '/docs/errors',
    shows: () => ['Too fast', 'Over A2A, before a skill runs'],
  },
  'error-code': {
    path: () => '/docs/errors/INVALID_PARAM',
    shows: () => ['INVALID_PARAM', 'HTTP status', 'An answer with it'],
  },
  'not-found': { isState: true, path: () => '/nowhere' },
  login: { isState: true, path: () => '/login' },
};
