import type { Kysely } from 'kysely';
import type { EventKind } from '../../contract/ids.ts';
import { compiledOnce } from './prepared.ts';
import type { BoardTables, EventRow } from './tables.ts';

/** The newest event, or undefined on an empty board. Primary key; one row. */
export async function newestEvent(db: Kysely<BoardTables>): Promise<Pick<EventRow, 'ts' | 'hash'> | undefined> {
  return (await newest(db, {}))[0];
}

const newest = compiledOnce((db) => db.selectFrom('events').select(['ts', 'hash']).orderBy('ts', 'desc').limit(1));

/** Adds an event; runs inside a write. */
export async function insertEvent(db: Kysely<BoardTables>, row: EventRow): Promise<void> {
  await insert(db, row);
}

const insert = compiledOnce((db, row: EventRow) => db.insertInto('events').values(row));

interface Between {
  after: number;
  until: number;
  limit: number;
}

const between = (db: Kysely<BoardTables>, { after, until, limit }: Between) =>
  db.selectFrom('events').selectAll().where('ts', '>', after).where('ts', '<=', until).orderBy('ts').limit(limit);
const ofAnyKind = compiledOnce(between);
const ofOneKind = compiledOnce((db, { kind, ...range }: Between & { kind: EventKind }) =>
  between(db, range).where('kind', '=', kind),
);

/**
 * Events later than `after` and not later than `until`, of one kind or of all. Oldest first; times are unique, so there
 * are no ties. Primary key, or events_kind with a kind; `limit` rows.
 */
export async function eventsBetween(
  db: Kysely<BoardTables>,
  { after, until, kind, limit }: { after: number; until: number; kind: EventKind | null; limit: number },
): Promise<EventRow[]> {
  return kind === null ? ofAnyKind(db, { after, until, limit }) : ofOneKind(db, { after, until, kind, limit });
}
