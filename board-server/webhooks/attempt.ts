import { API_NAME } from '../../contract/version.ts';
import type { Board } from '../store/board.ts';
import { toMicros } from '../store/instants.ts';
import { nextEvent } from '../store/outbox-store.ts';
import type { Transaction } from '../store/transaction.ts';
import { insertDelivery, type LoggedDelivery, queuedDelivery, settleDelivery } from './delivery-store.ts';
import type { HostLimit } from './host-limit.ts';
import type { Dial, DialResult } from './http.ts';
import { challengeMessage, eventMessage, type Message, pingMessage } from './payload.ts';
import { nextAttemptAt, retryAfterAt } from './schedule.ts';
import { signedHeaders } from './signature.ts';
import type { DeliveryRow, WebhookRow } from './tables.ts';
import { hostOf } from './target.ts';
import { eventsOf, updateUnchanged, webhookById } from './webhook-store.ts';

export interface AttemptServices {
  board: Board;
  dial: Dial;
  hostLimit: HostLimit;
  /** Aborted when the worker stops: what is on its way then is as if it had not been tried. */
  stopped: AbortSignal;
}

/**
 * What a step came to: `more` may be sent at once; `idle` until an event comes; `later`, at `dueAt` (microseconds);
 * `blocked` by the host, `until` a time or, where that is null, until another delivery to it ends; `gone` where nothing
 * is to be sent before someone asks for it.
 */
export type Step =
  | { next: 'more' | 'idle' | 'gone' }
  | { next: 'later'; dueAt: number }
  | { next: 'blocked'; until: number | null };

type Judged = Pick<DeliveryRow, 'outcome' | 'status' | 'reason'>;
type Sent = { result: DialResult; startedAt: number; now: number };

/**
 * Sends what is next for one subscription, if it is due, and stores what it came to: a queued ping, the challenge of a
 * pending one, or the first event after the cursor. No transaction is open while it waits for the network. Throws as the
 * store does; what was sent is then sent again.
 */
export async function attemptNext(services: AttemptServices, id: string): Promise<Step> {
  const { board } = services;
  const now = present(board);
  const row = await webhookById(board.read, id, now);
  if (!row) return { next: 'gone' };
  const ping = await queuedDelivery(board.read, id);
  if (ping) return sendPing(services, row, ping);
  if (row.state === 'parked') return { next: 'gone' };
  if (row.state === 'pending' && row.next_attempt_at === null) return { next: 'gone' };
  if (row.next_attempt_at !== null && row.next_attempt_at > now) return { next: 'later', dueAt: row.next_attempt_at };
  return row.state === 'pending' ? sendChallenge(services, row) : sendEvent(services, row);
}

async function sendEvent(services: AttemptServices, row: WebhookRow): Promise<Step> {
  const next = await nextEvent(services.board.read, eventsOf(row), row.cursor);
  if (!next) return { next: 'idle' };
  const message = eventMessage(next.name, next.event);
  return send(services, row, message, async (tx, sent) => {
    const judged = judge(sent.result);
    const change =
      judged.outcome === 'delivered'
        ? { cursor: next.event.ts, attempts: 0, next_attempt_at: null, failing_since: null }
        : failure(services.board, row, 'event', sent, judged);
    await updateUnchanged(tx, row, change);
    const attempt = row.attempts + 1;
    await log(tx, row, { message_id: message.id, type: next.name, event_ts: next.event.ts, attempt, ...judged }, sent);
  });
}

async function sendChallenge(services: AttemptServices, row: WebhookRow): Promise<Step> {
  const attempt = row.attempts + 1;
  const message = challengeMessage(row.id, attempt, row.challenge, present(services.board));
  return send(services, row, message, async (tx, sent) => {
    const judged = judgeEcho(sent.result, row.challenge);
    const change =
      judged.outcome === 'delivered'
        ? { state: 'active' as const, verified_at: sent.now, attempts: 0, next_attempt_at: null, failing_since: null }
        : failure(services.board, row, 'challenge', sent, judged);
    await updateUnchanged(tx, row, { ...change, updated_at: sent.now });
    await log(tx, row, { message_id: message.id, type: 'webhook.challenge', event_ts: null, attempt, ...judged }, sent);
  });
}

