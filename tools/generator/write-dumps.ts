import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type CorpusOptions, generateCorpus } from './corpus.ts';
import { zipArchive } from './zip-archive.ts';

const ISRCTN_NAMESPACE = 'http://www.67bricks.com/isrctn';
/** Speed matters more than size for a file that is read once. */
const GZIP_LEVEL = 1;

/**
 * Writes each registry as one file, for corpora of any size: `isrctn.xml.gz`, and `ctgov.ndjson.gz` or, as the
 * registry's own bulk download, `ctgov.zip` with one study an entry.
 */
export async function writeCompactDump(
  directory: string,
  options: CorpusOptions,
  form: 'ndjson' | 'zip' = 'ndjson',
): Promise<{ ctgov: string; isrctn: string }> {
  const corpus = generateCorpus(options);
  await mkdir(directory, { recursive: true });
  const ctgov = join(directory, form === 'zip' ? 'ctgov.zip' : 'ctgov.ndjson.gz');
  const isrctn = join(directory, 'isrctn.xml.gz');
  await (form === 'zip' ? writeOfficialZip(ctgov, options) : writeNdjsonGz(ctgov, options));
  await writeGzipped(isrctn, isrctnAnswer(corpus.isrctn(), corpus.counts.isrctn));
  return { ctgov, isrctn };
}

/** The studies as gzipped NDJSON, one a line. */
export async function writeNdjsonGz(path: string, options: CorpusOptions): Promise<void> {
  await writeGzipped(path, lines(generateCorpus(options).ctgov()));
}

/** The studies as the registry's bulk download has them: a zip with `<nctId>.json` for each. */
export async function writeOfficialZip(path: string, options: CorpusOptions): Promise<void> {
  const entries = zipEntries(generateCorpus(options).ctgov());
  await pipeline(Readable.from(zipArchive(entries)), createWriteStream(path));
}

function* zipEntries(studies: Iterable<string>): Generator<{ name: string; content: string }> {
  for (const study of studies) {
    const id = /"nctId":"([^"]+)"/.exec(study)?.[1];
    if (id === undefined) throw new Error('a study without nctId: the generator is at fault');
    yield { name: `${id}.json`, content: study };
  }
}

function* lines(values: Iterable<string>): Generator<string> {
  for (const value of values) yield `${value}\n`;
}

/** One answer of ISRCTN's API. */
export function* isrctnAnswer(trials: Iterable<string>, total: number): Generator<string> {
  yield `<allTrials totalCount="${total}" xmlns="${ISRCTN_NAMESPACE}">`;
  yield* trials;
  yield '</allTrials>';
}

async function writeGzipped(path: string, pieces: Iterable<string>): Promise<void> {
  await pipeline(Readable.from(pieces), createGzip({ level: GZIP_LEVEL }), createWriteStream(path));
}
