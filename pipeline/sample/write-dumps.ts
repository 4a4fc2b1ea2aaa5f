import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type CorpusOptions, generateCorpus } from './corpus.ts';
import { zipArchive } from './zip-archive.ts';

/** Studies on one API page, as the registry gives at most. */
const PAGE_STUDIES = 1000;
const PART_TRIALS = 500;
const ISRCTN_NAMESPACE = 'http://www.67bricks.com/isrctn';
/** Speed matters more than size for a file that is read once. */
const GZIP_LEVEL = 1;

/**
 * Writes the corpus as the registries' APIs would answer: `ctgov/page-0001.json` … with the total on the first page and
 * a token on all but the last, `isrctn/part-0001.xml` …. Nothing is held whole. Overwrites files of these names.
 */
export async function writeSampleDump(directory: string, options: CorpusOptions): Promise<void> {
  const corpus = generateCorpus(options);
  const ctgov = join(directory, 'ctgov');
  const isrctn = join(directory, 'isrctn');
  await mkdir(ctgov, { recursive: true });
  await mkdir(isrctn, { recursive: true });
  let page = 0;
  const pages = Math.max(1, Math.ceil(corpus.counts.ctgov / PAGE_STUDIES));
  for (const studies of batches(corpus.ctgov(), PAGE_STUDIES)) {
    page += 1;
    await writeText(join(ctgov, `page-${numbered(page)}.json`), ctgovPage(studies, page, pages, corpus.counts.ctgov));
  }
  let part = 0;
  for (const trials of batches(corpus.isrctn(), PART_TRIALS)) {
    part += 1;
    await writeText(join(isrctn, `part-${numbered(part)}.xml`), isrctnPart(trials));
  }
}

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
  await writeGzipped(isrctn, isrctnPart(corpus.isrctn(), corpus.counts.isrctn));
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
  for (const content of studies) {
    const id = /"nctId":"([^"]+)"/.exec(content)?.[1];
    if (id === undefined) throw new Error('a study without nctId: the generator is at fault');
    yield { name: `${id}.json`, content };
  }
}

function numbered(value: number): string {
  return String(value).padStart(4, '0');
}

function* batches<T>(values: Iterable<T>, size: number): Generator<T[]> {
  let batch: T[] = [];
  for (const value of values) {
    batch.push(value);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function* lines(values: Iterable<string>): Generator<string> {
  for (const value of values) yield `${value}\n`;
}

function* ctgovPage(studies: readonly string[], page: number, pages: number, total: number): Generator<string> {
  yield page === 1 ? `{"totalCount":${total},"studies":[` : '{"studies":[';
  for (const [index, study] of studies.entries()) yield index === 0 ? study : `,${study}`;
  yield page === pages ? ']}' : `],"nextPageToken":"synthetic-${numbered(page + 1)}"}`;
}

function* isrctnPart(trials: Iterable<string>, total?: number): Generator<string> {
  const counted = total ?? (trials as readonly string[]).length;
  yield `<allTrials totalCount="${counted}" xmlns="${ISRCTN_NAMESPACE}">`;
  yield* trials;
  yield '</allTrials>';
}

async function writeText(path: string, pieces: Iterable<string>): Promise<void> {
  await pipeline(Readable.from(pieces), createWriteStream(path));
}

async function writeGzipped(path: string, pieces: Iterable<string>): Promise<void> {
  await pipeline(Readable.from(pieces), createGzip({ level: GZIP_LEVEL }), createWriteStream(path));
}
