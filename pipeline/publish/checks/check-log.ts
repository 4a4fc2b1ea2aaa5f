import { join } from 'node:path';
import {
  isServed,
  readManifest,
  SnapshotFault,
  snapshotPath,
  versionsIn,
} from '../../../snapshot/format/versions/current.ts';
import {
  CHECKPOINT_FILE,
  CHECKPOINTS_DIR,
  checkpointFault,
  checkpointSizes,
  IDENTITIES_FILE,
  type KeptCheckpoint,
  keyWords,
  LOG_DIR,
  type PublicationLog,
  readCheckpoint,
  readLog,
  rootOf,
  signersOf,
} from '../../../snapshot/format/versions/publication-log.ts';
import { REMOVED_DIR } from '../../../snapshot/format/versions/removed.ts';
import type { VerifierKey } from '../../../snapshot/proof/note.ts';

/** A published snapshot in the log. */
export interface LoggedSnapshot {
  index: number;
  identity: string;
  /** The newest version here with this identity; null where none is, nor a removed one's manifest. */
  version: string | null;
  state: 'held' | 'removed' | 'absent';
}

export interface CheckedLog {
  entries: LoggedSnapshot[];
  /** The newest checkpoint; null where nothing was published with an identity yet. */
  checkpoint: { origin: string; size: number; root: string; content: string } | null;
  /** Keys that signed the newest checkpoint, as `<name>+<id>`: of the trusted ones where some are insisted on, else of the log's. */
  signedBy: string[];
  /** Public keys of the log, newest first. */
  keys: string[];
  problems: { file: string; message: string }[];
  /** What is no damage, but worth knowing. */
  notes: string[];
}

/**
 * Recomputes what the log states: that every checkpoint, the newest and all older ones, is over the identities as they are now, so
 * that each extends those before it; that their signatures hold; that every snapshot here is in it. With `trusted`, one of those
 * keys must have signed the newest checkpoint.
 */
export async function checkLog(snapshotsDir: string, trusted: readonly VerifierKey[] | null): Promise<CheckedLog> {
  const checked: CheckedLog = { entries: [], checkpoint: null, signedBy: [], keys: [], problems: [], notes: [] };
  const log = await readable(checked, () => readLog(snapshotsDir));
  if (log === null) return checked;
  checked.keys = log.keys.map(({ vkey }) => vkey);
  await checkNewest(log, trusted, checked);
  await checkOlder(snapshotsDir, log, checked);
  await checkEntries(snapshotsDir, log, checked);
  return checked;
}

async function checkNewest(log: PublicationLog, trusted: readonly VerifierKey[] | null, checked: CheckedLog) {
  const { checkpoint, identities, keys } = log;
  const report = (message: string) => checked.problems.push({ file: `${LOG_DIR}/${CHECKPOINT_FILE}`, message });
  if (checkpoint === null) {
    if (identities.length > 0) checked.notes.push(unfinished(identities.length));
    return;
  }
  const { origin, size, root, content } = checkpoint;
  checked.checkpoint = { origin, size, root: root.toString('hex'), content };
  const fault = checkpointFault(checkpoint, identities);
  if (fault !== null) report(fault);
  else if (size < identities.length) checked.notes.push(unfinished(identities.length - size));
  const own = signersOf(checkpoint, keys);
  const counted = trusted === null ? own : signersOf(checkpoint, trusted);
  checked.signedBy = counted.keys.map(keyWords);
  if (checkpoint.isSigned && own.fault !== null) report(`is not signed by a key of the log: ${own.fault}`);
  if (trusted !== null && counted.fault !== null) report(`is not signed by a trusted key: ${counted.fault}`);
}

function unfinished(count: number): string {
  return `${count} of the identities are under no checkpoint yet, as after a kill: the next publication signs them`;
}

/** Every checkpoint that was ever written must be one of the identities as they are now. */
async function checkOlder(snapshotsDir: string, { identities, keys }: PublicationLog, checked: CheckedLog) {
  const sizes = await checkpointSizes(snapshotsDir);
  const roots = rootOf(
    identities,
    sizes.map((size) => Math.min(size, identities.length)),
  );
  for (const [index, size] of sizes.entries()) {
    const older = await readable(checked, () => readCheckpoint(snapshotsDir, size));
    if (older === null) continue;
    const fault = olderFault(older, size, { count: identities.length, root: roots[index]! }, keys);
    if (fault !== null) checked.problems.push({ file: `${LOG_DIR}/${CHECKPOINTS_DIR}/${size}`, message: fault });
  }
}

function olderFault(
  older: KeptCheckpoint,
  size: number,
  now: { count: number; root: Buffer },
  keys: readonly VerifierKey[],
): string | null {
  if (older.size !== size) return `counts ${older.size} identities, expected ${size}, as its name says`;
  if (size > now.count) return `counts ${size} identities, but the log holds ${now.count}: it was cut`;
  if (!older.root.equals(now.root))
    return `is not continued by the log: its root is ${older.root.toString('hex')}, and the first ${size} identities now give ${now.root.toString('hex')}`;
  const { fault } = signersOf(older, keys);
  return older.isSigned && fault !== null ? `is not signed by a key of the log: ${fault}` : null;
}

/** Every snapshot here must be in the log, but for one that a killed publication left and that was never served. */
async function checkEntries(snapshotsDir: string, { identities }: PublicationLog, checked: CheckedLog) {
  const held = await identitiesOf(snapshotsDir);
  const removed = await identitiesOf(join(snapshotsDir, REMOVED_DIR));
  checked.entries = identities.map((identity, index) => {
    const version = held.get(identity) ?? removed.get(identity) ?? null;
    const state = held.has(identity) ? 'held' : version === null ? 'absent' : 'removed';
    return { index, identity, version, state };
  });
  const logged = new Set(identities);
  const newest = [...held].reduce((found, [identity, version]) => {
    return logged.has(identity) && version > found ? version : found;
  }, '');
  for (const [identity, version] of held) {
    if (logged.has(identity)) continue;
    if (version > newest && !(await isServed(snapshotsDir, version)))
      checked.notes.push(
        `${version} is not in the log: its publication was killed before it was served, and \`pipeline current ${version}\` would add it`,
      );
    else
      checked.problems.push({
        file: `${LOG_DIR}/${IDENTITIES_FILE}`,
        message: `does not hold ${identity}, the identity of ${version}`,
      });
  }
}

/** The newest version of each identity in a directory; versions of older formats have none, and unreadable ones are left out. */
async function identitiesOf(directory: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const version of await versionsIn(directory)) {
    const identity = await readManifest(snapshotPath(directory, version)).then(
      (manifest) => manifest.identity,
      () => undefined,
    );
    if (identity !== undefined && !found.has(identity)) found.set(identity, version);
  }
  return found;
}

async function readable<T>(checked: CheckedLog, read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof SnapshotFault)) throw error;
    checked.problems.push({ file: LOG_DIR, message: error.message });
    return null;
  }
}
