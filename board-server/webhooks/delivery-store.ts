import { type Insertable, sql } from 'kysely';
import { WEBHOOK_LOG_MAX_ITEMS } from '../../contract/limits/limits.ts';
import type { Delivery } from '../../contract/schemas/board/webhook.ts';
import { toIso } from '../store/instants.ts';
import type { PageRange } from '../store/page-range.ts';
import { type Places, preparedRead } from '../store/prepared.ts';
import type { Reader } from '../store/reader.ts';
import type { Transaction } from '../store/transaction.ts';
import type { DeliveryRow } from './tables.ts';

export type LoggedDelivery = Omit<DeliveryRow, 'id'> & { id: number };

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
  const [row] = await db.rows(oldestQueued, { webhookId });
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

/** Sets what a test delivery came to that still waits, by primary key. */
export async function settleDelivery(
  tx: Transaction,
  id: number,
  result: Pick<DeliveryRow, 'outcome' | 'status' | 'reason' | 'duration_ms' | 'at'>,
): Promise<void> {
  await tx.updateTable('deliveries').set(result).where('id', '=', id).where('outcome', '=', 'queued').execute();
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
