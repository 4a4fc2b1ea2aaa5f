import type { Logger } from 'pino';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../contract/ids.ts';
import { WEBHOOK_CONCURRENT_DELIVERIES, WEBHOOK_MAX_TOTAL } from '../../contract/limits.ts';
import type { Board } from '../store/board.ts';
import { toMicros } from '../store/instants.ts';
import { newestOutboxTs, outboxAfter } from '../store/outbox-store.ts';
import { type AttemptServices, attemptNext, type Step } from './attempt.ts';
import { webhooksWithQueued } from './delivery-store.ts';
import { DueTimes } from './due-times.ts';
import { HostLimit, SPACING_MICROS } from './host-limit.ts';
import type { Dial } from './http.ts';
import { Line } from './line.ts';
import type { WebhookRow } from './tables.ts';
import { hostOf } from './target.ts';
import { eventsOf, liveWebhooks, webhookById } from './webhook-store.ts';

const SCAN_ROWS = 500;
/** Also finds what another process wrote to the file. */
const POLL_MS = 5_000;
/** Pause of a subscription whose store failed. */
const STORE_FAULT_MS = 30_000;

interface Entry {
  host: string;
  events: readonly WebhookEvent[];
  /** `idle` listens to events, `delayed` waits for its time, `waiting` in the line of its host. */
  state: 'idle' | 'ready' | 'running' | 'delayed' | 'waiting';
  /** Asked for again while it runs. */
  again: boolean;
  /** Was let out of the line of its host. */
  hasTurn: boolean;
}

export interface WorkerOptions {
  board: Board;
  dial: Dial;
  log: Logger;
}

/**
 * Delivers events to subscriptions: at least once, in order and one at a time for each of them, so many at once over
 * all. Holds one entry in memory for each subscription that may have something to send; the store is asked for a
 * subscription only when an event, the clock or its owner gave a reason to. What an event or the end of a delivery costs
 * does not grow with how many wait, for a time or for their host.
 */
export class DeliveryWorker implements AsyncDisposable {
  readonly #board: Board;
  readonly #log: Logger;
  readonly #attempt: AttemptServices;
  readonly #stop = new AbortController();
  readonly #entries = new Map<string, Entry>();
  /** The idle ones under each name they listen to: an event costs nothing for the others. */
  readonly #listeners = Object.fromEntries(WEBHOOK_EVENTS.map((name) => [name, new Set()])) as Record<
    WebhookEvent,
    Set<string>
  >;
  readonly #ready = new Line();
  readonly #running = new Map<string, Promise<void>>();
  readonly #delayed = new DueTimes();
  /** Those of a host that takes no more at present, and when it does again where that is a matter of time. */
  readonly #lines = new Map<string, Line>();
  readonly #hostsDue = new DueTimes();
  readonly #reloads = new Set<Promise<void>>();
  #seen = 0;
  #scan: Promise<void> | null = null;
  #scanAgain = false;
  #timer: NodeJS.Timeout | null = null;

  private constructor({ board, dial, log }: WorkerOptions) {
    this.#board = board;
    this.#log = log;
    this.#attempt = { board, dial, hostLimit: new HostLimit(), stopped: this.#stop.signal };
  }

