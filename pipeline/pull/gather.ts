import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import PQueue from 'p-queue';
import {
  parseManifest,
  quickDamage,
  readManifest,
  SnapshotFault,
  snapshotPath,
  TABLES_ONLY,
  versionsIn,
} from '../../snapshot/format/versions/current.ts';
import { CURRENT_FILE, CURRENT_NONE, VERSION_PATTERN } from '../../snapshot/format/versions/current-file.ts';
import { type Manifest, type SnapshotFileSum, snapshotFiles } from '../../snapshot/format/versions/manifest.ts';
import { MANIFEST_FILE, OWN_FILES, type OwnTexts } from '../../snapshot/format/versions/own-files.ts';
import type { Effects } from '../effects.ts';
import { setCurrent } from '../publish/commit.ts';
import { linkOrCopy, sync, walk } from '../publish/durable.ts';
import { damagedFiles } from '../publish/verify/damage.ts';
import { assertSpace } from '../space.ts';
import { bytesOf, type Downloader, differs, PARTIAL_END, PullFault } from './downloader.ts';

/**
 * A version that is being pulled is in a folder of this name and its own, which is laid out as a directory of snapshots: the version
 * and the log. So everything that checks a snapshot in its place checks it there.
 */
const PULL_PREFIX = '.pull-';
/** Enough to fill a line although a file waits for its first byte; few enough to burden nobody. */
const PARALLEL = 4;
/** At full size they have about 200 kB. */
const OWN_MAX_BYTES = 16_000_000;

/** A version as the source states it, in agreement with itself. */
export interface Listing {
  manifest: Manifest;
  texts: OwnTexts;
}

/** A version whose files are all in its staging folder with the bytes that its manifest states; durable, and not in its place yet. */
export interface Gathered {
  manifest: Manifest;
  /** Laid out as a directory of snapshots. */
  staging: string;
  wanted: readonly SnapshotFileSum[];
  /** Bytes that were sent this time. */
  fetchedBytes: number;
}

export function stagingPath(snapshotsDir: string, version: string): string {
  return join(snapshotsDir, `${PULL_PREFIX}${version}`);
}

/** Folders of pulls that have not ended; the caller holds the lock of the directory, so no pull is under way. */
export async function unfinishedPulls(snapshotsDir: string): Promise<string[]> {
  const names = await readdir(snapshotsDir).catch(() => []);
  return names
    .filter((name) => name.startsWith(PULL_PREFIX) && VERSION_PATTERN.test(name.slice(PULL_PREFIX.length)))
    .sort();
}

/** Removes what pulls left that have not ended; the caller holds the lock of the directory. */
export async function removeUnfinished(snapshotsDir: string): Promise<void> {
  for (const name of await unfinishedPulls(snapshotsDir)) await rm(join(snapshotsDir, name), { recursive: true });
}

/** Reads the own files of a version. Throws PullFault where it is not the one that was named, or contradicts itself. */
export async function readListing(files: Downloader, version: string, identity?: string): Promise<Listing> {
  const contents = OWN_FILES.map(async (name) => {
    const content = await files.small(`${version}/${name}`, OWN_MAX_BYTES);
    if (content === null) throw new PullFault(`the source has no ${name} of the version ${version}`);
    return [name, content.toString('utf8')];
  });
  const texts = Object.fromEntries(await Promise.all(contents)) as OwnTexts;
  const manifest = manifestIn(texts);
  if (identity !== undefined && manifest.identity !== identity)
    throw differs(MANIFEST_FILE, manifest.identity, identity);
  if (version !== 'current' && manifest.version !== version)
    throw new PullFault(`${MANIFEST_FILE} of ${version} is that of ${manifest.version}`);
  const taken = new Set<string>();
  // Also where a file system knows no upper case, no two files may be written to one place.
  for (const path of [...OWN_FILES, ...snapshotFiles(manifest).map((file) => file.path)]) {
    if (taken.has(path.toLowerCase())) throw new PullFault(`${MANIFEST_FILE} lists ${path} twice`);
    taken.add(path.toLowerCase());
  }
  return { manifest, texts };
}

function manifestIn(texts: OwnTexts): Manifest {
  try {
    return parseManifest(texts, 'the source');
  } catch (error) {
    if (error instanceof SnapshotFault) throw new PullFault(error.message);
    throw error;
  }
}

/**
 * Brings the wanted files of a version into its staging folder below `into`, and compares each with the SHA-256 of the manifest. What is
 * there after a kill or a fault stays, so that the next call goes on. Files that are here already with the right bytes are linked.
 */
