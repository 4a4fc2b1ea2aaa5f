import fc from 'fast-check';
import { expect, test } from 'vitest';
import { leafHash, RootOfLeaves } from './merkle.ts';
import { inclusionPath, subtreesOf } from './merkle-paths.ts';
import { subtreesIn, TreeFileWriter, treeFileBytes } from './tree-file.ts';

const leaves = Array.from({ length: 1100 }, (_, index) => leafHash(Buffer.from(String(index))));
const hex = (path: readonly Uint8Array[]): string[] => path.map((node) => Buffer.from(node).toString('hex'));

/** The file of a tree of the first so many leaves, which come in pieces. */
function fileOf(size: number, piece: number): { file: Buffer; root: Buffer } {
  const parts: Uint8Array[] = [];
  const writer = new TreeFileWriter((bytes) => void parts.push(Buffer.from(bytes)));
  for (let at = 0; at < size; at += piece) writer.add(Buffer.concat(leaves.slice(at, Math.min(at + piece, size))));
  const root = writer.root();
  expect(writer.size).toBe(size);
  writer.finish();
  return { file: Buffer.concat(parts), root };
}

test('a file holds the leaves, then the complete nodes of level 8, 9 and so on', () => {
  expect([0, 1, 255, 256, 511, 512, 600_000].map(treeFileBytes)).toEqual([0, 32, 8160, 8224, 16384, 16480, 19_349_760]);
  const { file } = fileOf(1025, 100);
  expect(file.subarray(0, 64)).toEqual(Buffer.concat(leaves.slice(0, 2)));
  const rootOf = (from: number, to: number): Buffer => {
    const tree = new RootOfLeaves();
    tree.add(Buffer.concat(leaves.slice(from, to)));
    return tree.root();
  };
  const nodes = [rootOf(0, 256), rootOf(256, 512), rootOf(512, 768), rootOf(768, 1024)];
  const above = [rootOf(0, 512), rootOf(512, 1024), rootOf(0, 1024)];
  expect(file.subarray(1025 * 32)).toEqual(Buffer.concat([...nodes, ...above]));
});

test('the path of every leaf is read from it, a few kilobytes at a time', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1100 }).chain((size) => fc.tuple(fc.constant(size), fc.nat({ max: size - 1 }))),
      fc.integer({ min: 1, max: 300 }),
      ([size, index], piece) => {
        const { file, root } = fileOf(size, piece);
        const own = new RootOfLeaves();
        own.add(Buffer.concat(leaves.slice(0, size)));
        expect(root).toEqual(own.root());
        expect(file).toHaveLength(treeFileBytes(size));
        let read = 0;
        const path = inclusionPath(
          subtreesIn((start, length) => {
            read += length;
            return file.subarray(start, start + length);
          }, size),
          size,
          index,
        );
        expect(hex(path)).toEqual(hex(inclusionPath(subtreesOf(leaves), size, index)));
        expect(read).toBeLessThanOrEqual(2 * 255 * 32 + 20 * 32);
      },
    ),
    { numRuns: 100 },
  );
});

test('the sum of a file is known without writing it; this one was computed apart', () => {
  const writer = new TreeFileWriter();
  writer.add(Buffer.concat(leaves.slice(0, 256)));
  const sha256 = '40651354ae89f31e5abcdd355702eadb850f7c9f9e14d275e4e52f9a1e152150';
  expect(writer.finish()).toEqual({ bytes: 8224, sha256 });
});
