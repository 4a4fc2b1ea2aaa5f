import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import {
  WEBHOOK_CONCURRENT_DELIVERIES,
  WEBHOOK_CONCURRENT_PER_OWNER,
  WEBHOOK_CONCURRENT_SLOW,
  WEBHOOK_MAX_TOTAL,
  WEBHOOK_TIMEOUT_SECONDS,
} from '../../contract/limits/limits.ts';
import type { WebhookEvent } from '../../contract/webhook-events.ts';
import type { Board } from '../store/board.ts';
import { toMicros } from '../store/instants.ts';
import { newestOutboxTs, outboxAfter } from '../store/outbox-store.ts';
import { type AttemptServices, attemptNext, laneOf, STORE_FAULT_MS, type Step } from './attempt.ts';
import { webhooksWithQueued } from './delivery-store.ts';
import type { Dialer } from './http.ts';
import { leaseMsFor, leasesOf } from './leases.ts';
import { type Lane, PlaceLimit, type Turn } from './place-limit.ts';
import type { WebhookRow } from './tables.ts';
import { hostOf } from './target.ts';
import { Unstored, type UnstoredCounts } from './unstored.ts';
import { eventsOf, liveWebhooks, webhookById } from './webhook-store.ts';

const SCAN_ROWS = 500;
/** Also finds versions of the trial index that another board has announced. */
const POLL_MS = 5_000;
/** How often subscriptions are looked for that were made or changed through another board, which may have died since. */
const RELOAD_MS = 30_000;

interface Subscription {
  id: string;
  host: string;
  owner: string;
  lane: Lane;
  events: readonly WebhookEvent[];
  updatedAt: number;
  /** `idle` waits for an event, `delayed` for its time, `ready` for a slot and a turn of its place. */
  state: 'idle' | 'delayed' | 'ready' | 'running';
  /** An event or a change came while it was running. */
  again: boolean;
}

/** An attempt under way, as it began: its subscription may change meanwhile. */
interface Run {
  owner: string;
  lane: Lane;
  done: Promise<void>;
}

export interface DelivererOptions {
  board: Board;
  dialer: Dialer;
  log: Logger;
  /** Of one attempt; WEBHOOK_TIMEOUT_SECONDS, where none is given. */
  timeoutMs?: number;
  /** The process's own clock, where none is given. */
  monotonicMs?: () => number;
  /** How long a lease holds, where several boards deliver. */
  leaseMs?: number;
  /** How often subscriptions are looked for that other boards made or changed. */
  reloadMs?: number;
}

/**
 * Delivers events to subscriptions: at least once, in order and one at a time for each subscription, and a bounded
 * number at once over all. Owners take turns; an owner has a part of the slots at most, so have all slow subscriptions
 * together, and so has each place, the address that hosts lead to. Of several boards, the one that holds the lease of a
 * subscription delivers for it; the limits hold for each board.
 *
 * Holds every live subscription in memory, at most WEBHOOK_MAX_TOTAL; the store is read for one only when an event, the
 * clock or its owner gave a reason and its place has a turn free.
 */
export class Deliverer implements AsyncDisposable {
  readonly #board: Board;
  readonly #log: Logger;
  readonly #attempt: AttemptServices;
  readonly #reloadMs: number;
  #reloadedAt: number;
  readonly #stop = new AbortController();
  readonly #subscriptions = new Map<string, Subscription>();
  /** By owner; the owner that was served last stands last. */
  readonly #ready = new Map<string, Set<Subscription>>();
  /** Times of those that are delayed, in microseconds. */
  readonly #delayed = new Map<string, number>();
  readonly #running = new Map<string, Run>();
  readonly #placeLimit = new PlaceLimit();
  /** Where hosts led to when they were looked up last: those of one place wait without another look-up. */
  readonly #places = new LRUCache<string, string>({ max: WEBHOOK_MAX_TOTAL });
  readonly #reloads = new Set<Promise<void>>();
  #seen = 0;
  #scan: Promise<void> | null = null;
  #scanAgain = false;
  #timer: NodeJS.Timeout | null = null;

