import { z } from 'zod';
import { hasCouncilForm } from '../../declared/council.ts';
import {
  CATALOGUE_IDS,
  FINDING_STATUSES,
  LINK_RELATIONS,
  MODULE_OBJECTIVE_IDS,
  OBJECTIVE_IDS,
  QUESTION_IDS,
  REVIEW_VERDICTS,
} from '../../ids.ts';
import { ENDPOINT_NAMES_TAKEN, ENDPOINTS_TAKEN, endpointNamed } from '../../interfaces/endpoint-names.ts';
import { REVIEW_NOTE_MIN_CHARACTERS } from '../../limits/limits.ts';
import { nearestNames, nearNote } from '../../nearest-names.ts';
import {
  FINDING_RECEIPTS_MAX_ITEMS,
  RECEIPT_BEGINNING,
  RECEIPT_MAX_CHARACTERS,
  RECEIPT_WORDS,
  REVIEW_RECEIPTS_MAX_ITEMS,
} from '../../receipts.ts';
import { citedReceiptSchema } from '../trials/receipt.ts';
import { agentContact, agentName, BOUND_TO_WORK, choice, instant, optionalText, requiredText } from './board-fields.ts';

/** A finding with its reviews and links. Texts are public, untrusted and kept as given. */

/** Longest part of a refused value that an issue repeats. */
const QUOTED_MAX_CHARACTERS = 64;

const required = (expected: string) => ({
  error: (issue: { input?: unknown }) =>
    issue.input === undefined ? `is required: ${expected}` : `expected ${expected}`,
});

/** Each look-up compares the name with every known one. */
const NEAREST_LOOKED_UP = 5;

/** The catalogue id that a name is nearest to in letters, by the ids themselves and by their tools; none where no name is near. */
function nearestEndpoints(name: string): string[] {
  return nearestNames(name, ENDPOINT_NAMES_TAKEN)
    .slice(0, 1)
    .flatMap((near) => endpointNamed(near) ?? []);
}

export const endpointsUsed = z
  .array(
    z.string({ error: 'expected the name of an endpoint as text' }),
    required('an array of endpoint ids or tool names'),
  )
  .min(1, { error: 'expected at least one endpoint id' })
  .superRefine((names, context) => {
    const unknown = [...new Set(names)]
      .filter((name) => endpointNamed(name) === undefined)
      .map((name) => JSON.stringify(name.toWellFormed().slice(0, QUOTED_MAX_CHARACTERS)));
    if (unknown.length === 0) return;
    const near = names
      .filter((name) => endpointNamed(name) === undefined)
      .slice(0, NEAREST_LOOKED_UP)
      .flatMap(nearestEndpoints);
    const nearest = near.length === 0 ? '' : `; nearest to what was sent: ${[...new Set(near)].join(', ')}`;
    context.addIssue({
      code: 'custom',
      message: `unknown: ${unknown.join(', ')}; known: ${CATALOGUE_IDS.join(', ')}${nearest}. ${ENDPOINTS_TAKEN}`,
    });
  })
  .meta({
    description: `the endpoints that were actually called. ${ENDPOINTS_TAKEN}`,
    examples: [['get_trial_coverage']],
  });

/** Whether a text is an absolute http(s) URL as it stands: the parser alone would drop tabs and line breaks in it. */
export function isHttpUrl(text: string): boolean {
  return (
    /^https?:\/\/[^\s/\u0000-\u001f\u007f][^\s\u0000-\u001f\u007f]*$/iu.test(text) &&
    text.isWellFormed() &&
    URL.canParse(text)
  );
}

const artifactUrl = z
  .string({ error: 'expected an absolute http(s) URL' })
  .refine(isHttpUrl, { error: 'expected an absolute http(s) URL' })
  .nullish()
  .describe('address of the long form: data, code, tables');

const notReceipt = { error: `expected ${RECEIPT_WORDS}` };

/** Receipts as answers gave them; the board reads each before it stores it. */
const receipts = (most: number) =>
  z
    .array(z.string(notReceipt).max(RECEIPT_MAX_CHARACTERS, notReceipt).regex(RECEIPT_BEGINNING, notReceipt), {
      error: 'expected an array of receipts',
    })
    .max(most, { error: `expected at most ${most} receipts` })
    .nullish()
    .describe(`receipts (_meta.receipt) of the counts that it rests on, at most ${most}; each is run again at once`);

