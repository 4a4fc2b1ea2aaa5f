import { z } from 'zod';
import { REGISTRY_IDS } from '../../ids.ts';
import { registryAnswer, registryDataDay, registryDumpDay } from './registry-answer.ts';

/** What a published version of the index states about itself. */

const sha256 = z.string().describe('SHA-256, lower-case hex');
const count = z.int();
const instant = z.iso.datetime();

export const snapshotChangesSchema = z
  .object({ added: count, changed: count, removed: count, merged: count, split: count })
  .nullable()
  .describe('trials against the parent, as counted when it was published; null for the first version');

export const snapshotCountsSchema = z.object({
  trials: count.describe('distinct trials'),
  registrations: count.describe('registry records that the trials hold; not a number of trials'),
  inBoth: count.describe('trials that hold a registration of both registries'),
  linksAccepted: count,
  linksRejected: count,
  conflicts: count,
  unresolved: count,
});

const head = {
  version: z
    .string()
    .describe('UTC time of publication and the first 8 hex digits of identity; of contentHash where identity is null'),
  publishedAt: instant,
  checkedAt: instant
    .nullable()
    .describe(
      'when a run last read the registries again and found the content unchanged since publication; null when none has since',
    ),
  parent: z.string().nullable().describe('the version that it was compared with; null for the first one'),
  current: z.boolean().describe('whether it is the version that CURRENT names'),
  corpus: z.enum(['registries', 'sample']).describe('sample: synthetic, no record of it is a real trial'),
  asOf: z.iso.date().describe('day at which statuses are derived from dates'),
  identity: sha256
    .nullable()
    .describe(
      'SHA-256 of manifest.json, which binds everything that it serves and what that was made from; null of a version of an older format',
    ),
  contentHash: sha256.describe('over the roots of all tables, the rules, asOf and the corpus'),
  signed: z
    .boolean()
    .describe(
      'whether the operator signed a checkpoint of the log of publications that holds it; false for a version of format 1 or 2, which has no identity',
    ),
  counts: snapshotCountsSchema,
  changes: snapshotChangesSchema,
  bytes: count.describe('of the Parquet files; payloads that did not change are shared with other versions on disk'),
  servingBytes: count.describe('of the image that the index maps, made from the Parquet files'),
};

export const snapshotSummarySchema = z.object({
  ...head,
  registries: z
    .array(
      z.object({
        registry: z.enum(REGISTRY_IDS),
        state: registryAnswer,
        dataDay: registryDataDay,
        registrations: count.nullable().describe('null when unanswered; never to be summed across registries'),
      }),
    )
    .describe('records held of each registry'),
});

export const snapshotFileSchema = z.object({
  name: z.string().describe('last part of its path'),
  path: z.string().describe('inside the directory of the version'),
  bytes: count,
  sha256,
  url: z.url().describe('permanent; answers Range requests'),
});

export const snapshotInputSchema = z.object({
  run: z.string(),
  origin: z.string().describe('live, or the kind of dump'),
  name: z.string(),
  url: z.string().nullable(),
  receivedAt: instant,
  sha256,
  records: count,
});

export const snapshotSchema = z.object({
  ...head,
  state: z
    .enum(['held', 'removed'])
    .describe(
      'removed: the operator removed its tables, and its manifest is kept; every figure here is as it was published',
    ),
  removedAt: instant.nullable().describe('null while it is held, and where the time was not recorded'),
  formatVersion: count,
  codeVersion: z.string().describe('of the program that published it'),
  manifest: snapshotFileSchema.describe('manifest.json itself; it stays when the version is removed'),
  statement: snapshotFileSchema
    .nullable()
    .describe('the same file, whose SHA-256 is the identity: a proof calls its text the statement'),
  rules: z.object({ id: z.string(), sha256, count }).describe('the reviewed rules of deduplication'),
  accepted: z.array(z.string()).describe('breaches of the publication gate that the operator accepted by name'),
  registries: z.array(
    z.object({
      registry: z.enum(REGISTRY_IDS),
      state: registryAnswer,
      dataDay: registryDataDay,
      registrations: count.nullable().describe('null when unanswered; never to be summed across registries'),
      quarantined: count.nullable().describe('records that could not be read, kept apart and counted'),
      superseded: count.nullable(),
      expectedRecords: count
        .nullable()
        .describe('how many the registry counts without a filter; null where it does not say, and for a dump'),
      complete: z.boolean().describe('a live sweep read as many records; never true of a dump'),
      stale: z.boolean().describe('at publication: the latest attempt had failed and an older set was used'),
      degraded: z.boolean(),
      degradedReason: z.string().nullable(),
      lastSuccessAt: instant.nullable(),
      lastAttemptAt: instant.nullable(),
      dataTimestamp: z.string().nullable(),
      dumpDay: registryDumpDay,
      source: z.enum(['live', 'dump', 'sample']).nullable(),
      inputs: z.array(snapshotInputSchema).describe('what was read, with the hash of its bytes as received'),
    }),
  ),
  feeds: z
    .array(
      z.object({
        feed: z.string(),
        publisher: z.string(),
        state: z.enum(['answered', 'unanswered']),
        items: count.nullable(),
        sha256: sha256.nullable().optional().describe('of its last good answer'),
        lastSuccessAt: instant.nullable(),
        lastAttemptAt: instant.nullable(),
        stale: z.boolean(),
        reason: z.string().nullable(),
        refused: count.nullable(),
        undated: count.nullable(),
        future: count.nullable(),
      }),
    )
    .nullable()
    .describe('null where no signals were read'),
  tables: z.array(
    z.object({
      table: z
        .string()
        .describe(
          'changes: what differs from the parent, one difference a row; there where the version has a parent of the same corpus, and stored its changes',
        ),
      rows: count,
      bytes: count,
      root: sha256.describe(
        'root of the Merkle tree (RFC 6962) over the rows in key order, without run times; of a version of format 1, another hash of the same rows',
      ),
      files: z
        .array(snapshotFileSchema)
        .describe('empty of a removed version, whose manifest still names them; its changes stay'),
    }),
  ),
  serving: z
    .object({ imageVersion: count, files: z.array(snapshotFileSchema).describe('empty of a removed version') })
    .describe('what the index maps; it follows from the Parquet files'),
  files: z
    .array(snapshotFileSchema)
    .describe(
      'every other file, in order of its path: manifest, list of files, record of the run, descriptions, what follows from the tables; of a removed version those that are kept',
    ),
});

export const unreadableSnapshotSchema = z.object({
  version: z.string(),
  reason: z
    .enum(['other-format', 'malformed'])
    .describe('other-format: a program of another format made it; malformed: its manifest is damaged'),
});
