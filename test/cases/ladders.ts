import { expect } from 'vitest';
import type { Case, Given, Step } from './case.ts';

/** Ladders, rungs and methods. */

const LADDER: Given = {
  objectiveId: 'map-one-disease',
  title: 'A case in two rungs',
  rationale: 'The number first, then the trial that shows it.',
  agentName: 'case-writer',
  rungs: [
    {
      title: 'Give the number',
      input: 'Nothing.',
      output: 'n: a whole number.',
      effort: 'small',
      rules: [{ path: 'n', rule: 'type', type: 'integer' }],
    },
    {
      title: 'Give a trial',
      input: 'The number.',
      output: 'trials: ids.',
      effort: 'medium',
      rules: [{ path: 'trials[]', rule: 'resolvesTo', to: 'trial' }],
    },
  ],
};
const finding = (title: string): Given => ({
  objectiveId: 'map-one-disease',
  title,
  claim: 'The number is whole.',
  method: 'Counted it.',
  falsification: 'It is not.',
  endpointsUsed: ['trials-search'],
});
const publish = (title: string): Step => ({
  operation: 'ladder-publish',
  given: { ...LADDER, title },
  expect: { status: 201, data: { title, state: 'open', rungsTotal: 2, rungsSatisfied: 0 } },
});
const submit = (place: number, given: Given, expectation: Step['expect'], agentName = 'case-climber'): Step => ({
  operation: 'rung-submit',
  given: (ladder) => ({ id: ladder.rungs[place].id, agentName, ...given }),
  expect: expectation,
});

const ladders: Case[] = [
  {
    title: 'a ladder is climbed rung by rung, each with a finding, and is completed',
    steps: [
      publish('Climbed'),
      {
        operation: 'rungs',
        given: { effort: 'medium' },
        expect: { data: { rungs: [{ title: 'Give a trial', ladderTitle: 'Climbed', state: 'open' }] } },
      },
      {
        operation: 'rung',
        given: (ladder) => ({ id: ladder.rungs[0].id }),
        expect: {
          data: {
            rules: [{ says: 'n must be an integer' }],
            workedSubmission: { body: { output: { n: 1 } }, passes: true, yours: [] },
            submission: null,
          },
        },
      },
      submit(
        0,
        { output: { n: 0.5 }, finding: finding('Half') },
        { status: 200, data: { accepted: false, finding: null, verdicts: [{ passed: false, found: '0.5 at n' }] } },
      ),
      submit(
        0,
        { output: { n: 2 }, finding: finding('Two'), idempotencyKey: '7c9e6679-7425-40de-944b-000000000103' },
        {
          status: 201,
          data: { accepted: true, ladderState: 'open', finding: { title: 'Two', withdrawToken: expect.any(String) } },
        },
      ),
      submit(
        0,
        { output: { n: 2 }, finding: finding('Two'), idempotencyKey: '7c9e6679-7425-40de-944b-000000000103' },
        { status: 201, data: (...earlier) => ({ finding: earlier[4].finding }), meta: { idempotencyReplayed: true } },
      ),
      submit(
        1,
        { output: { trials: ['NCT99999999'] }, finding: finding('None') },
        { status: 200, data: { accepted: false } },
      ),
      submit(
        1,
        { output: { trials: ['NCT90000183'] }, finding: finding('One trial') },
        { status: 201, data: { accepted: true, ladderState: 'completed' } },
      ),
      {
        operation: 'ladder',
        given: ({ id }) => ({ id }),
        expect: {
          data: {
            state: 'completed',
            rungsSatisfied: 2,
            rungs: [
              { place: 1, satisfiedBy: 'case-climber' },
              { place: 2, state: 'satisfied' },
            ],
          },
        },
      },
      {
        operation: 'ladders',
        given: { state: 'completed', objectiveId: 'map-one-disease' },
        expect: { data: { ladders: [{ title: 'Climbed' }] }, meta: { pagination: { total: 1 } } },
      },
    ],
  },
];

const publishFinding = (agentName: string): Step => ({
  operation: 'finding-submit',
  given: { ...finding(`By a method of ${agentName}`), agentName },
  expect: { status: 201 },
});
const card = (more: Given = {}) => ({
  slug: 'case-method',
  title: 'How a case is made',
  appliesTo: 'Cases.',
  steps: ['Write it.', 'Break the code and see it fail.'],
  failureModes: ['It cannot fail.'],
  agentName: 'case-writer',
  ...more,
});
const mint = (more: Given, expectation: Step['expect']): Step => ({
  operation: 'method-mint',
  given: (first, second) => card({ derivedFrom: [first.id, second.id], ...more }),
  expect: expectation,
});
const use = (given: Given, expectation: Step['expect']): Step => ({
  operation: 'method-use',
  given: ({ id }) => ({ slug: 'case-method', action: 'used', findingId: id, agentName: 'case-user', ...given }),
  expect: expectation,
});

const methods: Case[] = [
  {
    title: 'a method is minted from findings of two agents, used, and superseded by its next version',
    steps: [
      publishFinding('case-method-1'),
      publishFinding('case-method-2'),
      mint(
        {},
        { status: 201, data: { slug: 'case-method', version: 1, state: 'active', uses: 0, recommended: false } },
      ),
      mint({}, { status: 200, data: (_one, _two, first) => ({ id: first.id }) }),
      use({}, { status: 201, data: { version: 1, uses: 1 } }),
      use({ agentName: 'case-other' }, { status: 200, data: { agentName: 'case-user', uses: 1 } }),
      mint({ title: 'How a case is made better' }, { status: 201, data: { version: 2, uses: 1 } }),
      {
        operation: 'method',
        given: { slug: 'case-method' },
        expect: { data: { version: 2, versions: [{ version: 2 }, { version: 1, state: 'superseded' }] } },
      },
      {
        operation: 'methods',
        given: { state: 'superseded' },
        expect: {
          data: { methods: [{ slug: 'case-method', version: 1 }] },
          meta: { filters: { state: 'superseded' } },
        },
      },
    ],
  },
];

export const LADDER_CASES: readonly Case[] = [...ladders, ...methods];
