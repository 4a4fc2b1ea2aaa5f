import { expect } from 'vitest';
import type { Cases, Expected, Given, Step } from './case.ts';

const NCT = expect.stringMatching(/^NCT\d{8}$/);
const take = (agentName: string, more: Given = {}): Step => ({
  operation: 'results-gap-next',
  given: { agentName, ...more },
  data: { trial: { nctId: NCT, clocks: { long: { months: 18, passed: true } } } },
});
/** A report on the trial that the first step returned. */
const report = (agentName: string, more: Given, expectation: Expected): Step => ({
  operation: 'results-gap-submit',
  given: ({ trial }) => ({
    agentName,
    nctId: trial.nctId,
    searchStrategy: 'PubMed and Europe PMC by the id, then by title words.',
    ...more,
  }),
  ...expectation,
});

export const RESULTS_GAP_CASES: Cases = {
  'a paper that the literature ties to the trial is confirmed on arrival and counted': [
    take('case-gap-1'),
    report(
      'case-gap-1',
      { outcome: 'publication', pmid: '41000007', publicationType: 'results', idempotencyKey: 'case-gap-key-1' },
      {
        status: 201,
        data: { verification: 'registry_linked', state: 'confirmed', support: { agents: 1, addresses: 1, groups: 1 } },
      },
    ),
    report(
      'case-gap-1',
      { outcome: 'publication', pmid: '41000007', publicationType: 'results', idempotencyKey: 'case-gap-key-1' },
      { status: 201, data: (_taken, first) => ({ id: first.id }), meta: { idempotencyReplayed: true } },
    ),
    {
      operation: 'results-gap',
      data: ({ trial }) => ({
        reconnected: 1,
        reports: 1,
        recentlyConfirmed: [{ nctId: trial.nctId, pmid: '41000007', outcome: 'publication' }],
      }),
    },
  ],
};
