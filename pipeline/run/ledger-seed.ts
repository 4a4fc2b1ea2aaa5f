import { join } from 'node:path';
import type { RegistryId } from '../../contract/ids.ts';
import { readCurrent, readManifest, snapshotPath } from '../../snapshot-format/current.ts';
import { sqlLiteral } from '../../snapshot-sql/connection.ts';
import type { TrialMember } from '../dedup/canonical-ids.ts';
import type { DedupInputs } from '../dedup/dedup.ts';
import type { LedgerRow } from '../dedup/ledger.ts';
import type { Database } from '../store/database.ts';
import type { Workspace } from './workspace.ts';

/**
 * The canonical ids that a new working database starts from: those of the current snapshot, if it is of the same corpus.
 * Empty when the working database has its own ledger, which is at least as new, or when there is no such snapshot.
 */
export async function ledgerSeed(db: Database, workspace: Workspace): Promise<DedupInputs> {
  const known = await db.one('SELECT count(*)::DOUBLE AS n FROM canonical_ids');
  if (known?.n !== 0) return {};
  const version = await readCurrent(workspace.snapshotsDir);
  if (version === null) return {};
  const directory = snapshotPath(workspace.snapshotsDir, version);
  const manifest = await readManifest(directory);
  if (manifest.corpus !== workspace.corpus) return {};
  const files = (table: 'canonical_ids' | 'trials') =>
    `read_parquet([${manifest.tables[table].files.map(({ path }) => sqlLiteral(join(directory, path))).join(', ')}])`;
  const ledger = await db.all(`SELECT * FROM ${files('canonical_ids')} ORDER BY canonical_id`);
  const partners = await db.all(
    `SELECT canonical_id, CASE WHEN founding_registry = 'isrctn' THEN ctgov_id ELSE isrctn_id END AS registration_id
     FROM ${files('trials')} WHERE ctgov_id IS NOT NULL AND isrctn_id IS NOT NULL ORDER BY canonical_id`,
  );
  return {
    previousLedger: ledger.map(
      (row): LedgerRow => ({
        canonicalId: row.canonical_id as string,
        foundingRegistry: row.founding_registry as RegistryId,
        foundingId: row.founding_id as string,
        state: row.state as LedgerRow['state'],
        aliasOf: row.alias_of as string | null,
        firstSeen: row.first_seen as string,
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
