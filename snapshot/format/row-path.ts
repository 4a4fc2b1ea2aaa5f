import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { leafHash } from '../proof/merkle.ts';
import { type CompleteSubtree, inclusionPath, rangePath } from '../proof/merkle-paths.ts';
import { subtreesIn, treeFileBytes } from '../proof/tree-file.ts';
import { rootByInclusion, rootByRange } from '../proof/verify.mjs';
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
export async function rowPath(
  dir: string,
  table: ProvenTable,
  { rows, root }: Stated,
  { index, row }: { index: number; row: string },
): Promise<string[]> {
  const path = withTree(dir, table, rows, (subtree) => inclusionPath(subtree, rows, index));
  const found = await rootByInclusion({ size: rows, index, leaf: leafHash(Buffer.from(row)) }, path);
  return proved(path, found, root, `row ${index} of ${table}, as this program reads it, is`);
}

/** The path that proves stored changes that lie side by side from the place `first` on; there is one at least. Throws TreeFault. */
export async function changesPath(
  dir: string,
  { rows: size, root }: Stated,
  { first, rows }: { first: number; rows: readonly string[] },
): Promise<string[]> {
  const path = withTree(dir, 'changes', size, (subtree) => rangePath(subtree, size, first, first + rows.length));
  const found = await rootByRange({ size, first, leaves: rows.map((row) => leafHash(Buffer.from(row))) }, path);
  return proved(path, found, root, `the changes from ${first} on, as this program reads them, are`);
}

function proved(path: string[], found: string | null, root: string, what: string): string[] {
  if (found !== root) throw new TreeFault(`${what} not under the root that the manifest states`);
  return path;
}

/** A path that is made from the tree of a table, in lower-case hex. */
function withTree(
  dir: string,
  table: TreeTable,
  size: number,
  work: (subtree: CompleteSubtree) => Uint8Array[],
): string[] {
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
    return work(subtreesIn(read, size)).map((node) => Buffer.from(node).toString('hex'));
  } finally {
    closeSync(file);
  }
}
