import { readFile } from 'node:fs/promises';
import type { Database } from '../store/database.ts';
import { CANONICAL_ID_PREFIX, foundingKey, type HeldRegistration } from './canonical-ids.ts';
import type { Merge } from './resolve.ts';
import { SHORT_HASH_LENGTH, shortHash } from './short-hash.ts';

/**
 * Finds the registrations of which this run has nothing to decide (settled.sql), as the temporary table `dedup_settled`
 * (canonical_id, registry, id); nearly all on most days. Needs the targets resolved. Returns how many there are.
 */
export async function findSettled(db: Database, merges: readonly Merge[]): Promise<number> {
  await db.run('CREATE OR REPLACE TEMP TABLE dedup_merged (id VARCHAR)');
  const appender = await db.appender('dedup_merged');
  for (const { id } of merges.flat()) {
    appender.appendVarchar(id);
    appender.endRow();
  }
  appender.closeSync();
  await db.run(await readFile(new URL('settled.sql', import.meta.url), 'utf8'));
  const row = await db.one('SELECT count(*)::DOUBLE AS settled FROM dedup_settled');
  return Number(row?.settled);
}

/** As `findSettled`, where the working database's own ledger does not count. */
export async function settleNothing(db: Database): Promise<number> {
  await db.run('CREATE OR REPLACE TEMP TABLE dedup_settled (canonical_id VARCHAR, registry VARCHAR, id VARCHAR)');
  return 0;
}

/** The ids of settled trials that the id of one that any of these registrations founds could meet. */
export async function settledIdsNear(db: Database, founders: readonly HeldRegistration[]): Promise<Set<string>> {
  await db.run('CREATE OR REPLACE TEMP TABLE dedup_wanted (id VARCHAR)');
  const appender = await db.appender('dedup_wanted');
  for (const founder of founders) {
    appender.appendVarchar(CANONICAL_ID_PREFIX + shortHash(foundingKey(founder)));
    appender.endRow();
  }
  appender.closeSync();
  // A longer id begins with the usual one.
  const usual = CANONICAL_ID_PREFIX.length + SHORT_HASH_LENGTH;
  const rows = await db.all(
    `SELECT canonical_id FROM dedup_settled SEMI JOIN dedup_wanted w ON w.id = left(canonical_id, ${usual})`,
  );
  return new Set(rows.map((row) => String(row.canonical_id)));
}
