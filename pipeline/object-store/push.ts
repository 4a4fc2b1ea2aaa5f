import { readFile } from 'node:fs/promises';
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
import { snapshotFiles } from '../../snapshot/format/versions/manifest.ts';
import { IDENTITIES_FILE, logPath } from '../../snapshot/format/versions/publication-log.ts';
import { REMOVED_DIR, readRemovedAt, removedPath } from '../../snapshot/format/versions/removed.ts';
import { readLastCheck } from '../../snapshot/format/versions/state.ts';
import type { Effects } from '../effects.ts';
import { updateState } from '../publish/commit.ts';
import { type FileSum, sumFile, walk } from '../publish/durable.ts';
import { StoreFault } from '../pull/downloader.ts';
import {
  KEPT_FILES,
  LOG_NAME,
  neededBy,
  type Pointer,
  type Release,
  releaseKey,
  type Store,
  VERSIONS,
  wantedBy,
  YOUNG_MS,
} from './store.ts';

export interface PushOptions {
  store: Store;
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
  const { store, snapshotsDir } = options;
  await store.assertWritable();
  const pointer = await store.pointer();
  const before = pointer === null ? null : await store.release(pointer.release);
  const served = await servedVersion(snapshotsDir);
  const log = await logFiles(snapshotsDir);
  assertLogContinues(log, before, options);
  const versions = [served, ...(await othersHeld(options, served, before))];
  const folders = await Promise.all(versions.map((version) => filesIn(snapshotPath(snapshotsDir, version), version)));
  const removed = await removedVersions(snapshotsDir, versions);
  const [own, ...held] = await Promise.all(versions.map((version) => named(snapshotPath(snapshotsDir, version))));
  const release: Release = {
    format: 4,
    served: own!,
    held,
    removed: removed.map(({ files: _files, ...one }) => one),
    log,
    lastCheck: await readLastCheck(snapshotsDir, served),
  };
  const sent = await sendFiles(store, [...folders, ...removed.map(({ files }) => files)].flat(), before, effects);
  const content = Buffer.from(JSON.stringify(release));
  const next = { version: served, release: sha256(content) };
  const unchanged = pointer?.release === next.release;
  if (!unchanged) await store.client.write(releaseKey(next.release), content);
  effects.checkpoint('push:sent');
  const flipped = unchanged ? pointer : await store.flip(pointer?.generation ?? 0, next);
  effects.checkpoint('push:flipped');
  const { flippedAt: _at, ...generation } = flipped;
  const kept = { store: store.name, ...generation, versions: wantedBy(release) };
  await updateState(snapshotsDir, { generation: kept }, effects);
  return { store: store.name, pointer: flipped, unchanged, files: folders[0]!.length, ...sent };
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
function assertLogContinues(log: Release['log'], before: Release | null, { store, snapshotsDir }: PushOptions): void {
  const ours = log[IDENTITIES_FILE] ?? '';
  if (ours.startsWith(before?.log[IDENTITIES_FILE] ?? '')) return;
  throw new StoreFault(
    `the log of publications here does not continue the one of ${store.name}: another publisher went on from there. Nothing was sent to count. \`pipeline store pull\` brings the store's state where this directory has nothing of its own; a version that was published here alone must be given up: move ${snapshotsDir} away, pull, and publish again`,
  );
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
async function filesIn(dir: string, version: string): Promise<Sendable[]> {
  const listed = new Map(snapshotFiles(await readManifest(dir)).map((file) => [file.path, file]));
  const files: Sendable[] = [];
  for (const path of (await walk(dir)).files) {
    const sum = listed.get(path) ?? (await sumFile(dir, path));
    files.push({ key: `${VERSIONS}${version}/${path}`, path: join(dir, path), sum });
  }
  return files;
}

async function named(dir: string): Promise<{ version: string; identity: string }> {
  const { version, identity } = await readManifest(dir);
  return { version, identity };
}

/** What is kept of the versions that were removed. */
async function removedVersions(snapshotsDir: string, held: readonly string[]) {
  const removed: (Release['removed'][number] & { files: Sendable[] })[] = [];
  for (const version of await versionsIn(join(snapshotsDir, REMOVED_DIR))) {
    if (held.includes(version)) continue;
    const dir = removedPath(snapshotsDir, version);
    const files = (await filesIn(dir, version)).filter(({ sum }) => KEPT_FILES.includes(sum.path));
    removed.push({ ...(await named(dir)), removedAt: await readRemovedAt(dir), files });
  }
  return removed;
}

async function logFiles(snapshotsDir: string): Promise<Release['log']> {
  const { files } = await walk(logPath(snapshotsDir)).catch(() => ({ files: [] }));
  const log: Release['log'] = {};
  for (const name of files.filter((one) => LOG_NAME.test(one)))
    log[name] = await readFile(logPath(snapshotsDir, name), 'utf8');
  return log;
}

/** Sends what the store lacks. An object that is there counts if the release before needs it, or if it is so young that no gc removes it. */
async function sendFiles(
  { client, name }: Store,
  files: readonly Sendable[],
  before: Release | null,
  effects: Effects,
): Promise<{ sentFiles: number; sentBytes: number }> {
  const isNeeded = before === null ? () => false : neededBy(before);
  const there = new Map<string, number>();
  for (const { key, bytes, changedAt } of await client.list(''))
    if (Date.now() - changedAt.getTime() < YOUNG_MS / 2 || isNeeded(key)) there.set(key, bytes);
  const unique = [...new Map(files.map((file) => [file.key, file])).values()];
  const missing = unique.filter(({ key, sum }) => there.get(key) !== sum.bytes);
  const total = missing.reduce((all, { sum }) => all + sum.bytes, 0);
  let done = 0;
  const queue = new PQueue({ concurrency: PARALLEL });
  const one = async ({ key, path, sum }: Sendable): Promise<void> => {
    await client.writeFile(key, path, sum);
    done += sum.bytes;
    effects.progress({ stage: 'push', label: name, done, total, unit: 'bytes' });
    effects.checkpoint(`pushed:${sum.path}`);
  };
  try {
    await queue.addAll(missing.map((file) => () => one(file)));
  } catch (error) {
    queue.clear();
    await queue.onIdle();
    throw error;
  }
  return { sentFiles: missing.length, sentBytes: total };
}
