import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Fail, Reply, RequestContext } from '../server-kit/mount.ts';
import type { SnapshotFileSum } from '../snapshot/format/versions/manifest.ts';
import { removedWords } from '../snapshot/format/versions/removed.ts';
import { isGone, type KnownSnapshot, type RemovedSnapshot } from '../snapshot/format/versions/version-list.ts';
import { downloadsOf } from './present-snapshot.ts';
import { FOREVER, sendRanged, UNTIL_ANOTHER } from './ranged-file.ts';

/** Bytes that are read at once: each piece costs a turn of the event loop, and a reader that stopped holds a few of them. */
const PIECE_BYTES = 256 * 1024;

type FailFile = Fail<'NOT_FOUND' | 'TRIALS_UNAVAILABLE'>;

/** Sends a file of a version. Only files that the manifest names, or that stand beside it, have an address. */
export async function sendFile(
  known: KnownSnapshot | RemovedSnapshot,
  path: string,
  { context, isPermanent }: { context: RequestContext; isPermanent: boolean },
  fail: FailFile,
): Promise<Reply<string>> {
  const file = fileAt(downloadsOf(known), path) ?? fail('NOT_FOUND', { message: noSuchFile(known) });
  const read = async (start: number, end: number) =>
    (await opened(known, file, fail)).createReadStream({ start, end, highWaterMark: PIECE_BYTES });
  const name = basename(file.path);
  const cacheControl = isPermanent ? FOREVER : UNTIL_ANOTHER;
  return sendRanged({ ...file, name, mediaType: mediaType(name), cacheControl, read }, context);
}

/** Parts of the payloads were once addressed by their name alone; these addresses are permanent too. */
function fileAt(files: readonly SnapshotFileSum[], path: string): SnapshotFileSum | undefined {
  return files.find((file) => file.path === path) ?? files.find((file) => file.path === `raw/${path}`);
}

function noSuchFile(known: KnownSnapshot | RemovedSnapshot): string {
  const { version } = known;
  if (known.state === 'held')
    return `The version ${version} has no such file; GET /api/v1/snapshots/${version} lists them.`;
  const kept = downloadsOf(known).map(({ path }) => `GET /snapshots/${version}/files/${path}`);
  return `${removedWords(known)}. What is kept of it: ${kept.join(', ')}.`;
}

/** Opens the file; once it is open, its removal does not disturb the reader. */
async function opened(
  { dir, version }: KnownSnapshot | RemovedSnapshot,
  file: SnapshotFileSum,
  fail: FailFile,
): Promise<FileHandle> {
  let handle: FileHandle | null;
  try {
    handle = (await isOwnFile(dir, file.path)) ? await open(join(dir, file.path)) : null;
  } catch (cause) {
    if (isGone(cause))
      return fail('NOT_FOUND', { message: `The version ${version} is not held here any more.`, cause });
    return fail('TRIALS_UNAVAILABLE', { message: `The file ${file.path} could not be read.`, cause });
  }
  if (handle === null)
    return fail('TRIALS_UNAVAILABLE', { message: `The file ${file.path} is a link or no file; it is withheld.` });
  const { size } = await handle.stat();
  if (size === file.bytes) return handle;
  await handle.close();
  const message = `The file ${file.path} has not the ${file.bytes} bytes that the manifest states; it is withheld.`;
  return fail('TRIALS_UNAVAILABLE', { message });
}

/** Whether a file lies in the version itself: a symbolic link, of it or of its folder, could lead anywhere. */
async function isOwnFile(dir: string, path: string): Promise<boolean> {
  const [found, folder, own] = [
    await lstat(join(dir, path)),
    await realpath(dirname(join(dir, path))),
    await realpath(dir),
  ];
  return found.isFile() && folder === join(own, dirname(path));
}

function mediaType(name: string): string {
  if (name.endsWith('.json')) return 'application/json; charset=utf-8';
  if (name.endsWith('.parquet')) return 'application/vnd.apache.parquet';
  if (name.endsWith('.arrow')) return 'application/vnd.apache.arrow.file';
  const isText = name.endsWith('.sha256') || !name.includes('.');
  return isText ? 'text/plain; charset=utf-8' : 'application/octet-stream';
}
