import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { leafHash } from '../proof/merkle.ts';
import { type CompleteSubtree, inclusionPath, rangePath, rootByInclusion, rootByRange } from '../proof/merkle-paths.ts';
import { subtreesIn, treeFileBytes } from '../proof/tree-file.ts';
import type { Manifest } from './versions/manifest.ts';
import { type ProvenTable, type TreeTable, treePath } from './versions/proof-trees.ts';

/** The tree of a table does not prove a row of it: one of them is not as it was published, or this program reads the row otherwise. */
export class TreeFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TreeFault';
  }
}

/** A table as the manifest states it. */
type Stated = Pick<Manifest['tables'][ProvenTable], 'rows' | 'root'>;

/**
 * The path that proves the row `index` of a table, in lower-case hex. Throws TreeFault unless it leads from the row's text to the root
 * that the manifest states.
 */
export function rowPath(
  dir: string,
  table: ProvenTable,
  { rows, root }: Stated,
  { index, row }: { index: number; row: string },
): string[] {
  const path = withTree(dir, table, rows, (subtree) => inclusionPath(subtree, rows, index));
  const found = rootByInclusion({ size: rows, index, leaf: leafHash(Buffer.from(row)) }, path);
  return proved(path, found, root, `row ${index} of ${table}, as this program reads it, is`);
}

/** The path that proves stored changes that lie side by side from the place `first` on; there is one at least. Throws TreeFault. */
export function changesPath(
  dir: string,
  { rows: size, root }: Stated,
  { first, rows }: { first: number; rows: readonly string[] },
): string[] {
  const path = withTree(dir, 'changes', size, (subtree) => rangePath(subtree, size, first, first + rows.length));
  const found = rootByRange({ size, first, leaves: rows.map((row) => leafHash(Buffer.from(row))) }, path);
  return proved(path, found, root, `the changes from ${first} on, as this program reads them, are`);
}

function proved(path: readonly Uint8Array[], found: Uint8Array | null, root: string, what: string): string[] {
  if (found === null || hex(found) !== root) throw new TreeFault(`${what} not under the root that the manifest states`);
  return path.map(hex);
}

const hex = (node: Uint8Array): string => Buffer.from(node).toString('hex');

function withTree<T>(dir: string, table: TreeTable, size: number, work: (subtree: CompleteSubtree) => T): T {
  const path = join(dir, treePath(table));
  const file = openSync(path, 'r');
  try {
    const { size: bytes } = fstatSync(file);
    const expected = treeFileBytes(size);
    if (bytes !== expected) throw new TreeFault(`${path} has ${bytes} bytes, expected ${expected} for ${size} rows`);
    const read = (start: number, length: number): Uint8Array => {
      const part = Buffer.allocUnsafe(length);
      const found = readSync(file, part, 0, length, start);
      if (found !== length) throw new TreeFault(`${path} ends early`);
      return part;
    };
    return work(subtreesIn(read, size));
  } finally {
    closeSync(file);
  }
}
