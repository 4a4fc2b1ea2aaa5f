import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { leafHash } from '../proof/merkle.ts';
import { type CompleteSubtree, inclusionPath, rootByInclusion } from '../proof/merkle-paths.ts';
import { subtreesIn, treeFileBytes } from '../proof/tree-file.ts';
import type { Manifest } from './manifest.ts';
import { type ProvenTable, treePath } from './proof-trees.ts';

/** The tree of a table does not prove a row of it: one of them is not as it was published, or this program reads the row otherwise. */
export class TreeFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TreeFault';
  }
}

/**
 * The path that proves the row `index` of a table, in lower-case hex. Throws TreeFault unless it leads from the row's text to the root
 * that the manifest states.
 */
export function rowPath(
  dir: string,
  table: ProvenTable,
  { rows, root }: Pick<Manifest['tables'][ProvenTable], 'rows' | 'root'>,
  { index, row }: { index: number; row: string },
): string[] {
  const path = withTree(join(dir, treePath(table)), rows, (subtree) => inclusionPath(subtree, rows, index));
  const found = rootByInclusion({ size: rows, index, leaf: leafHash(Buffer.from(row)) }, path);
  if (found === null || Buffer.from(found).toString('hex') !== root)
    throw new TreeFault(
      `row ${index} of ${table}, as this program reads it, is not under the root that the manifest states`,
    );
  return path.map((node) => Buffer.from(node).toString('hex'));
}

function withTree<T>(path: string, size: number, work: (subtree: CompleteSubtree) => T): T {
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
