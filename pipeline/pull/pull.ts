import { existsSync } from 'node:fs';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import PQueue from 'p-queue';
import type { VerifierKey } from '../../proof/note.ts';
import {
  CurrentFault,
  quickDamage,
  readCurrent,
  readManifest,
  snapshotPath,
  TABLES_ONLY,
} from '../../snapshot-format/current.ts';
import { CURRENT_FILE, CURRENT_NONE } from '../../snapshot-format/current-file.ts';
import type { Manifest, SnapshotFileSum } from '../../snapshot-format/manifest.ts';
import { isOfImage } from '../../snapshot-format/serving.ts';
import type { Effects } from '../effects.ts';
import { setCurrent } from '../publish/commit.ts';
import { damagedFiles } from '../publish/damage.ts';
import { sync, walk } from '../publish/durable.ts';
import { readHold } from '../publish/hold.ts';
import { type Verification, verify } from '../publish/verify.ts';
import { assertSpace, withSpace } from '../space.ts';
import { addressOf, differs, readListing } from './listing.ts';
import { PartialFile } from './partial-file.ts';
import { placeLog, stageLog } from './pull-log.ts';
import { PullFault, ServiceClient, type ServiceOptions } from './service-client.ts';
import { heldFiles, PARTIAL_END, prepare, stagingPath, takenOver, unfinishedPulls } from './staging.ts';

export interface PullOptions extends Omit<ServiceOptions, 'now' | 'notice' | 'signal'> {
  /** `current`, or the name of one. */
  version: string;
  /** Directory of snapshots that it is put into; made where it is not there. */
  into: string;
  /** Leaves out the image that a server maps. */
  tablesOnly: boolean;
  /** Keys, one of which must have signed the log; null insists on none. */
  trusted: readonly VerifierKey[] | null;
}

export interface Pulled {
  version: string;
  /** Null of a version of an older format. */
  identity: string | null;
  /** Bytes of the files that make the version, as far as it was wanted. */
  bytes: number;
  /** Bytes of them that were sent this time. */
  fetchedBytes: number;
  verification: Verification;
  /** Why the pulled version is not the one that CURRENT names; null where it is. */
  notServed: string | null;
}

/** Enough to fill a line although a file waits for its first byte; few enough to burden nobody. */
const PARALLEL = 4;
const PROBLEMS_SHOWN = 5;

/**
 * Downloads a version from a running service, checks all of it, and puts it in place in one step. The service is not trusted: its manifest
 * says what may be written and how much, and every hash, root, identity and checkpoint is recomputed before anything is in place. What was
 * downloaded stays after a kill or a fault, so that the next pull goes on. The caller holds the lock of `into`. Throws PullFault, or
 * NoSpace where the disk is full.
 */
export async function pull(options: PullOptions, effects: Effects): Promise<Pulled> {
  try {
    return await pulled(options, effects);
  } catch (error) {
    throw await withSpace(error, [options.into]);
  }
}

async function pulled(options: PullOptions, effects: Effects): Promise<Pulled> {
  const { into, tablesOnly, trusted, version, ...service } = options;
  const stop = new AbortController();
  const { notice } = effects;
  const client = new ServiceClient({ ...service, now: effects.now, signal: stop.signal, ...(notice && { notice }) });
  const listing = await readListing(client, version);
  const { manifest } = listing;
  const wanted = listing.files.filter(({ path }) => !tablesOnly || !isOfImage(path));
  const staging = stagingPath(into, manifest.version);
  const dir = join(staging, manifest.version);
  await mkdir(dir, { recursive: true });
  const unlisted = listing.unlisted.map(({ path }) => path);
  await prepare(dir, [...unlisted, ...wanted.map(({ path }) => path)]);
  for (const { path, content } of listing.unlisted) await writeFile(join(dir, path), content);
  const held = await heldFiles(into, staging);
  const fetchedBytes = await fetchFiles({ client, stop }, { into, dir, wanted, manifest, held }, effects);
  const isTheirs = await stageLog(client, into, staging);
  const verification = await verify(staging, manifest.version, effects, {
    trusted,
    image: tablesOnly ? 'left-out' : 'summed',
  });
  assertSound(verification, manifest, into);
  if (isTheirs) await placeLog(staging, into, effects);
  await place({ staging, dir, into, wanted }, manifest.version, effects);
  const notServed = await serveIfNewer(into, manifest, tablesOnly, effects);
  for (const name of await unfinishedPulls(into)) await rm(join(into, name), { recursive: true, force: true });
  const bytes = wanted.reduce((sum, file) => sum + file.bytes, 0);
  const identity = manifest.identity ?? null;
  return { version: manifest.version, identity, bytes, fetchedBytes, verification, notServed };
}

interface Target {
  into: string;
  /** Where the files are gathered. */
  dir: string;
  wanted: readonly SnapshotFileSum[];
  manifest: Manifest;
  /** Where files lie already, by SHA-256. */
  held: ReadonlyMap<string, readonly string[]>;
}

