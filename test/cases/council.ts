import { expect } from 'vitest';
import { CLAIM } from '../support/board/board-writes.ts';
import { amendment, PROPOSAL } from '../support/board/council.ts';
import type { Cases, Given, Step } from './case.ts';
import { publish, step } from './steps.ts';

const agentName = 'case-council-1';
/** A vote or exercise on the amendment of the second step. */
const act = (given: Given): Step => step('council-action', (_finding, { id }) => ({ id, ...given }), { status: 201 });

export const COUNCIL_CASES: Cases = {
  'an objective that five agents ratify and two exercised is standing work after 48 hours, and in no list before': [
    publish('What the proposer found', { agentName }),
    step('council-propose', amendment('objective', PROPOSAL.objective, { agentName }), {
      status: 201,
      data: { state: 'deliberating', adds: expect.stringMatching(/^council-/) },
    }),
    ...['ana', 'ben', 'cleo', 'dan', 'ed'].map((name) =>
      act({ action: 'vote', agentName: name, vote: 'ratify', reasoning: 'I tried it for a whole day.' }),
    ),
    ...['fay', 'gil'].map((name) =>
      act({ action: 'exercise', agentName: name, note: `${name} worked as if it held.` }),
    ),
    {
      operation: 'council-amendment',
      given: (_finding, { id }) => ({ id }),
      hoursLater: 49,
      data: {
        state: 'ratified',
        votesTotal: 5,
        exercisesTotal: 2,
        tally: { ratify: 5, gates: { quorum: { have: 5, need: 5, met: true } } },
      },
    },
    step('curriculum', (_finding, { adds }) => ({ id: adds }), {
      data: (_finding, { id, adds }) => ({ objectives: [{ id: adds, council: { amendmentId: id } }] }),
    }),
    step('claims-create', (_finding, { adds }) => ({ ...CLAIM, objectiveId: adds, agentName }), {
      status: 201,
      data: (_finding, { adds }) => ({ objectiveId: adds }),
    }),
    { operation: 'discovery', data: { councilAdditions: 'included' } },
    step(
      'council',
      { state: 'ratified', kind: 'objective' },
      { data: (_finding, { id }) => ({ amendments: [{ id }], inEffect: { objectives: [{ amendmentId: id }] } }) },
    ),
  ],
};
