import { join } from 'node:path';
import {
  CurrentFault,
  readCurrentManifest,
  readManifest,
  SnapshotFault,
  snapshotPath,
} from '../../snapshot/format/versions/current.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { sqlLiteral } from '../../snapshot/sql/connection.ts';
import { withInstantsAsText } from '../../snapshot/sql/tables.ts';
import { rawPartsDirectory } from '../normalise/payload-parts.ts';
import type { PublishedTables } from '../normalise/published-versions.ts';
import { comparedFiles, damagedFiles, newestOtherSound } from '../publish/verify/damage.ts';
import type { Database } from '../store/database.ts';
import type { Workspace } from './workspace.ts';

/**
 * SQL that reads a table of the current snapshot; null where there is none of this corpus. Where CURRENT names no usable
 * one, or one with a damaged table, of the newest sound snapshot, so that nothing is lost with it.
 */
export async function currentTables(workspace: Workspace): Promise<PublishedTables | null> {
  const manifest = await seedingManifest(workspace);
  return manifest === null ? null : tablesOf(workspace, manifest);
}

async function seedingManifest(workspace: Workspace): Promise<Manifest | null> {
  const manifest = await newestManifest(workspace.snapshotsDir);
  return manifest?.corpus === workspace.corpus ? manifest : null;
}

function tablesOf(workspace: Workspace, { version, tables }: Manifest): PublishedTables {
  const directory = snapshotPath(workspace.snapshotsDir, version);
  return (table) => {
    const files = tables[table].files.map(({ path }) => sqlLiteral(join(directory, path)));
    return withInstantsAsText(table, `read_parquet([${files.join(', ')}])`);
  };
}

/** The fault of a stage that read damaged payloads of the snapshot of `currentTables`, with what mends it; else null. */
export async function payloadFault(workspace: Workspace, cause: unknown): Promise<SnapshotFault | null> {
  const manifest = await newestManifest(workspace.snapshotsDir);
  if (manifest === null) return null;
  const damaged = await damagedFiles(snapshotPath(workspace.snapshotsDir, manifest.version), manifest.tables.raw.files);
  if (damaged.length === 0) return null;
  return new SnapshotFault(
    'malformed',
    `${damaged.join(', ')} of ${manifest.version} is damaged, so that records cannot be compared with what is published; remove ${rawPartsDirectory(workspace.dataDir)}, which may share it, and run again with \`--accept no-parent --reason "who accepts it and why"\`: the payloads are written again from the raw sets`,
    { cause },
  );
}

/**
 * The items of feeds that a new working database starts from: those of the current snapshot, since a feed lists its
 * newest items only. Nothing is done where the database has items or has asked a feed.
 */
export async function seedItems(db: Database, workspace: Workspace): Promise<void> {
  const known = await db.one(
    'SELECT (SELECT count(*) FROM signal_items) + (SELECT count(*) FROM feed_states) = 0 AS none',
  );
  const files = known?.none === true ? await currentTables(workspace) : null;
  if (files === null) return;
  const columns = 'source, id, url, domain, title, summary, published_at, date_basis, first_seen_at';
  await db.run(`INSERT INTO signal_items BY NAME SELECT ${columns} FROM ${files('signals')}`);
}

/**
 * The canonical ids that a new working database starts from: those of the current snapshot, if it is of the same corpus,
 * with the members of its trials other than their founders. Nothing is done where the database has a ledger, which is at
 * least as new.
 */
export async function seedLedger(db: Database, workspace: Workspace): Promise<void> {
  const known = await db.one('SELECT count(*) = 0 AS none FROM canonical_ids');
  const files = known?.none === true ? await currentTables(workspace) : null;
  if (files === null) return;
  await db.transaction(() =>
    db.run(
      `INSERT INTO canonical_ids BY NAME FROM ${files('canonical_ids')} ORDER BY canonical_id;
       DELETE FROM trial_members;
       INSERT INTO trial_members
       SELECT canonical_id, CASE founding_registry WHEN 'isrctn' THEN 'clinicaltrials_gov' ELSE 'isrctn' END,
         CASE founding_registry WHEN 'isrctn' THEN ctgov_id ELSE isrctn_id END, false
       FROM ${files('trials')} WHERE ctgov_id IS NOT NULL AND isrctn_id IS NOT NULL ORDER BY canonical_id`,
    ),
  );
}

async function newestManifest(snapshotsDir: string): Promise<Manifest | null> {
  try {
    const current = await readCurrentManifest(snapshotsDir);
    if (current === null) return null;
    const damaged = await damagedFiles(snapshotPath(snapshotsDir, current.version), comparedFiles(current));
    return damaged.length === 0 ? current : await newestOtherSound(snapshotsDir, current.version, comparedFiles);
  } catch (error) {
    if (!(error instanceof CurrentFault)) throw error;
    return error.newestSound === null ? null : readManifest(snapshotPath(snapshotsDir, error.newestSound));
  }
}
