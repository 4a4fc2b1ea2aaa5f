import { WEBHOOK_SLOW_MAX_DELIVERIES, WEBHOOK_SLOW_SECONDS } from '../../contract/limits/limits.ts';
import { API_NAME } from '../../contract/version.ts';
import type { Board } from '../store/board.ts';
import { toMicros } from '../store/instants.ts';
import type { Transaction } from '../store/transaction.ts';
import { insertDelivery, type LoggedDelivery, queuedDelivery, settleDelivery } from './delivery-store.ts';
import type { Dialer, DialResult } from './http.ts';
import { openedSecret } from './kept-secret.ts';
import type { Leases } from './leases.ts';
import { nextMessage } from './next-message.ts';
import { CHALLENGE_TYPE, challengeMessage, type Message, pingMessage } from './payload.ts';
import type { Lane, Turn } from './place-limit.ts';
import { nextAttemptAt, retryAfterAt } from './schedule.ts';
import { signedHeaders } from './signature.ts';
import type { DeliveryRow, WebhookRow } from './tables.ts';
import { placeOf } from './target.ts';
import type { Made, Unstored } from './unstored.ts';
import { updateUnchanged, webhookById } from './webhook-store.ts';

/** Pause of a subscription whose store failed, in milliseconds. */
export const STORE_FAULT_MS = 30_000;

export interface AttemptServices {
  board: Board;
  dialer: Dialer;
  leases: Leases;
  unstored: Unstored;
  /** Of one attempt, from the look-up of the host to the status. */
  timeoutMs: number;
  /** A clock that nobody sets, in milliseconds: how long an attempt took. */
  monotonicMs: () => number;
  /** Aborted when the deliverer stops: an attempt that is under way then counts as not made. */
  stopped: AbortSignal;
}

/**
 * Result of a step: `more` may be sent at once, or as soon as the place has a turn free; `idle` until an event comes;
 * `later`, at `dueAt` (microseconds); `gone` where nothing is to be sent before someone asks for it.
 */
export type Step = {
  /** The lane of the next attempt, where this one says. */
  lane?: Lane;
} & ({ next: 'more' | 'idle' | 'gone' } | { next: 'later'; dueAt: number });

interface Route extends AttemptServices {
  row: WebhookRow;
  turn: Turn;
}

type Judged = Pick<DeliveryRow, 'outcome' | 'status' | 'reason'>;
/** `slow`: deliveries that were slow, less those since then that were not, this one included. Times: microseconds. */
type Sent = Made & { now: number; slow: number };

/**
 * Sends what is next for one subscription, if it is due, and stores what it came to: a queued ping, the challenge of a
 * pending one, or the first event after the cursor. Needs the lease of the subscription, and uses the turn. No transaction is open while it waits for the
 * network. Throws as the store does; what was sent is then kept, and stored at the next call. Sends nothing while the store is known to take no writes.
 */
export async function attemptNext(services: AttemptServices, id: string, turn: Turn): Promise<Step> {
  const step = await nextOf(services, id, turn);
  if (step.next === 'gone') services.unstored.forget(id);
  return step;
}

async function nextOf(services: AttemptServices, id: string, turn: Turn): Promise<Step> {
  const { board, unstored } = services;
  const now = present(board);
  const row = await webhookById(board.read, id, now);
  if (!row) return { next: 'gone' };
  const ping = await queuedDelivery(board.read, id);
  const route = { ...services, row, turn };
  if (ping && !unstored.isBefore(id, ping.message_id)) return sendPing(route, ping);
  if (row.state === 'parked') return { next: 'gone' };
  if (row.state === 'pending' && row.next_attempt_at === null) return { next: 'gone' };
  if (row.next_attempt_at !== null && row.next_attempt_at > now) {
    return { next: 'later', dueAt: row.next_attempt_at, lane: laneOf(row.slow_deliveries) };
  }
  return row.state === 'pending' ? sendChallenge(route) : sendEvent(route);
}

