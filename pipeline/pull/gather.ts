import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import PQueue from 'p-queue';
import { isOfImage } from '../../snapshot/format/serving.ts';
import type { Manifest, SnapshotFileSum } from '../../snapshot/format/versions/manifest.ts';
import type { Effects } from '../effects.ts';
import { sync } from '../publish/durable.ts';
import { assertSpace } from '../space.ts';
import type { Downloader } from './downloader.ts';
import { differs, type Listing, readListing } from './listing.ts';
import { PartialFile } from './partial-file.ts';
import { heldFiles, PARTIAL_END, prepare, stagingPath, takenOver } from './staging.ts';

/** `stop` ends the downloads after a fault; the downloader heeds it. */
export interface Download {
  files: Downloader;
  stop: AbortController;
}

/** A version whose files all lie in its staging folder with the bytes that its manifest states; durable, and not in its place yet. */
export interface Gathered {
  listing: Listing;
  /** Laid out as a directory of snapshots. */
  staging: string;
  /** The version in it. */
  dir: string;
  wanted: readonly SnapshotFileSum[];
  /** Bytes that were sent this time. */
  fetchedBytes: number;
}

export interface Wanted {
  version: string;
  /** SHA-256 of its manifest, where it is known. */
  manifest?: string;
  into: string;
  tablesOnly: boolean;
}

/** Enough to fill a line although a file waits for its first byte; few enough to burden nobody. */
const PARALLEL = 4;

/**
 * Brings every file of a version into its staging folder below `into`, and holds each against the SHA-256 of the manifest. What is there
 * after a kill or a fault stays, so that the next call goes on.
 */
export async function gather(
  { files, stop }: Download,
  { version, manifest: manifestSha256, into, tablesOnly }: Wanted,
  effects: Effects,
): Promise<Gathered> {
  const listing = await readListing(files, version, manifestSha256);
  const { manifest } = listing;
  const wanted = listing.files.filter(({ path }) => !tablesOnly || !isOfImage(path));
  const staging = stagingPath(into, manifest.version);
  const dir = join(staging, manifest.version);
  await mkdir(dir, { recursive: true });
  const unlisted = listing.unlisted.map(({ path }) => path);
  await prepare(dir, [...unlisted, ...wanted.map(({ path }) => path)]);
  for (const { path, content } of listing.unlisted) {
    await writeFile(join(dir, path), content);
    await sync(join(dir, path));
  }
  const held = await heldFiles(into, staging);
  const fetchedBytes = await fetchFiles({ files, stop }, { into, dir, wanted, manifest, held }, effects);
  return { listing, staging, dir, wanted, fetchedBytes };
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
  { files, stop }: Download,
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
    for (const place of [join(dir, file.path), ...(held.get(file.sha256) ?? [])])
      isHere ||= await takenOver(place, dir, file);
    if (isHere) told(file.bytes);
    else missing.push(file);
  }
  await assertSpace('pull', { directory: into, needed: await bytesMissing(dir, missing) }, effects.freeBytes);
  let fetched = 0;
  const queue = new PQueue({ concurrency: PARALLEL });
  const one = async (file: SnapshotFileSum): Promise<void> => {
    const sent = await fetchFile(files, { dir, file, source: `${manifest.version}/${file.path}` }, told);
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
  files: Downloader,
  { dir, file, source }: { dir: string; file: SnapshotFileSum; source: string },
  told: (bytes: number) => void,
): Promise<number> {
  const path = join(dir, `${file.path}${PARTIAL_END}`);
  await using partial = await PartialFile.open(path, file.bytes, told);
  const isContinued = partial.bytes > 0;
  await files.complete(source, file, partial);
  // What an earlier pull left may have been damaged by a power cut, so that such a file gets a second chance from its beginning.
  if (isContinued && partial.sum() !== file.sha256) {
    await partial.restart();
    await files.complete(source, file, partial);
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
