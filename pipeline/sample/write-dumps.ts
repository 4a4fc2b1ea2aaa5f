import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CorpusOptions, generateCorpus } from './corpus.ts';
export async function writeSampleDump(dir: string, options: CorpusOptions): Promise<void> {
  const corpus = generateCorpus(options);
  await mkdir(join(dir, 'ctgov'), { recursive: true });
  await mkdir(join(dir, 'isrctn'), { recursive: true });
  const s = [...corpus.ctgov()];
  await writeFile(join(dir, 'ctgov', 'page-0001.json'), `{"totalCount":${s.length},"studies":[${s.join(',')}]}`);
  const t = [...corpus.isrctn()];
  await writeFile(join(dir, 'isrctn', 'part-0001.xml'), `<allTrials totalCount="${t.length}" xmlns="http://www.67bricks.com/isrctn">${t.join('')}</allTrials>`);
}