  private constructor({ board, dialer, log, timeoutMs, monotonicMs, leaseMs, reloadMs }: DelivererOptions) {
    const clock = monotonicMs ?? (() => performance.now());
    const attemptMs = timeoutMs ?? WEBHOOK_TIMEOUT_SECONDS * 1000;
    this.#board = board;
    this.#log = log;
    this.#attempt = {
      board,
      dialer,
      leases: leasesOf(board, leaseMs ?? leaseMsFor(attemptMs), clock),
      unstored: new Unstored(),
      timeoutMs: attemptMs,
      monotonicMs: clock,
      stopped: this.#stop.signal,
    };
    this.#reloadMs = reloadMs ?? RELOAD_MS;
    this.#reloadedAt = clock();
  }

  /** Takes up what an earlier process left undone, then follows the board. Throws as the store does. */
  static async start(options: DelivererOptions): Promise<Deliverer> {
    const deliverer = new Deliverer(options);
    const { board } = options;
    deliverer.#seen = await newestOutboxTs(board.read);
    for (const row of await liveWebhooks(board.read)) {
      deliverer.#enter(row);
      if (row.state === 'pending' || row.cursor < deliverer.#seen) deliverer.#touch(row.id);
    }
    for (const id of await webhooksWithQueued(board.read, WEBHOOK_MAX_TOTAL)) deliverer.changed(id);
    board.committed.on('event', deliverer.#onEvent);
    deliverer.wake();
    return deliverer;
  }

  /** Deliveries that the store did not take. */
  get unstored(): UnstoredCounts {
    return this.#attempt.unstored.counts;
  }

  /** Call it for every subscription that was made, changed or deleted, after the commit. */
  changed(id: string): void {
    if (this.#stop.signal.aborted) return;
    const reload = this.#reload(id)
      .catch((error: unknown) => {
        this.#log.error({ err: error, webhook: id }, 'a webhook could not be read');
        this.#delay(id, this.#now() + STORE_FAULT_MS * 1000);
      })
      .finally(() => {
        this.#reloads.delete(reload);
        this.#pump();
      });
    this.#reloads.add(reload);
  }

  /** Looks at the outbox and the clock now. */
  wake(): void {
    if (this.#stop.signal.aborted) return;
    if (this.#scan !== null) {
      this.#scanAgain = true;
      return;
    }
    this.#scan = this.#scanAll()
      .catch((error: unknown) => this.#log.error({ err: error }, 'the webhook outbox could not be read'))
      .finally(() => {
        this.#scan = null;
        this.#pump();
        if (this.#scanAgain) {
          this.#scanAgain = false;
          this.wake();
        }
      });
  }

  /** Resolves once nothing is being sent and nothing is due by the clock; for tests and draining. */
  async settled(): Promise<void> {
    do {
      this.wake();
      while (this.#scan !== null) await this.#scan;
      await Promise.all([...this.#reloads, ...this.#attempts()]);
    } while (!this.#stop.signal.aborted && this.#isBusy());
  }

  /** Gives up what is on its way, which is sent again by the next process. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#board.committed.off('event', this.#onEvent);
    if (this.#timer !== null) clearTimeout(this.#timer);
    await Promise.all([this.#scan, ...this.#reloads, ...this.#attempts()]);
    const { waiting } = this.unstored;
    if (waiting > 0)
      this.#log.warn({ deliveries: waiting }, 'deliveries were made and not stored: they are made again');
    // Where this fails, they end by themselves.
    await this.#attempt.leases.release().catch(() => undefined);
  }

  #attempts(): Promise<void>[] {
    return [...this.#running.values()].map(({ done }) => done);
  }

  #isBusy(): boolean {
    return this.#scan !== null || this.#running.size + this.#reloads.size > 0;
  }

  readonly #onEvent = (): void => this.wake();

  async #reload(id: string): Promise<void> {
    const row = await webhookById(this.#board.read, id, this.#now());
    if (!row) this.#forget(id);
    else this.#enter(row);
    this.#touch(id);
  }

  /** Takes a subscription as it is stored now; what it waits for stays. */
  #enter(row: WebhookRow): void {
    const known = this.#subscriptions.get(row.id);
    const { state, again } = known ?? { state: this.#running.has(row.id) ? 'running' : 'idle', again: false };
    if (known?.state === 'ready') this.#leaveReady(known);
    const subscription: Subscription = {
      id: row.id,
      host: hostOf(new URL(row.url)),
      owner: row.owner_hash,
      lane: laneOf(row.slow_deliveries),
      events: eventsOf(row),
      updatedAt: row.updated_at,
      state,
      again,
    };
    this.#subscriptions.set(row.id, subscription);
    if (state === 'ready') this.#makeReady(subscription);
  }

  #forget(id: string): void {
    const known = this.#subscriptions.get(id);
    if (known?.state === 'ready') this.#leaveReady(known);
    this.#subscriptions.delete(id);
    this.#delayed.delete(id);
  }

  /** Has a subscription looked at as soon as there is a slot and its place takes another. */
  #touch(id: string): void {
    const known = this.#subscriptions.get(id);
    if (known?.state === 'running') known.again = true;
    if (known?.state !== 'idle' && known?.state !== 'delayed') return;
    this.#delayed.delete(id);
    this.#makeReady(known);
  }

  #makeReady(subscription: Subscription): void {
    subscription.state = 'ready';
    const own = this.#ready.get(subscription.owner) ?? new Set();
    this.#ready.set(subscription.owner, own.add(subscription));
  }

  /** Its owner goes behind the others, or leaves with its last one. */
  #leaveReady(subscription: Subscription): void {
    const { owner } = subscription;
    const own = this.#ready.get(owner);
    own?.delete(subscription);
    this.#ready.delete(owner);
    if (own !== undefined && own.size > 0) this.#ready.set(owner, own);
  }

  #delay(id: string, dueAt: number): void {
    const known = this.#subscriptions.get(id);
    if (known?.state !== 'idle' && known?.state !== 'running') return;
    known.state = 'delayed';
    this.#delayed.set(id, dueAt);
  }

  async #scanAll(): Promise<void> {
    const { leases, monotonicMs } = this.#attempt;
    if (leases.areShared && monotonicMs() >= this.#reloadedAt + this.#reloadMs) await this.#reloadAll();
    await this.#scanOutbox();
  }

  /** Finds subscriptions that were made or changed through another board, and pings that wait. */
  async #reloadAll(): Promise<void> {
    this.#reloadedAt = this.#attempt.monotonicMs();
    for (const row of await liveWebhooks(this.#board.read)) {
      if (this.#subscriptions.get(row.id)?.updatedAt === row.updated_at) continue;
      this.#enter(row);
      this.#touch(row.id);
    }
    for (const id of await webhooksWithQueued(this.#board.read, WEBHOOK_MAX_TOTAL)) this.changed(id);
  }

  async #scanOutbox(): Promise<void> {
    for (;;) {
      const rows = await outboxAfter(this.#board.read, this.#seen, SCAN_ROWS);
      const names = new Set(rows.map(({ event_name }) => event_name));
      if (names.size > 0) this.#announce(names);
      this.#seen = rows.at(-1)?.event_ts ?? this.#seen;
      if (rows.length < SCAN_ROWS) return;
    }
  }

  /** Subscriptions that wait for a time or a turn go on waiting: they find the event when they come to it. */
  #announce(names: ReadonlySet<WebhookEvent>): void {
    for (const { id, state, events } of this.#subscriptions.values()) {
      const isListening = state === 'idle' || state === 'running';
      if (isListening && events.some((name) => names.has(name))) this.#touch(id);
    }
  }

  /** Starts what has a slot and a turn, and sets the clock for the rest. */
  #pump(): void {
    if (this.#stop.signal.aborted) return;
    const now = this.#now();
    let earliest = now + POLL_MS * 1000;
    for (const [id, dueAt] of this.#delayed) {
      if (dueAt <= now) this.#touch(id);
      else earliest = Math.min(earliest, dueAt);
    }
    while (this.#running.size < WEBHOOK_CONCURRENT_DELIVERIES) {
      const next = this.#next(now);
      if ('turn' in next) this.#begin(next.subscription, next.turn);
      else {
        earliest = Math.min(earliest, next.earliest);
        break;
      }
    }
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.wake(), Math.max(10, Math.ceil((earliest - now) / 1000)));
    this.#timer.unref();
  }

  /** The next one that may go, of the owner that has waited longest; or when the pace of a place lets one go. */
  #next(now: number): { subscription: Subscription; turn: Turn } | { earliest: number } {
    const running = [...this.#running.values()];
    const isSlowFull = running.filter(({ lane }) => lane === 'slow').length >= WEBHOOK_CONCURRENT_SLOW;
    let earliest = Number.POSITIVE_INFINITY;
    for (const [owner, waiting] of this.#ready) {
      if (running.filter((run) => run.owner === owner).length >= WEBHOOK_CONCURRENT_PER_OWNER) continue;
      for (const subscription of waiting) {
        const { host, lane } = subscription;
        if (lane === 'slow' && isSlowFull) continue;
        const turn = this.#placeLimit.take(lane, this.#places.get(host) ?? host, now);
        if (typeof turn !== 'number') return { subscription, turn };
        earliest = Math.min(earliest, now + turn);
      }
    }
    return { earliest };
  }

  #begin(subscription: Subscription, turn: Turn): void {
    this.#leaveReady(subscription);
    subscription.state = 'running';
    subscription.again = false;
    const { id, owner, lane } = subscription;
    const done = this.#run(subscription, turn).finally(() => this.#pump());
    this.#running.set(id, { owner, lane, done });
  }

  async #run({ id, host }: Subscription, turn: Turn): Promise<void> {
    const step = await attemptNext(this.#attempt, id, turn).catch((error: unknown): Step => {
      this.#log.error({ err: error, webhook: id }, 'a webhook delivery could not be stored');
      return { next: 'later', dueAt: this.#now() + STORE_FAULT_MS * 1000 };
    });
    this.#places.set(host, turn.place);
    turn.release(this.#now());
    this.#running.delete(id);
    const subscription = this.#subscriptions.get(id);
    if (subscription === undefined) return;
    if (step.lane !== undefined) subscription.lane = step.lane;
    if (subscription.again || step.next === 'more') this.#makeReady(subscription);
    else if (step.next === 'later') this.#delay(id, step.dueAt);
    else if (step.next === 'gone') this.#forget(id);
    else subscription.state = 'idle';
  }

  #now(): number {
    return toMicros(this.#board.effects.now());
  }
}