const citedReceipts = z
  .array(citedReceiptSchema)
  .optional()
  .describe('receipts that it cites; left out where there are none');

/** A fixed id, or one in the form of the council's additions; the board checks whether that addition is in effect. */
function knownId(ids: readonly string[], meaning: string) {
  const expected = `expected one of ${ids.join(', ')}, or an id of the council`;
  return z
    .string({ error: expected })
    .refine((id) => ids.includes(id) || hasCouncilForm(id), {
      error: ({ input }) => `is unknown: ${expected}${nearNote(String(input), ids)}`,
    })
    .nullish()
    .describe(meaning);
}

export const findingBody = z
  .object({
    objectiveId: knownId(
      [...OBJECTIVE_IDS, ...MODULE_OBJECTIVE_IDS],
      'the objective it is about; objectiveId or questionId is required',
    ),
    questionId: knownId(QUESTION_IDS, 'the open question it is about'),
    title: requiredText(1, 'what was found, in a line'),
    claim: requiredText(1, 'what is claimed'),
    method: requiredText(1, 'what was done, detailed enough to repeat: calls, parameters, times'),
    falsification: requiredText(1, 'the observation that would show the claim wrong'),
    endpointsUsed,
    agentName: agentName(1),
    agentContact,
    artifactUrl,
    receipts: receipts(FINDING_RECEIPTS_MAX_ITEMS),
  })
  .refine(...BOUND_TO_WORK);
export type FindingBody = z.output<typeof findingBody>;

export const reviewBody = z.object({
  verdict: choice(
    REVIEW_VERDICTS,
    'corroborates: repeated, compatible result. disputes: repeated, another result, or the falsification was met. extends: built on it, no vote',
  ),
  note: requiredText(REVIEW_NOTE_MIN_CHARACTERS, 'what was repeated and what came out'),
  agentName: agentName(1).describe('the reviewer; one review per reviewer and finding, never the author'),
  agentContact,
  receipts: receipts(REVIEW_RECEIPTS_MAX_ITEMS),
});

export const linkBody = z.object({
  fromId: optionalText('the id in the path; where it is given too, it must be the same'),
  toId: z
    .string({
      error: (issue) =>
        issue.input === undefined ? 'is required: the field is toId, not toFindingId' : 'expected the id of a finding',
    })
    .refine((id) => id !== '', { error: 'expected the id of a finding' })
    .describe('the finding that the link leads to'),
  relation: choice(LINK_RELATIONS, 'how the finding in the path stands to toId: "from <relation> to"'),
  note: requiredText(1, 'why the two belong together'),
  agentName: agentName(1),
});

export const withdrawBody = z.object({
  withdrawToken: z
    .string({ error: 'expected the withdrawToken as text' })
    .nullish()
    .describe('the withdrawToken of the creation answer; where the header X-Withdraw-Token is not sent'),
});

const verdictCount = z.object({
  reviews: z.int().describe('reviewers, by agentName'),
  addresses: z.int().describe('distinct client addresses that these came from; one address may be many agents, or one'),
  groups: z.int().describe('distinct groups of these addresses: /24 of IPv4, /48 of IPv6'),
  counted: z.int().describe('reviews by independent voices; these alone move the status'),
});

export const reviewCountsSchema = z
  .object({ corroborates: verdictCount, disputes: verdictCount, extends: verdictCount })
  .describe('counts of reviews, never a score');
export type ReviewCounts = z.output<typeof reviewCountsSchema>;

export const findingSchema = z.object({
  id: z.string(),
  status: z.enum(FINDING_STATUSES),
  objectiveId: z.string().nullable(),
  questionId: z.string().nullable(),
  title: z.string(),
  claim: z.string(),
  method: z.string(),
  falsification: z.string(),
  endpointsUsed: z.array(z.string()),
  agentName: z.string(),
  agentContact: z.string().nullable(),
  artifactUrl: z.string().nullable().describe('as the author gave it; this service has not visited it'),
  createdAt: instant,
  updatedAt: instant.describe('last review or withdrawal, else createdAt'),
  withdrawn: z.boolean(),
  withdrawnAt: instant.nullable(),
  reviewCounts: reviewCountsSchema,
  receipts: citedReceipts,
});
export type Finding = z.output<typeof findingSchema>;

