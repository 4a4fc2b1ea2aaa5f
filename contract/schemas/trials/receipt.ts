import { z } from 'zod';
import { RECEIPT_IDS_SHOWN, RECEIPT_OPERATIONS } from '../../receipts.ts';
import { MATCH_MODES } from '../../vocabularies.ts';

/** What a receipt says, and what became of it when it was run again; docs/receipts.md. */

const count = z.int().min(0);
const sum = z.string().describe('sum of the canonical ids: their last 12 characters in base 36, modulo 36^12');
const identity = z.string().nullable().describe('SHA-256 of the manifest of the snapshot; null of an older format');

export const receiptClaimSchema = z.object({
  operation: z.enum(Object.values(RECEIPT_OPERATIONS) as [string, ...string[]]).describe('operation that gave it'),
  inWords: z.string().describe('what was counted, by which filters'),
  call: z.string().describe('the same query, to be sent as printed'),
  query: z
    .record(z.string(), z.string())
    .describe('the normalised query: each filter as it was read, without defaults'),
  match: z.enum(MATCH_MODES).describe('how its words are expanded'),
  count: count.describe('distinct trials'),
  sum,
  snapshot: z.string().describe('version that gave it'),
  identity: z.string().nullable().describe('first 16 digits of the identity of that snapshot; null of an older format'),
  fault: z
    .string()
    .optional()
    .describe('only where the query cannot be read: why; query is then empty, and call says the same'),
});
export type ReceiptClaim = z.output<typeof receiptClaimSchema>;

const run = { count: count.nullable(), sum: sum.nullable() };
const why = z
  .string()
  .nullable()
  .describe('why it was not run, or what changed where it differs; null where it was reproduced');

const ownRunSchema = z.object({
  state: z
    .enum(['reproduced', 'differs', 'gone', 'unknown', 'not-run'])
    .describe(
      'reproduced: count and sum are equal. differs: they are not. gone: the snapshot was removed and its manifest is kept. unknown: no snapshot of this name and identity is or was held here. not-run: it could not be asked',
    ),
  version: z.string(),
  identity: identity.describe('as its manifest states it; null where none is kept'),
  ...run,
  why,
  kept: z
    .object({
      createdAt: z.iso.datetime(),
      asOf: z.iso.date(),
      removedAt: z.iso.datetime().nullable(),
      trials: count.describe('all trials of that snapshot'),
      logIndex: count
        .nullable()
        .describe('place of its identity in the log of publications; null where it is not in it'),
      details: z.string().describe('call that tells all that is kept of the snapshot'),
    })
    .nullable()
    .describe('what the manifest and the log say of the snapshot; null where it is unknown'),
});

const currentRunSchema = z.object({
  state: z.enum(['reproduced', 'differs', 'not-run']),
  version: z.string(),
  identity,
  ...run,
  why,
});

const movedSchema = z.object({
  total: count.describe('exact'),
  ids: z.array(z.string()).describe(`at most ${RECEIPT_IDS_SHOWN}, in the order of ids`),
});

export const receiptCheckSchema = z.object({
  receipt: z.string(),
  claim: receiptClaimSchema,
  onItsSnapshot: ownRunSchema,
  onCurrent: currentRunSchema,
  between: z
    .object({ came: movedSchema, went: movedSchema })
    .nullable()
    .describe(
      'canonical ids that its snapshot did not find and the current one does, and the reverse; null where both were not run',
    ),
});
export type ReceiptCheck = z.output<typeof receiptCheckSchema>;

const ran = {
  state: z
    .enum(['reproduced', 'differs', 'gone', 'unknown', 'not-run', 'unchecked'])
    .describe('on its own snapshot; unchecked: it was not run yet'),
  onCurrent: z.enum(['reproduced', 'differs', 'not-run']).nullable().describe('on the snapshot that was served then'),
  countNow: count.nullable().describe('distinct trials of the same query on that snapshot'),
  why: z
    .string()
    .nullable()
    .describe('why it was not run, or what changed where it differs on either; null where both were reproduced'),
};

/** What the gateway tells the board of a receipt that it ran. */
export const receiptOutcomeSchema = z.object({ receipt: z.string(), ...ran });
export type ReceiptOutcome = z.output<typeof receiptOutcomeSchema>;

/** A receipt that a finding or a review cites, with what came of it when it was last run. */
export const citedReceiptSchema = z.object({
  receipt: z.string(),
  claim: receiptClaimSchema,
  ...ran,
  checkedAt: z.iso.datetime().nullable(),
});
export type CitedReceipt = z.output<typeof citedReceiptSchema>;

export const verificationSchema = z.object({
  findingId: z.string(),
  checkedAt: z.iso.datetime(),
  receipts: count.describe('cited by the finding and by its reviews; spellings of one receipt count once'),
  reproduced: count.describe('of the finding itself, on their own snapshots'),
  differs: count.describe('of the finding itself, on their own snapshots'),
  finding: z.array(citedReceiptSchema),
  reviews: z.array(z.object({ reviewId: z.string(), agentName: z.string(), receipts: z.array(citedReceiptSchema) })),
  notRun: count.describe('receipts beyond those that one call runs'),
  says: z.string(),
});
