import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { type Corpus, type CorpusOptions, generateCorpus } from './corpus.ts';
import { feedFiles, SAMPLE_FEED_LIST } from './feeds.ts';
import { isrctnAnswer } from './write-dumps.ts';

export type SampleCorpus = Pick<CorpusOptions, 'seed' | 'ctgov' | 'isrctn' | 'asOf'>;

/** The committed sample in `data/sample`. */
export const SAMPLE: SampleCorpus = { seed: 1, ctgov: 2000, isrctn: 300, asOf: '2026-10-01' };

/** Studies on one API page: the registry's own maximum. */
const PAGE_STUDIES = 1000;
const PART_TRIALS = 500;
const SAMPLE_NOTE = 'Synthetic: no record in it is a real trial. Made by node tools/sample.ts.';

interface SampleFile {
  /** Path inside the sample, with forward slashes. */
  path: string;
  text: string;
}

/** What lies packed in a sample: both days of both registries as their APIs would answer, and the feeds. */
export function* packedFiles({ seed, asOf, ...counts }: SampleCorpus): Generator<SampleFile> {
  for (const day of [0, 1] as const) {
    const corpus = generateCorpus({ seed, asOf, ...counts, day });
    for (const { path, text } of [...ctgovPages(corpus), ...isrctnParts(corpus)]) {
      yield { path: `day-${day}/${path}`, text };
    }
  }
  for (const { name, text } of feedFiles({ seed, asOf })) yield { path: `feeds/${name}`, text };
}

/** What lies beside them as it is. */
export function plainFiles(sample: SampleCorpus): SampleFile[] {
  return Object.entries({
    'sample.json': { note: SAMPLE_NOTE, ...sample },
    'feeds.json': SAMPLE_FEED_LIST,
  }).map(([path, value]) => ({ path, text: `${JSON.stringify(value, null, 2)}\n` }));
}

/** Writes a sample for `pipeline run --source sample` in the place of what was there. `quality`: of Brotli, 0 to 11. */
export async function writeSample(directory: string, sample: SampleCorpus, quality: number): Promise<void> {
  for (const part of ['day-0', 'day-1', 'feeds']) await rm(join(directory, part), { recursive: true, force: true });
  const write = async (path: string, content: string | Buffer): Promise<void> => {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), content);
  };
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_LGWIN]: 24 };
  for (const { path, text } of packedFiles(sample)) await write(`${path}.br`, brotliCompressSync(text, { params }));
  for (const { path, text } of plainFiles(sample)) await write(path, text);
}

/** Pages of ClinicalTrials.gov: the total on the first, a token on all but the last. */
function* ctgovPages({ counts, ctgov }: Corpus): Generator<SampleFile> {
  const studies = [...ctgov()];
  const pages = Math.max(1, Math.ceil(studies.length / PAGE_STUDIES));
  for (let page = 1; page <= pages; page++) {
    const held = studies.slice((page - 1) * PAGE_STUDIES, page * PAGE_STUDIES);
    const head = page === 1 ? `"totalCount":${counts.ctgov},` : '';
    const tail = page === pages ? '' : `,"nextPageToken":"synthetic-${numbered(page + 1)}"`;
    yield { path: `ctgov/page-${numbered(page)}.json`, text: `{${head}"studies":[${held.join(',')}]${tail}}` };
  }
}

function* isrctnParts({ isrctn }: Corpus): Generator<SampleFile> {
  const trials = [...isrctn()];
  for (let from = 0; from < trials.length; from += PART_TRIALS) {
    const held = trials.slice(from, from + PART_TRIALS);
    const text = [...isrctnAnswer(held, held.length)].join('');
    yield { path: `isrctn/part-${numbered(from / PART_TRIALS + 1)}.xml`, text };
  }
}

function numbered(value: number): string {
  return String(value).padStart(4, '0');
}
