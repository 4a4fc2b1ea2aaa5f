import { nodeHash } from './merkle.ts';

/** Makes proofs of the Merkle trees of merkle.ts: that a leaf is in a tree, and that a tree continues an earlier one. verify.mjs checks them. */

/**
 * The hash of the complete subtree `index` of a level: of `2 ** level` leaves from leaf `index * 2 ** level` on. Level 0 are the
 * leaves' own hashes. A caller may hold all of these hashes or only those of some levels, and compute the others.
 */
export type CompleteSubtree = (level: number, index: number) => Uint8Array;

/** Subtrees of leaves that are held in memory, computed anew at each question. */
export function subtreesOf(leaves: readonly Uint8Array[]): CompleteSubtree {
  const subtree: CompleteSubtree = (level, index) =>
    level === 0 ? leaves[index]! : nodeHash(subtree(level - 1, index * 2), subtree(level - 1, index * 2 + 1));
  return subtree;
}

/** Root of the leaves from `start` up to and without `end`; RFC 9162, section 2.1.1. `start` is where such a subtree may begin. */
function rootOfRange(subtree: CompleteSubtree, start: number, end: number): Uint8Array {
  const size = end - start;
  const left = leftSize(size);
  if (size === 1) return subtree(0, start);
  if (left * 2 === size) return subtree(Math.log2(size), start / size);
  return nodeHash(rootOfRange(subtree, start, start + left), rootOfRange(subtree, start + left, end));
}

/** The largest power of two below `size`: how many leaves the left subtree has. */
function leftSize(size: number): number {
  let left = 1;
  while (left * 2 < size) left *= 2;
  return left;
}

/** Path that proves leaf `index` of a tree of `size` leaves, from the leaf's sibling upwards (RFC 9162, section 2.1.3.1). */
export function inclusionPath(subtree: CompleteSubtree, size: number, index: number): Uint8Array[] {
  assertWithin('index', index, 0, size - 1);
  const path: Uint8Array[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + leftSize(end - start);
    const isLeft = index < middle;
    path.push(isLeft ? rootOfRange(subtree, middle, end) : rootOfRange(subtree, start, middle));
    if (isLeft) end = middle;
    else start = middle;
  }
  return path.reverse();
}

/**
 * Nodes that prove the leaves from `first` up to and without `end`, which lie side by side: the roots of what lies before and after them,
 * from left to right.
 */
export function rangePath(subtree: CompleteSubtree, size: number, first: number, end: number): Uint8Array[] {
  assertWithin('end', end, 1, size);
  assertWithin('first', first, 0, end - 1);
  const path: Uint8Array[] = [];
  const walk = (start: number, stop: number): void => {
    if (stop <= first || start >= end) path.push(rootOfRange(subtree, start, stop));
    else if (stop - start > 1) {
      const middle = start + leftSize(stop - start);
      walk(start, middle);
      walk(middle, stop);
    }
  };
  walk(0, size);
  return path;
}

/** Path that proves that a tree of `to` leaves continues its own first `from` leaves (RFC 9162, section 2.1.4.1). */
export function consistencyPath(subtree: CompleteSubtree, from: number, to: number): Uint8Array[] {
  assertWithin('from', from, 1, to);
  const path: Uint8Array[] = [];
  let [start, end] = [0, to];
  // The range shrinks around the last of the earlier leaves, until the earlier tree ends where the range ends.
  while (from !== end) {
    const middle = start + leftSize(end - start);
    const isLeft = from <= middle;
    path.push(isLeft ? rootOfRange(subtree, middle, end) : rootOfRange(subtree, start, middle));
    if (isLeft) end = middle;
    else start = middle;
  }
  // A range that begins at the first leaf is the earlier tree itself, whose root the verifier has.
  if (start > 0) path.push(rootOfRange(subtree, start, end));
  return path.reverse();
}

const isWithin = (value: number, min: number, max: number): boolean =>
  Number.isSafeInteger(value) && value >= min && value <= max;

function assertWithin(name: string, value: number, min: number, max: number): void {
  if (!isWithin(value, min, max)) throw new RangeError(`${name} is ${value}, expected ${min} to ${max}`);
}
