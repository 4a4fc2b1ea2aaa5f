import { createHash, type Hash } from 'node:crypto';
import { join } from 'node:path';
import { errorCode, GzipFault, hashFile, readChunks } from './files.ts';
import { type RawFile, type RawLedger, type RawRecord, SourceFault } from './ledger.ts';
import { runDirectory } from './ledger-store.ts';
import { recordOf, slicesOf } from './records.ts';
import { type Slice, SliceError } from './slice.ts';
import { slicerFor } from './sniff.ts';
import { readZip, ZipFault } from './zip.ts';

/**
 * Streams the records of a complete raw set in the order of its ledger, each with the exact bytes received. Every file is
 * checked against the ledger's SHA-256 and record count: SourceFault `checksum` comes at that file's end at the latest, so a
 * reader must not publish before the generator is done. SourceFault `incomplete-set` for an open set or a missing file.
 */
export async function* readRawSet(dataDir: string, ledger: RawLedger): AsyncGenerator<RawRecord> {
  if (ledger.state !== 'complete') {
    throw new SourceFault(ledger.registry, 'incomplete-set', `${ledger.run} is not complete; finish its fetch first`);
  }
  for (const file of ledger.files) {
    let records = 0;
    try {
      for await (const slice of slicesOfFile(join(runDirectory(dataDir, ledger), file.name), file)) {
        records++;
        yield recordOf(slice, ledger.registry, file.name, file.receivedAt);
      }
    } catch (error) {
      throw faultOf(error, ledger, file);
    }
    if (records !== file.records) {
      throw changed(ledger, file, `${records} records where the ledger has ${file.records}`);
    }
  }
}

/** A file's bytes are not those of the ledger. */
class ChecksumMismatch extends Error {}

async function* slicesOfFile(path: string, file: RawFile): AsyncGenerator<Slice> {
  // Files kept as they came are checked before they are unpacked: a zip is not read in order, and gzip may carry a tail.
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

function faultOf(error: unknown, ledger: RawLedger, file: RawFile): unknown {
  if (errorCode(error) === 'ENOENT') {
    const message = `${file.name} of ${ledger.run} is missing; fetch or import again`;
    return new SourceFault(ledger.registry, 'incomplete-set', message, { cause: error });
  }
  const isDamage =
    error instanceof ChecksumMismatch ||
    error instanceof SliceError ||
    error instanceof GzipFault ||
    error instanceof ZipFault;
  return isDamage ? changed(ledger, file, error.message, error) : error;
}

function changed(ledger: RawLedger, file: RawFile, why: string, cause?: unknown): SourceFault {
  const message = `${file.name} of ${ledger.run} is not what was received (${why}; expected SHA-256 ${file.sha256}); fetch or import again`;
  return new SourceFault(ledger.registry, 'checksum', message, { cause });
}
