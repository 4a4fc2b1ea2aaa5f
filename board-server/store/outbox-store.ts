import { type Insertable, sql } from 'kysely';
import type { WebhookEvent } from '../../contract/ids.ts';
import { WEBHOOK_LOG_MAX_ITEMS } from '../../contract/limits.ts';
import type { Delivery } from '../../contract/schemas/webhook.ts';
import { toIso } from './instants.ts';
import type { PageRange } from './page-range.ts';
import { atMost } from './planner.ts';
import { type Places, preparedInsert, preparedRead } from './prepared.ts';
import type { Reader } from './reader.ts';
import type { DeliveryRow, EventRow, OutboxRow } from './tables.ts';
import type { Transaction } from './transaction.ts';

export type LoggedDelivery = Omit<DeliveryRow, 'id'> & { id: number };

/** Lets webhooks hear of an event; runs inside the write of the event itself. */
export function insertOutbox(tx: Transaction, ts: number, name: string): void {
  tx.run(insertRow, { event_ts: ts, event_name: name as WebhookEvent });
}

const insertRow = preparedInsert('outbox');

/** Time of the newest event that webhooks hear of, by primary key; 0 without one. */
export async function newestOutboxTs(db: Reader): Promise<number> {
  const row = await db.selectFrom('outbox').select('event_ts').orderBy('event_ts', 'desc').limit(1).executeTakeFirst();
  return row?.event_ts ?? 0;
}

/** At most `limit` outbox rows after `ts`, oldest first, by primary key. */
export function outboxAfter(db: Reader, ts: number, limit: number): OutboxRow[] {
  return db.rows(after, { ts, limit });
}

const after = preparedRead((db, { ts, limit }: Places<{ ts: number; limit: number }>) =>
  db.selectFrom('outbox').selectAll().where('event_ts', '>', ts).orderBy('event_ts').limit(atMost(limit)),
);

/** The first event after `ts` under any of the names: one step in the index on name and time for each name. */
export async function nextEvent(
  db: Reader,
  names: readonly WebhookEvent[],
  ts: number,
): Promise<{ name: WebhookEvent; event: EventRow } | null> {
  let first: OutboxRow | null = null;
  for (const name of names) {
    const [row] = db.rows(firstOfName, { name, ts });
    if (row && (first === null || row.event_ts < first.event_ts)) first = row;
  }
  if (first === null) return null;
  const [event] = db.rows(eventAt, { ts: first.event_ts });
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

/** Adds an attempt to the log and drops what the log has no room for, both by the index on subscription and id. */
export async function insertDelivery(tx: Transaction, row: Insertable<DeliveryRow>): Promise<number> {
  const { id } = await tx.insertInto('deliveries').values(row).returning('id').executeTakeFirstOrThrow();
  const oldest = tx
    .selectFrom('deliveries')
    .select('id')
    .where('webhook_id', '=', row.webhook_id)
    .orderBy('id', 'desc')
    .limit(1)
    .offset(WEBHOOK_LOG_MAX_ITEMS);
  await tx.deleteFrom('deliveries').where('webhook_id', '=', row.webhook_id).where('id', '<=', oldest).execute();
  return id;
}

/** The oldest test delivery that waits to be sent, by the partial index of queued ones. */
export async function queuedDelivery(db: Reader, webhookId: string): Promise<LoggedDelivery | undefined> {
  const [row] = db.rows(oldestQueued, { webhookId });
  return row;
}

const oldestQueued = preparedRead((db, { webhookId }: Places<{ webhookId: string }>) =>
  db
    .selectFrom('deliveries')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .where(sql<boolean>`outcome = 'queued'`)
    .orderBy('id')
    .limit(sql.lit(1)),
);

/** Ids of subscriptions with a test delivery that waits, at most `limit`, by the partial index of queued ones. */
export async function webhooksWithQueued(db: Reader, limit: number): Promise<string[]> {
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
  tx: Transaction,
  id: number,
  result: Pick<DeliveryRow, 'outcome' | 'status' | 'reason' | 'duration_ms' | 'at'>,
): Promise<void> {
  await tx.updateTable('deliveries').set(result).where('id', '=', id).execute();
}

/** A page of the log, newest first by `id`, and how many there are, by deliveries_webhook; the log is bounded. */
export async function deliveriesOf(
  db: Reader,
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
