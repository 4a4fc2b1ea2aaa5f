import type { Manifest, SnapshotFileSum, SnapshotTable } from './manifest.ts';

/** Trees of the tables whose rows are proven one by one (docs/proofs.md). */
export const PROVEN_TABLES = ['trials', 'registrations', 'links'] as const satisfies readonly SnapshotTable[];
export type ProvenTable = (typeof PROVEN_TABLES)[number];

/** Trees of a snapshot: of these tables, and where it has stored changes of their rows. */
export type TreeTable = ProvenTable | 'changes';

export const PROOFS_DIR = 'proofs';

export function isProven(table: SnapshotTable): table is ProvenTable {
  return (PROVEN_TABLES as readonly string[]).includes(table);
}

/** Path of a table's tree inside the snapshot directory. */
export function treePath(table: TreeTable): string {
  return `${PROOFS_DIR}/${table}.tree`;
}

/** A table's tree as the manifest lists it; undefined for changes where none are stored. */
export function treeOf({ proofs }: Pick<Manifest, 'proofs'>, table: TreeTable): SnapshotFileSum | undefined {
  return proofs.find(({ path }) => path === treePath(table));
}
