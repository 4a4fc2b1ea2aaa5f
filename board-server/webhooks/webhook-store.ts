import type { Updateable } from 'kysely';
import { WEBHOOK_MAX_TOTAL, WEBHOOK_PENDING_HOURS } from '../../contract/limits/limits.ts';
import type { WebhookRecord } from '../../contract/schemas/board/webhook.ts';
import type { WebhookEvent } from '../../contract/webhook-events.ts';
import { toIso } from '../store/instants.ts';
import { type Places, preparedRead } from '../store/prepared.ts';
import type { Reader } from '../store/reader.ts';
import type { Transaction } from '../store/transaction.ts';
import type { WebhookRow } from './tables.ts';

const PENDING_MICROS = WEBHOOK_PENDING_HOURS * 3_600_000_000;

/** One subscription by primary key; undefined for an unknown one and for one that proved nothing in time. */
export async function webhookById(db: Reader, id: string, now: number): Promise<WebhookRow | undefined> {
  const [row] = await db.rows(ofId, { id });
  return row && !(row.state === 'pending' && row.created_at <= now - PENDING_MICROS) ? row : undefined;
}

const ofId = preparedRead((db, { id }: Places<{ id: string }>) =>
  db.selectFrom('webhooks').selectAll().where('id', '=', id),
);

/** Ids, addresses and positions of all that may have something to send; at most WEBHOOK_MAX_TOTAL, in no order. */
export function liveWebhooks(db: Reader): Promise<WebhookRow[]> {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .where('state', 'in', ['pending', 'active'])
    .limit(WEBHOOK_MAX_TOTAL)
    .execute();
}

/** How many subscriptions there are, and how many of this address; both by index. */
export async function countWebhooks(db: Reader, addressHash: string): Promise<{ all: number; own: number }> {
  const { all } = await db
    .selectFrom('webhooks')
    .select((of) => of.fn.countAll<number>().as('all'))
    .executeTakeFirstOrThrow();
  const { own } = await db
    .selectFrom('webhooks')
    .select((of) => of.fn.countAll<number>().as('own'))
    .where('address_hash', '=', addressHash)
    .executeTakeFirstOrThrow();
  return { all, own };
}

/** Removes what proved nothing in time, by the index on state and age; runs inside a write. */
export async function removeLapsed(tx: Transaction, now: number): Promise<void> {
  await tx
    .deleteFrom('webhooks')
    .where('state', '=', 'pending')
    .where('created_at', '<=', now - PENDING_MICROS)
    .execute();
}

/** Changes one subscription by primary key; runs inside a write. */
export async function updateWebhook(tx: Transaction, id: string, change: Updateable<WebhookRow>): Promise<void> {
  await tx.updateTable('webhooks').set(change).where('id', '=', id).execute();
}

/**
 * Changes a subscription unless it was changed since it was read (replayed, resumed, deleted) or another board has taken
 * its lease: then what an attempt came to no longer applies. Says whether it did. Runs inside a write.
 */
export async function updateUnchanged(
  tx: Transaction,
  read: WebhookRow,
  change: Updateable<WebhookRow>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('webhooks')
    .set(change)
    .where('id', '=', read.id)
    .where('state', '=', read.state)
    .where('cursor', '=', read.cursor)
    .where('attempts', '=', read.attempts)
    .where('fence', '=', read.fence)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Removes a subscription and its log, by primary key; runs inside a write. */
export async function deleteWebhookRow(tx: Transaction, id: string): Promise<void> {
  await tx.deleteFrom('webhooks').where('id', '=', id).execute();
}

export function eventsOf(row: Pick<WebhookRow, 'events'>): WebhookEvent[] {
  return JSON.parse(row.events) as WebhookEvent[];
}

/** What the holder of its secret sees of a row. */
export function webhookRecord(row: WebhookRow, now: number): WebhookRecord {
  const instant = (micros: number | null): string | null => (micros === null ? null : toIso(micros));
  const overlaps = row.previous_until !== null && row.previous_until > now;
  return {
    id: row.id,
    url: row.url,
    events: eventsOf(row),
    query: row.query === null ? null : (JSON.parse(row.query) as Record<string, string>),
    state: row.state,
    parkedReason: row.parked_reason,
    deliveredUntil: toIso(row.cursor),
    failedAttempts: row.attempts,
    failingSince: instant(row.failing_since),
    nextAttemptAt: row.attempts === 0 ? null : instant(row.next_attempt_at),
    previousSecretUntil: overlaps ? instant(row.previous_until) : null,
    verifiedAt: instant(row.verified_at),
    createdAt: toIso(row.created_at),
    updatedAt: toIso(row.updated_at),
  };
}
