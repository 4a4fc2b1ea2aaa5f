import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import PQueue from 'p-queue';
import { sha256 } from '../../server-kit/hashing.ts';
import {
  quickDamage,
  readCurrentManifest,
  readManifest,
  SnapshotFault,
  snapshotPath,
  versionsIn,
} from '../../snapshot/format/versions/current.ts';
import { LAST_CHECK_FILE, readLastCheck } from '../../snapshot/format/versions/last-check.ts';
import { MANIFEST_FILE, snapshotFiles } from '../../snapshot/format/versions/manifest.ts';
import { IDENTITIES_FILE, LOG_DIR } from '../../snapshot/format/versions/publication-log.ts';
import { REMOVED_DIR } from '../../snapshot/format/versions/removed.ts';
import type { Effects } from '../effects.ts';
import { type FileSum, sumFile, walk } from '../publish/durable.ts';
import {
  type HeldVersion,
  isOfLog,
  isOfRemoved,
  type Pointer,
  type Release,
  StoreFault,
  summedKey,
  VERSIONS,
  wantedBy,
} from './layout.ts';
import { keepGeneration } from './replica.ts';
import type { S3Client } from './s3-client.ts';
import { YOUNG_MS } from './store-gc.ts';
import type { StorePointer } from './store-pointer.ts';
import { readRelease } from './store-source.ts';

export interface PushOptions {
  client: S3Client;
  pointers: StorePointer;
  snapshotsDir: string;
  /** Also the versions that this directory has and the store lacks. */
  all?: boolean;
}

export interface Pushed {
  /** Name of the store, such as s3://bucket/prefix. */
  store: string;
  pointer: Pointer;
  /** Whether the pointer named this release already. */
  unchanged: boolean;
  /** Files of the version, and those that were sent of all versions with their bytes. */
  files: number;
  sentFiles: number;
  sentBytes: number;
}

const PARALLEL = 4;

/** A file on this disk and its object. */
interface Sendable {
  key: string;
  path: string;
  sum: FileSum;
}

/**
 * Sends the served version of a directory to the store and makes the pointer name it, after every object that the store lacked is there.
 * Before the flip nothing that counts has changed. The caller holds the lock of the directory.
 */
export async function push(options: PushOptions, effects: Effects): Promise<Pushed> {
  const { client, pointers, snapshotsDir } = options;
  await pointers.assertWritable();
  const pointer = await pointers.read();
  const before = pointer === null ? null : await readRelease(client, pointer.release);
  const served = await servedVersion(snapshotsDir);
  await assertLogContinues(client, snapshotsDir, before);
  const others = await othersHeld(options, served, before);
  const versions = [served, ...others];
  const folders = await Promise.all(versions.map((version) => filesOf(snapshotsDir, version)));
  const small = await smallFiles(snapshotsDir, served, before);
  const [own, ...held] = versions.map((version, index) => heldVersion(version, folders[index]!));
  const release: Release = { format: 2, served: own!, held, files: small };
  assertImmutable(release, before);
  const ofStore = small.map((sum) => ({ key: summedKey(sum.sha256), path: join(snapshotsDir, sum.path), sum }));
  const sent = await sendFiles(client, [...folders.flat(), ...ofStore], before, effects);
  const content = Buffer.from(JSON.stringify(release));
  const next = { version: served, release: sha256(content) };
  const unchanged = pointer?.release === next.release;
  if (!unchanged) await client.write(summedKey(next.release), content);
  effects.checkpoint('push:sent');
  const flipped = unchanged ? pointer : await pointers.flip(pointer?.generation ?? 0, next);
  effects.checkpoint('push:flipped');
  const { flippedAt: _at, ...generation } = flipped;
  await keepGeneration(snapshotsDir, { store: client.name, ...generation, versions: wantedBy(release) }, effects);
  return { store: client.name, pointer: flipped, unchanged, files: folders[0]!.length, ...sent };
}

async function servedVersion(snapshotsDir: string): Promise<string> {
  const manifest = await readCurrentManifest(snapshotsDir);
  if (manifest === null)
    throw new SnapshotFault(
      'missing',
      `there is no snapshot in ${snapshotsDir} to send; make one with \`pipeline run\``,
    );
  const damage = await quickDamage(snapshotPath(snapshotsDir, manifest.version));
  if (damage !== null) throw new SnapshotFault('malformed', `${manifest.version} is not sent: ${damage}`);
  return manifest.version;
}

/** Two publishers that each went on from their own state must not take turns: what is sent continues the log that the store has. */
async function assertLogContinues(client: S3Client, snapshotsDir: string, before: Release | null): Promise<void> {
  const path = `${LOG_DIR}/${IDENTITIES_FILE}`;
  const theirs = before?.files.find((file) => file.path === path);
  if (theirs === undefined) return;
  const ours = await readFile(join(snapshotsDir, path)).catch(() => Buffer.alloc(0));
  if (ours.length >= theirs.bytes && sha256(ours.subarray(0, theirs.bytes)) === theirs.sha256) return;
  throw new StoreFault(
    `the log of publications here does not continue the one of ${client.name}: another publisher went on from there. Nothing was sent to count. \`pipeline store pull\` brings the store's state where this directory has nothing of its own; a version that was published here alone must be given up: move ${snapshotsDir} away, pull, and publish again`,
  );
}

