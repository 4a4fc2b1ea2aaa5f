import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readCurrent, readManifest, SnapshotFault, snapshotPath } from '../../../snapshot/format/versions/current.ts';
import {
  CHECKPOINT_FILE,
  CHECKPOINTS_DIR,
  checkpointFault,
  checkpointOver,
  IDENTITIES_FILE,
  KEYS_FILE,
  type KeptCheckpoint,
  keyWords,
  LOG_DIR,
  logPath,
  type PublicationLog,
  readLog,
  signersOf,
  UNSIGNED_ORIGIN,
} from '../../../snapshot/format/versions/publication-log.ts';
import { type SignerKey, signNote } from '../../../snapshot/proof/note.ts';
import type { Effects } from '../../effects.ts';
import { replaceFile, sync } from '../durable.ts';

/** What a publication left in the log. */
export interface LogEntry {
  /** Identities under the newest checkpoint. */
  size: number;
  /** Keys that signed it, as `<name>+<id>`; empty where it is unsigned. */
  signedBy: string[];
}

/**
 * The log, after what it states of itself was recomputed. Throws SnapshotFault where it was changed: nothing may be added to it
 * then, because its operator promised never to sign two histories.
 */
export async function soundLog(snapshotsDir: string): Promise<PublicationLog> {
  const log = await readLog(snapshotsDir);
  const { checkpoint, identities } = log;
  const fault = checkpoint === null ? null : checkpointFault(checkpoint, identities);
  if (fault === null) return log;
  throw new SnapshotFault(
    'malformed',
    `${logPath(snapshotsDir, CHECKPOINT_FILE)} ${fault}; restore ${LOG_DIR}/ from a copy (docs/log.md)`,
  );
}

/**
 * Adds what is missing of `identity` and of the served snapshot's to the log, and brings its checkpoint up to date: all
 * identities, signed by all of `signers`. Without anything to do it writes nothing. Each file is replaced whole, the identities
 * before the checkpoint over them, so that a kill leaves at most identities without a checkpoint, which the next call signs. The
 * caller holds the pipeline lock.
 */
export async function completeLog(
  snapshotsDir: string,
  identity: string | null,
  signers: readonly SignerKey[],
  effects: Effects,
): Promise<LogEntry> {
  const log = await soundLog(snapshotsDir);
  const wanted = [await servedIdentity(snapshotsDir), identity];
  const added = [...new Set(wanted)].filter((one) => one !== null && !log.identities.includes(one));
  const identities = [...log.identities, ...(added as string[])];
  if (identities.length === 0) return { size: 0, signedBy: [] };

  const keys = [
    ...signers.map(({ verifier }) => verifier.vkey).filter((vkey) => log.keys.every((key) => key.vkey !== vkey)),
    ...log.keys.map(({ vkey }) => vkey),
  ];
  const write = (name: string, text: string, what: string): Promise<void> => {
    const temporary = join(snapshotsDir, `.tmp-${process.pid}-${LOG_DIR}`);
    return replaceFile(logPath(snapshotsDir, name), temporary, text, effects, `log:${what}`);
  };
  await mkdir(logPath(snapshotsDir, CHECKPOINTS_DIR), { recursive: true });
  await sync(snapshotsDir);
  // A key is listed before anything that it signed is there.
  if (keys.length > log.keys.length) await write(KEYS_FILE, lines(keys), 'keys');
  if (added.length > 0) await write(IDENTITIES_FILE, lines(identities), 'identities');
  const content = checkpointContent(log.checkpoint, identities, signers);
  if (content !== log.checkpoint?.content) {
    await write(`${CHECKPOINTS_DIR}/${identities.length}`, content, 'checkpoints');
    await write(CHECKPOINT_FILE, content, 'checkpoint');
  }
  return entryOf(await readLog(snapshotsDir));
}

export async function entryOf({ checkpoint, keys }: PublicationLog): Promise<LogEntry> {
  if (checkpoint === null) return { size: 0, signedBy: [] };
  return { size: checkpoint.size, signedBy: (await signersOf(checkpoint, keys)).keys.map(keyWords) };
}

/**
 * The checkpoint over all identities. A log that was ever signed keeps its origin. Where the text is that of the newest one, signatures by other
 * keys, of a rotation or of witnesses, stay.
 */
function checkpointContent(
  before: KeptCheckpoint | null,
  identities: readonly string[],
  signers: readonly SignerKey[],
): string {
  const kept = before === null || before.origin === UNSIGNED_ORIGIN ? null : before.origin;
  const text = checkpointOver(kept ?? signers[0]?.verifier.name ?? UNSIGNED_ORIGIN, identities);
  const same = before !== null && before.text === text ? before : null;
  if (signers.length === 0) return same?.content ?? text;
  return signNote(text, signers, same);
}

/** Null where nothing usable is served. */
async function servedIdentity(snapshotsDir: string): Promise<string | null> {
  try {
    const version = await readCurrent(snapshotsDir);
    return version === null ? null : (await readManifest(snapshotPath(snapshotsDir, version))).identity;
  } catch (error) {
    // What is wrong with CURRENT is for the gate to say.
    if (error instanceof SnapshotFault) return null;
    throw error;
  }
}

function lines(of: readonly string[]): string {
  return of.map((line) => `${line}\n`).join('');
}
