import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { leafHash, RootOfLeaves } from './merkle.ts';
import { consistencyPath, inclusionPath, rangePath, subtreesOf } from './merkle-paths.ts';
import { rootByInclusion, rootByRange } from './verify.mjs';

/** The eight leaves of Certificate Transparency's reference test, in hex, and the roots of its trees of 1 to 8 leaves. */
const LEAVES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const reference = LEAVES.map((hex) => leafHash(Buffer.from(hex, 'hex')));

const hexOf = (node: Uint8Array): string => Buffer.from(node).toString('hex');
const hex = (path: readonly Uint8Array[]): string[] => path.map(hexOf);

test('roots and paths of the reference tree are those of the reference test of Certificate Transparency', () => {
  for (const [index, root] of ROOTS.entries()) {
    const growing = new RootOfLeaves();
    growing.add(Buffer.concat(reference.slice(0, index + 1)));
    expect(growing.root().toString('hex')).toBe(root);
  }
  expect(new RootOfLeaves().root().toString('hex')).toBe(
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  );
  const subtree = subtreesOf(reference);
  expect(hex(inclusionPath(subtree, 8, 5))).toEqual([
    'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  ]);
  const path = consistencyPath(subtree, 6, 8);
  expect(hex(path)).toEqual([
    '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
    'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  ]);
});

const sha256 = (...parts: readonly Uint8Array[]): Buffer => hash('sha256', Buffer.concat(parts), 'buffer');

function leftOf(size: number): number {
  let left = 1;
  while (left * 2 < size) left *= 2;
  return left;
}

/** MTH of RFC 6962, section 2.1, over the hashes of leaves. */
function plainRoot(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 1) return leaves[0]!;
  const left = leftOf(leaves.length);
  return sha256(Buffer.of(1), plainRoot(leaves.slice(0, left)), plainRoot(leaves.slice(left)));
}

/** PATH of RFC 6962, section 2.1.1. */
function plainPath(index: number, leaves: readonly Uint8Array[]): Uint8Array[] {
  if (leaves.length === 1) return [];
  const left = leftOf(leaves.length);
  return index < left
    ? [...plainPath(index, leaves.slice(0, left)), plainRoot(leaves.slice(left))]
    : [...plainPath(index - left, leaves.slice(left)), plainRoot(leaves.slice(0, left))];
}

/** SUBPROOF of RFC 6962, section 2.1.2. */
function plainSubproof(from: number, leaves: readonly Uint8Array[], isWhole: boolean): Uint8Array[] {
  if (from === leaves.length) return isWhole ? [] : [plainRoot(leaves)];
  const left = leftOf(leaves.length);
  return from <= left
    ? [...plainSubproof(from, leaves.slice(0, left), isWhole), plainRoot(leaves.slice(left))]
    : [...plainSubproof(from - left, leaves.slice(left), false), plainRoot(leaves.slice(0, left))];
}

const leavesOf = (size: number): Buffer[] =>
  Array.from({ length: size }, (_, index) => leafHash(Buffer.from(String(index))));

/** A tree, a leaf of it and an earlier size of it. */
const trees = fc
  .integer({ min: 1, max: 130 })
  .chain((size) =>
    fc.tuple(fc.constant(size), fc.integer({ min: 0, max: size - 1 }), fc.integer({ min: 1, max: size })),
  );

test('a tree that grows by any number of leaves at a time has the root that RFC 6962 defines', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 700 }), fc.integer({ min: 1, max: 90 }), (size, pack) => {
      const leaves = leavesOf(size);
      const growing = new RootOfLeaves();
      for (let at = 0; at < size; at += pack) growing.add(Buffer.concat(leaves.slice(at, at + pack)));
      expect(growing.size).toBe(size);
      expect(growing.root().equals(plainRoot(leaves))).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test('every path is the one that RFC 6962 defines, and leads to the root that it defines', async () => {
  await fc.assert(
    fc.asyncProperty(trees, async ([size, index, from]) => {
      const leaves = leavesOf(size);
      const subtree = subtreesOf(leaves);
      const inclusion = inclusionPath(subtree, size, index);
      expect(hex(inclusion)).toEqual(hex(plainPath(index, leaves)));
      const root = plainRoot(leaves);
      expect(await rootByInclusion({ size, index, leaf: leaves[index]! }, hex(inclusion))).toBe(hexOf(root));
      const consistency = consistencyPath(subtree, from, size);
      expect(hex(consistency)).toEqual(hex(plainSubproof(from, leaves, true)));
    }),
    { numRuns: 150 },
  );
});

/**
 * The only path of nodes that could lead to the root of `leaves` for what is claimed, since no two nodes have one hash: claimed tree and
 * true tree are walked down side by side. Null where no path could.
 */
function pathFor(claim: { size: number; first: number; count: number }, leaves: readonly Uint8Array[]) {
  const end = claim.first + claim.count;
  const [path, places]: [Uint8Array[], number[]] = [[], []];
  const walk = (start: number, stop: number, from: number, to: number): boolean => {
    if (stop <= claim.first || start >= end) return path.push(plainRoot(leaves.slice(from, to))) > 0;
    if (stop - start === 1) return to - from === 1 && places.push(from) > 0;
    if (to - from === 1) return false;
    const [middle, half] = [start + leftOf(stop - start), from + leftOf(to - from)];
    return walk(start, middle, from, half) && walk(middle, stop, half, to);
  };
  return walk(0, claim.size, 0, leaves.length) ? { path, places } : null;
}

test('whatever size and place are claimed, leaves that are proven side by side are so in the true tree, and its first or last where that is claimed', async () => {
  let ofWrongSize = 0;
  for (let size = 1; size <= 14; size += 1) {
    const leaves = leavesOf(size);
    for (let claimed = 1; claimed <= 28; claimed += 1)
      for (let first = 0; first < claimed; first += 1)
        for (let count = 1; count <= Math.min(3, claimed - first); count += 1) {
          const found = pathFor({ size: claimed, first, count }, leaves);
          if (found === null) continue;
          const { path, places } = found;
          const claim = { size: claimed, first, leaves: places.map((place) => leaves[place]!) };
          expect(await rootByRange(claim, hex(path))).toBe(hexOf(plainRoot(leaves)));
          expect(places).toEqual(places.map((_, index) => places[0]! + index));
          if (first === 0) expect(places[0]).toBe(0);
          if (first + count === claimed) expect(places.at(-1)).toBe(size - 1);
          if (claimed !== size) ofWrongSize += 1;
          else expect(places[0]).toBe(first);
        }
  }
  expect(ofWrongSize).toBeGreaterThan(100);
});

/** Ways in which somebody could bend a proof: the place of a node, and a byte to change in it, or the node to drop or repeat. */
const bends = fc.record({
  at: fc.nat({ max: 10 }),
  how: fc.constantFrom('byte', 'drop', 'repeat'),
  byte: fc.integer({ min: 0, max: 31 }),
});

function bent(path: readonly Uint8Array[], { at, how, byte }: { at: number; how: string; byte: number }): Uint8Array[] {
  const made = path.map((node) => Buffer.from(node));
  if (made.length === 0) return [Buffer.alloc(32)];
  const place = at % made.length;
  if (how === 'byte') made[place]![byte]! ^= 1;
  else if (how === 'drop') made.splice(place, 1);
  else made.splice(place, 0, Buffer.from(made[place]!));
  return made;
}

test('no bent path and no other leaf, size or root is accepted', async () => {
  await fc.assert(
    fc.asyncProperty(trees, bends, async ([size, index, from], bend) => {
      const leaves = leavesOf(size);
      const subtree = subtreesOf(leaves);
      const root = hexOf(plainRoot(leaves));
      const inclusion = inclusionPath(subtree, size, index);
      const claim = { size, index, leaf: leaves[index]! };
      expect(await rootByInclusion(claim, hex(bent(inclusion, bend)))).not.toBe(root);
      const other = { ...claim, leaf: leafHash(Buffer.from('other')) };
      expect(await rootByInclusion(other, hex(inclusion))).not.toBe(root);
      expect(await rootByInclusion({ ...claim, index: size }, hex(inclusion))).toBeNull();
      const range = { size, first: Math.min(index, from - 1), leaves: leaves.slice(Math.min(index, from - 1), from) };
      const around = rangePath(subtree, size, range.first, from);
      expect(await rootByRange(range, hex(around))).toBe(root);
      expect(await rootByRange(range, hex(bent(around, bend)))).not.toBe(root);
      expect(await rootByRange({ ...range, leaves: range.leaves.slice(1) }, hex(around))).not.toBe(root);
    }),
    { numRuns: 150 },
  );
});

test('nothing is proven of a tree without leaves or beyond its end', () => {
  const subtree = subtreesOf(reference);
  expect(() => inclusionPath(subtree, 0, 0)).toThrow('index is 0, expected 0 to -1');
  expect(() => inclusionPath(subtree, 8, 8)).toThrow('index is 8, expected 0 to 7');
  expect(() => rangePath(subtree, 8, 3, 3)).toThrow('first is 3, expected 0 to 2');
  expect(() => rangePath(subtree, 8, 3, 9)).toThrow('end is 9, expected 1 to 8');
  expect(() => consistencyPath(subtree, 0, 8)).toThrow('from is 0, expected 1 to 8');
  expect(() => consistencyPath(subtree, 9, 8)).toThrow('from is 9, expected 1 to 8');
});
