import type { Reading } from '../../server-kit/health.ts';
import type { Count } from '../../server-kit/limits/memory-counter.ts';
import type { Holder, NoPlace, PlaceBounds, SharedPlaces } from '../../server-kit/limits/shared-places.ts';
import type { TrafficDoor } from '../observation/traffic-window.ts';
import {
  type Common,
  CommonState,
  type CounterName,
  type HealthReport,
  type RequestsToday,
  type TrafficReport,
} from './common.ts';
import type { Call, CallName, Calls, CallsMessage, DeskMessage, MetricValues } from './messages.ts';

/** Longest wait for the supervisor, which answers within a millisecond unless its machine is overloaded. */
const WAIT_MS = 1_000;
/** Longer than the supervisor holds back a version that is prepared. */
const STAGED_WAIT_MS = 60_000;

/** Pause before each request to a source of literature while the supervisor is silent. */
const SLOT_ALONE_MS = 2_000;

/**
 * Calls that lie unread between here and the supervisor, a few megabytes of memory. Above them nothing more is sent: a
 * supervisor that hangs for an hour would cost more memory than this process has.
 */
const UNREAD_MAX_CALLS = 20_000;

/** The channel to the supervisor. */
export interface Channel {
  /** `onTaken` is called when the message has left this process. */
  send(message: CallsMessage, onTaken: () => void): void;
}

interface Open {
  settle(value: unknown): void;
}

/**
 * What several gateways know together, as one of them asks for it. Calls of one turn of the event loop travel together.
 * While the supervisor does not answer, this process counts for itself; its calls are still sent, so that little is
 * missing in the counts when the supervisor is back: what came after UNREAD_MAX_CALLS.
 */
export class CommonClient implements Common, SharedPlaces {
  readonly heldIn = 'memory of this gateway';
  /** Called with the hash of a key that was changed through another gateway. */
  onForget: (hash: string) => void = () => {};
  /** The metrics of this process. */
  ownMetrics: () => Promise<MetricValues> = async () => [];
  readonly #channel: Channel;
  readonly #alone: CommonState;
  readonly #waitMs: number;
  readonly #open = new Map<number, Open>();
  #batch: Call[] = [];
  /** Calls of the batch, and those that were sent and have not left this process. */
  #unread = 0;
  #lastId = 0;
  #isSilent = false;

  constructor(
    channel: Channel,
    now: () => Date,
    { waitMs = WAIT_MS, clock }: { waitMs?: number; clock?: () => number } = {},
  ) {
    this.#channel = channel;
    this.#alone = new CommonState(now, clock);
    this.#waitMs = waitMs;
  }

  /** Takes a message of the supervisor. */
  received(message: DeskMessage): void {
    if ('forget' in message) this.onForget(message.forget);
    else if ('metricsOf' in message) void this.#tellMetrics(message.metricsOf);
    else {
      this.#isSilent = false;
      for (const [id, value] of message.answers) {
        const open = this.#open.get(id);
        this.#open.delete(id);
        open?.settle(value);
      }
    }
  }

  penalty(counter: CounterName, key: string, points = 1): Promise<Count> {
    return this.#ask('penalty', [counter, key, points], () => this.#alone.penalty(counter, key, points));
  }

  look(counter: CounterName, key: string): Promise<Count | null> {
    return this.#ask('look', [counter, key], () => this.#alone.look(counter, key));
  }

  noteRequest(caller: string): void {
    this.#tell('noteRequest', [caller]);
  }

  requestsOf(caller: string): Promise<RequestsToday> {
    return this.#ask('requestsOf', [caller], () => this.#alone.requestsOf(caller));
  }

  noteTraffic(door: TrafficDoor, status: number): void {
    this.#tell('noteTraffic', [door, status]);
  }

  traffic(): Promise<TrafficReport> {
    return this.#ask('traffic', [], () => this.#alone.traffic());
  }

  noteFailure(operation: string, code: string, component: string): void {
    this.#tell('noteFailure', [operation, code, component]);
  }

  health(readings: readonly Reading[]): Promise<HealthReport> {
    return this.#ask('health', [readings], () => this.#alone.health(readings));
  }

  forgetKey(hash: string): void {
    this.#tell('forgetKey', [hash]);
  }

  slot(source: string, perSecond: number): Promise<number> {
    // Rather too slow than faster than the source allows.
    return this.#ask('slot', [source, perSecond], () => SLOT_ALONE_MS);
  }

  readonly pace = (source: string, perSecond: number): Promise<number> => this.slot(source, perSecond);

  /** While the supervisor is silent, each process has its own bounds only. */
  async enter(name: string, holder: Holder, bounds: PlaceBounds): Promise<(() => void) | NoPlace> {
    // Never left out: the place would be taken until this process ends. There are no more of them than places.
    const giveBack = (token: number): void => this.#post([0, 'leave', token]);
    const entered = await this.#ask<'enter', number | NoPlace | null>(
      'enter',
      [name, holder, bounds],
      () => null,
      (late) => typeof late === 'number' && giveBack(late),
    );
    if (entered === null) return () => {};
    return typeof entered === 'number' ? () => giveBack(entered) : entered;
  }

  /** Resolves when this process may serve a version that it has prepared. */
  async staged(version: string): Promise<void> {
    await this.#ask<'staged', true>('staged', [version], () => true, undefined, STAGED_WAIT_MS);
  }

  /** Whether this process does what one gateway does for all. */
  isFirst(): Promise<boolean> {
    return this.#ask('isFirst', [], () => false);
  }

  /** The metrics of all processes as text; null if the supervisor does not answer. */
  metrics(): Promise<string | null> {
    // The supervisor itself waits for the other gateways.
    return this.#ask<'metrics', string | null>('metrics', [], () => null, undefined, this.#waitMs * 5);
  }

  async #tellMetrics(id: number): Promise<void> {
    this.#tell('metricsAre', [id, await this.ownMetrics()]);
  }

  #tell<Name extends CallName>(name: Name, args: Parameters<Calls[Name]>): void {
    if (!this.#isFull) this.#post([0, name, ...args]);
  }

  /** Resolves with the answer, or with `alone()` if it does not come in time; `late` is then called with it. */
  #ask<Name extends CallName, Value = Awaited<ReturnType<Calls[Name]>>>(
    name: Name,
    args: Parameters<Calls[Name]>,
    alone: () => Value,
    late?: (value: Value) => unknown,
    waitMs = this.#waitMs,
  ): Promise<Value> {
    if (this.#isFull) return Promise.resolve(alone());
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      const giveUp = (): void => {
        this.#open.delete(id);
        if (late) this.#open.set(id, { settle: (value) => late(value as Value) });
        resolve(alone());
      };
      this.#post([id, name, ...args]);
      if (this.#isSilent) return giveUp();
      const timer = setTimeout(() => {
        this.#isSilent = true;
        giveUp();
      }, waitMs);
      this.#open.set(id, {
        settle: (value) => {
          clearTimeout(timer);
          resolve(value as Value);
        },
      });
    });
  }

  get #isFull(): boolean {
    return this.#unread >= UNREAD_MAX_CALLS;
  }

  #post(call: Call): void {
    if (this.#batch.length === 0) setImmediate(() => this.#flush());
    this.#batch.push(call);
    this.#unread += 1;
  }

  #flush(): void {
    const calls = this.#batch;
    this.#batch = [];
    this.#channel.send({ calls }, () => {
      this.#unread -= calls.length;
    });
  }
}
