import type { Logger } from 'pino';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../contract/ids.ts';
import { WEBHOOK_CONCURRENT_DELIVERIES, WEBHOOK_MAX_TOTAL } from '../../contract/limits.ts';
import type { Board } from '../store/board.ts';
import { toMicros } from '../store/instants.ts';
import { newestOutboxTs, outboxAfter, webhooksWithQueued } from '../store/outbox-store.ts';
import type { WebhookRow } from '../store/tables.ts';
import { eventsOf, liveWebhooks, webhookById } from '../store/webhook-store.ts';
import { type AttemptServices, attemptNext, type Step } from './attempt.ts';
import { HostGate } from './host-gate.ts';
import type { Dial } from './http.ts';
import { hostOf } from './target.ts';

const SCAN_ROWS = 500;
/** Also finds what another process wrote to the file. */
const POLL_MS = 5_000;
/** Pause of a subscription whose store failed. */
const STORE_FAULT_MS = 30_000;

interface Entry {
  host: string;
  events: readonly WebhookEvent[];
  /** Asked for again while it runs. */
  again: boolean;
}

export interface WorkerOptions {
  board: Board;
  dial: Dial;
  log: Logger;
}

/**
 * Delivers events to subscriptions: at least once, in order and one at a time for each of them, so many at once over
 * all. Holds one entry in memory for each subscription that may have something to send; the store is asked for a
 * subscription only when an event, the clock or its owner gave a reason to.
 */
export class DeliveryWorker implements AsyncDisposable {
  readonly #board: Board;
  readonly #log: Logger;
  readonly #attempt: AttemptServices;
  readonly #stop = new AbortController();
  readonly #entries = new Map<string, Entry>();
  /** So that an event costs nothing for those that do not listen to it. */
  readonly #listeners = Object.fromEntries(WEBHOOK_EVENTS.map((name) => [name, new Set()])) as Record<
    WebhookEvent,
    Set<string>
  >;
  /** Each id is in at most one of these, or in none while nothing is to be sent to it. */
  readonly #ready = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #delayed = new Map<string, number>();
  readonly #blocked = new Map<string, Set<string>>();
  readonly #reloads = new Set<Promise<void>>();
  #seen = 0;
  #scan: Promise<void> | null = null;
  #scanAgain = false;
  #timer: NodeJS.Timeout | null = null;

  private constructor({ board, dial, log }: WorkerOptions) {
    this.#board = board;
    this.#log = log;
    this.#attempt = { board, dial, gate: new HostGate(), stopped: this.#stop.signal };
  }

  /** Takes up what an earlier process left undone, then follows the board. Throws as the store does. */
  static async start(options: WorkerOptions): Promise<DeliveryWorker> {
    const worker = new DeliveryWorker(options);
    const { board } = options;
    worker.#seen = await newestOutboxTs(board.read);
    for (const row of await liveWebhooks(board.read)) {
      worker.#enter(row);
      if (row.state === 'pending' || row.cursor < worker.#seen) worker.#ready.add(row.id);
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
        this.#delayed.set(id, this.#now() + STORE_FAULT_MS * 1000);
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
    const again = this.#entries.get(row.id)?.again ?? false;
    const events = eventsOf(row);
    this.#entries.set(row.id, { host: hostOf(new URL(row.url)), events, again });
    for (const name of events) this.#listeners[name].add(row.id);
  }

  #forget(id: string): void {
    for (const name of this.#entries.get(id)?.events ?? []) this.#listeners[name].delete(id);
    this.#entries.delete(id);
  }

  /** Has a subscription looked at as soon as there is a slot. */
  #touch(id: string): void {
    const entry = this.#entries.get(id);
    if (this.#running.has(id) && entry) entry.again = true;
    else if (entry) this.#ready.add(id);
    this.#delayed.delete(id);
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

  /** One that waits for the time of a retry goes on waiting. */
  #announce(names: ReadonlySet<WebhookEvent>): void {
    for (const name of names) {
      for (const id of this.#listeners[name]) if (!this.#delayed.has(id)) this.#touch(id);
    }
  }

  #pump(): void {
    if (this.#stop.signal.aborted) return;
    const now = this.#now();
    for (const [id, dueAt] of this.#delayed) if (dueAt <= now) this.#touch(id);
    for (const id of this.#ready) {
      if (this.#running.size >= WEBHOOK_CONCURRENT_DELIVERIES) break;
      this.#ready.delete(id);
      const entry = this.#entries.get(id);
      if (!entry) continue;
      entry.again = false;
      const running = this.#run(id, entry.host).finally(() => {
        this.#pump();
      });
      this.#running.set(id, running);
    }
    this.#arm(now);
  }

  async #run(id: string, host: string): Promise<void> {
    const step = await attemptNext(this.#attempt, id).catch((error: unknown): Step => {
      this.#log.error({ err: error, webhook: id }, 'a webhook delivery could not be stored');
      return { next: 'later', dueAt: this.#now() + STORE_FAULT_MS * 1000 };
    });
    this.#running.delete(id);
    const entry = this.#entries.get(id);
    if (step.next === 'blocked') {
      const waiting = this.#blocked.get(host) ?? new Set();
      this.#blocked.set(host, waiting.add(id));
      return;
    }
    if (entry?.again || step.next === 'more') this.#ready.add(id);
    else if (step.next === 'later') this.#delayed.set(id, step.dueAt);
    else if (step.next === 'gone') this.#forget(id);
    this.#unblock(host);
  }

  /** Gives the place at a host to the one that has waited longest for it. */
  #unblock(host: string): void {
    const waiting = this.#blocked.get(host) ?? new Set();
    for (const id of waiting) {
      waiting.delete(id);
      if (!this.#entries.has(id)) continue;
      this.#touch(id);
      break;
    }
    if (waiting.size === 0) this.#blocked.delete(host);
  }

  #arm(now: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    let earliest = now + POLL_MS * 1000;
    for (const dueAt of this.#delayed.values()) earliest = Math.min(earliest, dueAt);
    this.#timer = setTimeout(() => this.wake(), Math.max(10, Math.ceil((earliest - now) / 1000)));
    this.#timer.unref();
  }

  #now(): number {
    return toMicros(this.#board.effects.now());
  }
}
