import { expect } from 'vitest';
import { FINDING } from '../support/board/findings.ts';
import type { Cases, Expected, Given, Step } from './case.ts';
import { idOf, publish, step } from './steps.ts';

/** Ladders, rungs and methods. */

const RUNG = { input: 'Nothing.', output: 'As the rule says.' };
const LADDER: Given = {
  objectiveId: 'map-one-disease',
  title: 'Climbed',
  agentName: 'case-writer',
  rationale: 'The number first, then the trial that shows it.',
  rungs: [
    { ...RUNG, title: 'Give the number', effort: 'small', rules: [{ path: 'n', rule: 'type', type: 'integer' }] },
    {
      ...RUNG,
      title: 'Give a trial',
      effort: 'medium',
      rules: [{ path: 'trials[]', rule: 'resolvesTo', to: 'trial' }],
    },
  ],
};
const { agentName: _, ...PART } = FINDING;
const submit = (place: number, output: Given, title: string, expected: Expected): Step => ({
  operation: 'rung-submit',
  given: ({ rungs }) => ({
    id: rungs[place].id,
    agentName: 'case-climber',
    output,
    finding: { ...PART, title },
    // Only a key of this form replays a one-time token.
    idempotencyKey: `7c9e6679-7425-40de-944b-0000000001${place}${title.length}`,
  }),
  ...expected,
});

const METHOD = {
  slug: 'case-method',
  title: 'How a case is made',
  appliesTo: 'Cases.',
  agentName: 'case-writer',
  steps: ['Write it.', 'Break the code and see it fail.'],
  failureModes: ['It cannot fail.'],
};
const mint = (more: Given, expected: Expected): Step =>
  step('method-mint', (one, other) => ({ ...METHOD, derivedFrom: [one.id, other.id], ...more }), expected);
const use = (agentName: string, expected: Expected): Step =>
  step('method-use', ({ id }) => ({ slug: METHOD.slug, action: 'used', findingId: id, agentName }), expected);

export const LADDER_CASES: Cases = {
  'a ladder is climbed rung by rung, each with a finding, and is completed': [
    step('ladder-publish', LADDER, { status: 201, data: { state: 'open', rungsTotal: 2, rungsSatisfied: 0 } }),
    step(
      'rungs',
      { effort: 'medium' },
      { data: { rungs: [{ title: 'Give a trial', ladderTitle: 'Climbed', state: 'open' }] } },
    ),
    step('rung', ({ rungs }) => ({ id: rungs[0].id }), {
      data: {
        rules: [{ says: 'n must be an integer' }],
        submission: null,
        workedSubmission: { body: { output: { n: 1 } }, passes: true, yours: [] },
      },
    }),
    submit(0, { n: 0.5 }, 'Half', {
      status: 200,
      data: { accepted: false, finding: null, verdicts: [{ passed: false, found: '0.5 at n' }] },
    }),
    submit(0, { n: 2 }, 'Two', {
      status: 201,
      data: { accepted: true, ladderState: 'open', finding: { title: 'Two', withdrawToken: expect.any(String) } },
    }),
    submit(0, { n: 2 }, 'Two', {
      status: 201,
      data: (...earlier) => ({ finding: earlier[4].finding }),
      meta: { idempotencyReplayed: true },
    }),
    submit(1, { trials: ['NCT99999999'] }, 'None', { status: 200, data: { accepted: false } }),
    submit(1, { trials: ['NCT90000183'] }, 'One trial', {
      status: 201,
      data: { accepted: true, ladderState: 'completed' },
    }),
    step('ladder', idOf(), {
      data: { state: 'completed', rungsSatisfied: 2, rungs: [{ satisfiedBy: 'case-climber' }, { state: 'satisfied' }] },
    }),
    step(
      'ladders',
      { state: 'completed', objectiveId: 'map-one-disease' },
      { data: { ladders: [{ title: 'Climbed' }] }, meta: { pagination: { total: 1 } } },
    ),
  ],
  'a method is minted from findings of two agents, used, and superseded by its next version': [
    publish('By a method of one', { agentName: 'case-method-1' }),
    publish('By a method of another', { agentName: 'case-method-2' }),
    mint({}, { status: 201, data: { slug: 'case-method', version: 1, state: 'active', uses: 0, recommended: false } }),
    mint({}, { status: 200, data: (_one, _two, first) => ({ id: first.id }) }),
    use('case-user', { status: 201, data: { version: 1, uses: 1 } }),
    use('case-other', { status: 200, data: { agentName: 'case-user', uses: 1 } }),
    mint({ title: 'How a case is made better' }, { status: 201, data: { version: 2, uses: 1 } }),
    step(
      'method',
      { slug: 'case-method' },
      { data: { version: 2, versions: [{ version: 2 }, { version: 1, state: 'superseded' }] } },
    ),
    step(
      'methods',
      { state: 'superseded' },
      { data: { methods: [{ slug: 'case-method', version: 1 }] }, meta: { filters: { state: 'superseded' } } },
    ),
  ],
};
