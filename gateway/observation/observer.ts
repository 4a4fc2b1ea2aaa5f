import type { H3Event } from 'h3';
import type { Logger } from 'pino';
import { DOORS, type Door } from '../../contract/doors.ts';
import type { Operation, ServerName } from '../../contract/operation.ts';
import { PAGES } from '../../contract/pages.ts';
import { correlationIdOf, failureCodeOf, routeOf } from '../../server-kit/mount.ts';
import { PerRequest } from '../../server-kit/per-request.ts';
import type { Common } from '../common/common.ts';
import { operationFinder } from '../operation-finder.ts';
import type { BoardTraffic } from './board-traffic.ts';
import { carryingDoor } from './inner-requests.ts';
import type { Metrics } from './metrics.ts';
import type { TrafficDoor } from './traffic-window.ts';

/** Requests by operators, not by callers. */
const PROBES = new Set(['healthz', 'readyz', 'metrics']);

/** The component of /status that answers an operation. */
const COMPONENT_OF: Record<ServerName, string> = { gateway: 'gateway', index: 'index', board: 'board-server' };

interface ObserverOptions {
  operations: readonly Operation[];
  metrics: Metrics;
  common: Common;
  /** Counts requests for all gateways that share the board, beside those of this one. */
  traffic: Pick<BoardTraffic, 'note'> | null;
  log: Logger;
}

/**
 * Counts and logs every request. An operation that came in a message of another protocol is a log line and a call of
 * its own, with the correlation id of that message, but not a second request.
 */
export class Observer {
  readonly #options: ObserverOptions;
  readonly #operationOf: (event: H3Event) => Operation | undefined;
  readonly #doorByPath = new Map<string, string>([...DOORS, ...PAGES].map(({ path, id }) => [routeOf(path), id]));
  readonly #began = new PerRequest<number>();

  constructor(options: ObserverOptions) {
    this.#options = options;
    this.#operationOf = operationFinder(options.operations);
  }

  begin(event: H3Event): void {
    this.#began.set(event, performance.now());
    if (carryingDoor(event) === null) this.#options.metrics.begin();
  }

  end(event: H3Event, response: Response): void {
    const { metrics, common, traffic, log } = this.#options;
    const began = this.#began.get(event);
    const milliseconds = began === undefined ? 0 : performance.now() - began;
    const carriedBy = carryingDoor(event);
    const operation = this.#operationOf(event);
    const route = operation?.id ?? this.#doorOf(event) ?? 'none';
    const { status } = response;
    const { method } = event.req;
    // A path that cannot be decoded is refused before `begin`.
    if (began !== undefined && carriedBy === null) metrics.end();
    // A browser's preflight is not a request of a caller.
    if (carriedBy === null && method !== 'OPTIONS') {
      const door = trafficDoorOf(route, operation);
      common.noteTraffic(door, status);
      traffic?.note(door, status);
    }
    const isOperation = operation !== undefined;
    metrics.observe({ route, isOperation, method, status, seconds: milliseconds / 1000, carriedBy });
    const code = failureCodeOf(event);
    // A probe that answers "not ready" has no code: it did not fail.
    if (status >= 500 && code !== null) {
      common.noteFailure(route, code, COMPONENT_OF[operation?.server ?? 'gateway']);
    }
    log.info(
      {
        event: 'request',
        correlationId: correlationIdOf(event),
        method,
        route,
        door: carriedBy ?? 'rest',
        status,
        ms: Math.round(milliseconds * 10) / 10,
        ...(code === null ? {} : { code }),
      },
      'answered',
    );
  }

  #doorOf(event: H3Event): string | undefined {
    const path = event.context.matchedRoute?.route;
    return path === undefined ? undefined : this.#doorByPath.get(path);
  }
}

const PROTOCOL_BY_DOOR: ReadonlyMap<string, Door['protocol']> = new Map(
  (DOORS as readonly Door[]).map(({ id, protocol }) => [id, protocol]),
);

function trafficDoorOf(route: string, operation: Operation | undefined): TrafficDoor {
  if (PROBES.has(route)) return 'probes';
  if (operation !== undefined) return 'rest';
  const protocol = PROTOCOL_BY_DOOR.get(route);
  if (protocol !== undefined) return protocol;
  return route === 'none' ? 'unknown' : 'texts';
}
