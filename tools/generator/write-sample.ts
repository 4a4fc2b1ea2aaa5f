import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { SAMPLE_DIRECTORY } from '../../pipeline/run/sample.ts';
import { Corpus, type CorpusOptions } from './corpus.ts';
import { AS_OF } from './templates.ts';

const SAMPLE_NOTE = 'Synthetic: no record in it is a real trial. Made by node tools/sample.ts.';
const ISRCTN_NAMESPACE = 'http://www.67bricks.com/isrctn';

/**
 * Writes a sample for `pipeline run --source sample --sample`: both days of both registries as their APIs would answer
 * in one page each, and the committed sample's feeds. `quality`: of Brotli, 0 to 11.
 */
export async function writeSample(
  directory: string,
  options: Pick<CorpusOptions, 'seed' | 'ctgov' | 'isrctn'>,
  quality: number,
): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_LGWIN]: 24 };
  const write = async (path: string, content: string | Buffer): Promise<void> => {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), content);
  };
  for (const day of [0, 1] as const) {
    const corpus = new Corpus({ ...options, day });
    const page = studyPage([...corpus.ctgov()], corpus.counts.ctgov);
    await write(`day-${day}/ctgov/page-0001.json.br`, brotliCompressSync(page, { params }));
    const list = trialList([...corpus.isrctn()]);
    await write(`day-${day}/isrctn/part-0001.xml.br`, brotliCompressSync(list, { params }));
  }
  await write('sample.json', `${JSON.stringify({ note: SAMPLE_NOTE, ...options, asOf: AS_OF }, null, 2)}\n`);
  for (const name of ['feeds', 'feeds.json'])
    await cp(join(SAMPLE_DIRECTORY, name), join(directory, name), { recursive: true });
}

/** One page of ClinicalTrials.gov's API; `total` on the first page only, a token on all but the last. */
export function studyPage(
  studies: readonly string[],
  total: number | null,
  nextPageToken: string | null = null,
): string {
  const head = total === null ? '' : `"totalCount":${total},`;
  const tail = nextPageToken === null ? '' : `,"nextPageToken":"${nextPageToken}"`;
  return `{${head}"studies":[${studies.join(',')}]${tail}}`;
}

/** One answer of ISRCTN's API. */
export function trialList(trials: readonly string[]): string {
  return [...trialListPieces(trials, trials.length)].join('');
}

/** The same for any number of trials. */
export function* trialListPieces(trials: Iterable<string>, total: number): Generator<string> {
  yield `<allTrials totalCount="${total}" xmlns="${ISRCTN_NAMESPACE}">`;
  yield* trials;
  yield '</allTrials>';
}
