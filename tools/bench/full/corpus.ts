import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeCompactDump } from '../../generator/write-dumps.ts';
import { ROOT } from '../process.ts';
import { note } from '../report.ts';

/** The day that every corpus is made for. */
export const AS_OF = '2026-10-01';

export interface CorpusFacts {
  seed: number;
  ctgov: number;
  isrctn: number;
  asOf: string;
}

export interface CorpusDump {
  ctgov: string;
  isrctn: string;
  facts: CorpusFacts;
}

const FACTS_FILE = 'corpus.json';

/**
 * The dump of a corpus: a zip with one study per entry, like the official one, and gzipped XML. A whole dump in `parent`
 * that the same generator made of equal parameters is reused.
 */
export async function prepareCorpus(parent: string, size: Omit<CorpusFacts, 'asOf'>): Promise<CorpusDump> {
  const facts = { ...size, asOf: AS_OF };
  const folder = join(parent, `${size.ctgov}-${size.isrctn}-seed-${size.seed}`);
  const dump = { ctgov: join(folder, 'ctgov.zip'), isrctn: join(folder, 'isrctn.xml.gz'), facts };
  const record = `${JSON.stringify({ ...facts, generator: await generatorHash() }, null, 2)}\n`;
  const known = await readFile(join(folder, FACTS_FILE), 'utf8').catch(() => null);
  if (known === record) return dump;
  note(`making ${size.ctgov} + ${size.isrctn} synthetic records`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeCompactDump(folder, { ...facts, bodySize: 'real' }, 'zip');
  // Written last: a folder without it holds half a dump.
  await writeFile(join(folder, `${FACTS_FILE}.new`), record);
  await rename(join(folder, `${FACTS_FILE}.new`), join(folder, FACTS_FILE));
  return dump;
}

/** SHA-256 over the modules that make the records, so that a changed generator makes a new corpus. */
async function generatorHash(): Promise<string> {
  const folder = join(ROOT, 'tools', 'generator');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts')).sort();
  const hash = createHash('sha256');
  for (const name of names) hash.update(name).update(await readFile(join(folder, name)));
  return hash.digest('hex');
}