  /** Takes up what an earlier process left undone, then follows the board. Throws as the store does. */
  static async start(options: WorkerOptions): Promise<DeliveryWorker> {
    const worker = new DeliveryWorker(options);
    const { board } = options;
    worker.#seen = await newestOutboxTs(board.read);
    for (const row of await liveWebhooks(board.read)) {
      worker.#enter(row);
      if (row.state === 'pending' || row.cursor < worker.#seen) worker.#touch(row.id);
    }
    for (const id of await webhooksWithQueued(board.read, WEBHOOK_MAX_TOTAL)) worker.changed(id);
    board.committed.on('event', worker.#onEvent);
    worker.wake();
    return worker;
  }

  /** To be told of every subscription that was made, changed or deleted, after the commit. */
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
    this.#scan = this.#scanOutbox()
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
      await Promise.all([...this.#reloads, ...this.#running.values()]);
    } while (!this.#stop.signal.aborted && this.#isBusy());
  }

  /** Gives up what is on its way, which is sent again by the next process. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#board.committed.off('event', this.#onEvent);
    if (this.#timer !== null) clearTimeout(this.#timer);
    await Promise.all([this.#scan, ...this.#reloads, ...this.#running.values()]);
  }

  #isBusy(): boolean {
    return this.#scan !== null || this.#running.size + this.#ready.size + this.#reloads.size > 0;
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
    const place = known ?? { state: this.#running.has(row.id) ? 'running' : 'idle', again: false, hasTurn: false };
    const entry: Entry = { ...place, host: hostOf(new URL(row.url)), events: eventsOf(row) };
    this.#entries.set(row.id, entry);
    if (entry.state === 'idle') this.#listen(row.id, entry);
  }

  #forget(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#deafen(id, entry);
    this.#entries.delete(id);
    this.#delayed.delete(id);
    // Its turn would be lost, and with it those behind it.
    if (entry.hasTurn) this.#letOut(entry.host);
  }

  #listen(id: string, entry: Entry): void {
    entry.state = 'idle';
    for (const name of entry.events) this.#listeners[name].add(id);
  }

  #deafen(id: string, entry: Entry): void {
    for (const name of entry.events) this.#listeners[name].delete(id);
  }

  /** Has a subscription looked at as soon as there is a slot and its host takes another. */
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
    this.#ready.add(id);
  }

  #delay(id: string, dueAt: number): void {
    const entry = this.#entries.get(id);
    if (entry?.state !== 'idle' && entry?.state !== 'running') return;
    this.#deafen(id, entry);
    entry.state = 'delayed';
    this.#delayed.set(id, dueAt);
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

  /** Those that wait for a time or a turn go on waiting: they find the event when they come to it. */
  #announce(names: ReadonlySet<WebhookEvent>): void {
    for (const name of names) for (const id of this.#listeners[name]) this.#touch(id);
    for (const id of this.#running.keys()) {
      if (this.#entries.get(id)?.events.some((name) => names.has(name))) this.#touch(id);
    }
  }

  #pump(): void {
    if (this.#stop.signal.aborted) return;
    const now = this.#now();
    for (const host of [...this.#hostsDue.takeDue(now)]) this.#hostIsDue(host, now);
    for (const id of this.#delayed.takeDue(now)) this.#touchDue(id);
    while (this.#running.size < WEBHOOK_CONCURRENT_DELIVERIES && this.#ready.size > 0) this.#begin(this.#ready.take()!);
    this.#arm(now);
  }

  /** The next one follows at the pace of the host, whether or not this one has come to an end by then. */
  #hostIsDue(host: string, now: number): void {
    this.#letOut(host);
    if (this.#lines.has(host)) this.#hostsDue.set(host, now + SPACING_MICROS);
  }

  #touchDue(id: string): void {
    const entry = this.#entries.get(id);
    if (entry?.state === 'delayed') this.#makeReady(id, entry);
  }

  #begin(id: string): void {
    const entry = this.#entries.get(id);
    if (entry?.state !== 'ready') return;
    const { host, hasTurn } = entry;
    entry.hasTurn = false;
    const line = this.#lines.get(host);
    if (line && !hasTurn) {
      entry.state = 'waiting';
      line.add(id);
      return;
    }
    entry.state = 'running';
    entry.again = false;
    this.#running.set(
      id,
      this.#run(id, host).finally(() => this.#pump()),
    );
  }

  async #run(id: string, host: string): Promise<void> {
    const step = await attemptNext(this.#attempt, id).catch((error: unknown): Step => {
      this.#log.error({ err: error, webhook: id }, 'a webhook delivery could not be stored');
      return { next: 'later', dueAt: this.#now() + STORE_FAULT_MS * 1000 };
    });
    this.#running.delete(id);
    const entry = this.#entries.get(id);
    if (step.next === 'blocked') return entry ? this.#wait(id, entry, step.until) : this.#letOut(host);
    if (entry && (entry.again || step.next === 'more')) this.#makeReady(id, entry);
    else if (step.next === 'later') this.#delay(id, step.dueAt);
    else if (step.next === 'gone') this.#forget(id);
    else if (entry) this.#listen(id, entry);
    if (!this.#hostsDue.has(host)) this.#letOut(host);
  }

  #wait(id: string, entry: Entry, until: number | null): void {
    const { host } = entry;
    const line = this.#lines.get(host) ?? new Line();
    entry.state = 'waiting';
    line.add(id);
    this.#lines.set(host, line);
    // Where it is full, the next one to end gives its place on.
    if (until === null) this.#hostsDue.delete(host);
    else if (!this.#hostsDue.has(host)) this.#hostsDue.set(host, until);
  }

  /** Gives a place at a host to the one that has waited longest for it. */
  #letOut(host: string): void {
    const line = this.#lines.get(host);
    if (!line) return;
    while (line.size > 0) {
      const id = line.take()!;
      const entry = this.#entries.get(id);
      if (entry?.state !== 'waiting') continue;
      entry.hasTurn = true;
      this.#makeReady(id, entry);
      break;
    }
    if (line.size > 0) return;
    this.#lines.delete(host);
    this.#hostsDue.delete(host);
  }

  #arm(now: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    const never = Number.POSITIVE_INFINITY;
    const earliest = Math.min(
      now + POLL_MS * 1000,
      this.#delayed.earliest() ?? never,
      this.#hostsDue.earliest() ?? never,
    );
    this.#timer = setTimeout(() => this.wake(), Math.max(10, Math.ceil((earliest - now) / 1000)));
    this.#timer.unref();
  }

  #now(): number {
    return toMicros(this.#board.effects.now());
  }
}