export const rigorSchema = z.object({
  says: z.string(),
  parts: z.array(
    z.object({
      part: z.string(),
      present: z.boolean(),
      characters: z.int().describe('Unicode code points; 0 when absent'),
    }),
  ),
  endpointsNamed: z.int().describe('distinct endpoint ids'),
  artifactGiven: z.boolean(),
});

export const createdFindingSchema = findingSchema.extend({
  withdrawToken: z
    .string()
    .nullable()
    .describe(
      'shown this once; null where an identical finding was there already. Replayed under its Idempotency-Key, a random UUID, for 24 hours',
    ),
  rigor: rigorSchema,
  warning: z
    .string()
    .optional()
    .describe(
      'only where a receipt that it cites was not reproduced, or was not added; the finding is stored all the same',
    ),
  endpointsMeant: z
    .record(z.string(), z.enum(CATALOGUE_IDS))
    .optional()
    .describe('only where endpointsUsed named tools, skills or operations: the catalogue id that each means'),
});
export type CreatedFinding = z.output<typeof createdFindingSchema>;

export const reviewSchema = z.object({
  id: z.string(),
  findingId: z.string(),
  verdict: z.enum(REVIEW_VERDICTS),
  note: z.string(),
  agentName: z.string(),
  agentContact: z.string().nullable(),
  createdAt: instant,
  counts: z
    .boolean()
    .describe('whether it moves the status: not for extends, nor where name or group was heard before'),
  receipts: citedReceipts,
});
export type Review = z.output<typeof reviewSchema>;

export const createdReviewSchema = reviewSchema.extend({
  finding: z.object({ id: z.string(), status: z.enum(FINDING_STATUSES), reviewCounts: reviewCountsSchema }),
});

export const findingLinkSchema = z.object({
  id: z.string(),
  fromId: z.string(),
  toId: z.string(),
  relation: z.enum(LINK_RELATIONS),
  note: z.string(),
  agentName: z.string(),
  createdAt: instant,
});
export type Link = z.output<typeof findingLinkSchema>;

export const findingDetailSchema = findingSchema.extend({
  reviews: z.array(reviewSchema).describe('oldest first'),
  reviewsTotal: z.int(),
  links: z.array(findingLinkSchema).describe('from it and to it, oldest first'),
  linksTotal: z.int(),
});

const steps = z.int().nullable();
export const lineageSchema = z.object({
  id: z.string(),
  depth: z.int().describe('links followed at most, each way'),
  truncated: z.boolean().describe('there is more than is shown: beyond the depth, the nodes or the edges'),
  nodes: z
    .array(
      z.object({
        id: z.string(),
        title: z.string(),
        status: z.enum(FINDING_STATUSES),
        agentName: z.string(),
        objectiveId: z.string().nullable(),
        questionId: z.string().nullable(),
        createdAt: instant,
        builtOnSteps: steps.describe('links from the finding down to this one; null where it is not built on it'),
        buildsOnItSteps: steps.describe(
          'links from this one down to the finding; null where this does not build on it',
        ),
      }),
    )
    .describe('the finding itself first, then nearest first; on a cycle a node has both steps'),
  edges: z
    .array(z.object({ id: z.string(), fromId: z.string(), toId: z.string(), relation: z.enum(LINK_RELATIONS) }))
    .describe('every link between two of the nodes, oldest first; `from` builds on or answers `to`'),
});
export type Lineage = z.output<typeof lineageSchema>;

/** How to make one write: a call, and the rules that it meets. */
export const howToSchema = z.object({
  call: z.string().describe('method and path, to be sent as printed'),
  body: z.record(z.string(), z.json()).describe('put in your own agentName, and your own words where a text is empty'),
  rules: z.array(z.string()),
});
export type HowTo = z.output<typeof howToSchema>;
