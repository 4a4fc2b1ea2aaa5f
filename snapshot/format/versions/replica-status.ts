import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** In the snapshots directory of a machine that follows a store: the generation that it has, which it never goes back from. Replaced by rename. */
export const GENERATION_FILE = 'GENERATION.json';
/** Beside it: how the following stands. Written at every look, and lost by a power cut without harm. */
export const REPLICA_STATUS_FILE = 'REPLICA_STATUS.json';

const generationSchema = z.strictObject({
  /** The store, such as s3://bucket/prefix. */
  store: z.string(),
  generation: z.int().min(1),
  version: z.string(),
  /** SHA-256 of the release in the store. */
  release: z.string(),
  /** Versions that the store named so far and that may be here: only these are removed when it names them no more. */
  versions: z.array(z.string()),
});
export type Generation = z.infer<typeof generationSchema>;

const statusSchema = z.strictObject({
  store: z.string(),
  /** What is served here; 0 before the first. */
  generation: z.int().min(0),
  /** What the store named last; 0 before the first. */
  storeGeneration: z.int().min(0),
  /** Older versions that are still to be brought. */
  missingVersions: z.int().min(0),
  /** When this was written; a program that follows writes it at least every 10 s. */
  writtenAt: z.iso.datetime(),
  /** When the store last answered; null where it never did. */
  answeredAt: z.iso.datetime().nullable(),
  /** Why the store is not followed now; null while it is. Without what only an operator may see. */
  fault: z.strictObject({ since: z.iso.datetime(), message: z.string() }).nullable(),
});
export type ReplicaStatus = z.infer<typeof statusSchema>;

/** Null before the first generation. Throws where the file is there and cannot be read, so that nothing goes back by accident. */
export async function readGeneration(snapshotsDir: string): Promise<Generation | null> {
  const path = join(snapshotsDir, GENERATION_FILE);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  try {
    return generationSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`${path} cannot be read: remove it, and the store's pointer counts whatever it is`, { cause });
  }
}

/** Null where this machine follows no store, or the file cannot be read. */
export async function readReplicaStatus(snapshotsDir: string): Promise<ReplicaStatus | null> {
  try {
    return statusSchema.parse(JSON.parse(await readFile(join(snapshotsDir, REPLICA_STATUS_FILE), 'utf8')));
  } catch {
    return null;
  }
}
