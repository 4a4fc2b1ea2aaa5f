import { createHash, type Hash } from 'node:crypto';
import { join } from 'node:path';
import { instantOf } from './dump-day.ts';
import { type FetchLog, type RawFile, type RawRecord, SourceFault } from './fetch-log.ts';
import { runDirectory } from './fetch-log-store.ts';
import { errorCode, GzipFault, hashFile, readChunks } from './files.ts';
import { recordOf, slicesOf } from './records.ts';
import { OTHER_FORM_ADVICE, type Slice, SliceError } from './slice.ts';
import { slicerFor } from './sniff.ts';
import { readZip, ZipFault } from './zip.ts';

/**
 * Streams the records of a complete raw set in the order of its fetch log, each with the exact bytes received. Every file
 * is checked against the log's SHA-256 and record count. SourceFault `checksum` may come as late as the file's end, so a
 * reader must not publish before the generator is done. An open set or a missing file throws `incomplete-set`.
 */
export async function* readRawSet(dataDir: string, log: FetchLog): AsyncGenerator<RawRecord> {
  if (log.state !== 'complete') {
    throw new SourceFault(log.registry, 'incomplete-set', `${log.run} is not complete; finish its fetch first`);
  }
  for (const file of log.files) {
    const retrievedAt = log.dumpDay === undefined ? file.receivedAt : instantOf(log.dumpDay);
    let records = 0;
    try {
      for await (const slice of slicesOfFile(join(runDirectory(dataDir, log), file.name), file)) {
        records++;
        yield recordOf(slice, log.registry, file.name, retrievedAt);
      }
    } catch (error) {
      throw faultOf(error, log, file);
    }
    if (records !== file.records) {
      throw changed(log, file, `${records} records where the fetch log has ${file.records}`);
    }
  }
}

/** A file's bytes differ from those in the fetch log. */
class ChecksumMismatch extends Error {}

async function* slicesOfFile(path: string, file: RawFile): AsyncGenerator<Slice> {
  // Files stored as received are checked before they are unpacked: a zip is not read in order, and gzip may have a tail.
  if (file.wrapping === 'received') {
    const { sha256 } = await hashFile(path);
    if (sha256 !== file.sha256) throw new ChecksumMismatch(`SHA-256 ${sha256}`);
  }
  if (file.format === 'ctgov-zip') {
    for await (const item of readZip(path)) if ('slice' in item) yield item.slice;
    return;
  }
  const chunks = readChunks(path, true);
  if (file.wrapping === 'received') {
    yield* slicesOf(chunks, slicerFor(file.format));
    return;
  }
  const hash = createHash('sha256');
  yield* slicesOf(hashed(chunks, hash), slicerFor(file.format));
  const sha256 = hash.digest('hex');
  if (sha256 !== file.sha256) throw new ChecksumMismatch(`SHA-256 ${sha256}`);
}

async function* hashed(chunks: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

function faultOf(error: unknown, log: FetchLog, file: RawFile): unknown {
  if (errorCode(error) === 'ENOENT') {
    const message = `${file.name} of ${log.run} is missing; fetch or import again`;
    return new SourceFault(log.registry, 'incomplete-set', message, { cause: error });
  }
  // Sets from before days were checked may hold such a file.
  if (error instanceof SliceError && error.kind === 'other-form') {
    const message = `${file.name} of ${log.run} has days that may be read wrongly: ${error.message}; ${OTHER_FORM_ADVICE}`;
    return new SourceFault(log.registry, 'not-the-registry', message, { cause: error });
  }
  const isDamage =
    error instanceof ChecksumMismatch ||
    error instanceof SliceError ||
    error instanceof GzipFault ||
    error instanceof ZipFault;
  return isDamage ? changed(log, file, error.message, error) : error;
}

function changed(log: FetchLog, file: RawFile, why: string, cause?: unknown): SourceFault {
  const message = `${file.name} of ${log.run} is not what was received (${why}; expected SHA-256 ${file.sha256}); fetch or import again`;
  return new SourceFault(log.registry, 'checksum', message, { cause });
}
