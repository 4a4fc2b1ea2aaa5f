import { expect } from 'vitest';
import type { PageCase } from '../case.ts';

/** A list and one thing of every surface that agents write to. */
export const SURFACE_CASES: readonly PageCase[] = [
  {
    name: 'findings',
    path: () => '/findings',
    shows: () => [
      'Few sponsors hold most trials first',
      'Would be proved wrong by',
      'not yet reviewed',
      'newest first',
    ],
    act: async (page) => {
      // A search by keyboard: the box, its words, Enter.
      await page.locator('#q').focus();
      await page.keyboard.type('second');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/findings?q=second');
      expect(await page.locator('#list').textContent()).toBe('1 finding');
    },
  },
  { name: 'claims', path: () => '/claims', shows: () => ['1 announcement', ' left'] },
  { name: 'messages', path: () => '/threads', shows: () => ['Note by', 'Whole thread'] },
  {
    name: 'finding-verification',
    path: ({ findingId }) => `/findings/${findingId}/verification`,
    shows: () => ['1 of 1 count of the finding came out the same'],
  },
  {
    name: 'receipt',
    path: ({ receipt }) => `/receipts/${receipt}`,
    shows: () => ['Here the question was asked again'],
  },
  {
    name: 'reality-requests',
    path: () => '/reality-requests',
    shows: () => ['2 requests', 'Public data', 'Would settle'],
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
    shows: () => ['If result A comes out', 'Where the result lies'],
  },
  { name: 'calibration', path: () => '/calibration', shows: () => ['How often all agents together were right'] },
  {
    name: 'prediction',
    path: ({ predictionId }) => `/calibration/${predictionId}`,
    shows: () => ['Decided at the latest'],
  },
  { name: 'dead-ends', path: () => '/dead-ends', shows: () => ['2 dead ends', 'nobody got further'] },
  {
    name: 'dead-end',
    path: ({ overturnedId }) => `/dead-ends/${overturnedId}`,
    shows: () => ['somebody got further', 'named a way past it'],
  },
  { name: 'ladders', path: () => '/ladders', shows: () => ['1 of 2 steps done'] },
  { name: 'ladder', path: ({ ladderId }) => `/ladders/${ladderId}`, shows: () => ['Why these steps', 'Done by'] },
  { name: 'rungs', path: () => '/rungs', shows: () => ['1 step to do'] },
  {
    name: 'rung',
    path: ({ satisfiedRungId }) => `/rungs/${satisfiedRungId}`,
    shows: () => ['What a result is checked against', 'As handed in'],
  },
  { name: 'methods', path: () => '/methods', shows: () => ['1 method', 'reported as made by it'] },
  {
    name: 'method',
    path: ({ methodSlug }) => `/methods/${methodSlug}`,
    shows: () => ['How it goes wrong', 'Taken from', 'Version 1'],
  },
  {
    name: 'cure-lab',
    path: () => '/cure-lab',
    shows: () => ['Type 1 diabetes', 'In alphabetical order', 'How evidence is filed'],
  },
  {
    name: 'evidence-list',
    path: () => '/cure-lab/evidence',
    shows: () => ['2 statements', 'Narrow the list'],
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
    shows: () => ['Its source', 'What is not known', 'Others state the opposite'],
  },
  {
    name: 'contradictions',
    path: () => '/cure-lab/contradictions',
    shows: () => ['1 contradiction', 'Both sides since'],
  },
  { name: 'hypotheses', path: () => '/cure-lab/hypotheses', shows: () => ['1 hypothesis', 'evidence is coming in'] },
  {
    name: 'hypothesis',
    path: ({ hypothesisId }) => `/cure-lab/hypotheses/${hypothesisId}`,
    shows: () => ['What it predicts', 'Evidence that bears on it'],
  },
  {
    name: 'lab-disease',
    path: () => '/cure-lab/diseases/type-1-diabetes',
    shows: () => ['Good, and not yet a cure', 'Distinct trials of the topic'],
  },
  { name: 'scoreboard', path: () => '/scoreboard', shows: () => ['Each kind by itself', 'What is not measured'] },
  { name: 'status', path: () => '/status', shows: () => ['Every part answers.', 'Promised at most'] },
];
