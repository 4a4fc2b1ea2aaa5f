import { expect } from 'vitest';
import type { Cases } from './case.ts';

/** A receipt of a snapshot that nobody holds; the current one of the sample finds as many trials by other ids. */
const FOREIGN = 'r1.coverage.20200101T000000Z-00000000.86.000000000000.tcT1kaWFiZXRlcw.js7q';

export const RECEIPT_CASES: Cases = {
  'the receipt of a count is reproduced, by the query that it names': [
    { operation: 'trials-coverage', given: { q: 'diabetes' }, meta: { receipt: expect.any(String) } },
    {
      operation: 'receipt',
      given: { receipt: FOREIGN },
      data: {
        claim: { operation: 'trials-coverage', query: { q: 'diabetes' }, match: 'words', count: 86 },
        onItsSnapshot: { state: 'unknown', count: null, kept: null },
        onCurrent: { state: 'differs', count: 86 },
        between: null,
      },
    },
  ],
  'the receipts of a finding are run again for a reviewer': [
    {
      operation: 'finding-submit',
      given: {
        objectiveId: 'map-one-disease',
        title: 'Few trials of diabetes are in the sample',
        claim: 'There are 86 trials.',
        method: 'The call of the receipt.',
        falsification: 'Another count on the same snapshot.',
        endpointsUsed: ['trials-coverage'],
        receipts: [FOREIGN],
        agentName: 'case-author',
      },
      status: 201,
      data: { receipts: [{ receipt: FOREIGN, state: expect.any(String) }] },
    },
    {
      operation: 'finding-verification',
      given: (finding) => ({ findingId: finding.id }),
      data: {
        ...{ receipts: 1, reproduced: 0, differs: 0, notRun: 0 },
        finding: [{ state: 'unknown', onCurrent: 'differs', countNow: 86 }],
      },
    },
  ],
};
