import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CHECKPOINT_FILE,
  CHECKPOINTS_DIR,
  checkpointSizes,
  IDENTITIES_FILE,
  KEYS_FILE,
  LOG_DIR,
  logPath,
  type PublicationLog,
  readCheckpoint,
  readLog,
} from '../../snapshot/format/versions/publication-log.ts';
import type { Effects } from '../effects.ts';
import { replaceFile, sync } from '../publish/durable.ts';
import type { Downloader } from './downloader.ts';

/** An identity has 65 bytes in it: enough for a million publications. */
const LOG_MAX_BYTES = 65_000_000;

/**
 * Brings the service's log of publications into `staging`, with the checkpoints that `snapshotsDir` kept of earlier days beside it, so that a
 * check of the whole finds a log that does not continue them. Where the service is behind what is kept here, the log that is kept stays.
 * `earlier` are sizes whose checkpoints the source has too. Returns whether the service's log is the one that counts.
 */
export async function stageLog(
  client: Downloader,
  snapshotsDir: string,
  staging: string,
  earlier: readonly number[] = [],
): Promise<boolean> {
  await rm(logPath(staging), { recursive: true, force: true });
  await mkdir(logPath(staging, CHECKPOINTS_DIR), { recursive: true });
  // The checkpoint first: identities are written before it, so that they hold all that it counts.
  for (const name of [CHECKPOINT_FILE, IDENTITIES_FILE, KEYS_FILE]) {
    const content = await client.small(`${LOG_DIR}/${name}`, LOG_MAX_BYTES);
    if (content !== null) await writeFile(logPath(staging, name), content);
  }
  const [theirs, ours] = [await readLog(staging), await readLog(snapshotsDir)];
  const kept = await checkpointSizes(snapshotsDir);
  for (const size of kept) {
    const name = String(size);
    await cp(logPath(snapshotsDir, CHECKPOINTS_DIR, name), logPath(staging, CHECKPOINTS_DIR, name));
  }
  for (const size of earlier.filter((one) => !kept.includes(one))) {
    const name = `${CHECKPOINTS_DIR}/${size}`;
    const content = await client.small(`${LOG_DIR}/${name}`, LOG_MAX_BYTES);
    if (content !== null) await writeFile(logPath(staging, name), content);
  }
  if (isBehind(theirs, ours)) {
    await cp(logPath(snapshotsDir), logPath(staging), { recursive: true });
    return false;
  }
  const { checkpoint } = theirs;
  if (checkpoint === null) return true;
  // One of the same size with another text stays, so that the check finds that the log has two histories.
  const same = await readCheckpoint(snapshotsDir, checkpoint.size);
  if (same === null || same.text === checkpoint.text)
    await writeFile(logPath(staging, CHECKPOINTS_DIR, String(checkpoint.size)), checkpoint.content);
  return true;
}

/** Whether a log is the beginning of a longer one. */
function isBehind(one: PublicationLog, other: PublicationLog): boolean {
  return (
    one.identities.length < other.identities.length &&
    one.identities.every((identity, index) => other.identities[index] === identity)
  );
}

/** Puts the log that was staged and checked into its place, each file whole, the checkpoint after all that it rests on. */
export async function placeLog(staging: string, snapshotsDir: string, effects: Effects): Promise<void> {
  const { checkpoint, identities, keys } = await readLog(staging);
  if (checkpoint === null && identities.length === 0) return;
  await mkdir(logPath(snapshotsDir, CHECKPOINTS_DIR), { recursive: true });
  await sync(snapshotsDir);
  const temporary = join(snapshotsDir, `.tmp-${process.pid}-${LOG_DIR}`);
  const place = (name: string, text: string) =>
    replaceFile(logPath(snapshotsDir, name), temporary, text, effects, 'log');
  if (keys.length > 0) await place(KEYS_FILE, lines(keys.map(({ vkey }) => vkey)));
  await place(IDENTITIES_FILE, lines(identities));
  if (checkpoint === null) return;
  for (const size of await checkpointSizes(staging)) {
    const one = size === checkpoint.size ? checkpoint : await readCheckpoint(staging, size);
    if (one === null || (await readCheckpoint(snapshotsDir, size))?.content === one.content) continue;
    await place(`${CHECKPOINTS_DIR}/${size}`, one.content);
  }
  await place(CHECKPOINT_FILE, checkpoint.content);
}

function lines(of: readonly string[]): string {
  return of.map((line) => `${line}\n`).join('');
}
