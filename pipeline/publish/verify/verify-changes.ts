import { CHANGES_FILE } from '../../../snapshot/format/versions/change.ts';
import { readManifest, SnapshotFault, snapshotPath } from '../../../snapshot/format/versions/current.ts';
import { changeFiles, type Manifest } from '../../../snapshot/format/versions/manifest.ts';
import { treeOf } from '../../../snapshot/format/versions/proof-trees.ts';
import { makeStoredChanges } from '../../../snapshot/sql/compare.ts';
import { tableOfFile } from '../../../snapshot/sql/tables.ts';
import type { Database } from '../../store/database.ts';
import { withScratchDatabase } from '../../store/scratch-database.ts';
import { sumOfTree } from '../identity/proof-trees.ts';
import { expectEqual, type Problem } from '../problem.ts';
import { changesIn, rootOfChanges, trialCounts } from '../write-changes.ts';
import { comparedFiles, damagedFiles } from './damage.ts';

/**
 * Checks the stored changes of a snapshot: rows, root and tree against the table, the counts of trials against the manifest, and,
 * where the parent is held, that they are exactly what the two snapshots differ by. Changes with a damaged file, and those of a
 * snapshot whose tables are damaged, are left out: that is reported already.
 */
export async function checkChanges(snapshotsDir: string, manifest: Manifest, problems: Problem[]): Promise<void> {
  const { storedChanges: stated } = manifest;
  if (!stated || problems.some(({ file }) => changeFiles(manifest).some(({ path }) => path === file))) return;
  const dir = snapshotPath(snapshotsDir, manifest.version);
  await withScratchDatabase(async (db) => {
    const { values: found, file } = await sumOfTree('changes', (tree) => rootOfChanges(db, changesIn(dir), tree));
    expectEqual(problems, CHANGES_FILE, 'rows of changes', found.rows, stated.rows);
    expectEqual(problems, CHANGES_FILE, 'root of changes', found.root, stated.root);
    const tree = treeOf(manifest, 'changes');
    if (tree !== null && found.root === stated.root)
      expectEqual(problems, tree.path, 'SHA-256 of the tree over the rows', tree.sha256, file.sha256);
    await checkCounts(db, dir, manifest, problems);
    const isSound = problems.every(({ file }) => tableOfFile(file) === null && file !== CHANGES_FILE);
    const parent = isSound ? await heldParent(snapshotsDir, manifest) : null;
    if (parent === null) return;
    const totals = await makeStoredChanges(db, parent, dir);
    const differs = await rootOfChanges(db, 'stored_changes');
    const name = `root of the differences from ${manifest.parent}`;
    expectEqual(problems, CHANGES_FILE, name, differs.root, stated.root);
    expectEqual(
      problems,
      'manifest.json',
      'changes',
      JSON.stringify(manifest.changes),
      JSON.stringify(trialCounts(totals)),
    );
  });
}

/** Trials by the kind of their change, in the order of the manifest. */
async function checkCounts(db: Database, dir: string, { changes }: Manifest, problems: Problem[]): Promise<void> {
  for (const [what, stated] of Object.entries(changes ?? {})) {
    const row = await db.one(
      `SELECT count(DISTINCT canonical_id)::DOUBLE AS n FROM ${changesIn(dir)} WHERE kind = $1`,
      [`trial-${what}`],
    );
    expectEqual(problems, CHANGES_FILE, `trials ${what}`, row?.n, stated);
  }
}

/** Directory of the parent with sound tables; null where it is not held, or damaged, which `verify` of the parent names. */
async function heldParent(snapshotsDir: string, { parent }: Manifest): Promise<string | null> {
  if (parent === null) return null;
  const dir = snapshotPath(snapshotsDir, parent);
  try {
    const manifest = await readManifest(dir);
    const compared = comparedFiles(manifest);
    return (await damagedFiles(dir, compared)).length === 0 ? dir : null;
  } catch (error) {
    if (error instanceof SnapshotFault) return null;
    throw error;
  }
}
