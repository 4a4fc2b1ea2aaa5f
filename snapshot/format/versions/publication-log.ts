import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { leafHash, RootOfLeaves } from '../../proof/merkle.ts';
import { consistencyPath, inclusionPath, subtreesOf } from '../../proof/merkle-paths.ts';
import {
  type Checkpoint,
  Failure,
  type PublicKey,
  readCheckpoint as parseCheckpoint,
  readKey,
  signersOf as signersOfNote,
} from '../../proof/verify.mjs';
import { SnapshotFault } from './current.ts';
import type { Manifest } from './manifest.ts';

/**
 * The log of publications (docs/log.md), in `log/` of the snapshots directory: the identity of every snapshot that was published,
 * and what the operator signed of it.
 */
export const LOG_DIR = 'log';
/** One identity a line, in the order of publication; only ever added to. */
export const IDENTITIES_FILE = 'identities';
/** The newest checkpoint: a signed note, or its text alone where nothing signs. */
export const CHECKPOINT_FILE = 'checkpoint';
/** Every checkpoint, under its size. */
export const CHECKPOINTS_DIR = 'checkpoints';
/** The public keys of the log, one a line, newest first; those that sign no more stay. */
export const KEYS_FILE = 'keys';

/** Origin of a log that nothing signs. */
export const UNSIGNED_ORIGIN = 'unsigned.invalid/trial-board';

/** A checkpoint as its file holds it. */
export interface KeptCheckpoint extends Checkpoint {
  content: string;
  isSigned: boolean;
}

export interface PublicationLog {
  /** Lower-case hex. */
  identities: string[];
  /** Null before the first. */
  checkpoint: KeptCheckpoint | null;
  keys: PublicKey[];
}

const IDENTITY = /^[0-9a-f]{64}$/;

export function logPath(snapshotsDir: string, ...names: string[]): string {
  return join(snapshotsDir, LOG_DIR, ...names);
}

/** The log as it is on disk; empty where there is none. Throws SnapshotFault for a file that is not in its form. */
export async function readLog(snapshotsDir: string): Promise<PublicationLog> {
  // The checkpoint first: identities are written before it, so that they hold all that it counts.
  const content = await readIfThere(logPath(snapshotsDir, CHECKPOINT_FILE));
  const identities = await readIfThere(logPath(snapshotsDir, IDENTITIES_FILE));
  const keys = await readIfThere(logPath(snapshotsDir, KEYS_FILE));
  return {
    identities: linesOf(identities, IDENTITIES_FILE).map((line) => {
      if (!IDENTITY.test(line)) throw malformed(IDENTITIES_FILE, 'a line is not an identity of 64 hex digits');
      return line;
    }),
    checkpoint: content === null ? null : await keptCheckpoint(CHECKPOINT_FILE, content),
    keys: await inForm(KEYS_FILE, Promise.all(linesOf(keys, KEYS_FILE).map(readKey))),
  };
}

