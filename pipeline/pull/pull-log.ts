import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CHECKPOINT_FILE,
  CHECKPOINTS_DIR,
  checkpointSizes,
  IDENTITIES_FILE,
  KEYS_FILE,
  LOG_DIR,
  logPath,
  readCheckpoint,
  readLog,
} from '../../snapshot/format/versions/publication-log.ts';
import type { Effects } from '../effects.ts';
import { replaceFile, sync } from '../publish/durable.ts';
import type { Downloader } from './downloader.ts';

/** An identity has 65 bytes in it: enough for a million publications. */
const LOG_MAX_BYTES = 65_000_000;

/**
 * Brings the source's log of publications into `staging`, together with the checkpoints that `snapshotsDir` kept of earlier days, so that a
 * check of the whole finds a log that does not continue them. Where the source is behind what is kept here, the log that is kept stays.
 * `earlier` are sizes whose checkpoints the source has too.
 */
export async function stageLog(
  files: Downloader,
  snapshotsDir: string,
  staging: string,
  earlier: readonly number[] = [],
): Promise<void> {
  await rm(logPath(staging), { recursive: true, force: true });
  await mkdir(logPath(staging, CHECKPOINTS_DIR), { recursive: true });
  const fetch = async (name: string): Promise<void> => {
    const content = await files.small(`${LOG_DIR}/${name}`, LOG_MAX_BYTES);
    if (content !== null) await writeFile(logPath(staging, name), content);
  };
  // The checkpoint first: identities are written before it, so that they hold all that it counts.
  for (const name of [CHECKPOINT_FILE, IDENTITIES_FILE, KEYS_FILE]) await fetch(name);
  const [theirs, ours] = [await readLog(staging), await readLog(snapshotsDir)];
  const isBehind =
    theirs.identities.length < ours.identities.length &&
    theirs.identities.every((identity, index) => ours.identities[index] === identity);
  const kept = await checkpointSizes(snapshotsDir);
  for (const name of isBehind ? [''] : kept.map((size) => `${CHECKPOINTS_DIR}/${size}`))
    await cp(logPath(snapshotsDir, name), logPath(staging, name), { recursive: true });
  if (isBehind) return;
  for (const size of earlier) if (!kept.includes(size)) await fetch(`${CHECKPOINTS_DIR}/${size}`);
  const { checkpoint } = theirs;
  if (checkpoint === null) return;
  // One of the same size with another text stays, so that the check finds that the log has two histories.
  const same = await readCheckpoint(snapshotsDir, checkpoint.size);
  if (same === null || same.text === checkpoint.text)
    await writeFile(logPath(staging, CHECKPOINTS_DIR, String(checkpoint.size)), checkpoint.content);
}

/** Puts the log that was staged and checked into its place, each file whole, the checkpoint after all that it rests on. */
export async function placeLog(staging: string, snapshotsDir: string, effects: Effects): Promise<void> {
  await mkdir(logPath(snapshotsDir, CHECKPOINTS_DIR), { recursive: true });
  await sync(snapshotsDir);
  const temporary = join(snapshotsDir, `.tmp-${process.pid}-${LOG_DIR}`);
  const checkpoints = (await checkpointSizes(staging)).map((size) => `${CHECKPOINTS_DIR}/${size}`);
  for (const name of [KEYS_FILE, IDENTITIES_FILE, ...checkpoints, CHECKPOINT_FILE]) {
    const [next, now] = await Promise.all(
      [staging, snapshotsDir].map((dir) => readFile(logPath(dir, name), 'utf8').catch(() => '')),
    );
    if (next !== '' && next !== now) await replaceFile(logPath(snapshotsDir, name), temporary, next!, effects, 'log');
  }
}
