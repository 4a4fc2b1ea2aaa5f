import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { RateBucketId } from '../../contract/limits/limits.ts';
import type { CallerCeilings } from '../../server-kit/limits/caller-ceilings.ts';
import type { CountStore } from '../../server-kit/limits/count-store.ts';
import { QUEUES, type QueueName, type Upstream } from '../upstream/upstream.ts';
import { type RemoteIndex, type WatchedIndex, watchIndex, watchRemoteIndex } from './index-metrics.ts';
import type { CallDoor } from './inner-requests.ts';

const PREFIX = 'trial_board_';
/** In seconds, from an answer out of memory to a write that waited for its turn. */
const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const QUEUE_NAMES = Object.keys(QUEUES) as QueueName[];

let process: Registry | null = null;

/** Memory, event loop and garbage collection of the process; shared by all gateways in it. */
function processRegistry(): Registry {
  if (process === null) {
    process = new Registry();
    collectDefaultMetrics({ register: process });
  }
  return process;
}

export interface Observed {
  /** Operation id, door id, or `none` for an unknown path. */
  route: string;
  /** Whether `route` is an operation. */
  isOperation: boolean;
  method: string;
  status: number;
  seconds: number;
  /** The door whose message carried it; null for a client's own request. */
  carriedBy: CallDoor | null;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * The metrics of /metrics. No label has a value that a client can choose: routes are ids of the contract, methods and
 * doors are closed lists.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new Counter({
    name: `${PREFIX}http_requests_total`,
    help: 'Requests that clients sent, by route (operation or door id), method and status class.',
    labelNames: ['route', 'method', 'status'] as const,
    registers: [this.#registry],
  });
  readonly #calls = new Counter({
    name: `${PREFIX}operation_calls_total`,
    help: 'Operations carried out, each counted once, whatever its protocol.',
    labelNames: ['operation', 'door', 'status'] as const,
    registers: [this.#registry],
  });
  readonly #seconds = new Histogram({
    name: `${PREFIX}operation_seconds`,
    help: 'Seconds until the answer of an operation was ready; streams go on after it.',
    labelNames: ['operation'] as const,
    buckets: SECONDS_BUCKETS,
    registers: [this.#registry],
  });
  readonly #inFlight = new Gauge({
    name: `${PREFIX}http_requests_in_flight`,
    help: 'Requests of clients whose answer is not ready.',
    registers: [this.#registry],
  });
  readonly #limited = new Counter({
    name: `${PREFIX}rate_limited_total`,
    help: 'Requests refused by a rate limit, by bucket.',
    labelNames: ['bucket'] as const,
    registers: [this.#registry],
  });

  readonly #shed = new Counter({
    name: `${PREFIX}reads_shed_total`,
    help: 'Reads refused because the event loop lagged, costly ones first.',
    registers: [this.#registry],
  });

  constructor(options: {
    upstreams: Record<string, Upstream>;
    /** In another process where it is an index server. */
    index: WatchedIndex | RemoteIndex;
    now: () => Date;
    callers?: CallerCeilings | undefined;
    countStore?: Pick<CountStore, 'away'> | undefined;
  }) {
    // CPU time counts from here on.
    processRegistry();
    this.#watchQueues(options.upstreams);
    this.#watchServers(options.upstreams);
    if (typeof options.index === 'function') watchRemoteIndex(options.index, PREFIX, this.#registry);
    else watchIndex(options.index, options.now, PREFIX, this.#registry);
    if (options.callers) this.#watchCallers(options.callers);
    if (options.countStore) this.#watchCountStore(options.countStore);
  }

  begin(): void {
    this.#inFlight.inc();
  }

  end(): void {
    this.#inFlight.dec();
  }

  observe({ route, isOperation, method, status, seconds, carriedBy }: Observed): void {
    const statusClass = `${Math.floor(status / 100)}xx`;
    if (carriedBy === null) {
      this.#requests.inc({ route, method: METHODS.has(method) ? method : 'other', status: statusClass });
    }
    if (!isOperation || method === 'OPTIONS') return;
    this.#calls.inc({ operation: route, door: carriedBy ?? 'rest', status: statusClass });
    this.#seconds.observe({ operation: route }, seconds);
  }

  limited(bucket: RateBucketId): void {
    this.#limited.inc({ bucket });
  }

  shed(): void {
    this.#shed.inc();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  async text(): Promise<string> {
    return `${await processRegistry().metrics()}\n${await this.#registry.metrics()}`;
  }

  #watchQueues(upstreams: Record<string, Upstream>): void {
    const registers = [this.#registry];
    const labelNames = ['server', 'lane'] as const;
    const read = (name: string, help: string, value: (queue: Upstream['queues'][QueueName]) => number): void => {
      new Gauge({
        name: `${PREFIX}${name}`,
        help,
        labelNames,
        registers,
        collect() {
          for (const [server, { queues }] of Object.entries(upstreams)) {
            for (const lane of QUEUE_NAMES) this.set({ server, lane }, value(queues[lane]));
          }
        },
      });
    };
    read('upstream_in_use', 'Requests under way to a server behind the gateway.', (queue) => queue.inUse);
    read('upstream_waiting', 'Requests that wait for a place.', (queue) => queue.waiting);
    read('upstream_refused', 'Requests refused since the start for lack of a place.', (queue) => queue.refused);
  }

  #watchServers(upstreams: Record<string, Upstream>): void {
    new Gauge({
      name: `${PREFIX}upstream_servers`,
      help: 'Servers behind the gateway by what is known of them: ready, not_ready (down, draining or without a snapshot), silent.',
      labelNames: ['server', 'state'] as const,
      registers: [this.#registry],
      collect() {
        for (const [server, { standings }] of Object.entries(upstreams)) {
          const silent = standings.filter(({ isSilent }) => isSilent).length;
          const ready = standings.filter(({ isSilent, isReady }) => !isSilent && isReady).length;
          this.set({ server, state: 'silent' }, silent);
          this.set({ server, state: 'ready' }, ready);
          this.set({ server, state: 'not_ready' }, standings.length - silent - ready);
        }
      },
    });
  }

  #watchCountStore(store: Pick<CountStore, 'away'>): void {
    new Gauge({
      name: `${PREFIX}rate_store_away`,
      help: '1 while the store of RATE_STORE does not answer, so that the gateway counts requests by itself.',
      registers: [this.#registry],
      collect() {
        this.set(store.away === null ? 0 : 1);
      },
    });
  }

  #watchCallers(callers: CallerCeilings): void {
    const registers = [this.#registry];
    const count = (name: string, help: string, value: () => number): void => {
      new Gauge({
        name: `${PREFIX}${name}`,
        help,
        registers,
        collect() {
          this.set(value());
        },
      });
    };
    count(
      'connections_refused',
      'Connections refused since the start: their address had too many.',
      () => callers.refused,
    );
    count('slow_readers_ended', 'Connections ended since the start: too much was not read.', () => callers.ended);
    count('unsent_bytes', 'Bytes of answers that clients have not read yet.', () => callers.unsentBytes());
  }
}