/** One slow delivery is enough for the slow lane; as many quick ones lead out of it again. */
export function laneOf(slowDeliveries: number): Lane {
  return slowDeliveries > 0 ? 'slow' : 'quick';
}

async function sendEvent(route: Route): Promise<Step> {
  const { board, row, unstored } = route;
  const next = await nextMessage(board.read, row);
  if (!next) return { next: unstored.drop(row.id) ? 'more' : 'idle', lane: laneOf(row.slow_deliveries) };
  const { name, ts, message } = next;
  return send(route, message, async (tx, sent) => {
    const judged = judge(sent.result);
    const change =
      judged.outcome === 'delivered' ? { ...succeeded(sent), cursor: ts } : failure(board, row, 'event', sent, judged);
    await updateUnchanged(tx, row, { ...change, slow_deliveries: sent.slow });
    const attempt = row.attempts + 1;
    await log(tx, row, { message_id: message.id, type: name, event_ts: ts, attempt, ...judged }, sent);
  });
}

async function sendChallenge(route: Route): Promise<Step> {
  const { board, row } = route;
  const attempt = row.attempts + 1;
  const message = challengeMessage(row.id, attempt, row.challenge, present(board));
  return send(route, message, async (tx, sent) => {
    const judged = judgeEcho(sent.result, row.challenge);
    const change =
      judged.outcome === 'delivered'
        ? { state: 'active' as const, verified_at: sent.now, attempts: 0, next_attempt_at: null, failing_since: null }
        : failure(board, row, 'challenge', sent, judged);
    await updateUnchanged(tx, row, { ...change, slow_deliveries: sent.slow, updated_at: sent.now });
    await log(tx, row, { message_id: message.id, type: CHALLENGE_TYPE, event_ts: null, attempt, ...judged }, sent);
  });
}

async function sendPing(route: Route, ping: LoggedDelivery): Promise<Step> {
  const { board, row } = route;
  const message = pingMessage(row.id, ping.message_id, present(board));
  return send(route, message, async (tx, sent) => {
    const judged = judge(sent.result);
    await updateUnchanged(tx, row, { slow_deliveries: sent.slow });
    await settleDelivery(tx, ping.id, { ...judged, duration_ms: sent.durationMs, at: sent.startedAt });
  });
}

type Store = (tx: Transaction, sent: Sent) => Promise<void>;

/**
 * Dials when the lease is held and the place has a turn free, and stores what it came to in a write of its own. A lease
 * that was just taken sends nothing yet: what its last holder delivered is read first. What was sent before and could
 * not be stored is stored now and not sent again.
 */
async function send(route: Route, message: Message, store: Store): Promise<Step> {
  const { board, leases, row, unstored } = route;
  // A lease is not renewed either: a board that does take writes may go on when it ends.
  if (!(await takesWrites(board))) return { next: 'later', dueAt: present(board) + STORE_FAULT_MS * 1000 };
  if (!leases.holds(row)) {
    const wait = await leases.take(row.id);
    return wait === 0 ? { next: 'more' } : { next: 'later', dueAt: present(board) + wait * 1000 };
  }
  const made = unstored.of(row, message.id);
  if (made !== null) return { next: 'more', lane: await keep(route, message, made, store) };
  return dial(route, message, store);
}

/** Whether the store took the last write; one that this process has not written to yet is tried. */
async function takesWrites(board: Board): Promise<boolean> {
  const { fault, provenAt } = board.health;
  return fault === null && (provenAt !== null || (await board.prove()));
}

/** Stores what a message came to, and until that is done remembers it. */
async function keep(
  { board, leases, row, unstored }: Route,
  message: Message,
  made: Made,
  store: Store,
): Promise<Lane> {
  const slow = slowAfter(row.slow_deliveries, made.durationMs);
  unstored.keep(row, message.id, made);
  const isTaken = await board.write(async (tx) => {
    const current = await webhookById(tx, row.id, tx.now);
    if (current === undefined) return false;
    // Another board sends the same, and stores what that comes to.
    if (current.fence !== row.fence || current.lease_holder !== row.lease_holder) return true;
    await store(tx, { ...made, now: present(board), slow });
    return false;
  });
  if (isTaken) {
    leases.lost(row.id);
    unstored.drop(row.id);
  } else unstored.forget(row.id);
  return laneOf(slow);
}

