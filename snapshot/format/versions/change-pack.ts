import { createHash } from 'node:crypto';
import { lowerBound } from '../lower-bound.ts';
import { packText, unpackText } from '../words/packed-text.ts';
import type { StoredChange } from './change.ts';

/**
 * The changes of one version by trial, in a file that servers map: for each trial a packed block of its changes, in order of id,
 * and the sorted 32-bit hashes of the ids, each with a block. Two ids may share a hash; a block names its ids, so readers check.
 *
 * | bytes | what |
 * |---|---|
 * | 16 | magic, number of blocks, number of keys (32-bit, little-endian, as all numbers) |
 * | 4 × (blocks + 1) | where each block begins, from the start of the file, and where the last ends |
 * | 4 × keys | hashes, ascending |
 * | 4 × keys | the block of each |
 * | | blocks: a JSON list of changes, packed |
 */
export const CHANGE_PACK_FILE = 'changes.pack';

const MAGIC = 'TRCHNG01';
const HEADER_BYTES = 16;

/** Hash of a trial's id, under which its changes are found. */
export function changeKey(canonicalId: string): number {
  return createHash('sha256').update(canonicalId).digest().readUInt32LE();
}

/** Makes the pack of changes that come in the order of `changes.parquet`. */
export class ChangePackWriter {
  readonly #blocks: Buffer[] = [];
  readonly #keys: { hash: number; block: number }[] = [];
  #trial: StoredChange[] = [];

  add(change: StoredChange): void {
    if (this.#trial.length > 0 && this.#trial[0]?.canonicalId !== change.canonicalId) this.#endTrial();
    this.#trial.push(change);
  }

  #endTrial(): void {
    const ids = new Set(this.#trial.flatMap(({ canonicalId, related }) => [canonicalId ?? '', ...related]));
    for (const hash of new Set([...ids].filter((id) => id !== '').map(changeKey)))
      this.#keys.push({ hash, block: this.#blocks.length });
    this.#blocks.push(packText(JSON.stringify(this.#trial)));
    this.#trial = [];
  }

  finish(): Buffer {
    if (this.#trial.length > 0) this.#endTrial();
    const keys = this.#keys.sort((a, b) => a.hash - b.hash || a.block - b.block);
    const head = Buffer.alloc(HEADER_BYTES + 4 * (this.#blocks.length + 1 + 2 * keys.length));
    head.write(MAGIC, 'latin1');
    let at = head.writeUInt32LE(this.#blocks.length, MAGIC.length);
    at = head.writeUInt32LE(keys.length, at);
    let start = head.length;
    for (const { length } of this.#blocks) {
      at = head.writeUInt32LE(start, at);
      start += length;
    }
    at = head.writeUInt32LE(start, at);
    for (const { hash } of keys) at = head.writeUInt32LE(hash, at);
    for (const { block } of keys) at = head.writeUInt32LE(block, at);
    return Buffer.concat([head, ...this.#blocks]);
  }
}

/** What a pack is read from; a mapped file is one. */
export interface PackBytes {
  readonly byteLength: number;
  part(from: number, length: number): Uint8Array;
  copy(from: number, target: Uint8Array): void;
}

/** Reads a pack; its bytes were checked against the manifest. Throws for a file that is no pack. */
export class ChangePack {
  readonly blocks: number;
  readonly #file: PackBytes;
  readonly #starts: Uint32Array;
  readonly #hashes: Uint32Array;
  readonly #blockOf: Uint32Array;

  constructor(file: PackBytes) {
    const header = Buffer.alloc(HEADER_BYTES);
    if (file.byteLength >= HEADER_BYTES) file.copy(0, header);
    if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new Error(`not a pack of changes: no ${MAGIC}`);
    this.blocks = header.readUInt32LE(MAGIC.length);
    const keys = header.readUInt32LE(MAGIC.length + 4);
    const numbers = (from: number, length: number): Uint32Array => {
      const { buffer, byteOffset } = file.part(from, 4 * length);
      return new Uint32Array(buffer, byteOffset, length);
    };
    this.#file = file;
    this.#starts = numbers(HEADER_BYTES, this.blocks + 1);
    this.#hashes = numbers(HEADER_BYTES + 4 * (this.blocks + 1), keys);
    this.#blockOf = numbers(HEADER_BYTES + 4 * (this.blocks + 1 + keys), keys);
  }

  /** Blocks that may have changes about a trial with this key, ascending. */
  blocksOf(key: number): number[] {
    const found: number[] = [];
    for (let at = lowerBound(this.#hashes, key); this.#hashes[at] === key; at += 1)
      found.push(this.#blockOf[at] as number);
    return found;
  }

  /** Visits every key with the block that may have changes about its trial. */
  eachKey(visit: (key: number, block: number) => void): void {
    for (let at = 0; at < this.#hashes.length; at += 1) visit(this.#hashes[at] as number, this.#blockOf[at] as number);
  }

  /** The changes of a block: those of one trial, or of all feed items. */
  read(block: number): StoredChange[] {
    const start = this.#starts[block] as number;
    const bytes = Buffer.alloc((this.#starts[block + 1] as number) - start);
    this.#file.copy(start, bytes);
    return JSON.parse(unpackText(bytes)) as StoredChange[];
  }
}
