import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delayed } from 'node:timers/promises';
import PQueue from 'p-queue';
import {
  quickDamage,
  readCurrentManifest,
  readManifest,
  SnapshotFault,
  snapshotPath,
  versionsIn,
} from '../../snapshot/format/versions/current.ts';
import { LAST_CHECK_FILE, readLastCheck } from '../../snapshot/format/versions/last-check.ts';
import { type Manifest, type SnapshotFileSum, snapshotFiles } from '../../snapshot/format/versions/manifest.ts';
import {
  CHECKPOINT_FILE,
  CHECKPOINTS_DIR,
  checkpointSizes,
  IDENTITIES_FILE,
  KEYS_FILE,
  LOG_DIR,
} from '../../snapshot/format/versions/publication-log.ts';
import { REMOVED_DIR } from '../../snapshot/format/versions/removed.ts';
import { readReplicaStatus } from '../../snapshot/format/versions/replica-status.ts';
import type { Effects } from '../effects.ts';
import { type FileSum, sumFile, walk } from '../publish/durable.ts';
import {
  distinctFiles,
  OBJECTS,
  objectKey,
  type Pointer,
  type Release,
  sha256Of,
  textOf,
  type VersionListing,
  wantedBy,
} from './layout.ts';
import { referencesOf, YOUNG_MS } from './references.ts';
import { keepGeneration } from './replica.ts';
import type { S3Client, StoredObject } from './s3-client.ts';
import { StoreFault } from './store-fault.ts';
import type { LiveReplica, Next, StorePointer } from './store-pointer.ts';
import { StoreReader } from './store-source.ts';

export interface PushOptions {
  client: S3Client;
  pointers: StorePointer;
  snapshotsDir: string;
  /** How long the flip waits for live replicas that have not staged the release. */
  waitMs?: number;
  /** Also the versions that this directory holds beside the served one, as far as the store lacks them. */
  all?: boolean;
  /** Waits between two looks at the replicas. */
  pause?: (milliseconds: number) => Promise<void>;
}

export interface Pushed {
  /** Name of the store, such as s3://bucket/prefix. */
  store: string;
  pointer: Pointer;
  /** Whether the pointer named this release already. */
  unchanged: boolean;
  /** Files of the version, and bytes of those that were sent. */
  files: number;
  sentFiles: number;
  sentBytes: number;
  /** Live replicas that the flip did not wait for any longer. */
  lagging: string[];
}

export const FLIP_WAIT_MS = 600_000;
const LOOK_MS = 2_000;
const PARALLEL = 4;

/**
 * Sends the served version of a directory to the store and makes the pointer name it: first every object that the store lacks, then the
 * candidate for the replicas to have ready, then the flip, when all live ones have it or after a limit. Before the flip nothing that counts
 * has changed. The caller holds the lock of the directory.
 */
export async function push(options: PushOptions, effects: Effects): Promise<Pushed> {
  const { client, pointers, snapshotsDir } = options;
  await pointers.assertWritable();
  const { pointer } = await pointers.state();
  const generation = pointer?.generation ?? 0;
  const earlier = pointer === null ? null : await releaseBefore(client, pointer, effects);
  const before = earlier?.release ?? null;
  const manifest = await servedManifest(snapshotsDir);
  await assertLogContinues({ client, snapshotsDir, before }, effects);
  const there = await objectsThere(client, earlier, effects);
  const listings = [await listingOf(snapshotsDir, manifest)];
  for (const version of await othersHeld(options, manifest.version, before))
    listings.push(await listingOf(snapshotsDir, await readManifest(snapshotPath(snapshotsDir, version))));
  const beside = await filesBeside(snapshotsDir, manifest.version, before);
  const files = [
    ...listings.flatMap(({ version, files: listed }) =>
      listed.map((file) => ({ dir: join(snapshotsDir, version), file })),
    ),
    ...beside.map((file) => ({ dir: snapshotsDir, file })),
  ];
  const sent = await sendFiles(client, files, there, effects);
  const [own, ...held] = await Promise.all(listings.map((listing) => sendText(client, textOf(listing), there)));
  const release: Release = {
    ...{ format: 1, version: manifest.version, listing: own!, beside },
    held: held.map((listing, index) => ({ version: listings[index + 1]!.version, listing })),
  };
  const next = { version: manifest.version, release: await sendText(client, textOf(release), there) };
  effects.checkpoint('push:sent');
  const counts = { store: client.name, files: listings[0]!.files.length, ...sent };
  if (pointer !== null && pointer.release === next.release) {
    await keep(options, pointer, release, effects);
    return { pointer, unchanged: true, ...counts, lagging: [] };
  }
  const lagging = await readied(options, generation, next, effects);
  const flipped = await pointers.flip(generation, next);
  effects.checkpoint('push:flipped');
  await keep(options, flipped, release, effects);
  return { pointer: flipped, unchanged: false, ...counts, lagging };
}

