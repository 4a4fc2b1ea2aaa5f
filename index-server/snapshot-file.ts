import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Fail, Reply, RequestContext } from '../server-kit/mount.ts';
import { removedWords } from '../snapshot-format/removed.ts';
import { downloadsOf, type SnapshotFile } from './present-snapshot.ts';
import { isGone, type KnownSnapshot, type RemovedSnapshot } from './snapshot/version-list.ts';

const PARQUET = 'application/vnd.apache.parquet';
/** A version never changes, but `current` names another version later. */
const FOREVER = 'public, max-age=31536000, immutable';
const UNTIL_ANOTHER = 'no-cache';

/** The part of a file to send, both ends included; `unsatisfiable`: the range lies beyond the file's end. */
type SentRange = { start: number; end: number } | 'whole' | 'unsatisfiable';

/**
 * Sends a file of a version as a stream, whole or one range, or 304 if the caller's copy is current. Only files that the
 * manifest names have an address, so no name leads out of the directory.
 */
export async function sendFile(
  known: KnownSnapshot | RemovedSnapshot,
  name: string,
  { context, isPermanent }: { context: RequestContext; isPermanent: boolean },
  fail: Fail<'NOT_FOUND' | 'TRIALS_UNAVAILABLE'>,
): Promise<Reply<string>> {
  const file = downloadsOf(known).find((one) => one.name === name);
  if (file === undefined) {
    return fail('NOT_FOUND', { message: noSuchFile(known) });
  }
  const etag = `"${file.sha256}"`;
  const headers = {
    'accept-ranges': 'bytes',
    'cache-control': isPermanent ? FOREVER : UNTIL_ANOTHER,
    etag,
  };
  if (holds(context.header('if-none-match'), etag)) return { data: '', stream: null, status: 304, headers };
  const ifRange = context.header('if-range');
  const range = ifRange === null || ifRange === etag ? rangeOf(context.header('range'), file.bytes) : 'whole';
  if (range === 'unsatisfiable') {
    const beyond = { ...headers, 'content-range': `bytes */${file.bytes}`, 'content-length': '0' };
    return { data: '', stream: null, status: 416, headers: beyond };
  }
  const handle = await opened(known, file, fail);
  const { start, end } = range === 'whole' ? { start: 0, end: file.bytes - 1 } : range;
  const digest = `sha-256=:${Buffer.from(file.sha256, 'hex').toString('base64')}:`;
  const sent = {
    ...headers,
    ...nameOf(file),
    'content-length': String(end - start + 1),
    // Digest of the whole file, also when a part is sent.
    'repr-digest': digest,
    ...(range === 'whole' ? { 'content-digest': digest } : { 'content-range': `bytes ${start}-${end}/${file.bytes}` }),
  };
  const stream = Readable.toWeb(handle.createReadStream({ start, end })) as ReadableStream<Uint8Array>;
  return { data: '', stream, status: range === 'whole' ? 200 : 206, headers: sent };
}

function noSuchFile(known: KnownSnapshot | RemovedSnapshot): string {
  const { version } = known;
  if (known.state === 'held')
    return `The version ${version} has no such file; GET /api/v1/snapshots/${version} lists them.`;
  const kept = downloadsOf(known).map(({ name }) => `GET /snapshots/${version}/files/${name}`);
  return `${removedWords(known)}. What is kept of it: ${kept.join(', ')}.`;
}

/** Opens the file; once it is open, its removal does not disturb the reader. */
async function opened(
  { dir, version }: KnownSnapshot | RemovedSnapshot,
  file: SnapshotFile,
  fail: Fail<'NOT_FOUND' | 'TRIALS_UNAVAILABLE'>,
): Promise<FileHandle> {
  let handle: FileHandle;
  try {
    handle = await open(join(dir, file.path));
  } catch (cause) {
    if (isGone(cause))
      return fail('NOT_FOUND', { message: `The version ${version} is not held here any more.`, cause });
    return fail('TRIALS_UNAVAILABLE', { message: `The file ${file.name} could not be read.`, cause });
  }
  const { size } = await handle.stat();
  if (size === file.bytes) return handle;
  await handle.close();
  const message = `The file ${file.name} has not the ${file.bytes} bytes that the manifest states; it is withheld.`;
  return fail('TRIALS_UNAVAILABLE', { message });
}

function mediaType(name: string): string {
  if (name.endsWith('.json')) return 'application/json; charset=utf-8';
  if (name.endsWith('.cff')) return 'text/plain; charset=utf-8';
  return name.endsWith('.parquet') ? PARQUET : 'application/octet-stream';
}

function nameOf({ name }: SnapshotFile): Record<string, string> {
  return {
    'content-type': mediaType(name),
    'content-disposition': `attachment; filename="${name}"`,
  };
}

function holds(header: string | null, etag: string): boolean {
  return (header ?? '').split(',').some((part) => ['*', etag, `W/${etag}`].includes(part.trim()));
}

/** The range that a Range header asks for. An invalid header, or several ranges, gets the whole file, as HTTP allows. */
export function rangeOf(header: string | null, bytes: number): SentRange {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (match === null) return 'whole';
  const [first, last] = [match[1]!, match[2]!];
  if (first === '') {
    if (last === '') return 'whole';
    return Number(last) === 0 ? 'unsatisfiable' : { start: Math.max(0, bytes - Number(last)), end: bytes - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return 'whole';
  if (start >= bytes) return 'unsatisfiable';
  return { start, end: last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1) };
}
