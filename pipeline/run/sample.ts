import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import { z } from 'zod';

/** The committed sample: synthetic records that a generator wrote once. */
export const SAMPLE_DIRECTORY = fileURLToPath(new URL('../../data/sample/', import.meta.url));

export interface SampleOptions {
  /** A directory as `node tools/sample.ts` writes it; default SAMPLE_DIRECTORY. */
  directory?: string;
  /** The second day changes some records of the first; default 0. */
  day?: 0 | 1;
}

const factsSchema = z.object({ asOf: z.iso.date() });

/** The last moment of a sample's own day, which replaces the clock, so that its snapshot is the same whenever it is made. */
export async function sampleToday({ directory = SAMPLE_DIRECTORY }: SampleOptions): Promise<Date> {
  const path = join(directory, 'sample.json');
  const text = await readFile(path, 'utf8').catch((cause) => {
    throw new Error(
      `${directory} is not a sample: ${path} cannot be read; make one with node tools/sample.ts DIRECTORY`,
      {
        cause,
      },
    );
  });
  return new Date(`${factsSchema.parse(JSON.parse(text)).asOf}T23:59:59.000Z`);
}

/** Unpacks every file below `from` into `to`, runs `work` on it, and removes `to` after a success. */
export async function withUnpacked<T>(from: string, to: string, work: (to: string) => Promise<T>): Promise<T> {
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { recursive: true });
  for (const name of (await readdir(from, { recursive: true })).filter((one) => one.endsWith('.br')).sort()) {
    const target = join(to, name.slice(0, -'.br'.length));
    await mkdir(dirname(target), { recursive: true });
    await pipeline(createReadStream(join(from, name)), createBrotliDecompress(), createWriteStream(target));
  }
  const result = await work(to);
  await rm(to, { recursive: true, force: true });
  return result;
}
