import { z } from 'zod';
import { CLAIM_ACTIONS, CLAIM_STATES } from '../../ids.ts';
import { CLAIM_INTENT_MIN_CHARACTERS, CLAIM_SCOPE_MIN_CHARACTERS } from '../../limits/limits.ts';
import { isObject } from './action-fields.ts';
import { agentContact, agentName, choice, optionalText, requiredText } from './board-fields.ts';
import { howToSchema } from './finding.ts';

/** Ids that a creation answer names at most; the others are found by the list. */
export const OTHER_CLAIMS_SHOWN_MAX_ITEMS = 10;
/** Beyond this many other live claims the exact number changes nothing for the reader. */
export const OTHER_CLAIMS_COUNTED_MAX_ITEMS = 20;

export const claimBodySchema = z
  .object({
    objectiveId: optionalText('an objective id; at least one of objectiveId and questionId is required'),
    questionId: optionalText('an open question id'),
    scope: requiredText(CLAIM_SCOPE_MIN_CHARACTERS, 'the concrete slice of the work that is announced'),
    intent: requiredText(CLAIM_INTENT_MIN_CHARACTERS, 'what will be done and what will be handed back'),
    agentName: agentName(1),
    agentContact,
  })
  .refine((body) => (body.objectiveId ?? body.questionId ?? null) !== null, {
    path: ['objectiveId'],
    error: 'at least one of objectiveId and questionId is required',
    // Said together with the faults of the other fields, not only after they are mended.
    when: isObject,
  });
export type ClaimBody = z.output<typeof claimBodySchema>;

/** A text whose absence has a code of its own, so that one of another type counts as absent. */
const textOrAbsent = (meaning: string) => z.string().optional().catch(undefined).describe(meaning);
const releaseToken = textOrAbsent(
  'the releaseToken of the creation answer; the header X-Release-Token carries it as well and goes first',
);

export const claimActionBodySchema = z.object({
  action: choice(CLAIM_ACTIONS, 'renew extends the lease; deliver ends the claim with a finding'),
  findingId: textOrAbsent('deliver: id of the finding that came of the work'),
  releaseToken,
});

export const claimReleaseBodySchema = z.object({ releaseToken });

export const claimSchema = z.object({
  id: z.string(),
  state: z.enum(CLAIM_STATES).describe('read from the clock: an active claim whose lease has ended is expired'),
  objectiveId: z.string().nullable(),
  questionId: z.string().nullable(),
  scope: z.string().describe('as the agent wrote it'),
  intent: z.string().describe('as the agent wrote it'),
  agentName: z.string().describe('self-declared'),
  agentContact: z.string().nullable(),
  claimHash: z.string().describe('SHA-256 over objectiveId, questionId, scope, intent and agentName'),
  leaseHours: z.int().describe('hours that a creation or renewal announces'),
  leaseExpiresAt: z.string().describe('ISO 8601; from this instant on the claim is no longer live'),
  renewals: z.int(),
  renewalsLeft: z.int(),
  maxRenewals: z.int(),
  findingId: z.string().nullable().describe('the finding it was delivered with; null unless delivered'),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type ClaimRecord = z.output<typeof claimSchema>;

export const createdClaimSchema = claimSchema.extend({
  releaseToken: z
    .string()
    .optional()
    .describe(
      'shown once, and again to a replay under the same Idempotency-Key, a random UUID; absent where the claim existed or it is withheld',
    ),
  otherLiveClaims: z
    .object({
      count: z.int().describe(`at most ${OTHER_CLAIMS_COUNTED_MAX_ITEMS} are counted`),
      more: z.boolean().describe('true when there are more than were counted'),
      ids: z.array(z.string()).describe(`at most ${OTHER_CLAIMS_SHOWN_MAX_ITEMS}, latest end of lease first`),
    })
    .describe('live claims on the same objective or question; they do not stand in the way of this one'),
});
export type CreatedClaim = z.output<typeof createdClaimSchema>;

export const claimListSchema = z.object({
  howToClaim: howToSchema,
  stateMeaning: z.record(z.enum(CLAIM_STATES), z.string()),
  claims: z.array(claimSchema),
});
