import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import {
  WEBHOOK_CONCURRENT_DELIVERIES,
  WEBHOOK_CONCURRENT_PER_OWNER,
  WEBHOOK_CONCURRENT_SLOW,
  WEBHOOK_MAX_TOTAL,
  WEBHOOK_TIMEOUT_SECONDS,
} from '../../contract/limits/limits.ts';
import { EVERY_WEBHOOK_EVENT, type WebhookEvent } from '../../contract/webhook-events.ts';
import type { Board } from '../store/board.ts';
import { toMicros } from '../store/instants.ts';
import { newestOutboxTs, outboxAfter } from '../store/outbox-store.ts';
import { type AttemptServices, attemptNext, laneOf, STORE_FAULT_MS, type Step } from './attempt.ts';
import { webhooksWithQueued } from './delivery-store.ts';
import { DueTimes } from './due-times.ts';
import { FairLine } from './fair-line.ts';
import type { Dialer } from './http.ts';
import { leaseMsFor, leasesOf } from './leases.ts';
import { type Lane, PlaceLimit, SPACING_MICROS, turnName } from './place-limit.ts';
import type { WebhookRow } from './tables.ts';
import { hostOf } from './target.ts';
import { Unstored, type UnstoredCounts } from './unstored.ts';
import { eventsOf, liveWebhooks, webhookById } from './webhook-store.ts';

const SCAN_ROWS = 500;
/** Also finds versions of the trial index that another board has announced. */
const POLL_MS = 5_000;
/** How often subscriptions are looked for that were made or changed through another board, which may have died since. */
const RELOAD_MS = 30_000;

interface Entry {
  host: string;
  owner: string;
  lane: Lane;
  events: readonly WebhookEvent[];
  updatedAt: number;
  /** `idle` listens to events, `delayed` waits for its time, `waiting` in the line of its place. */
  state: 'idle' | 'ready' | 'running' | 'delayed' | 'waiting';
  /** Asked for again while it runs. */
  again: boolean;
  /** The turn that it was given, if it was let out of a line. */
  turn: string | null;
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
 * number at once over all. Owners take turns at the slots and at each place; an owner has a part of the slots at most, and so have all slow
 * subscriptions together. A place is an address that hosts lead to. Of several boards, the one that holds the lease of a
 * subscription delivers for it; the limits hold for each board.
 *
 * Holds one entry in memory for each subscription that may have something to send; the store is read for a subscription
 * only when an event, the clock or its owner gave a reason. The cost of an event, or of a delivery that ended, does not
 * grow with the number of subscriptions that wait for a time or for their place.
 */
export class Deliverer implements AsyncDisposable {
  readonly #board: Board;
  readonly #log: Logger;
  readonly #attempt: AttemptServices;
  readonly #reloadMs: number;
  #reloadedAt: number;
  readonly #stop = new AbortController();
  readonly #entries = new Map<string, Entry>();
  /** Idle subscriptions under each event name that they listen to, so that an event costs nothing for the others. */
  readonly #listeners = Object.fromEntries(EVERY_WEBHOOK_EVENT.map((name) => [name, new Set()])) as Record<
    WebhookEvent,
    Set<string>
  >;
  readonly #ready: Record<Lane, FairLine> = { quick: new FairLine(), slow: new FairLine() };
  readonly #running = new Map<string, Run>();
  readonly #runningOf = new Map<string, number>();
  #runningSlow = 0;
  readonly #delayed = new DueTimes();
  /** Where hosts led to when they were looked up last: those of one place wait without another look-up. */
  readonly #places = new LRUCache<string, string>({ max: WEBHOOK_MAX_TOTAL });
  /** Subscriptions that wait for a place with no turn free, and when it has one again, where that is a matter of time. */
  readonly #lines = new Map<string, FairLine>();
  readonly #turnsDue = new DueTimes();
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
      placeLimit: new PlaceLimit(),
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
    return (
      this.#scan !== null ||
      this.#running.size + this.#ready.quick.size + this.#ready.slow.size + this.#reloads.size > 0
    );
  }

  readonly #onEvent = (): void => this.wake();

