import type { H3Event } from 'h3';
import type { Logger } from 'pino';
import { DOORS, type Door } from '../../contract/interfaces/doors.ts';
import { PAGES } from '../../contract/interfaces/pages.ts';
import type { Operation, ServerName } from '../../contract/operation.ts';
import { PerRequest } from '../../server-kit/limits/per-request.ts';
import { correlationIdOf, failureCodeOf, routeOf } from '../../server-kit/mount.ts';
import type { CommonState } from '../common/common.ts';
import { operationFinder } from '../operation-finder.ts';
import type { BoardTraffic } from './board-traffic.ts';
import { type CallDoor, carryingDoor } from './inner-requests.ts';
import type { Metrics } from './metrics.ts';
import type { TrafficDoor } from './traffic-window.ts';

/** Requests by operators, not by callers. */
const PROBES = new Set(['healthz', 'readyz', 'metrics']);

/** The component of /status that answers an operation. */
const COMPONENT_OF: Record<ServerName, string> = { gateway: 'gateway', index: 'index', board: 'board-server' };

/** A request that was answered. */
interface Answered {
  operation: Operation | undefined;
  /** Operation id, door id, or `none` for an unknown path. */
  route: string;
  method: string;
  status: number;
  /** `performance.now()` of its beginning. */
  began: number;
  /** The door of the request that carried it; null for a client's own request. */
  carriedBy: CallDoor | null;
  /** What it failed with. */
  code: string | null;
  correlationId: string;
}

interface ObserverOptions {
  operations: readonly Operation[];
  metrics: Metrics;
  common: CommonState;
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
    const began = this.#began.get(event);
    const carriedBy = carryingDoor(event);
    const operation = this.#operationOf(event);
    // A path that cannot be decoded is refused before `begin`.
    if (began !== undefined && carriedBy === null) this.#options.metrics.end();
    this.#note({
      operation,
      route: operation?.id ?? this.#doorOf(event) ?? 'none',
      method: event.req.method,
      status: response.status,
      began: began ?? performance.now(),
      carriedBy,
      code: failureCodeOf(event),
      correlationId: correlationIdOf(event),
    });
  }

  #note({ operation, route, method, status, began, carriedBy, code, correlationId }: Answered): void {
    const { metrics, common, traffic, log } = this.#options;
    const milliseconds = performance.now() - began;
    // A browser's preflight is not a request of a caller.
    if (carriedBy === null && method !== 'OPTIONS') {
      const door = trafficDoorOf(route, operation);
      common.noteTraffic(door, status);
      traffic?.note(door, status);
    }
    const isOperation = operation !== undefined;
    metrics.observe({ route, isOperation, method, status, seconds: milliseconds / 1000, carriedBy });
    // A probe that answers "not ready" has no code: it did not fail.
    if (status >= 500 && code !== null) {
      common.noteFailure(route, code, COMPONENT_OF[operation?.server ?? 'gateway']);
    }
    log.info(
      {
        event: 'request',
        correlationId,
        method,
        route,
        door: carriedBy ?? 'rest',
        status,
        ms: Math.round(milliseconds * 10) / 10,
        // Left out where it is undefined.
        code: code ?? undefined,
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
