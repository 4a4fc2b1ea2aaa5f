import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import yauzl from 'yauzl';
import { z } from 'zod';
import { writeCompactDump } from '../../generator/write-dumps.ts';
import { ROOT } from '../process.ts';
import { note } from '../report.ts';

/** The day that every corpus is made for. */
export const AS_OF = '2026-10-01';

const fileSchema = z.strictObject({
  /** On disk, compressed. */
  bytes: z.int(),
  /** Of the registry's own records, unpacked. */
  rawBytes: z.int(),
  sha256: z.string(),
});
const factsSchema = z.strictObject({
  seed: z.int(),
  ctgov: z.int(),
  isrctn: z.int(),
  asOf: z.string(),
  /** SHA-256 over the modules that make the records, so that a changed generator makes a new corpus. */
  generator: z.string(),
  files: z.strictObject({ ctgov: fileSchema, isrctn: fileSchema }),
  /** Over both files. */
  sha256: z.string(),
});
export type CorpusFacts = z.infer<typeof factsSchema>;

export interface CorpusDump {
  ctgov: string;
  isrctn: string;
  facts: CorpusFacts;
  rawBytes: number;
  /** Seconds that it took to make the records; null when a kept dump was used. */
  madeInSeconds: number | null;
}

const FACTS_FILE = 'corpus.json';
const NAMES = { ctgov: 'ctgov.zip', isrctn: 'isrctn.xml.gz' } as const;

/**
 * The dump of a corpus: a zip with one study per entry, like the official one, and gzipped XML. A dump in `parent` with
 * equal parameters and the bytes that its record states is reused; else a new one is made, and its record is written last.
 */
export async function prepareCorpus(
  parent: string,
  wanted: { seed: number; ctgov: number; isrctn: number },
): Promise<CorpusDump> {
  const folder = join(parent, `${wanted.ctgov}-${wanted.isrctn}-seed-${wanted.seed}`);
  const generator = await generatorHash();
  const kept = await keptCorpus(folder, { ...wanted, generator });
  if (kept !== null) return dumpOf(folder, kept, null);
  note(`making ${wanted.ctgov} + ${wanted.isrctn} synthetic records`);
  const started = performance.now();
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeCompactDump(folder, { ...wanted, asOf: AS_OF, bodySize: 'real' }, 'zip');
  const seconds = (performance.now() - started) / 1000;
  const files = {
    ctgov: await fileFacts(join(folder, NAMES.ctgov), zipRawBytes),
    isrctn: await fileFacts(join(folder, NAMES.isrctn), gzipRawBytes),
  };
  const facts = { ...wanted, asOf: AS_OF, generator, files, sha256: jointHash(files) };
  const temporary = join(folder, `${FACTS_FILE}.new`);
  await writeFile(temporary, `${JSON.stringify(facts, null, 2)}\n`);
  await rename(temporary, join(folder, FACTS_FILE));
  return dumpOf(folder, facts, seconds);
}

function dumpOf(folder: string, facts: CorpusFacts, madeInSeconds: number | null): CorpusDump {
  const rawBytes = facts.files.ctgov.rawBytes + facts.files.isrctn.rawBytes;
  return { ctgov: join(folder, NAMES.ctgov), isrctn: join(folder, NAMES.isrctn), facts, rawBytes, madeInSeconds };
}

function jointHash(files: CorpusFacts['files']): string {
  return createHash('sha256').update(files.ctgov.sha256).update(files.isrctn.sha256).digest('hex');
}

async function keptCorpus(
  folder: string,
  wanted: Pick<CorpusFacts, 'seed' | 'ctgov' | 'isrctn' | 'generator'>,
): Promise<CorpusFacts | null> {
  const text = await readFile(join(folder, FACTS_FILE), 'utf8').catch(() => null);
  const facts = text === null ? null : (factsSchema.safeParse(parsed(text)).data ?? null);
  if (facts === null || facts.asOf !== AS_OF) return null;
  for (const name of ['seed', 'ctgov', 'isrctn', 'generator'] as const) if (facts[name] !== wanted[name]) return null;
  for (const name of ['ctgov', 'isrctn'] as const) {
    const found = await hashOf(join(folder, NAMES[name])).catch(() => null);
    if (found?.sha256 !== facts.files[name].sha256) return null;
  }
  return facts;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function generatorHash(): Promise<string> {
  const room = join(ROOT, 'tools', 'generator');
  const names = (await readdir(room)).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts')).sort();
  const hash = createHash('sha256');
  for (const name of names) hash.update(name).update(await readFile(join(room, name)));
  return hash.digest('hex');
}

async function fileFacts(
  path: string,
  rawBytesOf: (path: string) => Promise<number>,
): Promise<CorpusFacts['files']['ctgov']> {
  return { ...(await hashOf(path)), rawBytes: await rawBytesOf(path) };
}

async function hashOf(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Uncompressed bytes of all entries, as the archive's directory states them. */
function zipRawBytes(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    yauzl.open(path, { lazyEntries: true }, (fault, zip) => {
      if (fault) return reject(fault);
      let bytes = 0;
      zip.on('entry', (entry: yauzl.Entry) => {
        bytes += entry.uncompressedSize;
        zip.readEntry();
      });
      zip.on('end', () => resolve(bytes));
      zip.on('error', reject);
      zip.readEntry();
    });
  });
}

async function gzipRawBytes(path: string): Promise<number> {
  let bytes = 0;
  await pipeline(createReadStream(path), createGunzip(), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) bytes += chunk.length;
  });
  return bytes;
}