  async #reload(id: string): Promise<void> {
    const row = await webhookById(this.#board.read, id, this.#now());
    if (!row) this.#forget(id);
    else this.#enter(row);
    this.#touch(id);
  }

  #enter(row: WebhookRow): void {
    const known = this.#entries.get(row.id);
    if (known?.state === 'idle') this.#deafen(row.id, known);
    const place = known ?? { state: this.#running.has(row.id) ? 'running' : 'idle', again: false, turn: null };
    const host = hostOf(new URL(row.url));
    const lane = laneOf(row.slow_deliveries);
    const entry: Entry = {
      ...place,
      host,
      owner: row.owner_hash,
      lane,
      events: eventsOf(row),
      updatedAt: row.updated_at,
    };
    this.#entries.set(row.id, entry);
    if (entry.state === 'idle') this.#listen(row.id, entry);
  }

  #forget(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#deafen(id, entry);
    this.#entries.delete(id);
    this.#delayed.delete(id);
    // Otherwise its turn would be lost, and the subscriptions behind it in line would wait for ever.
    if (entry.turn !== null) this.#letOut(entry.turn);
  }

  #listen(id: string, entry: Entry): void {
    entry.state = 'idle';
    for (const name of entry.events) this.#listeners[name].add(id);
  }

  #deafen(id: string, entry: Entry): void {
    for (const name of entry.events) this.#listeners[name].delete(id);
  }

  /** Has a subscription looked at as soon as there is a slot and its place takes another. */
  #touch(id: string): void {
    const entry = this.#entries.get(id);
    if (entry?.state === 'running') entry.again = true;
    if (entry?.state !== 'idle' && entry?.state !== 'delayed') return;
    this.#deafen(id, entry);
    this.#delayed.delete(id);
    this.#makeReady(id, entry);
  }

  #makeReady(id: string, entry: Entry): void {
    entry.state = 'ready';
    this.#ready[entry.lane].add(id, entry.owner);
  }

  #delay(id: string, dueAt: number): void {
    const entry = this.#entries.get(id);
    if (entry?.state !== 'idle' && entry?.state !== 'running') return;
    this.#deafen(id, entry);
    entry.state = 'delayed';
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
      if (this.#entries.get(row.id)?.updatedAt === row.updated_at) continue;
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
    for (const name of names) for (const id of this.#listeners[name]) this.#touch(id);
    for (const id of this.#running.keys()) {
      if (this.#entries.get(id)?.events.some((name) => names.has(name))) this.#touch(id);
    }
  }

  #pump(): void {
    if (this.#stop.signal.aborted) return;
    const now = this.#now();
    for (const turn of [...this.#turnsDue.takeDue(now)]) this.#turnIsDue(turn, now);
    for (const id of this.#delayed.takeDue(now)) this.#touchDue(id);
    while (this.#running.size < WEBHOOK_CONCURRENT_DELIVERIES) {
      const id = this.#takeReady();
      if (id === undefined) break;
      this.#begin(id);
    }
    this.#arm(now);
  }

  #takeReady(): string | undefined {
    const mayGo = (owner: string) => this.#mayGo(owner);
    const quick = this.#ready.quick.take(mayGo);
    if (quick !== undefined || this.#runningSlow >= WEBHOOK_CONCURRENT_SLOW) return quick;
    return this.#ready.slow.take(mayGo);
  }

  #mayGo(owner: string): boolean {
    return (this.#runningOf.get(owner) ?? 0) < WEBHOOK_CONCURRENT_PER_OWNER;
  }

  /** The next delivery to the place follows at its pace, whether or not this one has ended by then. */
  #turnIsDue(turn: string, now: number): void {
    this.#letOut(turn);
    if (this.#lines.has(turn)) this.#turnsDue.set(turn, now + SPACING_MICROS);
  }

  #touchDue(id: string): void {
    const entry = this.#entries.get(id);
    if (entry?.state === 'delayed') this.#makeReady(id, entry);
  }

  /** The turns that a subscription needs one of; by the name of its host until that has been looked up. */
  #turnOf({ host, lane }: Pick<Entry, 'host' | 'lane'>): string {
    return turnName(lane, this.#places.get(host) ?? host);
  }

  #begin(id: string): void {
    const entry = this.#entries.get(id);
    if (entry?.state !== 'ready') return;
    const { owner, lane } = entry;
    const turn = entry.turn ?? this.#turnOf(entry);
    const line = this.#lines.get(turn);
    if (line && entry.turn === null) {
      entry.state = 'waiting';
      line.add(id, owner);
      return;
    }
    entry.state = 'running';
    entry.again = false;
    entry.turn = null;
    this.#runningOf.set(owner, (this.#runningOf.get(owner) ?? 0) + 1);
    if (lane === 'slow') this.#runningSlow += 1;
    this.#running.set(id, { owner, lane, done: this.#run(id, entry, turn).finally(() => this.#pump()) });
  }

  async #run(id: string, { host, lane }: Entry, turn: string): Promise<void> {
    const step = await attemptNext(this.#attempt, id, lane).catch((error: unknown): Step => {
      this.#log.error({ err: error, webhook: id }, 'a webhook delivery could not be stored');
      return { next: 'later', dueAt: this.#now() + STORE_FAULT_MS * 1000 };
    });
    this.#ended(id);
    if (step.place !== undefined) this.#places.set(host, step.place);
    const went = step.place === undefined ? turn : turnName(lane, step.place);
    const entry = this.#entries.get(id);
    if (entry && step.lane !== undefined) entry.lane = step.lane;
    const waits = step.next === 'blocked' && entry !== undefined;
    if (waits) this.#wait(id, entry, went, step.until);
    else if (entry && (entry.again || step.next === 'more')) this.#makeReady(id, entry);
    else if (step.next === 'later') this.#delay(id, step.dueAt);
    else if (step.next === 'gone') this.#forget(id);
    else if (entry) this.#listen(id, entry);
    // A turn that it was given is still free where the host leads elsewhere by now.
    for (const free of new Set([turn, went])) {
      if (!(waits && free === went) && !this.#turnsDue.has(free)) this.#letOut(free);
    }
  }

  #ended(id: string): void {
    const { owner, lane } = this.#running.get(id)!;
    this.#running.delete(id);
    const left = this.#runningOf.get(owner)! - 1;
    if (left > 0) this.#runningOf.set(owner, left);
    else this.#runningOf.delete(owner);
    if (lane === 'slow') this.#runningSlow -= 1;
    for (const line of Object.values(this.#ready)) line.release(owner);
  }

  #wait(id: string, entry: Entry, turn: string, until: number | null): void {
    const line = this.#lines.get(turn) ?? new FairLine();
    entry.state = 'waiting';
    line.add(id, entry.owner);
    this.#lines.set(turn, line);
    // Where every turn is taken, the next delivery that ends gives its turn on.
    if (until === null) this.#turnsDue.delete(turn);
    else if (!this.#turnsDue.has(turn)) this.#turnsDue.set(turn, until);
  }

  /** Gives a turn to the next subscription in line; and to one more where its owner has all of its slots in use. */
  #letOut(turn: string): void {
    const line = this.#lines.get(turn);
    if (!line) return;
    while (line.size > 0) {
      const id = line.take()!;
      const entry = this.#entries.get(id);
      if (entry?.state !== 'waiting') continue;
      entry.turn = turn;
      this.#makeReady(id, entry);
      if (this.#mayGo(entry.owner)) break;
    }
    if (line.size > 0) return;
    this.#lines.delete(turn);
    this.#turnsDue.delete(turn);
  }

  #arm(now: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    const never = Number.POSITIVE_INFINITY;
    const earliest = Math.min(
      now + POLL_MS * 1000,
      this.#delayed.earliest() ?? never,
      this.#turnsDue.earliest() ?? never,
    );
    this.#timer = setTimeout(() => this.wake(), Math.max(10, Math.ceil((earliest - now) / 1000)));
    this.#timer.unref();
  }

  #now(): number {
    return toMicros(this.#board.effects.now());
  }
}
