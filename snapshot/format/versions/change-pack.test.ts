import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StoredChange } from './change.ts';
import { ChangePack, ChangePackWriter, changeKey, type PackBytes } from './change-pack.ts';

const NOTHING = { registry: null, registrationId: null, item: null, field: null, old: null, title: null };
const id = fc.constantFrom('wt_a', 'wt_b', 'wt_c', 'wt_d');
const changes: fc.Arbitrary<StoredChange[]> = fc
  .array(
    fc.record({ canonicalId: fc.option(id), related: fc.uniqueArray(id, { maxLength: 2 }), new: fc.option(fc.json()) }),
  )
  .map((rows) =>
    rows
      .map((row): StoredChange => ({ kind: 'trial-changed', ...NOTHING, ...row }))
      .sort((a, b) => ((a.canonicalId ?? 'z') < (b.canonicalId ?? 'z') ? -1 : 1)),
  );

function bytesOf(buffer: Buffer): PackBytes {
  return {
    byteLength: buffer.length,
    part: (from, length) => new Uint8Array(buffer.subarray(from, from + length)),
    copy: (from, target) => target.set(buffer.subarray(from, from + target.length)),
  };
}

function packed(rows: readonly StoredChange[]): ChangePack {
  const writer = new ChangePackWriter();
  for (const row of rows) writer.add(row);
  return new ChangePack(bytesOf(writer.finish()));
}

test('the blocks in order are the changes, one block a trial, and each id leads to the blocks that name it', () => {
  fc.assert(
    fc.property(changes, (rows) => {
      const pack = packed(rows);
      const blocks = Array.from({ length: pack.blocks }, (_, block) => pack.read(block));
      expect(blocks.flat()).toEqual(rows);
      expect(blocks.map(([row]) => row?.canonicalId)).toEqual([...new Set(rows.map((row) => row.canonicalId))]);
      for (const wanted of ['wt_a', 'wt_b', 'wt_c', 'wt_d', 'wt_e']) {
        const named = blocks.flatMap((block, place) =>
          block.some((row) => row.canonicalId === wanted || row.related.includes(wanted)) ? [place] : [],
        );
        expect(pack.blocksOf(changeKey(wanted))).toEqual(named);
      }
    }),
    { seed: 20261125 },
  );
});

test('bytes that are no pack are refused', () => {
  expect(() => new ChangePack(bytesOf(Buffer.alloc(3)))).toThrow('not a pack of changes: no TRCHNG01');
  expect(() => new ChangePack(bytesOf(Buffer.alloc(64)))).toThrow('not a pack of changes: no TRCHNG01');
});