/** The folder of a version in the store never changes. */
function assertImmutable({ served, held }: Release, before: Release | null): void {
  const earlier = new Map(before && [before.served, ...before.held].map((one) => [one.version, one.manifest]));
  for (const { version, manifest } of [served, ...held])
    if ((earlier.get(version) ?? manifest) !== manifest)
      throw new StoreFault(`${version} is in the store with another manifest: nothing was sent`);
}

/** The other versions that the store shall hold: those that it held and that are still here, or all that are here whole. */
async function othersHeld(
  { snapshotsDir, all }: PushOptions,
  served: string,
  before: Release | null,
): Promise<string[]> {
  const earlier = new Set(before === null ? [] : wantedBy(before));
  const others: string[] = [];
  for (const version of await versionsIn(snapshotsDir)) {
    if (version === served || !(all === true || earlier.has(version))) continue;
    const damage = await quickDamage(snapshotPath(snapshotsDir, version)).catch(() => 'no manifest');
    if (damage === null) others.push(version);
  }
  return others;
}

/** Every file of a version. Only those that its manifest does not list are hashed here. */
async function filesOf(snapshotsDir: string, version: string): Promise<Sendable[]> {
  const dir = snapshotPath(snapshotsDir, version);
  const listed = new Map(snapshotFiles(await readManifest(dir)).map((file) => [file.path, file]));
  const files: Sendable[] = [];
  for (const path of (await walk(dir)).files) {
    const sum = listed.get(path) ?? (await sumFile(dir, path));
    files.push({ key: `${VERSIONS}${version}/${path}`, path: join(dir, path), sum });
  }
  return files;
}

function heldVersion(version: string, files: readonly Sendable[]): HeldVersion {
  return { version, manifest: files.find(({ sum }) => sum.path === MANIFEST_FILE)!.sum.sha256 };
}

/** The log of publications, the last check of the version, and what is kept of removed versions, which never changes. */
async function smallFiles(snapshotsDir: string, version: string, before: Release | null): Promise<FileSum[]> {
  const known = new Map(before?.files.filter(({ path }) => isOfRemoved(path)).map((file) => [file.path, file]));
  const files: FileSum[] = [];
  if ((await readLastCheck(snapshotsDir, version)) !== null) files.push(await sumFile(snapshotsDir, LAST_CHECK_FILE));
  for (const folder of [LOG_DIR, REMOVED_DIR]) {
    const found = await walk(join(snapshotsDir, folder)).catch(() => ({ files: [] }));
    for (const path of found.files.map((name) => `${folder}/${name}`)) {
      const { size } = await stat(join(snapshotsDir, path));
      const earlier = known.get(path);
      files.push(earlier?.bytes === size ? earlier : await sumFile(snapshotsDir, path));
    }
  }
  return files.filter(({ path }) => !isOfLog(path) || LOG_FILES.test(path));
}

/** Other files of the log, such as those of a write that a kill cut off, are not sent. */
const LOG_FILES = /^log\/(?:identities|checkpoint|keys|checkpoints\/\d+)$/;

/** Sends what the store lacks. An object that is there counts if the release before needs it, or if it is so young that no gc removes it. */
async function sendFiles(
  client: S3Client,
  files: readonly Sendable[],
  before: Release | null,
  effects: Effects,
): Promise<{ sentFiles: number; sentBytes: number }> {
  const folders = before === null ? [] : wantedBy(before).map((version) => `${VERSIONS}${version}/`);
  const summed = new Set(before?.files.map(({ sha256 }) => summedKey(sha256)));
  const there = new Map<string, number>();
  for (const { key, bytes, changedAt } of await client.list('')) {
    const isYoung = Date.now() - changedAt.getTime() < YOUNG_MS / 2;
    if (isYoung || summed.has(key) || folders.some((folder) => key.startsWith(folder))) there.set(key, bytes);
  }
  const unique = [...new Map(files.map((file) => [file.key, file])).values()];
  const missing = unique.filter(({ key, sum }) => there.get(key) !== sum.bytes);
  const total = missing.reduce((all, { sum }) => all + sum.bytes, 0);
  let done = 0;
  const sent = (bytes: number): void => {
    done += bytes;
    effects.progress({ stage: 'push', label: client.name, done, total, unit: 'bytes' });
  };
  const queue = new PQueue({ concurrency: PARALLEL });
  try {
    await queue.addAll(
      missing.map(({ key, path, sum }) => async () => {
        await client.writeFile(key, path, sum, sent);
        effects.checkpoint(`pushed:${sum.path}`);
      }),
    );
  } catch (error) {
    queue.clear();
    await queue.onIdle();
    throw error;
  }
  return { sentFiles: missing.length, sentBytes: total };
}
