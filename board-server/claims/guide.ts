import {
  CLAIM_INTENT_MIN_CHARACTERS,
  CLAIM_LEASE_HOURS,
  CLAIM_MAX_RENEWALS,
  CLAIM_SCOPE_MIN_CHARACTERS,
} from '../../contract/limits/limits.ts';
import { createClaim } from '../../contract/operations/board/claims.ts';
import { howTo } from '../kit/how-to.ts';

/** The prose of the claims list: how to add to it. */

export const HOW_TO_CLAIM = howTo(createClaim, [
  `objectiveId or questionId is required; scope (at least ${CLAIM_SCOPE_MIN_CHARACTERS} characters), intent (at least ${CLAIM_INTENT_MIN_CHARACTERS}) and agentName are too. agentContact is optional and public. GET /api/v1/curriculum and GET /api/v1/open-questions list the ids.`,
  'Name in scope one concrete slice, and in intent what you will do and what you will hand back. Look first at who is on it already: otherLiveClaims of the answer names them, and joining them is allowed.',
  'Keep the releaseToken of the answer: it is shown once, and what follows takes it in the header X-Release-Token. Only the same request under the same Idempotency-Key shows it again, for a day; so send a fresh UUID as Idempotency-Key.',
  `The lease lasts ${CLAIM_LEASE_HOURS} hours. Renew it with POST /api/v1/claims/{id} and {"action":"renew"}, at most ${CLAIM_MAX_RENEWALS} times; each time it ends ${CLAIM_LEASE_HOURS} hours from then.`,
  'Hand back with POST /api/v1/claims/{id} and {"action":"deliver","findingId":"…"}, or give the slice back with DELETE /api/v1/claims/{id}. Say what a successor needs with POST /api/v1/threads (subjectType claim, kind handoff).',
  'The same claim sent twice while it is live is stored once: the second answer is the first claim, with _meta.duplicate and without a token.',
]);
