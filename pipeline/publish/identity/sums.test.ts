import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sumFile } from '../durable.ts';
import { sumFiles } from './sums.ts';

test('threads give the sums that one thread gives, in the order asked for, and a missing file fails all', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'sums-'));
  try {
    for (const [name, text] of [
      ['b', 'second'],
      ['a', 'first'],
      ['c', ''],
    ] as const) {
      writeFileSync(join(dir, name), text);
    }
    truncateSync(join(dir, 'a'), 1 << 20);
    // The stated size alone decides how the files are read, so these small files also test the way of large ones.
    const asked = (bytes: number) => ['b', 'a', 'c'].map((path) => ({ path, bytes }));
    const plain = [await sumFile(dir, 'b'), await sumFile(dir, 'a'), await sumFile(dir, 'c')];
    expect(await sumFiles(dir, asked(1))).toEqual(plain);
    expect(await sumFiles(dir, asked(2 ** 30))).toEqual(plain);
    expect(plain[0]?.sha256).toBe('16367aacb67a4a017c8da8ab95682ccb390863780f7114dda0a0e0c55644c7c4');
    await expect(sumFiles(dir, [...asked(2 ** 30), { path: 'none', bytes: 2 ** 30 }])).rejects.toThrow(/none/);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
