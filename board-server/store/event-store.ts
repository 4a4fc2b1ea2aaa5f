import { sql } from 'kysely';
import type { EventAbout } from '../../contract/event-abouts.ts';
import type { EventKind } from '../../contract/ids.ts';
import { atMost } from './planner.ts';
import { type Places, type PreparedWriter, preparedInsert, preparedRead } from './prepared.ts';
import type { Reader } from './reader.ts';
import type { EventRow } from './tables.ts';

/** The newest event, or undefined on an empty board. Primary key; one row. */
export async function newestEvent(db: Reader): Promise<Pick<EventRow, 'ts' | 'hash'> | undefined> {
  return (await db.rows(newest, {}))[0];
}

const newest = preparedRead((db) =>
  db.selectFrom('events').select(['ts', 'hash']).orderBy('ts', 'desc').limit(sql.lit(1)),
);

const insert = preparedInsert('events');

/** Adds an event. */
export function insertEvent(tx: PreparedWriter, row: EventRow): Promise<void> {
  return tx.run(insert, row);
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

const aboutOne = preparedRead((db, { after, until, limit, about }: Places<Between & { about: EventAbout }>) =>
  db
    .selectFrom('events')
    .selectAll()
    .where('ts', '>', after)
    .where('ts', '<=', until)
    .where('about', '=', about)
    .orderBy('ts')
    .limit(atMost(limit)),
);

const announced = preparedRead((db, { after, limit }: Places<{ after: number; limit: number }>) =>
  db.selectFrom('events').select(['ts', 'kind', 'about']).where('ts', '>', after).orderBy('ts').limit(atMost(limit)),
);

/** What readers who wait are told of the events after a time, oldest first. Primary key; `limit` rows. */
export function announcedAfter(
  db: Reader,
  after: number,
  limit: number,
): Promise<Pick<EventRow, 'ts' | 'kind' | 'about'>[]> {
  return db.rows(announced, { after, limit });
}

/** Which events a reader wants: of one kind, about one thing, or all. An `about` lies within one kind and stands for it. */
export interface EventFilter {
  kind?: EventKind | null;
  about?: EventAbout | null;
}

/**
 * Events later than `after` and not later than `until` that the filter lets through. Oldest first; times are unique, so
 * there are no ties. Primary key, events_kind or events_about; `limit` rows.
 */
export async function eventsBetween(
  db: Reader,
  { after, until, kind = null, about = null, limit }: EventFilter & { after: number; until: number; limit: number },
): Promise<EventRow[]> {
  if (about !== null) return db.rows(aboutOne, { after, until, limit, about });
  return kind === null
    ? db.rows(ofAnyKind, { after, until, limit })
    : db.rows(ofOneKind, { after, until, limit, kind });
}

export function letsThrough(
  { kind = null, about = null }: EventFilter,
  event: { kind: EventKind; about: EventAbout },
): boolean {
  return (kind === null || kind === event.kind) && (about === null || about === event.about);
}
