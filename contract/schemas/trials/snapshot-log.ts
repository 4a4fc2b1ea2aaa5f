import { z } from 'zod';

const path = z.array(z.string()).describe('hashes in lower-case hex, from the leaves upwards');

/** The log of publications: which snapshots were published, in which order, and what the operator signed of it. */
export const snapshotLogSchema = z.object({
  origin: z.string().nullable().describe('name of the log; null before the first checkpoint'),
  size: z.int().describe('identities under the newest checkpoint'),
  root: z
    .string()
    .nullable()
    .describe('root of the Merkle tree (RFC 6962) over these identities, 32 bytes each, in lower-case hex'),
  signed: z
    .boolean()
    .describe(
      'whether the newest checkpoint is signed by a key that the log lists, or where the server insists on keys by one of those; an unsigned log proves nothing about who wrote it',
    ),
  signedBy: z.array(z.string()).describe('keys whose signature on it holds, as <name>+<key id>'),
  checkpoint: z
    .string()
    .nullable()
    .describe('the newest checkpoint as it is on disk: a C2SP signed note, or where nothing signs its text alone'),
  keys: z
    .array(z.string())
    .describe('public keys of the log, newest first, as <name>+<key id>+<base64>; those that sign no more stay'),
  identities: z
    .array(
      z.object({
        index: z.int().describe('place in the log, from 0'),
        identity: z.string().describe('SHA-256 of the manifest of the snapshot, lower-case hex'),
        version: z.string().nullable().describe('the newest version here of this identity; null where none is known'),
        state: z
          .enum(['held', 'removed', 'absent'])
          .describe('removed: only its manifest is kept; absent: nothing of it is here'),
      }),
    )
    .describe('oldest first, so that a page that was full stays as it is'),
  inclusion: z
    .object({ index: z.int(), path })
    .optional()
    .describe('with identity: proves that it is under the checkpoint (RFC 9162, section 2.1.3)'),
  consistency: z
    .object({ from: z.int(), to: z.int(), path })
    .optional()
    .describe('with from: proves that the checkpoint continues that one (RFC 9162, section 2.1.4)'),
});
