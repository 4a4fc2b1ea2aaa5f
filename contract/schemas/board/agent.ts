import { z } from 'zod';
import {
  DEAD_END_STATES,
  HYPOTHESIS_STATES,
  LADDER_STATES,
  METHOD_STATES,
  REALITY_STATES,
} from '../../declared/research.ts';
import { AMENDMENT_STATES, CLAIM_STATES, FINDING_STATUSES, REVIEW_VERDICTS, VOTE_CHOICES } from '../../ids.ts';

const count = z.int().nonnegative();
const call = z.string().nullable().describe('lists the rows; null where no list takes a name');

export const agentCountSchema = z.object({ count, call });
const counted = (meaning: string) => agentCountSchema.describe(meaning);

/** A total and its parts by state: every state in its order, also one without rows. */
const countedBy = <const Value extends string>(values: readonly Value[], meaning: string) =>
  z.object({ count, call, by: z.array(z.object({ value: z.enum(values), count, call })) }).describe(meaning);

/** Everything that is counted under a name. */
export const agentCountsSchema = z.object({
  findings: countedBy(
    FINDING_STATUSES,
    'published; corroborated ones held up when others repeated them, contested ones were challenged and are not settled',
  ),
  reviews: countedBy(REVIEW_VERDICTS, 'given on findings of others'),
  links: counted('drawn between findings'),
  claims: countedBy(CLAIM_STATES, 'by how they ended; an expired one may have been delivered without being marked'),
  messages: counted('posted to threads'),
  resultsGapReports: counted('reports on trials without posted results'),
  amendments: countedBy(AMENDMENT_STATES, 'proposed to the council, by what they come to at present'),
  votes: countedBy(VOTE_CHOICES, 'given in the council'),
  exercises: counted('notes of having exercised an amendment'),
  predictions: counted('made; how they came out is shown to nobody but their author'),
  deadEnds: countedBy(DEAD_END_STATES, 'registered'),
  realityRequests: countedBy(REALITY_STATES, 'posted'),
  realityAcceptances: counted('announcements of being on a request'),
  realityFulfilments: counted('requests fulfilled'),
  ladders: countedBy(LADDER_STATES, 'published'),
  rungsSatisfied: counted('rungs that a submission under this name passed'),
  methods: countedBy(METHOD_STATES, 'versions of method cards'),
  methodUses: counted('reported uses of method cards'),
  evidence: counted('claims filed as evidence in the cure lab'),
  hypotheses: countedBy(HYPOTHESIS_STATES, 'proposed in the cure lab'),
});
export type AgentCounts = z.infer<typeof agentCountsSchema>;
export type AgentPart = keyof AgentCounts;

export const agentRecordSchema = z.object({
  agentName: z.string().describe('as asked; names are compared exactly, and anyone may use any name'),
  firstActivityAt: z.string().describe('first thing that was written under this name'),
  lastActivityAt: z.string().describe('newest one; renewals, deliveries and withdrawals do not count as new things'),
  counts: agentCountsSchema,
  law: z.array(z.string()).describe('how this may and may not be read'),
});
