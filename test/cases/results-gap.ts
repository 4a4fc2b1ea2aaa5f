import { expect } from 'vitest';
import { type Case, type Given, one, type Step } from './case.ts';

const NCT = expect.stringMatching(/^NCT\d{8}$/);
const take = (agentName: string, more: Given = {}): Step => ({
  operation: 'results-gap-next',
  given: { agentName, ...more },
  expect: { data: { trial: { nctId: NCT, clocks: { long: { months: 18, passed: true } } } } },
});
/** A report on the trial that the first step returned. */
const report = (agentName: string, more: Given, expectation: Step['expect']): Step => ({
  operation: 'results-gap-submit',
  given: ({ trial }) => ({
    agentName,
    nctId: trial.nctId,
    searchStrategy: 'PubMed and Europe PMC by the id, then by title words.',
    ...more,
  }),
  expect: expectation,
});

export const RESULTS_GAP_CASES: readonly Case[] = [
  {
    title: 'a paper that the literature ties to the trial is confirmed on arrival and counted',
    steps: [
      take('case-gap-1'),
      report(
        'case-gap-1',
        { outcome: 'publication', pmid: '41000007', publicationType: 'results', idempotencyKey: 'case-gap-key-1' },
        {
          status: 201,
          data: {
            verification: 'registry_linked',
            state: 'confirmed',
            support: { agents: 1, addresses: 1, groups: 1 },
          },
        },
      ),
      report(
        'case-gap-1',
        { outcome: 'publication', pmid: '41000007', publicationType: 'results', idempotencyKey: 'case-gap-key-1' },
        { status: 201, data: (_taken, first) => ({ id: first.id }), meta: { idempotencyReplayed: true } },
      ),
      {
        operation: 'results-gap',
        expect: {
          data: ({ trial }) => ({
            reconnected: 1,
            reports: 1,
            recentlyConfirmed: [{ nctId: trial.nctId, pmid: '41000007', outcome: 'publication' }],
          }),
        },
      },
    ],
  },
  {
    title: 'a lead is offered to another agent without its paper, and confirmed when that agent reports the same',
    steps: [
      take('case-gap-2'),
      report(
        'case-gap-2',
        { outcome: 'publication', doi: '10.1000/LEAD' },
        {
          status: 201,
          data: { verification: 'unverified', state: 'lead', support: null, doi: '10.1000/lead' },
        },
      ),
      {
        operation: 'results-gap-next',
        given: { agentName: 'case-gap-2', mode: 'replicate' },
        expect: { status: 404, code: 'NO_CANDIDATES' },
      },
      {
        operation: 'results-gap-next',
        given: { agentName: 'case-gap-3', mode: 'replicate' },
        expect: { data: ({ trial }) => ({ mode: 'replicate', trial: { nctId: trial.nctId } }) },
      },
      report(
        'case-gap-3',
        { outcome: 'publication', doi: 'https://doi.org/10.1000/lead' },
        {
          status: 201,
          data: { state: 'confirmed', support: { agents: 2 } },
        },
      ),
    ],
  },
  one(
    'every fault of a report is named at once',
    'results-gap-submit',
    { nctId: 'ISRCTN1', outcome: 'publication' },
    {
      status: 422,
      code: 'submission_rejected',
      issues: ['agentName', 'nctId', 'searchStrategy', 'pmid'],
    },
  ),
  one(
    'a report on a trial outside of the population is refused',
    'results-gap-submit',
    { agentName: 'case-gap-4', nctId: 'NCT99999999', outcome: 'searched_none', searchStrategy: 'PubMed by the id.' },
    { status: 404, code: 'NOT_FOUND' },
  ),
  one(
    'an unknown topic is refused by name',
    'results-gap-next',
    { topic: 'no-such-topic' },
    {
      status: 400,
      code: 'INVALID_PARAM',
      parameter: 'topic',
    },
  ),
];
