import type { Kysely } from 'kysely';
import type { EventKind } from '../../contract/ids.ts';
import type { BoardTables, EventRow } from './tables.ts';

/** The newest event, or undefined on an empty board. Primary key; one row. */
export async function newestEvent(db: Kysely<BoardTables>): Promise<Pick<EventRow, 'ts' | 'hash'> | undefined> {
  return db.selectFrom('events').select(['ts', 'hash']).orderBy('ts', 'desc').limit(1).executeTakeFirst();
}

/**
 * Events later than `after` and not later than `until`, of one kind or of all. Oldest first; times are unique, so there
 * are no ties. Primary key, or events_kind with a kind; `limit` rows.
 */
export async function eventsBetween(
  db: Kysely<BoardTables>,
  { after, until, kind, limit }: { after: number; until: number; kind: EventKind | null; limit: number },
): Promise<EventRow[]> {
  let query = db.selectFrom('events').selectAll().where('ts', '>', after).where('ts', '<=', until);
  if (kind !== null) query = query.where('kind', '=', kind);
  return query.orderBy('ts').limit(limit).execute();
}
