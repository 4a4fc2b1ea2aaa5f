import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { leafHash, RootOfLeaves } from '../../proof/merkle.ts';
import { consistencyPath, inclusionPath, subtreesOf } from '../../proof/merkle-paths.ts';
import { NoteFault, openNote, parseNote, parseVerifierKey, type VerifierKey } from '../../proof/note.ts';
import { SnapshotFault } from './current.ts';
import type { Manifest } from './manifest.ts';
import { identityFault } from './statement.ts';

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

/**
 * The text of a checkpoint by the specification of C2SP (c2sp.org/tlog-checkpoint): the log's name, how many leaves its tree has, and
 * the tree's root.
 */
export interface Checkpoint {
  origin: string;
  size: number;
  /** 32 bytes. */
  root: Buffer;
}

const ROOT_BYTES = 32;

export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n`;
}

/** Reads the text of a checkpoint. Lines after the third are no part of the tree and are left unread. Throws NoteFault. */
export function parseCheckpoint(text: string): Checkpoint {
  const lines = text.split('\n');
  if (lines.pop() !== '' || lines.length < 3 || lines.includes(''))
    throw new NoteFault('malformed', 'a checkpoint is not three lines or more, none of them empty');
  const [origin, size, base64] = lines as [string, string, string];
  const leaves = Number(size);
  if (!/^(?:0|[1-9]\d*)$/.test(size) || !Number.isSafeInteger(leaves))
    throw new NoteFault('malformed', `the size of the checkpoint is ${JSON.stringify(size)}, expected a whole number`);
  const root = Buffer.from(base64, 'base64');
  if (root.length !== ROOT_BYTES || root.toString('base64') !== base64)
    throw new NoteFault('malformed', 'the root of the checkpoint is not the base64 of 32 bytes');
  return { origin, size: leaves, root };
}

/** The text of a checkpoint that may be unsigned: then it is the text alone, which has no empty line. Throws NoteFault. */
export function textOfCheckpoint(content: string): { text: string; isSigned: boolean } {
  return content.includes('\n\n')
    ? { text: parseNote(content).text, isSigned: true }
    : { text: content, isSigned: false };
}

/** A checkpoint as its file holds it. */
export interface KeptCheckpoint extends Checkpoint {
  content: string;
  text: string;
  isSigned: boolean;
}

export interface PublicationLog {
  /** Lower-case hex. */
  identities: string[];
  /** Null before the first. */
  checkpoint: KeptCheckpoint | null;
  keys: VerifierKey[];
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
    checkpoint: content === null ? null : keptCheckpoint(CHECKPOINT_FILE, content),
    keys: linesOf(keys, KEYS_FILE).map((line) => inForm(KEYS_FILE, () => parseVerifierKey(line))),
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

function keptCheckpoint(name: string, content: string): KeptCheckpoint {
  return inForm(name, () => {
    const { text, isSigned } = textOfCheckpoint(content);
    return { ...parseCheckpoint(text), content, text, isSigned };
  });
}

/** The text of a checkpoint over the first `size` identities. */
export function checkpointOver(origin: string, identities: readonly string[]): string {
  return checkpointText({ origin, size: identities.length, root: rootOf(identities, [identities.length])[0]! });
}

/** Roots of the trees of the first so many identities; `sizes` grow. */
export function rootOf(identities: readonly string[], sizes: readonly number[]): Buffer[] {
  const tree = new RootOfLeaves();
  return sizes.map((size) => {
    for (const identity of identities.slice(tree.size, size)) tree.add(leafHash(Buffer.from(identity, 'hex')));
    return tree.root();
  });
}

/** Why a checkpoint is not one over these identities; null where it is. */
export function checkpointFault(checkpoint: Checkpoint, identities: readonly string[]): string | null {
  const { size, root } = checkpoint;
  if (size > identities.length) return `counts ${size} identities, but the log holds ${identities.length}`;
  const expected = rootOf(identities, [size])[0]!;
  if (expected.equals(root)) return null;
  return `has the root ${root.toString('hex')}, but the first ${size} identities of the log give ${expected.toString('hex')}: one of them was changed, moved or left out`;
}

/** The keys of `known` that signed a checkpoint; a fault where none did, or where a signature does not hold. */
export function signersOf(
  { content, isSigned }: KeptCheckpoint,
  known: readonly VerifierKey[],
): { keys: VerifierKey[]; fault: string | null } {
  if (!isSigned) return { keys: [], fault: 'it has no signature' };
  try {
    return { keys: openNote(content, known).keys, fault: null };
  } catch (error) {
    if (!(error instanceof NoteFault)) throw error;
    return { keys: [], fault: error.message };
  }
}

/** Why a snapshot is under no checkpoint that one of `keys` signed; null where it is. */
function entryFault(
  { checkpoint, identities }: PublicationLog,
  identity: string,
  keys: readonly VerifierKey[],
): string | null {
  const index = identities.indexOf(identity);
  if (index < 0) return 'its identity is not in the log of publications';
  if (checkpoint === null || index >= checkpoint.size) return 'its identity is under no checkpoint of the log yet';
  const fault = checkpointFault(checkpoint, identities);
  if (fault !== null) return `the checkpoint of the log ${fault}`;
  const { fault: unsigned } = signersOf(checkpoint, keys);
  return unsigned === null ? null : `of the checkpoint of the log: ${unsigned}`;
}

/** Why none of the keys vouches for the content of a manifest, by a signed checkpoint of the log; null where one does. */
export function manifestFault(log: PublicationLog, manifest: Manifest, keys: readonly VerifierKey[]): string | null {
  if (identityFault(manifest) !== null) return 'its identity does not follow from its manifest';
  return entryFault(log, manifest.identity, keys);
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
export function keyWords({ name, id }: VerifierKey): string {
  return `${name}+${id}`;
}

function linesOf(text: string | null, name: string): string[] {
  if (text === null || text === '') return [];
  if (!text.endsWith('\n')) throw malformed(name, 'its last line has no end');
  return text.slice(0, -1).split('\n');
}

function inForm<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof NoteFault) throw malformed(name, error.message);
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