async function keep(
  { client, snapshotsDir }: PushOptions,
  { generation, version, release: sum }: Pointer,
  release: Release,
  effects: Effects,
): Promise<void> {
  const versions = wantedBy(release);
  await keepGeneration(snapshotsDir, { store: client.name, generation, version, release: sum, versions }, effects);
}

async function servedManifest(snapshotsDir: string): Promise<Manifest> {
  const manifest = await readCurrentManifest(snapshotsDir);
  if (manifest === null)
    throw new SnapshotFault(
      'missing',
      `there is no snapshot in ${snapshotsDir} to send; make one with \`pipeline run\``,
    );
  const damage = await quickDamage(snapshotPath(snapshotsDir, manifest.version));
  if (damage !== null) throw new SnapshotFault('malformed', `${manifest.version} is not sent: ${damage}`);
  return manifest;
}

interface Before {
  sum: string;
  release: Release;
}

async function releaseBefore(client: S3Client, { release: sum }: Pointer, { now }: Effects): Promise<Before> {
  return { sum, release: await new StoreReader(client.reader({ now })).release(sum) };
}

/** Two publishers that each went on from their own state must not take turns: what is sent continues the log that the store has. */
async function assertLogContinues(
  { client, snapshotsDir, before }: { client: S3Client; snapshotsDir: string; before: Release | null },
  { now }: Effects,
): Promise<void> {
  const path = `${LOG_DIR}/${IDENTITIES_FILE}`;
  const theirs = before?.beside.find((file) => file.path === path);
  if (theirs === undefined) return;
  const ours = await sumOfStart(snapshotsDir, path, theirs.bytes);
  if (ours === theirs.sha256) return;
  // The store's own text decides nothing more; it is read so that its damage is told apart.
  await new StoreReader(client.reader({ now })).object(theirs.sha256);
  throw new StoreFault(
    `the log of publications here does not continue the one of ${client.name}: another publisher went on from there. Nothing was sent to count. \`pipeline store pull\` brings the store's state where this directory has nothing of its own; a version that was published here alone must be given up: move ${snapshotsDir} away, pull, and publish again`,
  );
}

/** SHA-256 of the first bytes of a file; null where it is shorter. */
async function sumOfStart(snapshotsDir: string, path: string, bytes: number): Promise<string | null> {
  const content = await readFile(join(snapshotsDir, path)).catch(() => Buffer.alloc(0));
  return content.length < bytes ? null : sha256Of(content.subarray(0, bytes));
}

/** Length of each object that need not be sent again, by its SHA-256: the release before needs it, or it is so young that no gc removes it. */
async function objectsThere(client: S3Client, before: Before | null, effects: Effects): Promise<Map<string, number>> {
  const { now, objects } = await client.list(OBJECTS);
  const reader = new StoreReader(client.reader({ now: effects.now }));
  const needed = before === null ? new Set() : await referencesOf(reader, before.sum, before.release);
  const isSafe = ({ changedAt }: StoredObject) => now.getTime() - changedAt.getTime() < YOUNG_MS / 2;
  const found = objects.map((object) => ({ ...object, sum: object.key.slice(OBJECTS.length) }));
  return new Map(found.filter((one) => needed.has(one.sum) || isSafe(one)).map(({ sum, bytes }) => [sum, bytes]));
}

/** The other versions that the store shall hold: those that it held and that are still here, or all that are here whole. */
async function othersHeld(
  { snapshotsDir, all }: PushOptions,
  served: string,
  before: Release | null,
): Promise<string[]> {
  const earlier = new Set(before === null ? [] : [before.version, ...before.held.map(({ version }) => version)]);
  const others: string[] = [];
  for (const version of await versionsIn(snapshotsDir)) {
    if (version === served || !(all === true || earlier.has(version))) continue;
    const damage = await quickDamage(snapshotPath(snapshotsDir, version)).catch(() => 'no manifest');
    if (damage === null) others.push(version);
  }
  return others;
}

