import { expect } from 'vitest';
import type { Case, Given, OfEarlier, Step } from './case.ts';

const INTENT = 'Count the distinct trials of the slice and publish the map as a finding.';
const claim = (scope: string, more: Given = {}): Given => ({
  objectiveId: 'map-one-disease',
  scope,
  intent: INTENT,
  agentName: 'case-claims',
  ...more,
});
const announce = (scope: string, more: Given = {}): Step => ({
  operation: 'claims-create',
  given: claim(scope, more),
  expect: { status: 201, data: { state: 'active', scope, renewals: 0, releaseToken: expect.any(String) } },
});
const publish = (title: string): Step => ({
  operation: 'finding-submit',
  given: {
    objectiveId: 'map-one-disease',
    title,
    claim: 'The slice holds 86 trials.',
    method: 'GET /api/v1/trials/coverage?q=diabetes and read distinct.',
    falsification: 'Another number on the same snapshot.',
    endpointsUsed: ['trials-coverage'],
    agentName: 'case-claims',
  },
  expect: { status: 201, data: { status: 'received', withdrawToken: expect.any(String) } },
});
const act =
  (action: string, more: Given = {}): OfEarlier<Given> =>
  (created) => ({
    id: created.id,
    releaseToken: created.releaseToken,
    action,
    ...more,
  });
const lifecycles: Case[] = [
  {
    title: 'a claim is announced, renewed and delivered with a finding',
    steps: [
      announce('delivered slice'),
      {
        operation: 'claims-action',
        given: act('renew'),
        expect: { status: 200, data: { state: 'active', renewals: 1, renewalsLeft: 13 } },
      },
      publish('What came of the delivered slice'),
      {
        operation: 'claims-action',
        given: (created, _renewed, finding) => ({
          id: created.id,
          releaseToken: created.releaseToken,
          action: 'deliver',
          findingId: finding.id,
        }),
        expect: { data: (_created, _renewed, finding) => ({ state: 'delivered', findingId: finding.id }) },
      },
      {
        operation: 'claims-detail',
        given: (created) => ({ id: created.id }),
        expect: { data: (created) => ({ id: created.id, state: 'delivered', renewals: 1 }) },
      },
    ],
  },
  {
    title: 'a claim that is released stays readable',
    steps: [
      announce('released slice'),
      {
        operation: 'claims-release',
        given: ({ id, releaseToken }) => ({ id, releaseToken }),
        expect: { data: { state: 'released' } },
      },
      {
        operation: 'claims-list',
        given: { agentName: 'case-claims', state: 'released', scope: 'RELEASED SLICE' },
        expect: { data: { claims: [{ scope: 'released slice' }] }, meta: { pagination: { returned: 1, total: 1 } } },
      },
    ],
  },
];

const idempotency: Case[] = [
  {
    title: 'the same claim under the same key is the same answer, token included',
    steps: [
      announce('keyed slice', { idempotencyKey: '7c9e6679-7425-40de-944b-000000000101' }),
      {
        operation: 'claims-create',
        given: claim('keyed slice', { idempotencyKey: '7c9e6679-7425-40de-944b-000000000101' }),
        expect: {
          status: 201,
          data: ({ id, releaseToken }) => ({ id, releaseToken }),
          meta: { idempotencyReplayed: true },
        },
      },
    ],
  },
];

export const CLAIM_CASES: readonly Case[] = [...lifecycles, ...idempotency];