async function dial(route: Route, message: Message, store: Store): Promise<Step> {
  const { board, dialer, turn, timeoutMs, monotonicMs, stopped, row } = route;
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), stopped]);
  const startedAt = present(board);
  const startedMs = monotonicMs();
  const settle = (result: DialResult): Promise<Lane> => {
    const durationMs = Math.max(0, Math.round(monotonicMs() - startedMs));
    return keep(route, message, { result, startedAt, durationMs }, store);
  };
  const target = await dialer.locate(row.url, row.attempts, signal);
  if (stopped.aborted) return { next: 'gone' };
  if (!('address' in target)) return { next: 'more', lane: await settle(target) };
  const sentAt = present(board);
  if (!turn.use(placeOf(target.address), sentAt)) return { next: 'more' };
  const { body } = message;
  const wantsReply = row.state === 'pending';
  const result = await dialer.post(
    target,
    { headers: headersOf(board, row, message, sentAt), body, wantsReply },
    signal,
  );
  if (stopped.aborted) return { next: 'gone' };
  return { next: 'more', lane: await settle(result) };
}

/** A quick delivery makes up for a slow one, so that a receiver which is slow now and then stays. */
function slowAfter(slowDeliveries: number, durationMs: number): number {
  return durationMs > WEBHOOK_SLOW_SECONDS * 1000 ? slowDeliveries + 1 : Math.max(0, slowDeliveries - 1);
}

function headersOf(board: Board, row: WebhookRow, { id, body }: Message, now: number): Record<string, string> {
  const overlaps = row.previous_secret !== null && row.previous_until !== null && row.previous_until > now;
  const sealed = overlaps ? [row.secret, row.previous_secret!] : [row.secret];
  const secrets = sealed.map((secret) => openedSecret(board, row.id, secret));
  return {
    'user-agent': `${API_NAME}-webhooks`,
    ...signedHeaders(secrets, id, Math.floor(now / 1_000_000), body),
  };
}

/** What a delivery changes that was acknowledged: a receiver that is slow all the time is parked all the same. */
function succeeded({ slow, now }: Sent) {
  const acknowledged = { attempts: 0, next_attempt_at: null, failing_since: null };
  if (slow < WEBHOOK_SLOW_MAX_DELIVERIES) return acknowledged;
  return { ...acknowledged, state: 'parked' as const, parked_reason: 'slow' as const, updated_at: now };
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

/**
 * Until somebody has proved to own the target, nothing is told about it but whether anything answered. A server that
 * sends back whatever it gets has not read the challenge: its reply holds the type of the message too.
 */
function judgeEcho(result: DialResult, challenge: string): Judged {
  if (result.status === null) return { outcome: 'failed', status: null, reason: 'unreachable' };
  const { reply } = result;
  const echoed = judge(result).outcome === 'delivered' && reply.includes(challenge) && !reply.includes(CHALLENGE_TYPE);
  return echoed
    ? { outcome: 'delivered', status: result.status, reason: null }
    : { outcome: 'failed', status: null, reason: 'no_echo' };
}

/** Adds an attempt to the log. */
async function log(
  tx: Transaction,
  { id }: WebhookRow,
  entry: Pick<DeliveryRow, 'message_id' | 'type' | 'event_ts' | 'attempt'> & Judged,
  sent: Sent,
): Promise<void> {
  await insertDelivery(tx, { ...entry, webhook_id: id, duration_ms: sent.durationMs, at: sent.startedAt });
}

function present(board: Board): number {
  return toMicros(board.effects.now());
}
