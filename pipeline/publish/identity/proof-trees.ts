import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PROOFS_DIR, type TreeTable, treePath } from '../../../snapshot/format/versions/proof-trees.ts';
import { TreeFileWriter } from '../../../snapshot/proof/tree-file.ts';
import type { Effects } from '../../effects.ts';
import { type FileSum, sync } from '../durable.ts';
import type { LeafTree, TableValues } from './table-root.ts';

/** The values of a table whose leaves `hash` adds, with the sum of its tree, which `write` gets byte for byte. */
export async function sumOfTree(
  table: TreeTable,
  hash: (tree: LeafTree) => Promise<TableValues>,
  write?: (bytes: Uint8Array) => void,
): Promise<{ values: TableValues; file: FileSum }> {
  const tree = new TreeFileWriter(write);
  const values = await hash(tree);
  return { values, file: { path: treePath(table), ...tree.finish() } };
}

/** `sumOfTree` that writes the tree into the new snapshot and makes the file durable. */
export async function withTreeFile(
  dir: string,
  table: TreeTable,
  hash: (tree: LeafTree) => Promise<TableValues>,
  effects: Effects,
): ReturnType<typeof sumOfTree> {
  const path = treePath(table);
  await mkdir(join(dir, PROOFS_DIR), { recursive: true });
  const file = openSync(join(dir, path), 'w');
  const write = (bytes: Uint8Array): void => {
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
  };
  const summed = await sumOfTree(table, hash, write).finally(() => closeSync(file));
  effects.checkpoint(`written:${path}`);
  await sync(join(dir, path));
  effects.checkpoint(`synced:${path}`);
  return summed;
}