async function sendPing(services: AttemptServices, row: WebhookRow, ping: LoggedDelivery): Promise<Step> {
  const message = pingMessage(row.id, ping.message_id, present(services.board));
  return send(services, row, message, async (tx, sent) => {
    const judged = judge(sent.result);
    await settleDelivery(tx, ping.id, { ...judged, duration_ms: durationMs(sent), at: sent.startedAt });
  });
}

/** Dials when the host has a turn free, and stores what it came to in a write of its own. */
async function send(
  { board, dial, hostLimit, stopped }: AttemptServices,
  row: WebhookRow,
  message: Message,
  store: (tx: Transaction, sent: Sent) => Promise<void>,
): Promise<Step> {
  const host = hostOf(new URL(row.url));
  const startedAt = present(board);
  const wait = hostLimit.take(host, startedAt);
  if (wait > 0) return { next: 'blocked', until: Number.isFinite(wait) ? startedAt + wait : null };
  try {
    const result = await dial(row.url, headersOf(row, message, startedAt), message.body, stopped);
    if (stopped.aborted) return { next: 'gone' };
    await board.write((tx) => store(tx, { result, startedAt, now: present(board) }));
  } finally {
    hostLimit.release(host, present(board));
  }
  return { next: 'more' };
}

function headersOf(row: WebhookRow, { id, body }: Message, now: number): Record<string, string> {
  const overlaps = row.previous_secret !== null && row.previous_until !== null && row.previous_until > now;
  const secrets = overlaps ? [row.secret, row.previous_secret!] : [row.secret];
  return {
    'user-agent': `${API_NAME}-webhooks`,
    ...signedHeaders(secrets, id, Math.floor(now / 1_000_000), body),
  };
}

/** What a failed attempt changes: another one later, or parked when there is none left or the target is gone. */
function failure(board: Board, row: WebhookRow, kind: 'event' | 'challenge', { result, now }: Sent, judged: Judged) {
  const attempts = row.attempts + 1;
  const failing_since = row.failing_since ?? now;
  const parked = (parked_reason: 'gone' | 'exhausted') => ({
    state: 'parked' as const,
    parked_reason,
    attempts,
    failing_since,
    next_attempt_at: null,
    updated_at: now,
  });
  if (judged.reason === 'gone') return parked('gone');
  const asked = result.status === null ? null : retryAfterAt(result.retryAfter, now);
  const jitter = board.effects.random(4).readUInt32BE() / 2 ** 32;
  const next_attempt_at = nextAttemptAt(kind, attempts, now, jitter, asked);
  if (next_attempt_at === null && kind === 'event') return parked('exhausted');
  return { attempts, failing_since, next_attempt_at };
}

function judge(result: DialResult): Judged {
  if (result.status === null) return { outcome: 'failed', status: null, reason: result.reason };
  const { status } = result;
  if (status >= 200 && status < 300) return { outcome: 'delivered', status, reason: null };
  const reason = status === 410 ? 'gone' : status >= 300 && status < 400 ? 'redirect' : 'status';
  return { outcome: 'failed', status, reason };
}

/** Of a target that nobody has proved to own, no more is told than whether anything answered. */
function judgeEcho(result: DialResult, challenge: string): Judged {
  if (result.status === null) return { outcome: 'failed', status: null, reason: 'unreachable' };
  const echoed = judge(result).outcome === 'delivered' && result.reply.includes(challenge);
  return echoed
    ? { outcome: 'delivered', status: result.status, reason: null }
    : { outcome: 'failed', status: null, reason: 'no_echo' };
}

/** Adds an attempt to the log, unless its subscription was deleted meanwhile. */
async function log(
  tx: Transaction,
  { id }: WebhookRow,
  entry: Pick<DeliveryRow, 'message_id' | 'type' | 'event_ts' | 'attempt'> & Judged,
  sent: Sent,
): Promise<void> {
  if (!(await webhookById(tx, id, tx.now))) return;
  await insertDelivery(tx, { ...entry, webhook_id: id, duration_ms: durationMs(sent), at: sent.startedAt });
}

function durationMs({ startedAt, now }: Sent): number {
  return Math.max(0, Math.round((now - startedAt) / 1000));
}

function present(board: Board): number {
  return toMicros(board.effects.now());
}
