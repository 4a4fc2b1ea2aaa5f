import type { z } from 'zod';
import {
  assignmentCandidateSchema,
  budgetSchema,
  guidanceSchema,
  nextCallSchema,
} from '../../contract/schemas/assignment.ts';
import { changeEventSchema, changeFeedSchema } from '../../contract/schemas/change.ts';
import { claimSchema, createdClaimSchema } from '../../contract/schemas/claim.ts';
import { coverageSchema, landscapeSchema } from '../../contract/schemas/counts.ts';
import { errorSchema, problemSchema } from '../../contract/schemas/envelope.ts';
import {
  createdFindingSchema,
  linkSchema as findingLinkSchema,
  findingSchema,
  howToSchema,
  lineageSchema,
  reviewCountsSchema,
  reviewSchema,
} from '../../contract/schemas/finding.ts';
import { keySchema } from '../../contract/schemas/key.ts';
import { messageSchema } from '../../contract/schemas/message.ts';
import { modalityMixSchema, modalitySchema } from '../../contract/schemas/modality.ts';
import {
  conflictSchema,
  identifierSchema,
  linkSchema,
  registrationBriefSchema,
  registrationFieldsSchema,
  registrationSchema,
  registryDateSchema,
  relationSchema,
  trialListItemSchema,
  trialSchema,
} from '../../contract/schemas/trial.ts';
import { deliverySchema, webhookSchema } from '../../contract/schemas/webhook.ts';

/**
 * Schemas that the document names as components; the others stand where they are used. They are named here and not by
 * metadata of the schemas, which the doors that hand schemas out whole (MCP tools) would have to carry along.
 */
export const NAMED_SCHEMAS: Record<string, z.ZodType> = {
  AssignmentCandidate: assignmentCandidateSchema,
  Budget: budgetSchema,
  ChangeEvent: changeEventSchema,
  ChangeFeed: changeFeedSchema,
  Claim: claimSchema,
  Conflict: conflictSchema,
  Coverage: coverageSchema,
  CreatedClaim: createdClaimSchema,
  CreatedFinding: createdFindingSchema,
  Delivery: deliverySchema,
  Error: errorSchema,
  Finding: findingSchema,
  FindingLink: findingLinkSchema,
  Guidance: guidanceSchema,
  HowTo: howToSchema,
  Identifier: identifierSchema,
  Key: keySchema,
  Landscape: landscapeSchema,
  Lineage: lineageSchema,
  Link: linkSchema,
  Message: messageSchema,
  Modality: modalitySchema,
  ModalityMix: modalityMixSchema,
  NextCall: nextCallSchema,
  Problem: problemSchema,
  Registration: registrationSchema,
  RegistrationBrief: registrationBriefSchema,
  RegistrationFields: registrationFieldsSchema,
  RegistryDate: registryDateSchema,
  Relation: relationSchema,
  Review: reviewSchema,
  ReviewCounts: reviewCountsSchema,
  Trial: trialSchema,
  TrialListItem: trialListItemSchema,
  Webhook: webhookSchema,
};
