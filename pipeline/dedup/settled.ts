import { readFile } from 'node:fs/promises';
import type { Database } from '../store/database.ts';
import { CANONICAL_ID_PREFIX, foundingKey, type HeldRegistration } from './canonical-ids.ts';
import type { Merge } from './resolve.ts';
import { SHORT_HASH_LENGTH, shortHash } from './short-hash.ts';

/**
 * Finds the registrations for which this run has nothing to decide (settled.sql): nearly all on most days. They go into the
 * temporary table `dedup_settled` (canonical_id, registry, id). Needs resolved targets. Returns their number.
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

/** Makes an empty `dedup_settled`, for a ledger from outside the working database. */
export async function settleNothing(db: Database): Promise<number> {
  await db.run('CREATE OR REPLACE TEMP TABLE dedup_settled (canonical_id VARCHAR, registry VARCHAR, id VARCHAR)');
  return 0;
}

/** Ids of settled trials that could collide with a new id founded by one of these registrations. */
export async function settledIdsNear(db: Database, founders: readonly HeldRegistration[]): Promise<Set<string>> {
  await db.run('CREATE OR REPLACE TEMP TABLE dedup_wanted (id VARCHAR)');
  const appender = await db.appender('dedup_wanted');
  for (const founder of founders) {
    appender.appendVarchar(CANONICAL_ID_PREFIX + shortHash(foundingKey(founder)));
    appender.endRow();
  }
  appender.closeSync();
  // An id of more characters begins with the usual one.
  const usual = CANONICAL_ID_PREFIX.length + SHORT_HASH_LENGTH;
  const rows = await db.all(
    `SELECT canonical_id FROM dedup_settled SEMI JOIN dedup_wanted w ON w.id = left(canonical_id, ${usual})`,
  );
  return new Set(rows.map((row) => String(row.canonical_id)));
}
