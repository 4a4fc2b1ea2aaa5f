import { sql } from 'kysely';
import { WEBHOOK_EVENTS } from '../../contract/ids.ts';
import type { WebhookEvent } from '../../contract/webhook-events.ts';
import { atMost } from './planner.ts';
import { type Places, type PreparedWriter, preparedInsert, preparedRead } from './prepared.ts';
import type { Reader } from './reader.ts';
import type { EventRow, OutboxRow } from './tables.ts';

/** Adds an event for webhooks; runs inside the write of the event itself. */
export function insertOutbox(tx: PreparedWriter, ts: number, name: string): Promise<void> {
  return tx.run(insertRow, { event_ts: ts, event_name: name as WebhookEvent });
}

const insertRow = preparedInsert('outbox');

/** Time of the first outbox row of a name after a time; null without one. One step in the index on name and time. */
export async function firstOutboxOf(db: Reader, name: WebhookEvent, ts: number): Promise<number | null> {
  const [row] = await db.rows(firstOfName, { name, ts });
  return row?.event_ts ?? null;
}

/** Time of the newest event that webhooks hear of, by primary key; 0 without one. */
export async function newestOutboxTs(db: Reader): Promise<number> {
  const row = await db.selectFrom('outbox').select('event_ts').orderBy('event_ts', 'desc').limit(1).executeTakeFirst();
  return row?.event_ts ?? 0;
}

/** At most `limit` outbox rows after `ts`, oldest first, by primary key. */
export function outboxAfter(db: Reader, ts: number, limit: number): Promise<OutboxRow[]> {
  return db.rows(after, { ts, limit });
}

const after = preparedRead((db, { ts, limit }: Places<{ ts: number; limit: number }>) =>
  db.selectFrom('outbox').selectAll().where('event_ts', '>', ts).orderBy('event_ts').limit(atMost(limit)),
);

/** The first event of the board after `ts` under any of the names: one step in the index on name and time for each name. */
export async function nextEvent(
  db: Reader,
  names: readonly WebhookEvent[],
  ts: number,
): Promise<{ name: WebhookEvent; event: EventRow } | null> {
  let first: OutboxRow | null = null;
  for (const name of WEBHOOK_EVENTS.filter((one) => names.includes(one))) {
    const [row] = await db.rows(firstOfName, { name, ts });
    if (row && (first === null || row.event_ts < first.event_ts)) first = row;
  }
  if (first === null) return null;
  const [event] = await db.rows(eventAt, { ts: first.event_ts });
  if (event === undefined) throw new Error(`no event lies at ${first.event_ts}, which the outbox names`);
  return { name: first.event_name, event };
}

const eventAt = preparedRead((db, { ts }: Places<{ ts: number }>) =>
  db.selectFrom('events').selectAll().where('ts', '=', ts),
);

const firstOfName = preparedRead((db, { name, ts }: Places<{ name: WebhookEvent; ts: number }>) =>
  db
    .selectFrom('outbox')
    .selectAll()
    .where('event_name', '=', name)
    .where('event_ts', '>', ts)
    .orderBy('event_ts')
    .limit(sql.lit(1)),
);
