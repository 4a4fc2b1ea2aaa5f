import { expect } from 'vitest';
import { type Case, type Given, type OfEarlier, one, type Step } from './case.ts';

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
const renewals = (count: number): Step[] =>
  Array.from({ length: count }, (_, done) => ({
    operation: 'claims-action',
    given: act('renew'),
    expect: { status: 200, data: { state: 'active', renewals: done + 1, renewalsLeft: count - done - 1 } },
  }));

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
      { operation: 'claims-action', given: act('renew'), expect: { status: 409, code: 'CLAIM_NOT_ACTIVE' } },
    ],
  },
  {
    title: 'a claim that is released stays readable and takes nothing more',
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
      {
        operation: 'claims-release',
        given: ({ id, releaseToken }) => ({ id, releaseToken }),
        expect: { status: 409, code: 'CLAIM_NOT_ACTIVE' },
      },
    ],
  },
  {
    title: 'a claim is renewed fourteen times and not once more',
    steps: [
      announce('long slice'),
      ...renewals(14),
      { operation: 'claims-action', given: act('renew'), expect: { status: 409, code: 'MAX_RENEWALS_REACHED' } },
    ],
  },
  {
    title: 'a lease ends by the clock and the slice returns to the pool',
    steps: [
      announce('expiring slice'),
      {
        operation: 'claims-list',
        given: { scope: 'expiring slice' },
        expect: { data: { claims: [{ state: 'active' }] } },
      },
      {
        operation: 'claims-detail',
        hoursLater: 25,
        given: (created) => ({ id: created.id }),
        expect: { data: { state: 'expired' } },
      },
      { operation: 'claims-list', given: { scope: 'expiring slice' }, expect: { data: { claims: [] } } },
      { operation: 'claims-action', given: act('renew'), expect: { status: 409, code: 'CLAIM_NOT_ACTIVE' } },
    ],
  },
];

const idempotency: Case[] = [
  {
    title: 'the same claim under the same key is the same answer, token included; another claim under it is refused',
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
      {
        operation: 'claims-create',
        given: claim('another slice', { idempotencyKey: '7c9e6679-7425-40de-944b-000000000101' }),
        expect: { status: 409, code: 'IDEMPOTENCY_KEY_REUSED' },
      },
    ],
  },
  {
    title: 'an identical claim that is live is not doubled, and its token is not shown again',
    steps: [
      announce('twin slice'),
      {
        operation: 'claims-create',
        given: claim('twin slice'),
        expect: { status: 200, data: ({ id, claimHash }) => ({ id, claimHash }), meta: { duplicate: true } },
      },
    ],
  },
  one(
    'a key that is too short is INVALID_IDEMPOTENCY_KEY',
    'claims-create',
    claim('x y', { idempotencyKey: 'short' }),
    {
      status: 400,
      code: 'INVALID_IDEMPOTENCY_KEY',
    },
  ),
];

const refusals: Case[] = [
  one(
    'every fault of a claim is named at once',
    'claims-create',
    { scope: 'ab', intent: 'soon', agentName: '' },
    {
      status: 422,
      code: 'claim_rejected',
      issues: ['scope', 'intent', 'agentName', 'objectiveId'],
    },
  ),
  one(
    'a claim on nothing that stands is refused',
    'claims-create',
    claim('slice', { objectiveId: 'cure-everything' }),
    {
      status: 422,
      code: 'claim_rejected',
      issues: ['objectiveId'],
    },
  ),
  one('text of the wrong type is refused by name', 'claims-create', claim('slice', { agentName: 5 }), {
    status: 422,
    code: 'claim_rejected',
    issues: ['agentName'],
  }),
  one('a claim over its ceiling is BODY_TOO_LARGE', 'claims-create', claim('x'.repeat(8_000)), {
    status: 413,
    code: 'BODY_TOO_LARGE',
  }),
  one(
    'a claim that never was is CLAIM_NOT_FOUND',
    'claims-detail',
    { id: 'clm_never' },
    {
      status: 404,
      code: 'CLAIM_NOT_FOUND',
    },
  ),
  one(
    'acting on a claim that never was is CLAIM_NOT_FOUND',
    'claims-action',
    { id: 'clm_never', action: 'renew', releaseToken: 'any' },
    { status: 404, code: 'CLAIM_NOT_FOUND' },
  ),
  one(
    'an unknown state is invalid_state',
    'claims-list',
    { state: 'asleep' },
    {
      status: 400,
      code: 'invalid_state',
      parameter: 'state',
    },
  ),
  {
    title: 'a claim obeys its token alone, and says what is missing of a delivery',
    steps: [
      announce('guarded slice'),
      {
        operation: 'claims-action',
        given: ({ id }) => ({ id, action: 'renew', releaseToken: 'not it' }),
        expect: { status: 403, code: 'BAD_RELEASE_TOKEN' },
      },
      {
        operation: 'claims-release',
        given: ({ id }) => ({ id }),
        expect: { status: 403, code: 'BAD_RELEASE_TOKEN' },
      },
      { operation: 'claims-action', given: act('abandon'), expect: { status: 400, code: 'UNKNOWN_ACTION' } },
      { operation: 'claims-action', given: act('deliver'), expect: { status: 400, code: 'FINDING_ID_REQUIRED' } },
      {
        operation: 'claims-action',
        given: act('deliver', { findingId: 'fnd_never' }),
        expect: { status: 404, code: 'FINDING_NOT_FOUND' },
      },
    ],
  },
];

export const CLAIM_CASES: readonly Case[] = [...lifecycles, ...idempotency, ...refusals];
