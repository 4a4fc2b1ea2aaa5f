import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { SAMPLE_DIRECTORY } from '../../pipeline/run/sample.ts';
import { packedFiles, plainFiles, SAMPLE } from './write-sample.ts';

const BYTES_MAX = 2_000_000;

describe('the committed sample', () => {
  it('is what the generator makes: run `node tools/sample.ts`', async () => {
    const names: string[] = [];
    const read = (name: string): Promise<Buffer> => {
      names.push(name);
      return readFile(join(SAMPLE_DIRECTORY, name));
    };
    for (const { path, text } of plainFiles(SAMPLE)) expect(await read(path), path).toEqual(Buffer.from(text));
    for (const { path, text } of packedFiles(SAMPLE)) {
      // Compared after decompression, because another version of Brotli may compress differently.
      expect(brotliDecompressSync(await read(`${path}.br`)).equals(Buffer.from(text)), path).toBe(true);
    }
    const found = await readdir(SAMPLE_DIRECTORY, { recursive: true, withFileTypes: true });
    expect(found.filter((entry) => entry.isFile())).toHaveLength(names.length);
  });

  it('takes at most two megabytes, and says that it is synthetic', async () => {
    const found = await readdir(SAMPLE_DIRECTORY, { recursive: true });
    const sizes = await Promise.all(found.map(async (name) => (await stat(join(SAMPLE_DIRECTORY, name))).size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(BYTES_MAX);
    expect(await readFile(join(SAMPLE_DIRECTORY, 'sample.json'), 'utf8')).toMatch(/no record in it is a real trial/);
  });
});