export async function gather(
  files: Downloader,
  { manifest, texts }: Listing,
  { into, isWanted }: { into: string; isWanted: (path: string) => boolean },
  effects: Effects,
): Promise<Gathered> {
  const wanted = snapshotFiles(manifest).filter(({ path }) => isWanted(path));
  const staging = stagingPath(into, manifest.version);
  const dir = join(staging, manifest.version);
  await mkdir(dir, { recursive: true });
  await prepare(dir, [...OWN_FILES, ...wanted.map(({ path }) => path)]);
  for (const path of OWN_FILES) {
    await writeFile(join(dir, path), texts[path]);
    await sync(join(dir, path));
  }
  const held = await heldFiles(into, staging);
  const missing: SnapshotFileSum[] = [];
  for (const file of wanted) {
    let isHere = false;
    for (const place of [join(dir, file.path), ...(held.get(file.sha256) ?? [])])
      isHere ||= await takenOver(place, dir, file);
    if (!isHere) missing.push(file);
  }
  const fetchedBytes = await fetchFiles(files, { manifest, into, dir, wanted, missing }, effects);
  return { manifest, staging, wanted, fetchedBytes };
}

/** Makes the folders of these files, and removes every file that is none of them and no beginning of one. */
async function prepare(dir: string, paths: readonly string[]): Promise<void> {
  for (const folder of new Set(paths.map((path) => dirname(join(dir, path))))) await mkdir(folder, { recursive: true });
  const wanted = new Set(paths.flatMap((path) => [path, `${path}${PARTIAL_END}`]));
  for (const file of (await walk(dir)).files) if (!wanted.has(file)) await rm(join(dir, file));
}

/** Where files are already, by SHA-256 as a manifest states it: in versions that are here, and in other pulls that have not ended. */
async function heldFiles(snapshotsDir: string, staging: string): Promise<Map<string, string[]>> {
  const held = new Map<string, string[]>();
  const places = [snapshotsDir, ...(await unfinishedPulls(snapshotsDir)).map((name) => join(snapshotsDir, name))];
  for (const place of places.filter((one) => one !== staging)) {
    for (const dir of (await versionsIn(place)).map((version) => snapshotPath(place, version))) {
      const manifest = await readManifest(dir).catch((error: unknown) => {
        if (error instanceof SnapshotFault) return null;
        throw error;
      });
      for (const { path, sha256 } of manifest === null ? [] : snapshotFiles(manifest))
        held.set(sha256, [...(held.get(sha256) ?? []), join(dir, path)]);
    }
  }
  return held;
}

/** Links the file at `source` into its place, if its bytes are those that are wanted; false where they are not. */
async function takenOver(source: string, dir: string, file: SnapshotFileSum): Promise<boolean> {
  const target = join(dir, file.path);
  if (!existsSync(source)) return false;
  if (source !== target) {
    await rm(target, { force: true });
    await linkOrCopy(source, target);
  }
  if ((await damagedFiles(dir, [file])).length === 0) return true;
  await rm(target, { force: true });
  return false;
}

interface Target {
  manifest: Manifest;
  into: string;
  dir: string;
  wanted: readonly SnapshotFileSum[];
  missing: readonly SnapshotFileSum[];
}

/** Downloads the missing files. Returns how many bytes were sent. */
async function fetchFiles(
  files: Downloader,
  { manifest: { version }, into, dir, wanted, missing }: Target,
  effects: Effects,
): Promise<number> {
  const sum = (of: readonly SnapshotFileSum[]): number => of.reduce((all, { bytes }) => all + bytes, 0);
  const total = sum(wanted);
  let done = total - sum(missing);
  const onBytes = (bytes: number): void => {
    done = Math.min(total, done + bytes);
    effects.progress({ stage: 'pull', label: version, done, total, unit: 'bytes' });
  };
  const partials = await Promise.all(missing.map(({ path }) => bytesOf(join(dir, `${path}${PARTIAL_END}`))));
  const needed = missing.reduce((all, { bytes }, index) => all + Math.max(0, bytes - partials[index]!), 0);
  await assertSpace('pull', { directory: into, needed }, effects.freeBytes);
  let fetched = 0;
  const queue = new PQueue({ concurrency: PARALLEL });
  const one = async (file: SnapshotFileSum): Promise<void> => {
    const sent = await files.file(`${version}/${file.path}`, file, join(dir, file.path), onBytes);
    fetched += sent;
    effects.checkpoint(`pulled:${file.path}`);
  };
  try {
    await queue.addAll(missing.map((file) => () => one(file)));
  } catch (error) {
    // The others end at once, and have closed their files before this ends.
    files.stop.abort();
    queue.clear();
    await queue.onIdle();
    throw error;
  }
  return fetched;
}

/** Renames the gathered version into its place. One that is there stays if it is whole, and is replaced else. */
export async function place({ manifest, staging, wanted }: Gathered, into: string, effects: Effects): Promise<void> {
  const { version } = manifest;
  const [dir, target] = [join(staging, version), snapshotPath(into, version)];
  if (await isWhole(target, wanted)) return rm(staging, { recursive: true, force: true });
  for (const inner of [...(await walk(dir)).directories, '']) await sync(join(dir, inner));
  // Without a CURRENT, a kill would leave versions of which none is named as the served one.
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
