import { z } from 'zod';
import { ERRORS, type ErrorCode } from '../errors/errors.ts';
import { nextCallSchema } from './board/assignment.ts';
import { siteStatusSchema } from './site-status.ts';
import { askedIdentifierSchema, hintsSchema } from './trials/hints.ts';
import { alsoMatchingSchema, matchingSchema } from './trials/matching.ts';
import { relevanceSchema } from './trials/relevance.ts';

/** The two shapes of every answer: `{data, _meta}` and `{error}`. */

const trialPagination = z.object({
  page: z.int(),
  pageSize: z.int(),
  totalItems: z.int(),
  returned: z.int(),
  hasMore: z.boolean(),
  nextUrl: z.string().nullable(),
});
const boardPagination = z.object({
  limit: z.int(),
  offset: z.int(),
  returned: z.int(),
  total: z.int().nullable(),
  hasMore: z.boolean().nullable(),
  nextCursor: z
    .string()
    .nullable()
    .optional()
    .describe('send it as cursor, with the same filters, for the page after this one; null on the last page'),
});

export const metaSchema = z
  .looseObject({
    api: z.string(),
    version: z.string(),
    schemaVersion: z.string(),
    correlationId: z.string().describe('also in the header X-Correlation-Id; quote it when you report a fault'),
    generatedAt: z.iso.datetime(),
    ignored: z
      .array(z.string())
      .optional()
      .describe('names of parameters or body keys that were not known and dropped'),
    filters: z.record(z.string(), z.unknown()).optional().describe('the filters that were applied'),
    pagination: z.union([trialPagination, boardPagination]).optional(),
    provenance: z
      .looseObject({ worldwide: z.boolean().optional() })
      .optional()
      .describe(
        'registries consulted, dedupMethod, worldwide; held: how many records of each registry that is not held whole, of its own total where that is known',
      ),
    freshness: z
      .array(z.looseObject({ registry: z.string().optional(), feed: z.string().optional() }))
      .optional()
      .describe('per registry, or per feed where the answer is made of feeds'),
    degraded: z.boolean().optional(),
    snapshot: z.string().optional().describe('version of the snapshot that answered'),
    signed: z
      .boolean()
      .optional()
      .describe(
        'whether the operator signed the log of publications that holds this snapshot: by a key that the log lists, or where the server insists on keys by one of those',
      ),
    identity: z
      .string()
      .nullable()
      .optional()
      .describe(
        'identity of that snapshot: SHA-256 of its statement; null of an older format; an addition to the interface',
      ),
    links: z.record(z.string(), z.string()).optional(),
    nextCalls: z
      .array(nextCallSchema)
      .optional()
      .describe(
        'at most three calls that lead on from a read; the concise form has them in data, where data states none itself; an addition to the interface',
      ),
    honesty: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .describe('how the answer may and may not be interpreted'),
    derived: z
      .record(z.string(), z.looseObject({ vocabulary: z.string() }))
      .optional()
      .describe('parts of the answer or its filters that are inferred, not registry facts, and the rules used'),
    matching: matchingSchema
      .optional()
      .describe('with match=concepts and q or topic: how the words and the topic were read, and both counts'),
    alsoMatching: alsoMatchingSchema
      .optional()
      .describe('with match=words and q: what match=concepts would find besides'),
    relevance: relevanceSchema
      .optional()
      .describe('with sort=relevance and q: the formula, and the scores of the page'),
    receipt: z
      .string()
      .optional()
      .describe(
        'of a count of trials: its query, snapshot, count and sum of ids; GET /api/v1/receipts/{receipt} runs it again; an addition to the interface',
      ),
    notices: z.array(z.string()).optional().describe('what the caller may not have meant'),
    hints: hintsSchema.optional(),
    identifier: askedIdentifierSchema
      .optional()
      .describe('where q as a whole is an identifier: the trials that it leads to, which the words of q may not find'),
    siteStatus: siteStatusSchema
      .optional()
      .describe('where a status and a place are asked for, or siteStatus: how many trials have such a site there'),
    idempotencyReplayed: z.boolean().optional(),
    withheld: z
      .object({ fields: z.array(z.string()), why: z.string() })
      .optional()
      .describe('what the first answer showed once and this replay does not'),
  })
  .meta({ id: 'Meta', description: 'What made this answer.' });

export const errorCodeSchema = z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]);

export const errorSchema = z
  .object({
    code: errorCodeSchema.describe('branch on this'),
    message: z.string().describe('for people; may be reworded'),
    retryable: z.boolean().describe('whether the identical request can succeed later'),
    hint: z.string().describe('what to do next, and where there is more'),
    correlationId: z.string(),
    parameter: z.string().optional().describe('the unusable parameter'),
    expected: z.string().optional().describe('what was expected of it'),
    issues: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .describe('every problem at once'),
    retryAfterSeconds: z.int().optional(),
  })
  .meta({ id: 'Error', description: 'Why a request failed.' });

/** A failure in the form of RFC 9457, for clients whose Accept names application/problem+json. */
export const problemSchema = errorSchema
  .omit({ message: true })
  .extend({
    type: z.string().describe('address of the page about the code; a reference relative to the service'),
    title: z.string().describe('what the code means'),
    status: z.int(),
    detail: z.string().describe('for people; may be reworded'),
    instance: z.string().describe('the correlation id as a URN'),
  })
  .meta({ id: 'Problem', description: 'Why a request failed, as a problem document (RFC 9457).' });

/** Codes with which any operation may be refused before its handler runs, whatever it declares. */
export const DOOR_CODES = [
  'INVALID_PARAM',
  'INVALID_API_KEY',
  'FORBIDDEN',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'RATE_LIMITED',
  'WRITE_RATE_LIMITED',
  'INTERNAL_ERROR',
] as const satisfies readonly ErrorCode[];
