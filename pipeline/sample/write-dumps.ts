import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type CorpusOptions, generateCorpus } from './corpus.ts';

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

/** Writes both registries as one gzipped file each: `ctgov.ndjson.gz` and `isrctn.xml.gz`. For corpora of any size. */
export async function writeCompactDump(
  directory: string,
  options: CorpusOptions,
): Promise<{ ctgov: string; isrctn: string }> {
  const corpus = generateCorpus(options);
  await mkdir(directory, { recursive: true });
  const paths = { ctgov: join(directory, 'ctgov.ndjson.gz'), isrctn: join(directory, 'isrctn.xml.gz') };
  await writeGzipped(paths.ctgov, lines(corpus.ctgov()));
  await writeGzipped(paths.isrctn, isrctnPart(corpus.isrctn(), corpus.counts.isrctn));
  return paths;
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
