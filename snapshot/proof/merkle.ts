import { hash } from 'node:crypto';

/**
 * Merkle trees of RFC 6962 (section 2.1; the same in RFC 9162): SHA-256 over a zero byte and the data for a leaf, over a one
 * byte and both children for a node. A left subtree has the largest power of two of leaves that is below the number of all.
 */

const HASH_BYTES = 32;
/** Root of a tree without leaves: SHA-256 of nothing. */
const EMPTY_ROOT = Buffer.from(hash('sha256', '', 'hex'), 'hex');

/** Hash of a leaf that holds `data` (RFC 9162, section 2.1.1). */
export function leafHash(data: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([Buffer.of(0), data]), 'buffer');
}

/** Hash of the node above two children (RFC 9162, section 2.1.1). */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([Buffer.of(1), left, right]), 'buffer');
}

/** Is told of each complete subtree of `2 ** level` leaves as soon as its hash is known, in order within a level; `node` is reused. */
export type OnNode = (level: number, node: Uint8Array) => void;

/** Keeps of a growing tree only the nodes that its root needs, in 32 bytes a level. */
export class RootOfLeaves {
  size = 0;
  readonly #onNode: OnNode | null;
  /** At `level * 32`, the complete subtree of that level that waits for its right sibling. */
  readonly #waiting = Buffer.alloc(48 * HASH_BYTES);
  readonly #pair = Buffer.alloc(1 + 2 * HASH_BYTES, 1);

  constructor(onNode: OnNode | null = null) {
    this.#onNode = onNode;
  }

  /** Adds the hashes of leaves, 32 bytes each. */
  add(leaves: Uint8Array): void {
    for (let at = 0; at < leaves.length; at += HASH_BYTES) {
      this.#pair.set(leaves.subarray(at, at + HASH_BYTES), 1 + HASH_BYTES);
      this.#addLast();
    }
  }

  /** Adds the leaf that is the right half of `#pair`, and joins it with each complete subtree of equal size before it. */
  #addLast(): void {
    const right = this.#pair.subarray(1 + HASH_BYTES);
    let level = 0;
    for (let before = this.size; before % 2 === 1; before = (before - 1) / 2) {
      this.#waiting.copy(this.#pair, 1, level * HASH_BYTES, (level + 1) * HASH_BYTES);
      // As text, since a Buffer for each hash takes three times as long.
      right.write(hash('sha256', this.#pair, 'binary'), 'latin1');
      level += 1;
      this.#onNode?.(level, right);
    }
    right.copy(this.#waiting, level * HASH_BYTES);
    this.size += 1;
  }

  root(): Buffer {
    let root: Buffer | null = null;
    for (let level = 0, rest = this.size; rest > 0; level += 1, rest = Math.floor(rest / 2)) {
      if (rest % 2 === 0) continue;
      const node = this.#waiting.subarray(level * HASH_BYTES, (level + 1) * HASH_BYTES);
      root = root === null ? Buffer.from(node) : nodeHash(node, root);
    }
    return root ?? EMPTY_ROOT;
  }
}
