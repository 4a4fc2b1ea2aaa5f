import { sql } from 'kysely';
import type { EventKind } from '../../contract/ids.ts';
import { atMost } from './planner.ts';
import { type Places, type PreparedWriter, preparedInsert, preparedRead } from './prepared.ts';
import type { Reader } from './reader.ts';
import type { EventRow } from './tables.ts';

/** The newest event, or undefined on an empty board. Primary key; one row. */
export async function newestEvent(db: Reader): Promise<Pick<EventRow, 'ts' | 'hash'> | undefined> {
  return db.rows(newest, {})[0];
}

const newest = preparedRead((db) =>
  db.selectFrom('events').select(['ts', 'hash']).orderBy('ts', 'desc').limit(sql.lit(1)),
);

const insert = preparedInsert('events');

/** Adds an event. */
export function insertEvent(tx: PreparedWriter, row: EventRow): void {
  tx.run(insert, row);
}

interface Between {
  after: number;
  until: number;
  limit: number;
}

const ofAnyKind = preparedRead((db, { after, until, limit }: Places<Between>) =>
  db
    .selectFrom('events')
    .selectAll()
    .where('ts', '>', after)
    .where('ts', '<=', until)
    .orderBy('ts')
    .limit(atMost(limit)),
);
const ofOneKind = preparedRead((db, { after, until, limit, kind }: Places<Between & { kind: EventKind }>) =>
  db
    .selectFrom('events')
    .selectAll()
    .where('ts', '>', after)
    .where('ts', '<=', until)
    .where('kind', '=', kind)
    .orderBy('ts')
    .limit(atMost(limit)),
);

/**
 * Events later than `after` and not later than `until`, of one kind or of all. Oldest first; times are unique, so there
 * are no ties. Primary key, or events_kind with a kind; `limit` rows.
 */
export async function eventsBetween(
  db: Reader,
  { after, until, kind, limit }: { after: number; until: number; kind: EventKind | null; limit: number },
): Promise<EventRow[]> {
  return kind === null
    ? db.rows(ofAnyKind, { after, until, limit })
    : db.rows(ofOneKind, { after, until, limit, kind });
}
