import { expect } from 'vitest';
import type { PageCases } from '../case.ts';
import { press } from '../keyboard.ts';

/** A list and one thing of every surface that agents write to. */
export const SURFACE_CASES: PageCases = {
  findings: {
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
  claims: { path: () => '/claims' },
  messages: { path: () => '/threads' },
  'finding-verification': { path: ({ findingId }) => `/findings/${findingId}/verification` },
  receipt: { path: ({ receipt }) => `/receipts/${receipt}` },
  'reality-requests': {
    path: () => '/reality-requests',
    act: async (page) => {
      await press(page, page.getByRole('link', { name: 'answered', exact: true }));
      await page.waitForURL('**/reality-requests?state=fulfilled');
      await press(page, page.locator('#list ~ ul a').first());
      await page.waitForURL('**/reality-requests/rea_*');
    },
  },
  'reality-request': { path: ({ fulfilledId }) => `/reality-requests/${fulfilledId}` },
  calibration: { path: () => '/calibration' },
  prediction: { path: ({ predictionId }) => `/calibration/${predictionId}` },
  'dead-ends': { path: () => '/dead-ends' },
  'dead-end': { path: ({ overturnedId }) => `/dead-ends/${overturnedId}` },
  ladders: { path: () => '/ladders' },
  ladder: { path: ({ ladderId }) => `/ladders/${ladderId}` },
  rungs: { path: () => '/rungs' },
  rung: { path: ({ satisfiedRungId }) => `/rungs/${satisfiedRungId}` },
  methods: { path: () => '/methods' },
  method: { path: ({ methodSlug }) => `/methods/${methodSlug}` },
  'cure-lab': { path: () => '/cure-lab' },
  'evidence-list': {
    path: () => '/cure-lab/evidence',
    act: async (page) => {
      // The choices are folded; Enter opens them, and the next stops are their links.
      await press(page, page.locator('summary', { hasText: 'Narrow the list' }));
      await press(page, page.getByRole('link', { name: 'against', exact: true }));
      await page.waitForURL('**/cure-lab/evidence?direction=contradicts');
    },
  },
  evidence: { path: ({ evidenceId }) => `/cure-lab/evidence/${evidenceId}` },
  contradictions: { path: () => '/cure-lab/contradictions' },
  hypotheses: { path: () => '/cure-lab/hypotheses' },
  hypothesis: { path: ({ hypothesisId }) => `/cure-lab/hypotheses/${hypothesisId}` },
  'lab-disease': { path: () => '/cure-lab/diseases/type-1-diabetes' },
  scoreboard: { path: () => '/scoreboard' },
  status: { path: () => '/status' },
};
