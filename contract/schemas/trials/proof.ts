import { z } from 'zod';
import { PROOF_FORMAT } from '../../proof.ts';

/** What proves that a trial stood in a published snapshot; docs/proofs.md has the form in full and how it is checked. */

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);
const path = z.array(sha256).describe('hashes in lower-case hex, from the leaf upwards (RFC 9162, section 2.1.3)');

const row = z.object({
  index: count.describe('place of the row in key order, from 0'),
  row: z.string().describe('the row as JSON by RFC 8785, byte by byte as it was hashed'),
  path,
});

const table = z.object({
  size: count.describe('rows of the table'),
  root: sha256.describe('root of its Merkle tree, as in the statement'),
  rows: z.array(row).describe('in order of index'),
});

export const proofSchema = z.object({
  format: z.literal(PROOF_FORMAT),
  statement: z.string().describe('the text of manifest.json; its SHA-256 in UTF-8 is the identity of the snapshot'),
  tables: z.object({
    trials: table.describe('the row of the trial'),
    registrations: table.describe('a row for each registration that the row of the trial names'),
    links: table
      .extend({
        omitted: z.int().min(1).optional().describe('links of these registrations that found no place in the bundle'),
      })
      .describe('evidence that begins or ends at these registrations; that there is no more is not proven'),
  }),
  changes: z
    .object({
      size: count.describe('rows of the stored changes, whose root is in the statement'),
      first: count.describe('place of the first of these rows in the table, from 0'),
      rows: z
        .array(z.string())
        .describe(
          'all changes of the trial since the parent, one row before them and one after, each as JSON by RFC 8785 with old and new as SHA-256; without any change the two rows between which one would stand',
        ),
      path: z
        .array(sha256)
        .describe('hashes in lower-case hex of what the table has before and after these rows, from left to right'),
    })
    .optional()
    .describe('with includeChanges: by which changes the trial followed the parent of the snapshot'),
  log: z
    .object({
      index: count.describe('place of the identity in the log of publications, from 0'),
      size: count.describe('identities under the checkpoint'),
      path,
      checkpoint: z
        .string()
        .describe('the newest checkpoint: a C2SP signed note, or where nothing signs its text alone'),
      keys: z.array(z.string()).describe('public keys of the log as C2SP vkeys; trust those that you have another way'),
    })
    .nullable()
    .describe('null where the log does not hold the snapshot'),
  consistency: z
    .object({
      from: z.int().min(1),
      to: count,
      path,
      checkpoint: z.string().describe('the checkpoint over the first so many identities, as it was kept'),
    })
    .optional()
    .describe('with since: proves that the checkpoint continues that one (RFC 9162, section 2.1.4)'),
});
export type ProofBundle = z.output<typeof proofSchema>;
