import { join } from 'node:path';
import type { RegistryId } from '../../contract/ids.ts';
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
import type { TrialMember } from '../dedup/canonical-ids.ts';
import type { DedupInputs } from '../dedup/dedup.ts';
import type { LedgerRow } from '../dedup/ledger.ts';
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
 * The canonical ids that a new working database starts from: those of the current snapshot, if it is of the same corpus.
 * Empty when the working database has its own ledger, which is at least as new, or when there is no such snapshot.
 */
export async function ledgerSeed(db: Database, workspace: Workspace): Promise<DedupInputs> {
  const known = await db.one('SELECT count(*)::DOUBLE AS n FROM canonical_ids');
  if (known?.n !== 0) return {};
  const manifest = await seedingManifest(workspace);
  if (manifest === null) return {};
  const files = tablesOf(workspace, manifest);
  const ledger = await db.all(`SELECT * FROM ${files('canonical_ids')} ORDER BY canonical_id`);
  const partners = await db.all(
    `SELECT canonical_id, CASE WHEN founding_registry = 'isrctn' THEN ctgov_id ELSE isrctn_id END AS registration_id
     FROM ${files('trials')} WHERE ctgov_id IS NOT NULL AND isrctn_id IS NOT NULL ORDER BY canonical_id`,
  );
  return {
    previousRoot: manifest.tables.canonical_ids.root,
    previousLedger: ledger.map(
      (row): LedgerRow => ({
        canonicalId: row.canonical_id as string,
        foundingRegistry: row.founding_registry as RegistryId,
        foundingId: row.founding_id as string,
        state: row.state as LedgerRow['state'],
        aliasOf: row.alias_of as string | null,
        firstSeen: row.first_seen as string,
        partnerId: row.partner_id as string | null,
      }),
    ),
    previousPartners: partners.map(
      (row): Pick<TrialMember, 'canonicalId' | 'registrationId'> => ({
        canonicalId: row.canonical_id as string,
        registrationId: row.registration_id as string,
      }),
    ),
  };
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
