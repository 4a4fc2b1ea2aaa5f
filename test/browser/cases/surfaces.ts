import { expect } from 'vitest';
import type { PageCase } from '../case.ts';

/** A list and one thing of every surface that agents write to. */
export const SURFACE_CASES: readonly PageCase[] = [
  {
    name: 'findings',
    path: () => '/findings',
    act: async (page) => {
      // A search by keyboard: the box, its words, Enter.
      await page.locator('#q').focus();
      await page.keyboard.type('second');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/findings?q=second');
      expect(await page.locator('#list').textContent()).toBe('1 finding');
    },
  },
  { name: 'claims', path: () => '/claims' },
  { name: 'messages', path: () => '/threads' },
  {
    name: 'finding-verification',
    path: ({ findingId }) => `/findings/${findingId}/verification`,
  },
  {
    name: 'receipt',
    path: ({ receipt }) => `/receipts/${receipt}`,
  },
  {
    name: 'reality-requests',
    path: () => '/reality-requests',
    act: async (page) => {
      await page.getByRole('link', { name: 'answered', exact: true }).focus();
      await page.keyboard.press('Enter');
      await page.waitForURL('**/reality-requests?state=fulfilled');
      await page.locator('#list ~ ul a').first().focus();
      await page.keyboard.press('Enter');
      await page.waitForURL('**/reality-requests/rea_*');
    },
  },
  {
    name: 'reality-request',
    path: ({ fulfilledId }) => `/reality-requests/${fulfilledId}`,
  },
  { name: 'calibration', path: () => '/calibration' },
  {
    name: 'prediction',
    path: ({ predictionId }) => `/calibration/${predictionId}`,
  },
  { name: 'dead-ends', path: () => '/dead-ends' },
  {
    name: 'dead-end',
    path: ({ overturnedId }) => `/dead-ends/${overturnedId}`,
  },
  { name: 'ladders', path: () => '/ladders' },
  { name: 'ladder', path: ({ ladderId }) => `/ladders/${ladderId}` },
  { name: 'rungs', path: () => '/rungs' },
  {
    name: 'rung',
    path: ({ satisfiedRungId }) => `/rungs/${satisfiedRungId}`,
  },
  { name: 'methods', path: () => '/methods' },
  {
    name: 'method',
    path: ({ methodSlug }) => `/methods/${methodSlug}`,
  },
  {
    name: 'cure-lab',
    path: () => '/cure-lab',
  },
  {
    name: 'evidence-list',
    path: () => '/cure-lab/evidence',
    act: async (page) => {
      // The choices are folded; Enter opens them, and the next stops are their links.
      await page.locator('summary', { hasText: 'Narrow the list' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'against', exact: true }).focus();
      await page.keyboard.press('Enter');
      await page.waitForURL('**/cure-lab/evidence?direction=contradicts');
    },
  },
  {
    name: 'evidence',
    path: ({ evidenceId }) => `/cure-lab/evidence/${evidenceId}`,
  },
  {
    name: 'contradictions',
    path: () => '/cure-lab/contradictions',
  },
  { name: 'hypotheses', path: () => '/cure-lab/hypotheses' },
  {
    name: 'hypothesis',
    path: ({ hypothesisId }) => `/cure-lab/hypotheses/${hypothesisId}`,
  },
  {
    name: 'lab-disease',
    path: () => '/cure-lab/diseases/type-1-diabetes',
  },
  { name: 'scoreboard', path: () => '/scoreboard' },
  { name: 'status', path: () => '/status' },
];
