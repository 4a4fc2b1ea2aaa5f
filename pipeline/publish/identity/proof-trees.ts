import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PROOFS_DIR, type TreeTable, treePath } from '../../../snapshot/format/versions/proof-trees.ts';
import { TreeFileSum, TreeFileWriter } from '../../../snapshot/proof/tree-file.ts';
import type { Effects } from '../../effects.ts';
import { type FileSum, sync } from '../durable.ts';
import type { LeafTree, TableValues } from './table-root.ts';

/** Writes the tree of a table into the new snapshot while `hash` adds its leaves, makes the file durable and sums it. */
export async function withTreeFile(
  dir: string,
  table: TreeTable,
  hash: (tree: LeafTree) => Promise<TableValues>,
  effects: Effects,
): Promise<{ values: TableValues; file: FileSum }> {
  const path = treePath(table);
  await mkdir(join(dir, PROOFS_DIR), { recursive: true });
  const [file, sum] = [openSync(join(dir, path), 'w'), new TreeFileSum()];
  const write = (bytes: Uint8Array): void => {
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
    sum.write(bytes);
  };
  let values: TableValues;
  try {
    const tree = new TreeFileWriter({ write });
    values = await hash(tree);
    tree.finish();
  } finally {
    closeSync(file);
  }
  effects.checkpoint(`written:${path}`);
  await sync(join(dir, path));
  effects.checkpoint(`synced:${path}`);
  return { values, file: { path, bytes: sum.bytes, sha256: sum.sha256() } };
}

/** Length and SHA-256 of the tree that follows from a table whose leaves `hash` adds. */
export async function sumOfTree(
  table: TreeTable,
  hash: (tree: LeafTree) => Promise<TableValues>,
): Promise<{ values: TableValues; file: FileSum }> {
  const sum = new TreeFileSum();
  const tree = new TreeFileWriter(sum);
  const values = await hash(tree);
  tree.finish();
  return { values, file: { path: treePath(table), bytes: sum.bytes, sha256: sum.sha256() } };
}
