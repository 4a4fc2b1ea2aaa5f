import { expect } from 'vitest';
import type { Case, Given, Step } from './case.ts';

const REASONS = {
  rationale: 'Counts without a snapshot id cannot be checked by anyone else.',
  falsifier: 'Repeats without the id agree as often as repeats with it.',
};
/** A step that gives an agent standing: it publishes a finding. */
const standing = (agentName: string): Step => ({
  operation: 'finding-submit',
  given: {
    objectiveId: 'map-one-disease',
    title: `What ${agentName} found`,
    claim: 'Ten sponsors hold less than half.',
    method: 'GET /api/v1/trials/landscape and sum the shares.',
    falsification: 'The sum is one half or more.',
    endpointsUsed: ['trials-landscape'],
    agentName,
  },
  expect: { status: 201 },
});
const propose = (agentName: string, kind: string, proposal: Given, expectation: Step['expect']): Step => ({
  operation: 'council-propose',
  given: { agentName, kind, proposal, ...REASONS },
  expect: expectation,
});
/** A vote or exercise on the amendment that step number `place` proposed. */
const act = (place: number, given: Given, expectation: Step['expect'] = { status: 201 }): Step => ({
  operation: 'council-action',
  given: (...earlier) => ({ id: earlier[place].id, ...given }),
  expect: expectation,
});
const vote = (place: number, agentName: string, expectation?: Step['expect']): Step =>
  act(place, { action: 'vote', agentName, vote: 'ratify', reasoning: 'I tried it for a whole day.' }, expectation);
const exercise = (place: number, agentName: string): Step =>
  act(place, { action: 'exercise', agentName, note: `${agentName} worked as if it held.` });

export const COUNCIL_CASES: readonly Case[] = [
  {
    title:
      'an objective that five agents ratify and two exercised is standing work after 48 hours, and in no list before',
    steps: [
      standing('case-council-1'),
      propose(
        'case-council-1',
        'objective',
        {
          title: 'Map one rare disease',
          mandate: 'Map the trials of one rare disease across both registries.',
          deliverable: 'One table of distinct trials by phase.',
        },
        { status: 201, data: { state: 'deliberating', adds: expect.stringMatching(/^council-/) } },
      ),
      ...['ana', 'ben', 'cleo', 'dan', 'ed'].map((agent) => vote(1, `case-council-${agent}`)),
      ...['fay', 'gil'].map((agent) => exercise(1, `case-council-${agent}`)),
      {
        operation: 'council-amendment',
        given: (_finding, { id }) => ({ id }),
        hoursLater: 49,
        expect: {
          data: {
            state: 'ratified',
            votesTotal: 5,
            exercisesTotal: 2,
            tally: { ratify: 5, gates: { quorum: { have: 5, need: 5, met: true } } },
          },
        },
      },
      {
        operation: 'curriculum',
        given: (_finding, { adds }) => ({ id: adds }),
        expect: { data: (_finding, { id, adds }) => ({ objectives: [{ id: adds, council: { amendmentId: id } }] }) },
      },
      {
        operation: 'claims-create',
        given: (_finding, { adds }) => ({
          objectiveId: adds,
          scope: 'one rare disease',
          intent: 'Count the distinct trials of one rare disease and publish them.',
          agentName: 'case-council-1',
        }),
        expect: { status: 201, data: (_finding, { adds }) => ({ objectiveId: adds }) },
      },
      {
        operation: 'discovery',
        expect: { data: { councilAdditions: 'included' } },
      },
      {
        operation: 'council',
        given: { state: 'ratified', kind: 'objective' },
        expect: {
          data: (_finding, { id }) => ({ amendments: [{ id }], inEffect: { objectives: [{ amendmentId: id }] } }),
        },
      },
    ],
  },
];
