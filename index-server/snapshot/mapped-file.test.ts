import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { mapFile } from './mapped-file.ts';

const dir = mkdtempSync(join(tmpdir(), 'mapped-'));
const file = join(dir, 'words');
/** Through mmap, and as on a platform without it. */
const MAPS = [undefined, () => null];
writeFileSync(file, 'twelve bytes');
afterAll(() => rmSync(dir, { recursive: true }));

describe('mapFile', () => {
  it('gives the same bytes through mmap and through a plain read, and empties them on release', () => {
    for (const map of MAPS) {
      const mapped = mapFile(file, map);
      expect(Buffer.from(mapped.bytes).toString()).toEqual('twelve bytes');
      mapped.release();
      mapped.release();
      expect(mapped.bytes.length).toBe(0);
    }
  });

  it('copies and shows parts, and nothing beyond the file or after its release', () => {
    for (const map of MAPS) {
      const mapped = mapFile(file, map);
      const target = Buffer.from('<.....>');
      mapped.copy(7, target.subarray(1, 6));
      const part = mapped.part(7, 5);
      expect([target.toString(), Buffer.from(part).toString()]).toEqual(['<bytes>', 'bytes']);
      for (const from of [-1, 8, 2 ** 40, Number.NaN]) {
        expect(() => mapped.copy(from, target.subarray(1, 6))).toThrow(/words has 12 bytes, not 5 at/);
        expect(() => mapped.part(from, 5)).toThrow(/words has 12 bytes, not 5 at/);
      }
      mapped.release();
      expect(part.length).toBe(0);
      expect(() => mapped.copy(7, target.subarray(1, 6))).toThrow(/words was released/);
    }
  });

  it('maps and releases a file again and again without a trace of the time before', () => {
    for (let round = 0; round < 500; round++) {
      const [one, other] = [mapFile(file), mapFile(file)];
      expect(one.bytes[0]).toBe(116);
      one.release();
      expect([one.bytes.length, other.bytes.length]).toEqual([0, 12]);
      other.release();
    }
  });

  it('refuses a file that is empty or larger than one view before it maps anything', () => {
    const refuse = () => {
      throw new Error('mapped');
    };
    const empty = join(dir, 'empty');
    writeFileSync(empty, '');
    expect(() => mapFile(empty, refuse)).toThrow(/empty is empty/);
    const huge = join(dir, 'huge');
    writeFileSync(huge, '');
    truncateSync(huge, 2 ** 32);
    expect(() => mapFile(huge, refuse)).toThrow(/4294967296 bytes and can only be mapped up to 4294967295/);
  });
});
