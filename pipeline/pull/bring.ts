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
import type { PublicKey } from '../../snapshot/proof/verify.mjs';
import type { Effects } from '../effects.ts';
import { checkLog } from '../publish/checks/check-log.ts';
import { replaceFile, sync } from '../publish/durable.ts';
import type { Problem } from '../publish/problem.ts';
import { type Downloader, PullFault } from './downloader.ts';
import { type Gathered, gather, type Listing, place, readListing, stagingPath } from './gather.ts';

/** The log of the source does not vouch for a version. */
export class NotLogged extends PullFault {}

/** A version that is to be brought. */
export interface Wanted {
  /** `current`, or the name of one. */
  version: string;
  /** Where it is known. */
  identity?: string;
  /** Directory of snapshots that it is put into. */
  into: string;
  isWanted: (path: string) => boolean;
  /** Keys, one of which must have signed the log; null insists on none. */
  trusted: readonly PublicKey[] | null;
  /** Sizes whose checkpoints the source has beside the newest. */
  checkpoints?: readonly number[];
}

/**
 * Brings a version of a source that is not trusted, and puts log and version into their places, each in one step. Its log is checked
 * before gigabytes are asked for, each file as it comes, and `check` is the last word on the whole. What came stays after a kill or a fault,
 * so that the next call goes on. The caller holds the lock of the directory. Throws PullFault.
 */
export async function bring(
  files: Downloader,
  wanted: Wanted,
  effects: Effects,
  check: (gathered: Gathered) => Promise<void> = async () => {},
): Promise<Gathered> {
  const listing = await readListing(files, wanted.version, wanted.identity);
  const placeLog = await stagedLog(files, listing, wanted);
  const gathered = await gather(files, listing, wanted, effects);
  await check(gathered);
  await placeLog(effects);
  await place(gathered, wanted.into, effects);
  return gathered;
}

/**
 * Brings the source's log of publications into the staging folder of a version. Throws PullFault where it contradicts itself or what is
 * kept here of it, is not signed as asked, or does not hold the version. Returns what puts it into its place.
 */
export async function stagedLog(
  files: Downloader,
  { manifest }: Pick<Listing, 'manifest'>,
  { into, trusted, checkpoints }: Wanted,
): Promise<(effects: Effects) => Promise<void>> {
  const { version, identity } = manifest;
  const staging = stagingPath(into, version);
  await stageLog(files, into, staging, checkpoints);
  const { problems, checkpoint, entries } = await checkLog(staging, trusted);
  assertSound(version, into, problems);
  const index = entries.findIndex((entry) => entry.identity === identity);
  const refused = `${version} is not put into ${into}: its identity ${identity} is`;
  if (index < 0) throw new NotLogged(`${refused} not in the log of publications of its source`);
  if (trusted !== null && index >= (checkpoint?.size ?? 0))
    throw new NotLogged(`${refused} under no checkpoint of that log that a trusted key signed`);
  return (effects) => placeLog(staging, into, effects);
}

const PROBLEMS_SHOWN = 5;

/** Throws PullFault where there are problems. */
export function assertSound(version: string, into: string, problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  const shown = problems.slice(0, PROBLEMS_SHOWN).map(({ file, message }) => `  ${file}: ${message}`);
  const more = problems.length > PROBLEMS_SHOWN ? [`  and ${problems.length - PROBLEMS_SHOWN} more`] : [];
  throw new PullFault([`${version} is not put into ${into}, since it does not verify:`, ...shown, ...more].join('\n'));
}

/** An identity has 65 bytes in it: enough for a million publications. */
const LOG_MAX_BYTES = 65_000_000;

/**
 * Brings the source's log of publications into `staging`, together with the checkpoints that `snapshotsDir` kept of earlier days, so that a
 * check of the whole finds a log that does not continue them. Where the source is behind what is kept here, the log that is kept stays.
 * `earlier` are sizes whose checkpoints the source has too.
 */
async function stageLog(
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
async function placeLog(staging: string, snapshotsDir: string, effects: Effects): Promise<void> {
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
