import { type Insertable, type Kysely, sql } from 'kysely';
import type { WebhookEvent } from '../../contract/ids.ts';
import { WEBHOOK_LOG_MAX_ITEMS } from '../../contract/limits.ts';
import type { Delivery } from '../../contract/schemas/webhook.ts';
import { toIso } from './instants.ts';
import type { PageRange } from './page-range.ts';
import { compiledOnce } from './prepared.ts';
import type { BoardTables, DeliveryRow, EventRow, OutboxRow } from './tables.ts';

type Db = Kysely<BoardTables>;
export type LoggedDelivery = Omit<DeliveryRow, 'id'> & { id: number };

/** Lets webhooks hear of an event; runs inside the write of the event itself. */
export async function insertOutbox(db: Db, ts: number, name: string): Promise<void> {
  await insertRow(db, { event_ts: ts, event_name: name as WebhookEvent });
}

const insertRow = compiledOnce((db, row: OutboxRow) => db.insertInto('outbox').values(row));

/** Time of the newest event that webhooks hear of, by primary key; 0 without one. */
export async function newestOutboxTs(db: Db): Promise<number> {
  const row = await db.selectFrom('outbox').select('event_ts').orderBy('event_ts', 'desc').limit(1).executeTakeFirst();
  return row?.event_ts ?? 0;
}

/** At most `limit` outbox rows after `ts`, oldest first, by primary key. */
export function outboxAfter(db: Db, ts: number, limit: number): Promise<OutboxRow[]> {
  return after(db, { ts, limit });
}

const after = compiledOnce((db, { ts, limit }: { ts: number; limit: number }) =>
  db.selectFrom('outbox').selectAll().where('event_ts', '>', ts).orderBy('event_ts').limit(limit),
);

/** The first event after `ts` under any of the names: one step in the index on name and time for each name. */
export async function nextEvent(
  db: Db,
  names: readonly WebhookEvent[],
  ts: number,
): Promise<{ name: WebhookEvent; event: EventRow } | null> {
  let first: OutboxRow | null = null;
  for (const name of names) {
    const [row] = await firstOfName(db, { name, ts });
    if (row && (first === null || row.event_ts < first.event_ts)) first = row;
  }
  if (first === null) return null;
  const [event] = await eventAt(db, { ts: first.event_ts });
  if (event === undefined) throw new Error(`no event lies at ${first.event_ts}, which the outbox names`);
  return { name: first.event_name, event };
}

const eventAt = compiledOnce((db, { ts }: { ts: number }) => db.selectFrom('events').selectAll().where('ts', '=', ts));

const firstOfName = compiledOnce((db, { name, ts }: { name: WebhookEvent; ts: number }) =>
  db
    .selectFrom('outbox')
    .selectAll()
    .where('event_name', '=', name)
    .where('event_ts', '>', ts)
    .orderBy('event_ts')
    .limit(1),
);

/** Adds an attempt to the log and drops what the log has no room for, both by the index on subscription and id. */
export async function insertDelivery(db: Db, row: Insertable<DeliveryRow>): Promise<number> {
  const { id } = await db.insertInto('deliveries').values(row).returning('id').executeTakeFirstOrThrow();
  const oldest = db
    .selectFrom('deliveries')
    .select('id')
    .where('webhook_id', '=', row.webhook_id)
    .orderBy('id', 'desc')
    .limit(1)
    .offset(WEBHOOK_LOG_MAX_ITEMS);
  await db.deleteFrom('deliveries').where('webhook_id', '=', row.webhook_id).where('id', '<=', oldest).execute();
  return id;
}

/** The oldest test delivery that waits to be sent, by the partial index of queued ones. */
export async function queuedDelivery(db: Db, webhookId: string): Promise<LoggedDelivery | undefined> {
  const [row] = await oldestQueued(db, { webhookId });
  return row;
}

const oldestQueued = compiledOnce((db, { webhookId }: { webhookId: string }) =>
  db
    .selectFrom('deliveries')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .where(sql<boolean>`outcome = 'queued'`)
    .orderBy('id')
    .limit(1),
);

/** Ids of subscriptions with a test delivery that waits, at most `limit`, by the partial index of queued ones. */
export async function webhooksWithQueued(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('deliveries')
    .select('webhook_id')
    .distinct()
    .where(sql<boolean>`outcome = 'queued'`)
    .limit(limit)
    .execute();
  return rows.map(({ webhook_id }) => webhook_id);
}

/** Sets what a test delivery came to, by primary key. */
export async function settleDelivery(
  db: Db,
  id: number,
  result: Pick<DeliveryRow, 'outcome' | 'status' | 'reason' | 'duration_ms' | 'at'>,
): Promise<void> {
  await db.updateTable('deliveries').set(result).where('id', '=', id).execute();
}

/** A page of the log, newest first by `id`, and how many there are, by deliveries_webhook; the log is bounded. */
export async function deliveriesOf(
  db: Db,
  webhookId: string,
  failed: boolean | undefined,
  range: PageRange,
): Promise<{ rows: LoggedDelivery[]; total: number }> {
  let query = db.selectFrom('deliveries').where('webhook_id', '=', webhookId);
  if (failed !== undefined) query = query.where('outcome', failed ? '=' : '!=', 'failed');
  const { total } = await query.select((of) => of.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  if (range.after !== null) query = query.where('id', '<', range.after);
  const rows = await query.selectAll().orderBy('id', 'desc').limit(range.limit).offset(range.offset).execute();
  return { rows, total };
}

/** What the holder of the subscription sees of an attempt. */
export function deliveryRecord(row: LoggedDelivery): Delivery {
  return {
    id: row.id,
    messageId: row.message_id,
    type: row.type,
    eventTs: row.event_ts === null ? null : toIso(row.event_ts),
    attempt: row.attempt,
    outcome: row.outcome,
    status: row.status,
    reason: row.reason,
    durationMs: row.duration_ms,
    at: toIso(row.at),
  };
}
