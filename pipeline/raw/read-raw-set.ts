import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { errorCode } from '../error-code.ts';
import { sumFile } from '../publish/durable.ts';
import { instantOf } from './dump-day.ts';
import { type FetchLog, type RawFile, type RawRecord, runDirectory, SourceFault } from './fetch-log.ts';
import { FileFault, readChunks } from './files.ts';
import { slicerFor } from './formats.ts';
import type { Slice } from './slice.ts';
import { readZip } from './zip.ts';

/**
 * Streams the records of a complete raw set in the order of its fetch log, each with the exact bytes received. Every file
 * is checked against the log's SHA-256 and record count. SourceFault `checksum` may come as late as the file's end, so a
 * reader must not publish before the generator is done. An open set or a missing file throws `incomplete-set`.
 */
export async function* readRawSet(dataDir: string, log: FetchLog): AsyncGenerator<RawRecord> {
  const { registry } = log;
  if (log.state !== 'complete') {
    throw new SourceFault(registry, 'incomplete-set', `${log.run} is not complete; finish its fetch first`);
  }
  for (const file of log.files) {
    const receivedAt = log.dumpDay === undefined ? file.receivedAt : instantOf(log.dumpDay);
    let records = 0;
    try {
      for await (const slice of slicesOfFile(join(runDirectory(dataDir, log), file.name), file)) {
        records++;
        if (slice.ok) yield { ok: true, registry, payload: slice.bytes, file: file.name, receivedAt };
        else yield { ...slice, registry, file: file.name };
      }
      if (records !== file.records)
        throw new FileFault('damaged', `${records} records where the fetch log has ${file.records}`);
    } catch (error) {
      throw faultOf(error, log, file);
    }
  }
}

async function* slicesOfFile(path: string, file: RawFile): AsyncGenerator<Slice> {
  const check = (sha256: string): void => {
    if (sha256 !== file.sha256) throw new FileFault('damaged', `SHA-256 ${sha256}`);
  };
  // Files stored as received are checked before they are unpacked: a zip is not read in order, and gzip may have a tail.
  if (file.wrapping === 'received') check((await sumFile('', path)).sha256);
  if (file.format === 'ctgov-zip') {
    for await (const item of readZip(path)) if ('slice' in item) yield item.slice;
    return;
  }
  const hash = createHash('sha256');
  const slicer = slicerFor(file.format);
  for await (const chunk of readChunks(path, true)) {
    if (file.wrapping === 'gzip') hash.update(chunk);
    yield* slicer.push(chunk);
  }
  yield* slicer.end();
  if (file.wrapping === 'gzip') check(hash.digest('hex'));
}

function faultOf(error: unknown, { registry, run }: FetchLog, file: RawFile): unknown {
  const fault = (code: SourceFault['code'], message: string): SourceFault =>
    new SourceFault(registry, code, `${file.name} of ${run} ${message}`, { cause: error });
  if (errorCode(error) === 'ENOENT') return fault('incomplete-set', 'is missing; fetch or import again');
  if (!(error instanceof FileFault)) return error;
  const why = `${error.message}; expected SHA-256 ${file.sha256}`;
  return fault('checksum', `is not what was received (${why}); fetch or import again`);
}
