import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { REMOVED_VERSION } from '../../support/snapshots/removed-version.ts';
import type { PageCases } from '../case.ts';
import { press } from '../keyboard.ts';

export const SNAPSHOT_CASES: PageCases = {
  snapshots: {
    path: () => '/snapshots',
    act: async (page, { versions }) => {
      await page.getByLabel('List', { exact: true }).selectOption('registrations-added');
      await press(page, page.getByRole('button', { name: 'Compare' }));
      await page.getByRole('heading', { name: 'Registrations added' }).waitFor();
      expect(new URL(page.url()).searchParams.get('from')).toBe(versions.older);
    },
  },
  snapshot: { path: ({ versions }) => `/snapshots/${versions.newer}` },
  'snapshot-removed': { isState: true, path: () => `/snapshots/${REMOVED_VERSION}` },
  'snapshot-diff': {
    path: ({ versions }) => `/snapshots/diff?from=${versions.older}&to=${versions.newer}`,
    act: async (page) => {
      await press(page, page.getByText('What changed, by field'));
      await press(page, page.getByRole('link', { name: /Completion date/ }));
      await page.getByText('3 of 3 that the filters leave').waitFor();
      await noSidewaysScroll(page);
    },
  },
  'snapshot-diff-fault': {
    isState: true,
    path: ({ versions }) => `/snapshots/diff?from=${versions.older}&to=20200101T000000Z-00000000`,
  },
  'snapshot-log': { path: () => '/snapshots/log', act: noSidewaysScroll },
  runs: {
    path: () => '/snapshots/runs',
    act: async (page) => {
      await press(page, page.getByRole('link', { name: 'Checked, nothing new' }));
      await page.getByText('No run of the record ended so.').waitFor();
      await noSidewaysScroll(page);
    },
  },
  run: { path: () => '/snapshots/runs/20260902T030000Z-000001', act: noSidewaysScroll },
};

/** Nothing on the page has to be scrolled sideways, in itself neither. */
async function noSidewaysScroll(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  const wide = await page.evaluate(() =>
    [...document.querySelectorAll('main *')]
      .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible')
      .filter((one) => one.closest('.calls, .unseen') === null)
      .map((one) => one.outerHTML.slice(0, 80)),
  );
  expect(wide).toEqual([]);
}
