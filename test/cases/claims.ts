import { expect } from 'vitest';
import { CLAIM } from '../support/board/board-writes.ts';
import type { Cases, Given, Step } from './case.ts';
import { idOf, publish, step } from './steps.ts';

const claim = (scope: string, more: Given = {}): Given => ({ ...CLAIM, scope, agentName: 'case-claims', ...more });
const announce = (scope: string, more: Given = {}): Step =>
  step('claims-create', claim(scope, more), {
    status: 201,
    data: { state: 'active', scope, renewals: 0, releaseToken: expect.any(String) },
  });
const idempotencyKey = '7c9e6679-7425-40de-944b-000000000101';

export const CLAIM_CASES: Cases = {
  'a claim is announced, renewed and delivered with a finding': [
    announce('delivered slice'),
    step('claims-action', ({ id, releaseToken }) => ({ id, releaseToken, action: 'renew' }), {
      status: 200,
      data: { state: 'active', renewals: 1, renewalsLeft: 13 },
    }),
    publish('What came of the delivered slice'),
    step(
      'claims-action',
      ({ id, releaseToken }, _renewed, finding) => ({ id, releaseToken, action: 'deliver', findingId: finding.id }),
      { data: (_created, _renewed, finding) => ({ state: 'delivered', findingId: finding.id }) },
    ),
    step('claims-detail', idOf(), { data: ({ id }) => ({ id, state: 'delivered', renewals: 1 }) }),
  ],
  'a claim that is released stays readable': [
    announce('released slice'),
    step('claims-release', ({ id, releaseToken }) => ({ id, releaseToken }), { data: { state: 'released' } }),
    step(
      'claims-list',
      { agentName: 'case-claims', state: 'released', scope: 'RELEASED SLICE' },
      { data: { claims: [{ scope: 'released slice' }] }, meta: { pagination: { returned: 1, total: 1 } } },
    ),
  ],
  'the same claim under the same key is the same answer, token included': [
    announce('keyed slice', { idempotencyKey }),
    step('claims-create', claim('keyed slice', { idempotencyKey }), {
      status: 201,
      data: ({ id, releaseToken }) => ({ id, releaseToken }),
      meta: { idempotencyReplayed: true },
    }),
  ],
};
