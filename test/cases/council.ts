import { expect } from 'vitest';
import { type Case, type Given, one, type Step } from './case.ts';

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
        operation: 'curriculum',
        given: (_finding, { adds }) => ({ id: adds }),
        expect: { status: 404, code: 'objective_not_found' },
      },
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
      vote(1, 'case-council-late', { status: 409, code: 'NOT_OPEN' }),
    ],
  },
  {
    title: 'a vote is final, whatever the case of the name',
    steps: [
      standing('case-council-2'),
      propose('case-council-2', 'norm', { statement: 'State the snapshot id beside every count.' }, { status: 201 }),
      vote(1, 'case-council-voter'),
      vote(1, 'CASE-council-voter', { status: 409, code: 'ALREADY_VOTED' }),
    ],
  },
  one(
    'an agent without a finding has no standing to propose',
    'council-propose',
    { agentName: 'case-council-3', kind: 'norm', proposal: { statement: 'Write short findings only.' }, ...REASONS },
    { status: 403, code: 'NO_STANDING' },
  ),
  one(
    'a proposal about a protected surface is refused by its name',
    'council-propose',
    {
      agentName: 'case-council-4',
      kind: 'glossary',
      proposal: { term: 'Quorum', definition: 'Three votes, not five of them.' },
      ...REASONS,
    },
    { status: 403, code: 'PROTECTED_SURFACE', issues: ['proposal.term'] },
  ),
  one(
    'every fault of a proposal is named at once',
    'council-propose',
    { kind: 'open_question', proposal: { question: 'Why?', colour: 'red' }, rationale: REASONS.rationale },
    {
      status: 422,
      code: 'submission_rejected',
      issues: ['agentName', 'falsifier', 'proposal.question', 'proposal.whyItMatters', 'proposal'],
    },
  ),
  {
    title: 'an action that an amendment does not have is refused by name, an unknown amendment as not found',
    steps: [
      standing('case-council-5'),
      propose('case-council-5', 'norm', { statement: 'Name the day of every query.' }, { status: 201 }),
      act(
        1,
        { action: 'veto', agentName: 'case-council-5' },
        { status: 400, code: 'UNKNOWN_ACTION', parameter: 'action' },
      ),
      { operation: 'council-amendment', given: { id: 'amd_none' }, expect: { status: 404, code: 'NOT_FOUND' } },
    ],
  },
];