/** Gathers the files: those that lie here already with the right bytes are taken over, the rest is downloaded. Returns how many bytes were sent. */
async function fetchFiles(
  { client, stop }: { client: ServiceClient; stop: AbortController },
  { into, dir, wanted, manifest, held }: Target,
  effects: Effects,
): Promise<number> {
  const total = wanted.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  const told = (bytes: number): void => {
    done += bytes;
    effects.progress({ stage: 'pull', label: manifest.version, done, total, unit: 'bytes' });
  };
  const missing: SnapshotFileSum[] = [];
  for (const file of wanted) {
    let isHere = false;
    for (const source of [join(dir, file.path), ...(held.get(file.sha256) ?? [])])
      isHere ||= await takenOver(source, dir, file);
    if (isHere) told(file.bytes);
    else missing.push(file);
  }
  await assertSpace('pull', { directory: into, needed: await bytesMissing(dir, missing) }, effects.freeBytes);
  let fetched = 0;
  const queue = new PQueue({ concurrency: PARALLEL });
  const one = async (file: SnapshotFileSum): Promise<void> => {
    const sent = await fetchFile(client, { dir, file, address: addressOf(manifest.version, file.path) }, told);
    fetched += sent;
    effects.checkpoint(`pulled:${file.path}`);
  };
  try {
    await queue.addAll(missing.map((file) => () => one(file)));
  } catch (error) {
    // The others end at once, and have closed their files before this ends.
    stop.abort();
    queue.clear();
    await queue.onIdle();
    throw error;
  }
  return fetched;
}

async function bytesMissing(dir: string, missing: readonly SnapshotFileSum[]): Promise<number> {
  const sizes = await Promise.all(
    missing.map(({ path }) =>
      stat(join(dir, `${path}${PARTIAL_END}`)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return missing.reduce((sum, { bytes }, index) => sum + Math.max(0, bytes - sizes[index]!), 0);
}

/** Downloads a file, and gives it its name once its hash is right. Returns how many bytes were sent. */
async function fetchFile(
  client: ServiceClient,
  { dir, file, address }: { dir: string; file: SnapshotFileSum; address: string },
  told: (bytes: number) => void,
): Promise<number> {
  const path = join(dir, `${file.path}${PARTIAL_END}`);
  await using partial = await PartialFile.open(path, file.bytes, told);
  const isContinued = partial.bytes > 0;
  await client.complete(address, file, partial);
  // What an earlier pull left may have been damaged by a power cut, so that such a file gets a second chance from its beginning.
  if (isContinued && partial.sum() !== file.sha256) {
    await partial.restart();
    await client.complete(address, file, partial);
  }
  const found = partial.sum();
  if (found !== file.sha256) {
    await partial.restart();
    throw differs(file.path, found, file.sha256);
  }
  await partial.sync();
  await rename(path, join(dir, file.path));
  return partial.received;
}

function assertSound({ problems, log }: Verification, { version, identity }: Manifest, into: string): void {
  if (problems.length > 0) {
    const shown = problems.slice(0, PROBLEMS_SHOWN).map(({ file, message }) => `  ${file}: ${message}`);
    const more = problems.length > PROBLEMS_SHOWN ? [`  and ${problems.length - PROBLEMS_SHOWN} more`] : [];
    throw new PullFault(
      [`${version} is not put into ${into}, since it does not verify:`, ...shown, ...more].join('\n'),
    );
  }
  if (identity !== undefined && log.index === null)
    throw new PullFault(
      `${version} is not put into ${into}: its identity ${identity} is not in the service's log of publications`,
    );
}

/** Renames the gathered version into its place. One that is there stays if it is whole, and makes room else. */
async function place(
  { staging, dir, into, wanted }: { staging: string; dir: string; into: string; wanted: readonly SnapshotFileSum[] },
  version: string,
  effects: Effects,
): Promise<void> {
  const target = snapshotPath(into, version);
  if (await isWhole(target, wanted)) return rm(staging, { recursive: true, force: true });
  for (const inner of [...(await walk(dir)).directories, '']) await sync(join(dir, inner));
  // Without a CURRENT beside versions a kill would leave it unsaid which of them is served.
  if (!existsSync(join(into, CURRENT_FILE))) await setCurrent(into, CURRENT_NONE, effects);
  const trash = join(into, `.trash-${version}`);
  await rm(trash, { recursive: true, force: true });
  if (existsSync(target)) await rename(target, trash);
  await rename(dir, target);
  effects.checkpoint('snapshot:renamed');
  await sync(into);
  await rm(trash, { recursive: true, force: true });
  await rm(staging, { recursive: true, force: true });
}

async function isWhole(dir: string, wanted: readonly SnapshotFileSum[]): Promise<boolean> {
  if (!existsSync(dir)) return false;
  const quick = await quickDamage(dir).catch(() => 'no manifest');
  return (quick === null || quick === TABLES_ONLY) && (await damagedFiles(dir, wanted)).length === 0;
}

/** Points CURRENT to the pulled version where it is newer than what is served. Returns why it does not; null where it is served. */
async function serveIfNewer(
  into: string,
  manifest: Manifest,
  tablesOnly: boolean,
  effects: Effects,
): Promise<string | null> {
  const { version } = manifest;
  const current = await readCurrent(into).catch((error: unknown) => {
    if (error instanceof CurrentFault) return error;
    throw error;
  });
  if (current === version) return null;
  if (tablesOnly) return 'it was pulled without the image that a server maps';
  if (current instanceof CurrentFault) return current.message;
  if (current !== null) {
    if (current > version) return `${current}, which is served, is newer`;
    if ((await readHold(into, current)) !== null) return `${current} is held`;
    const { corpus } = await readManifest(snapshotPath(into, current));
    if (corpus !== manifest.corpus) return `${current}, which is served, has the corpus ${corpus}`;
  }
  await setCurrent(into, version, effects);
  return null;
}
