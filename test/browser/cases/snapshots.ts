import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { REMOVED_VERSION } from '../../support/snapshots/removed-version.ts';
import type { PageCase } from '../case.ts';

export const SNAPSHOT_CASES: readonly PageCase[] = [
  {
    name: 'snapshots',
    path: () => '/snapshots',
    shows: () => ['Growth', 'served now', 'Integrity: what each hash covers'],
    act: async (page, { versions }) => {
      await page.getByLabel('List', { exact: true }).selectOption('registrations-added');
      await page.getByRole('button', { name: 'Compare' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Registrations added' }).waitFor();
      expect(new URL(page.url()).searchParams.get('from')).toBe(versions.older);
    },
  },
  {
    name: 'snapshot',
    path: ({ versions }) => `/snapshots/${versions.newer}`,
    shows: () => ['Files to download', 'trials: 1 file', 'passed; no breach was accepted'],
  },
  {
    name: 'snapshot-removed',
    isState: true,
    path: () => `/snapshots/${REMOVED_VERSION}`,
    shows: () => ['This version was removed', '3 added, 2 changed, 1 removed', 'What is kept'],
  },
  {
    name: 'snapshot-diff',
    path: ({ versions }) => `/snapshots/diff?from=${versions.older}&to=${versions.newer}`,
    shows: () => ['How the totals add up', 'What changed, by field'],
    act: async (page) => {
      await page.getByText('What changed, by field').focus();
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: /Completion date/ }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('3 of 3 that the filters leave').waitFor();
      await noSidewaysScroll(page);
    },
  },
  {
    name: 'snapshot-diff-fault',
    isState: true,
    path: ({ versions }) => `/snapshots/diff?from=${versions.older}&to=20200101T000000Z-00000000`,
    shows: ({ versions }) => ['is not held here', versions.older],
  },
  {
    name: 'snapshot-log',
    path: () => '/snapshots/log',
    shows: ({ versions }) => ['Keep a checkpoint, and check it later', versions.older, versions.newer],
    act: noSidewaysScroll,
  },
  {
    name: 'runs',
    path: () => '/snapshots/runs',
    shows: () => ['Refused by the publication gate', 'Published a new version', 'Killed'],
    act: async (page) => {
      await page.getByRole('link', { name: 'Checked, nothing new' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('No run of the record ended so.').waitFor();
      await noSidewaysScroll(page);
    },
  },
  {
    name: 'run',
    path: () => '/snapshots/runs/20260902T030000Z-000001',
    shows: () => ['What the program said', 'Refused: 1', 'Why: Ann: twelve were withdrawn', 'Next:'],
    act: noSidewaysScroll,
  },
];

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
