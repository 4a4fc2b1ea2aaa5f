import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Corpus, type CorpusOptions } from '../../generator/corpus.ts';
import { trialListPieces } from '../../generator/write-sample.ts';
import { ROOT } from '../process.ts';
import { note } from '../report.ts';

export type CorpusFacts = Pick<CorpusOptions, 'seed' | 'ctgov' | 'isrctn'>;

export interface CorpusDump {
  ctgov: string;
  isrctn: string;
  facts: CorpusFacts;
}

const FACTS_FILE = 'corpus.json';
/** Speed matters more than size for a file that is read once. */
const LEVEL = 1;

/**
 * The dump of a corpus: gzipped NDJSON and XML. A whole dump in `parent` that the same generator made of equal parameters
 * is reused.
 */
export async function prepareCorpus(parent: string, facts: CorpusFacts): Promise<CorpusDump> {
  const folder = join(parent, `${facts.ctgov}-${facts.isrctn}-seed-${facts.seed}`);
  const dump = { ctgov: join(folder, 'ctgov.ndjson.gz'), isrctn: join(folder, 'isrctn.xml.gz'), facts };
  const record = `${JSON.stringify({ ...facts, generator: await generatorHash() }, null, 2)}\n`;
  const known = await readFile(join(folder, FACTS_FILE), 'utf8').catch(() => null);
  if (known === record) return dump;
  note(`making ${facts.ctgov} + ${facts.isrctn} synthetic records`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const corpus = new Corpus({ ...facts, bodySize: 'real' });
  await writeGzipped(dump.ctgov, lines(corpus.ctgov()));
  await writeGzipped(dump.isrctn, trialListPieces(corpus.isrctn(), corpus.counts.isrctn));
  // Written last: a folder without it holds half a dump.
  await writeFile(join(folder, `${FACTS_FILE}.new`), record);
  await rename(join(folder, `${FACTS_FILE}.new`), join(folder, FACTS_FILE));
  return dump;
}

/** One study on a line. */
function* lines(studies: Iterable<string>): Generator<string> {
  for (const study of studies) yield `${study}\n`;
}

async function writeGzipped(path: string, pieces: Iterable<string>): Promise<void> {
  await pipeline(Readable.from(pieces), createGzip({ level: LEVEL }), createWriteStream(path));
}

/** SHA-256 over the modules that make the records, so that a changed generator makes a new corpus. */
async function generatorHash(): Promise<string> {
  const folder = join(ROOT, 'tools', 'generator');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts')).sort();
  const hash = createHash('sha256');
  for (const name of names) hash.update(name).update(await readFile(join(folder, name)));
  return hash.digest('hex');
}
