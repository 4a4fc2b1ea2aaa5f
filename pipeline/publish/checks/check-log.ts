import { isServed, SnapshotFault, versionsIn } from '../../../snapshot/format/versions/current.ts';
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
import { type FoundIdentity, isReadable, VersionList } from '../../../snapshot/format/versions/version-list.ts';
import type { PublicKey } from '../../../snapshot/proof/verify.mjs';

/** A published snapshot in the log. */
export type LoggedSnapshot = FoundIdentity & { index: number };

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
export async function checkLog(snapshotsDir: string, trusted: readonly PublicKey[] | null): Promise<CheckedLog> {
  const checked: CheckedLog = { entries: [], checkpoint: null, signedBy: [], keys: [], problems: [], notes: [] };
  const log = await readable(checked, () => readLog(snapshotsDir));
  if (log === null) return checked;
  checked.keys = log.keys.map(({ vkey }) => vkey);
  await checkNewest(log, trusted, checked);
  await checkOlder(snapshotsDir, log, checked);
  await checkEntries(snapshotsDir, log, checked);
  return checked;
}

async function checkNewest(log: PublicationLog, trusted: readonly PublicKey[] | null, checked: CheckedLog) {
  const { checkpoint, identities, keys } = log;
  const report = (message: string) => checked.problems.push({ file: `${LOG_DIR}/${CHECKPOINT_FILE}`, message });
  if (checkpoint === null) {
    if (identities.length > 0) checked.notes.push(unfinished(identities.length));
    return;
  }
  const { origin, size, root, content } = checkpoint;
  checked.checkpoint = { origin, size, root, content };
  const fault = checkpointFault(checkpoint, identities);
  if (fault !== null) report(fault);
  else if (size < identities.length) checked.notes.push(unfinished(identities.length - size));
  const own = await signersOf(checkpoint, keys);
  const counted = trusted === null ? own : await signersOf(checkpoint, trusted);
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
    const fault = await olderFault(older, size, { count: identities.length, root: roots[index]! }, keys);
    if (fault !== null) checked.problems.push({ file: `${LOG_DIR}/${CHECKPOINTS_DIR}/${size}`, message: fault });
  }
}

async function olderFault(
  older: KeptCheckpoint,
  size: number,
  now: { count: number; root: string },
  keys: readonly PublicKey[],
): Promise<string | null> {
  if (older.size !== size) return `counts ${older.size} identities, expected ${size}, as its name says`;
  if (size > now.count) return `counts ${size} identities, but the log holds ${now.count}: it was cut`;
  if (older.root !== now.root)
    return `is not continued by the log: its root is ${older.root}, and the first ${size} identities now give ${now.root}`;
  const { fault } = await signersOf(older, keys);
  return older.isSigned && fault !== null ? `is not signed by a key of the log: ${fault}` : null;
}

/** Every snapshot here must be in the log, but for one that a killed publication left and that was never served. */
async function checkEntries(snapshotsDir: string, { identities }: PublicationLog, checked: CheckedLog) {
  const list = new VersionList(snapshotsDir);
  const versions = await versionsIn(snapshotsDir);
  if (versions.length === 0 && identities.length === 0) return;
  const find = await list.finder();
  for (const [index, identity] of identities.entries()) checked.entries.push({ index, ...(await find(identity)) });
  const logged = new Set(identities);
  const newest = checked.entries.reduce(
    (found, { version, state }) => (state === 'held' && version! > found ? version! : found),
    '',
  );
  for (const version of versions) {
    const found = await list.find(version);
    if (found === null || !isReadable(found) || logged.has(found.manifest.identity)) continue;
    if (version > newest && !(await isServed(snapshotsDir, version)))
      checked.notes.push(
        `${version} is not in the log: its publication was killed before it was served, and \`pipeline current ${version}\` would add it`,
      );
    else
      checked.problems.push({
        file: `${LOG_DIR}/${IDENTITIES_FILE}`,
        message: `does not hold ${found.manifest.identity}, the identity of ${version}`,
      });
  }
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
