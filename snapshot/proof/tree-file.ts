import { createHash, type Hash } from 'node:crypto';
import { nodeHash, RootOfLeaves } from './merkle.ts';
import type { CompleteSubtree } from './merkle-paths.ts';

/**
 * The file of a Merkle tree, from which the path of any leaf is read in a few kilobytes: 32 bytes for each leaf in order, then for each
 * complete subtree of 2 ** 8 leaves in order, of 2 ** 9, and so on up to the largest. There is nothing else in it, so the number of
 * leaves follows from its length.
 */

const HASH_BYTES = 32;
/** Nodes below are computed from at most 256 leaves; with all levels the file would be twice as long. */
const FIRST_LEVEL = 8;

/** Where the hash of the complete subtree `index` of a level stands in the file of a tree of `size` leaves, in bytes. */
function placeOf(size: number, level: number, index: number): number {
  let before = 0;
  if (level > 0) {
    before = size;
    for (let below = FIRST_LEVEL; below < level; below += 1) before += Math.floor(size / 2 ** below);
  }
  return (before + index) * HASH_BYTES;
}

/** Length of the file of a tree of `size` leaves, in bytes. */
export function treeFileBytes(size: number): number {
  let hashes = size;
  for (let level = FIRST_LEVEL; 2 ** level <= size; level += 1) hashes += Math.floor(size / 2 ** level);
  return hashes * HASH_BYTES;
}

/**
 * Makes the file of a tree while its leaves come, and sums it. Leaves are handed on at once; the nodes, a quarter of a byte for each leaf,
 * wait for the end.
 */
export class TreeFileWriter {
  readonly #write: (bytes: Uint8Array) => void;
  readonly #hash: Hash = createHash('sha256');
  readonly #levels: Uint8Array[][] = [];
  readonly #tree = new RootOfLeaves((level, node) => {
    if (level < FIRST_LEVEL) return;
    this.#levels[level - FIRST_LEVEL] ??= [];
    this.#levels[level - FIRST_LEVEL]!.push(Uint8Array.from(node));
  });

  /** `write` gets the bytes in their order. */
  constructor(write: (bytes: Uint8Array) => void = () => {}) {
    this.#write = write;
  }

  /** Adds the hashes of leaves, 32 bytes each. */
  add(leaves: Uint8Array): void {
    this.#put(leaves);
    this.#tree.add(leaves);
  }

  get size(): number {
    return this.#tree.size;
  }

  root(): Buffer {
    return this.#tree.root();
  }

  /** Hands on the nodes. Returns length and SHA-256 of the file. */
  finish(): { bytes: number; sha256: string } {
    for (const level of this.#levels) this.#put(Buffer.concat(level));
    return { bytes: treeFileBytes(this.size), sha256: this.#hash.digest('hex') };
  }

  #put(bytes: Uint8Array): void {
    this.#write(bytes);
    this.#hash.update(bytes);
  }
}

/** Reads bytes of a file. */
export type ReadBytes = (start: number, length: number) => Uint8Array;

/** The subtrees of a tree of `size` leaves in its file; those of low levels are computed from their leaves. */
export function subtreesIn(read: ReadBytes, size: number): CompleteSubtree {
  return (level, index) => {
    if (level === 0 || level >= FIRST_LEVEL) return read(placeOf(size, level, index), HASH_BYTES);
    const leaves = 2 ** level;
    const bytes = read(placeOf(size, 0, index * leaves), leaves * HASH_BYTES);
    return rootOf(bytes);
  };
}

/** Root of a number of leaves that is a power of two. */
function rootOf(leaves: Uint8Array): Uint8Array {
  if (leaves.length === HASH_BYTES) return leaves;
  const half = leaves.length / 2;
  return nodeHash(rootOf(leaves.subarray(0, half)), rootOf(leaves.subarray(half)));
}
