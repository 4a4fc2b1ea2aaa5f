import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { SnapshotFault } from './current.ts';
import { VERSION_PATTERN } from './current-file.ts';
import { type Manifest, manifestSchema } from './manifest.ts';

/** In the snapshots directory, beside CURRENT: what is noted about its versions. Replaced by rename, under the pipeline lock. */
export const STATE_FILE = 'STATE.json';
/** How the following of a store goes. Apart, since it is written every 10 s and without the lock, which a run holds for minutes. */
export const REPLICA_STATUS_FILE = 'REPLICA_STATUS.json';

const version = z.string().regex(VERSION_PATTERN);
const instant = z.iso.datetime();

/** The last run that found the content of a version unchanged. */
export const lastCheckSchema = z.strictObject({
  version: z.string(),
  checkedAt: instant,
  /** State of the registries and feeds at that check; their ages are counted from it. */
  registries: manifestSchema.shape.registries,
  feeds: manifestSchema.shape.feeds,
});
export type LastCheck = z.infer<typeof lastCheckSchema>;

const stateSchema = z.strictObject({
  /** Versions that gc never removes, sorted. */
  pins: z.array(version).optional(),
  /** The version that the operator chose to serve although a newer one is sound. */
  hold: z.strictObject({ version, since: instant }).optional(),
  lastCheck: lastCheckSchema.optional(),
  /** What this machine has of a store; it never goes back from that generation. */
  generation: z
    .strictObject({
      /** The store, such as s3://bucket/prefix. */
      store: z.string(),
      generation: z.int().min(1),
      version: z.string(),
      /** SHA-256 of the release in the store. */
      release: z.string(),
      /** Versions that the store named so far and that may be here: only these are removed when it names them no more. */
      versions: z.array(z.string()),
    })
    .optional(),
});
export type State = z.infer<typeof stateSchema>;
export type Hold = NonNullable<State['hold']>;
export type Generation = NonNullable<State['generation']>;

/** Empty where nothing is noted. Throws SnapshotFault for a file that cannot be read, so that nothing is removed or served by half a state. */
export async function readState(snapshotsDir: string): Promise<State> {
  const path = join(snapshotsDir, STATE_FILE);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  try {
    return stateSchema.parse(JSON.parse(text));
  } catch (cause) {
    const loss = 'without it nothing is pinned or held, and the pointer of a store counts whatever it is';
    throw new SnapshotFault('malformed', `${path} cannot be read: mend it, or remove it: ${loss}`, { cause });
  }
}

/** The hold on `served`; null without one. A hold on another version does not count any more. */
export async function readHold(snapshotsDir: string, served: string): Promise<Hold | null> {
  const { hold } = await readState(snapshotsDir);
  return hold?.version === served ? hold : null;
}

/** The last check; null when there was none since `version` was published, where one is given, or when the state cannot be read. */
export async function readLastCheck(snapshotsDir: string, version?: string): Promise<LastCheck | null> {
  const { lastCheck = null } = await readState(snapshotsDir).catch((): State => ({}));
  return version === undefined || lastCheck?.version === version ? lastCheck : null;
}

/** A manifest as of its last check: the registries and feeds were read again, and everything else is as published. */
export function asChecked(manifest: Manifest, check: LastCheck | null): Manifest {
  if (check === null || check.version !== manifest.version) return manifest;
  return { ...manifest, registries: check.registries, ...(check.feeds === undefined ? {} : { feeds: check.feeds }) };
}

const replicaStatusSchema = z.strictObject({
  store: z.string(),
  /** The generation that is served here; 0 before the first. */
  generation: z.int().min(0),
  /** The generation that the store named last; 0 before the first. */
  storeGeneration: z.int().min(0),
  /** Older versions that are still to be brought. */
  missingVersions: z.int().min(0),
  /** When this was written; a program that follows writes it at least every 10 s. */
  writtenAt: instant,
  /** When the store last answered; null where it never did. */
  answeredAt: instant.nullable(),
  /** Why the store is not followed now; null while it is. Without what only an operator may see. */
  fault: z.strictObject({ since: instant, message: z.string() }).nullable(),
});
export type ReplicaStatus = z.infer<typeof replicaStatusSchema>;

/** Null where this machine follows no store, or the file cannot be read. */
export async function readReplicaStatus(snapshotsDir: string): Promise<ReplicaStatus | null> {
  try {
    return replicaStatusSchema.parse(JSON.parse(await readFile(join(snapshotsDir, REPLICA_STATUS_FILE), 'utf8')));
  } catch {
    return null;
  }
}
