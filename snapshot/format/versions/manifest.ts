import { z } from 'zod';
import { REGISTRY_IDS } from '../../../contract/ids.ts';

/** Version of the layout of a snapshot directory and of its manifest; a reader refuses every other one. */
export const SNAPSHOT_FORMAT_VERSION = 6;

/** Tables of a snapshot in the order in which they are written, hashed and diffed. */
export const SNAPSHOT_TABLES = [
  'trials',
  'registrations',
  'identifiers',
  'links',
  'relations',
  'publications',
  'raw',
  'quarantine',
  'signals',
  'canonical_ids',
] as const;
export type SnapshotTable = (typeof SNAPSHOT_TABLES)[number];

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);
const instant = z.iso.datetime();

/** A file of a snapshot, in it or in one folder of it. No path of this form leads out of the snapshot. */
export const SNAPSHOT_FILE_PATTERN = /^(?:[A-Za-z0-9_][A-Za-z0-9._-]{0,79}\/)?[A-Za-z0-9_][A-Za-z0-9._-]{0,79}$/;

const fileSchema = z.strictObject({
  /** Path inside the snapshot directory, with forward slashes. */
  path: z.string().regex(SNAPSHOT_FILE_PATTERN),
  bytes: count,
  sha256,
});

const registrySchema = z.strictObject({
  registry: z.enum(REGISTRY_IDS),
  /** `answered`: its data is in the snapshot. `unanswered`: it never answered, so nothing is known about it. */
  state: z.enum(['answered', 'unanswered']),
  /** Registrations held; null when unanswered. */
  registrations: count.nullable(),
  quarantined: count.nullable(),
  superseded: count.nullable(),
  /** How many records the registry says it has; null when it does not say. */
  expectedRecords: count.nullable(),
  /** True when the raw set is a live full sweep with its increments, with as many records as the registry counts. */
  complete: z.boolean(),
  /** True when the latest attempt failed, or the run did not ask the registry, and an older set is used. */
  stale: z.boolean(),
  degraded: z.boolean(),
  degradedReason: z.string().nullable(),
  /** When the registry was last read; of a dump, the first instant of its own day. */
  lastSuccessAt: instant.nullable(),
  lastAttemptAt: instant.nullable(),
  /** The time the registry states for its data; else null. */
  dataTimestamp: z.string().nullable(),
  /** The day of a dump and how it is known; absent for live data. */
  dumpDay: z.strictObject({ day: z.iso.date(), from: z.enum(['given', 'stated', 'newest-update']) }).optional(),
  source: z.enum(['live', 'dump', 'sample']).nullable(),
  inputs: z.array(
    z.strictObject({
      run: z.string(),
      origin: z.string(),
      name: z.string(),
      url: z.string().nullable(),
      receivedAt: instant,
      sha256,
      records: count,
    }),
  ),
});
export type ManifestRegistry = z.infer<typeof registrySchema>;

/** Id of a feed: also the name of its file in a directory of feeds. */
export const FEED_ID_PATTERN = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

const feedSchema = z.strictObject({
  feed: z.string().regex(FEED_ID_PATTERN),
  publisher: z.string(),
  /** `answered`: it was read at least once. `unanswered`: it never was, so nothing is known about it. */
  state: z.enum(['answered', 'unanswered']),
  /** Rows of `signals` from this feed; null when unanswered. An item of several feeds counts for one of them. */
  items: count.nullable(),
  lastSuccessAt: instant.nullable(),
  lastAttemptAt: instant.nullable(),
  /** SHA-256 of its last good answer; null where it never answered. */
  sha256: sha256.nullable(),
  /** True when the latest attempt failed and earlier items are used. */
  stale: z.boolean(),
  /** Why it is stale or unanswered; else null. */
  reason: z.string().nullable(),
  /** Items of its last good answer without link and identifier, or without any text; null when unanswered. */
  refused: count.nullable(),
  /** Items without a readable date. */
  undated: count.nullable(),
  /** Items dated more than a day ahead; they count by the day they were first seen. */
  future: count.nullable(),
});
export type ManifestFeed = z.infer<typeof feedSchema>;

const tableSchema = z.strictObject({
  rows: count,
  bytes: count,
  files: z.array(fileSchema),
  /** Hash over the values of the rows in key order, without run times; equal for equal values. */
  root: sha256,
});

/** A table that follows from others, so that it has no root. */
const followingSchema = tableSchema.omit({ root: true });

/** What a check of the publication gate found. */
export const checkResultSchema = z.strictObject({
  /** What `--accept` takes, e.g. `nulls:isrctn:conditions`. */
  name: z.string(),
  /** In the unit of the check; null where there was nothing to compare. */
  figure: z.number().nullable(),
  /** How many records are affected; null where a check does not count records. */
  affected: count.nullable(),
  limit: z.number(),
  /** `accepted`: above the limit, and published because the operator accepted it. */
  verdict: z.enum(['passed', 'accepted', 'not-compared']),
});