async function listingOf(snapshotsDir: string, manifest: Manifest): Promise<VersionListing> {
  const dir = snapshotPath(snapshotsDir, manifest.version);
  const listed = snapshotFiles(manifest).map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 }));
  const known = new Set(listed.map(({ path }) => path));
  const unlisted: SnapshotFileSum[] = [];
  for (const path of (await walk(dir)).files) if (!known.has(path)) unlisted.push(await sumFile(dir, path));
  const files = [...unlisted, ...listed].sort((a, b) => (a.path < b.path ? -1 : 1));
  return { format: 1, version: manifest.version, files };
}

/** The log of publications, the last check of the version, and what is kept of removed versions, which never changes. */
async function filesBeside(snapshotsDir: string, version: string, before: Release | null): Promise<FileSum[]> {
  const checkpoints = (await checkpointSizes(snapshotsDir)).map((size) => `${CHECKPOINTS_DIR}/${size}`);
  const log = [CHECKPOINT_FILE, IDENTITIES_FILE, KEYS_FILE, ...checkpoints].map((name) => `${LOG_DIR}/${name}`);
  const check = (await readLastCheck(snapshotsDir, version)) === null ? [] : [LAST_CHECK_FILE];
  const removed = (await versionsIn(join(snapshotsDir, REMOVED_DIR))).map((name) => `${REMOVED_DIR}/${name}`);
  const kept: string[] = [];
  for (const dir of removed)
    for (const name of (await walk(join(snapshotsDir, dir))).files) kept.push(`${dir}/${name}`);
  const known = new Map(before?.beside.map((file) => [file.path, file]));
  const found: FileSum[] = [];
  for (const path of [...check, ...log, ...kept]) {
    const bytes = await stat(join(snapshotsDir, path)).then(
      ({ size }) => size,
      () => null,
    );
    if (bytes === null) continue;
    const earlier = path.startsWith(REMOVED_DIR) ? known.get(path) : undefined;
    found.push(earlier?.bytes === bytes ? earlier : await sumFile(snapshotsDir, path));
  }
  return found;
}

async function sendFiles(
  client: S3Client,
  files: readonly { dir: string; file: SnapshotFileSum }[],
  there: Map<string, number>,
  effects: Effects,
): Promise<{ sentFiles: number; sentBytes: number }> {
  const places = new Map(files.map(({ dir, file }) => [file.sha256, join(dir, file.path)]));
  const missing = distinctFiles(files.map(({ file }) => file)).filter(
    ({ sha256, bytes }) => there.get(sha256) !== bytes,
  );
  const total = missing.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  const told = (bytes: number): void => {
    done += bytes;
    effects.progress({ stage: 'push', label: client.name, done, total, unit: 'bytes' });
  };
  const queue = new PQueue({ concurrency: PARALLEL });
  try {
    await queue.addAll(
      missing.map((file) => async () => {
        await client.writeFile(objectKey(file.sha256), places.get(file.sha256)!, file, told);
        effects.checkpoint(`pushed:${file.path}`);
      }),
    );
  } catch (error) {
    queue.clear();
    await queue.onIdle();
    throw error;
  }
  return { sentFiles: missing.length, sentBytes: total };
}

async function sendText(client: S3Client, content: Buffer, there: ReadonlyMap<string, number>): Promise<string> {
  const sum = sha256Of(content);
  if (there.get(sum) !== content.length) await client.write(objectKey(sum), content);
  return sum;
}

/** Announces the release where replicas are live, and waits until they have it. Returns those that lagged. */
async function readied(options: PushOptions, counting: number, next: Next, effects: Effects): Promise<string[]> {
  const { pointers, snapshotsDir, waitMs = FLIP_WAIT_MS, pause = delayed } = options;
  // The one of this directory has the version already, and cannot look while the publisher holds the lock.
  const own = (await readReplicaStatus(snapshotsDir))?.name;
  // One that is behind the generation that counts is still coming up, and serves no client of it.
  const isWaitedFor = ({ name, generation }: LiveReplica) => name !== own && generation === counting && generation > 0;
  const lagging = async (): Promise<LiveReplica[]> =>
    (await pointers.liveReplicas()).filter((replica) => isWaitedFor(replica) && replica.staged !== next.release);
  let late = await lagging();
  if (late.length === 0) return [];
  await pointers.announce(counting, next);
  effects.checkpoint('push:announced');
  const until = effects.now().getTime() + waitMs;
  while (late.length > 0 && effects.now().getTime() < until) {
    await pause(LOOK_MS);
    late = await lagging();
  }
  if (late.length > 0)
    effects.notice?.(
      `${late.map(({ name }) => name).join(', ')} did not have ${next.version} ready after ${Math.round(waitMs / 1000)} s; it counts now, and they follow when they have it`,
    );
  return late.map(({ name }) => name);
}