/** The sizes of the checkpoints that are kept, smallest first. Throws SnapshotFault for a file of another name. */
export async function checkpointSizes(snapshotsDir: string): Promise<number[]> {
  const names = await readdir(logPath(snapshotsDir, CHECKPOINTS_DIR)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names
    .filter((name) => /^[1-9]\d{0,14}$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
}

/** The checkpoint of a size; null where none is kept. */
export async function readCheckpoint(snapshotsDir: string, size: number): Promise<KeptCheckpoint | null> {
  const name = `${CHECKPOINTS_DIR}/${size}`;
  const content = await readIfThere(logPath(snapshotsDir, CHECKPOINTS_DIR, String(size)));
  return content === null ? null : keptCheckpoint(name, content);
}

async function keptCheckpoint(name: string, content: string): Promise<KeptCheckpoint> {
  const read = await inForm(name, parseCheckpoint(content, 'log'));
  return { ...read, content, isSigned: read.signatures.length > 0 };
}

/** The text of a checkpoint over the first `size` identities (c2sp.org/tlog-checkpoint): the log's name, how many there are, and the tree's root. */
export function checkpointOver(origin: string, identities: readonly string[]): string {
  const [root] = rootOf(identities, [identities.length]);
  return `${origin}\n${identities.length}\n${Buffer.from(root!, 'hex').toString('base64')}\n`;
}

/** Roots, in hex, of the trees of the first so many identities; `sizes` grow. */
export function rootOf(identities: readonly string[], sizes: readonly number[]): string[] {
  const tree = new RootOfLeaves();
  return sizes.map((size) => {
    for (const identity of identities.slice(tree.size, size)) tree.add(leafHash(Buffer.from(identity, 'hex')));
    return tree.root().toString('hex');
  });
}

/** Why a checkpoint is not one over these identities; null where it is. */
export function checkpointFault(
  checkpoint: Pick<Checkpoint, 'size' | 'root'>,
  identities: readonly string[],
): string | null {
  const { size, root } = checkpoint;
  if (size > identities.length) return `counts ${size} identities, but the log holds ${identities.length}`;
  const expected = rootOf(identities, [size])[0]!;
  if (expected === root) return null;
  return `has the root ${root}, but the first ${size} identities of the log give ${expected}: one of them was changed, moved or left out`;
}

/** The keys of `known` that signed a checkpoint; a fault where none did, or where a signature does not hold. */
export async function signersOf(
  checkpoint: KeptCheckpoint,
  known: readonly PublicKey[],
): Promise<{ keys: PublicKey[]; fault: string | null }> {
  if (!checkpoint.isSigned) return { keys: [], fault: 'it has no signature' };
  try {
    const { by } = await signersOfNote(checkpoint, known, 'signature');
    return { keys: by, fault: by.length === 0 ? 'no known key has signed the note' : null };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { keys: [], fault: error.message };
  }
}

/** Why none of the keys vouches for a snapshot, by a signed checkpoint of the log; null where one does. */
export async function manifestFault(
  { checkpoint, identities }: PublicationLog,
  manifest: Pick<Manifest, 'identity'>,
  keys: readonly PublicKey[],
): Promise<string | null> {
  const index = identities.indexOf(manifest.identity);
  if (index < 0) return 'its identity is not in the log of publications';
  if (checkpoint === null || index >= checkpoint.size) return 'its identity is under no checkpoint of the log yet';
  const fault = checkpointFault(checkpoint, identities);
  if (fault !== null) return `the checkpoint of the log ${fault}`;
  const { fault: unsigned } = await signersOf(checkpoint, keys);
  return unsigned === null ? null : `of the checkpoint of the log: ${unsigned}`;
}

/** Nothing can be proven by the log: its identities do not give the root that its checkpoint states. */
export class LogMisfit extends Error {
  constructor() {
    super('the identities of the log do not give the root that its checkpoint states');
    this.name = 'LogMisfit';
  }
}

/** The place of an identity under the newest checkpoint, with its path; null where it is not there. Throws LogMisfit. */
export function inclusionIn(log: PublicationLog, identity: string): { index: number; path: string[] } | null {
  const leaves = leavesOf(log);
  const index = log.identities.indexOf(identity);
  if (index < 0 || index >= leaves.length) return null;
  return { index, path: hex(inclusionPath(subtreesOf(leaves), leaves.length, index)) };
}

/** The path from the first `from` identities to the newest checkpoint; null where that counts fewer. Throws LogMisfit. */
export function consistencyIn(log: PublicationLog, from: number): { from: number; to: number; path: string[] } | null {
  const leaves = leavesOf(log);
  const to = leaves.length;
  if (from < 1 || from > to) return null;
  return { from, to, path: hex(consistencyPath(subtreesOf(leaves), from, to)) };
}

/** Leaves under the newest checkpoint, after its root was recomputed from them. */
function leavesOf({ checkpoint, identities }: PublicationLog): Buffer[] {
  if (checkpoint === null) return [];
  if (checkpointFault(checkpoint, identities) !== null) throw new LogMisfit();
  return identities.slice(0, checkpoint.size).map((identity) => leafHash(Buffer.from(identity, 'hex')));
}

function hex(path: readonly Uint8Array[]): string[] {
  return path.map((node) => Buffer.from(node).toString('hex'));
}

/** The name and id of a key, as answers and messages show it. */
export function keyWords({ name, id }: PublicKey): string {
  return `${name}+${id}`;
}

function linesOf(text: string | null, name: string): string[] {
  if (text === null || text === '') return [];
  if (!text.endsWith('\n')) throw malformed(name, 'its last line has no end');
  return text.slice(0, -1).split('\n');
}

async function inForm<T>(name: string, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Failure) throw malformed(name, error.message);
    throw error;
  }
}

function malformed(name: string, why: string): SnapshotFault {
  return new SnapshotFault('malformed', `${LOG_DIR}/${name} is not as it was written: ${why}`);
}

async function readIfThere(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}