const checksSchema = z.strictObject({
  /** The reviewed file that the limits come from. */
  rules: z.strictObject({ id: z.string(), sha256 }),
  results: z.array(checkResultSchema),
});

/** What the identity binds beside what is in the snapshot. */
const boundSchema = z.strictObject({
  /** Identity of the parent; null without one. */
  parent: sha256.nullable(),
  /** Root of the canonical ids that the run began with, in the form of the table `canonical_ids`. */
  ledger: sha256,
  /** The reviewed files that decided on the content, in order of their names (docs/snapshots.md#identity). */
  rules: z.array(z.strictObject({ name: z.string(), sha256 })),
  code: z.strictObject({
    /** Commit of the program's checkout; null where that is not known. */
    commit: z
      .string()
      .regex(/^[0-9a-f]{40,64}$/)
      .nullable(),
    /** Raised with code that makes other rows or another image of equal inputs. */
    version: count,
    node: z.string(),
    duckdb: z.string(),
  }),
});

/** A snapshot as its own files state it together (own-files.ts). */
export const manifestSchema = z.strictObject({
  formatVersion: z.literal(SNAPSHOT_FORMAT_VERSION),
  /** Directory name: `<UTC time>-<first 8 hex of the identity>`. */
  version: z.string(),
  createdAt: instant,
  parent: z.string().nullable(),
  /** SHA-256 of manifest.json, which binds everything served. */
  identity: sha256,
  bound: boundSchema,
  /** Hash over format version, rules, as-of date and the roots of all tables. */
  contentHash: sha256,
  /** `registries` for real data, `sample` for the synthetic corpus. */
  corpus: z.enum(['registries', 'sample']),
  /** Day for which statuses were derived from dates. */
  asOf: z.iso.date(),
  codeVersion: z.string(),
  rules: z.strictObject({ id: z.string(), sha256, count }),
  registries: z.array(registrySchema),
  /** Absent when the signals stage has not run. */
  feeds: z.array(feedSchema).optional(),
  tables: z.record(z.enum(SNAPSHOT_TABLES), tableSchema),
  serving: z.strictObject({ imageVersion: count, files: z.array(fileSchema) }),
  /** Trees from which single rows are proven (docs/proofs.md); they follow from the tables. */
  proofs: z.array(fileSchema),
  /** Where each payload lies in the files of `raw` (payload-index.ts), for servers; follows from them. */
  payloadIndex: fileSchema,
  /** Places of payloads in the files of `raw` that are no rows of it; they follow from the files. */
  superseded: followingSchema,
  /** Files that describe the tables to other tools and follow from them. */
  descriptions: z.array(fileSchema),
  counts: z.strictObject({
    trials: count,
    registrations: count,
    /** Trials with registrations in both registries. */
    inBoth: count,
    linksAccepted: count,
    linksRejected: count,
    conflicts: count,
    unresolved: count,
  }),
  changes: z.strictObject({ added: count, changed: count, removed: count, merged: count, split: count }).nullable(),
  /** `changes.parquet`; null without a parent, and where the parent is of another corpus. */
  storedChanges: tableSchema.nullable(),
  /** Gate breaches that the operator accepted by name. */
  accepted: z.array(z.string()),
  /** Who accepted them and why, in the operator's words, and when; absent where nothing was. */
  acceptance: z.strictObject({ reason: z.string(), at: instant }).optional(),
  /** What each check of the publication gate found. */
  checks: checksSchema,
});

export type Manifest = z.infer<typeof manifestSchema>;

export type SnapshotFileSum = z.infer<typeof fileSchema>;

/** `changes.parquet`; empty where no changes are stored. */
export function changeFiles({ storedChanges }: Pick<Manifest, 'storedChanges'>): SnapshotFileSum[] {
  return storedChanges?.files ?? [];
}

type Listing = Pick<
  Manifest,
  'tables' | 'serving' | 'storedChanges' | 'proofs' | 'payloadIndex' | 'superseded' | 'descriptions'
>;

/** Every file that the manifest lists. */
export function snapshotFiles(manifest: Listing): SnapshotFileSum[] {
  const { tables, serving, proofs, payloadIndex, superseded, descriptions } = manifest;
  const rows = SNAPSHOT_TABLES.flatMap((table) => tables[table].files);
  return [
    ...rows,
    ...superseded.files,
    ...changeFiles(manifest),
    ...proofs,
    payloadIndex,
    ...serving.files,
    ...descriptions,
  ];
}

/** Bytes of all files of a snapshot; those that it shares with others count too. */
export function snapshotBytes(manifest: Listing): number {
  return snapshotFiles(manifest).reduce((sum, { bytes }) => sum + bytes, 0);
}
