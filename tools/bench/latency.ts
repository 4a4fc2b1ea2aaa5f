import { setTimeout } from 'node:timers/promises';
import { Connection, getRequest } from './connection.ts';

export interface Latency {
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  count: number;
}

export function latencyOf(milliseconds: number[]): Latency {
  const sorted = Float64Array.from(milliseconds).sort();
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1), count: sorted.length };
}

export interface HttpLoad extends Latency {
  requestsPerSecond: number;
  failed: number;
}

/**
 * A closed loop: each connection sends its next request when it has read the answer to the last, for `seconds`.
 * Bounded in time and connections; goes to 127.0.0.1 only.
 */
export async function measureHttp(
  origin: string,
  paths: readonly string[],
  connections: number,
  seconds: number,
): Promise<HttpLoad> {
  const requests = paths.map((path) => getRequest(path));
  return closedLoop(origin, { connections, seconds, isGood: (status) => status === 200 }, (number) => {
    return requests[number % requests.length]!;
  });
}

/** Runs a closed loop of any requests; `request` gets the number of each, from 0. */
export async function closedLoop(
  origin: string,
  load: { connections: number; seconds: number; isGood: (status: number) => boolean },
  request: (number: number) => Buffer,
): Promise<HttpLoad> {
  const times: number[] = [];
  let failed = 0;
  let next = 0;
  const started = performance.now();
  const deadline = started + load.seconds * 1000;
  const run = async (connection: Connection): Promise<void> => {
    while (performance.now() < deadline) {
      const bytes = request(next++);
      const sent = performance.now();
      if (load.isGood(await connection.send(bytes))) times.push(performance.now() - sent);
      else failed += 1;
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: load.connections }, () => run(new Connection(origin))));
  const elapsed = (performance.now() - started) / 1000;
  return { ...latencyOf(times), requestsPerSecond: times.length / elapsed, failed };
}

/** A client that has just started cannot send at the full rate, and that would count as the server's delay. */
const WARM_UP_SECONDS = 2;

export interface RatedLoad extends HttpLoad {
  /** Requests a second that were due; `requestsPerSecond` is what was answered. */
  offeredPerSecond: number;
}

/**
 * An open loop: requests fall due at a steady rate whether or not earlier ones were answered, and each is timed from
 * when it was due, so that a stall counts against every request it delays.
 */
export async function measureHttpAtRate(
  origin: string,
  paths: readonly string[],
  load: { connections: number; perSecond: number; seconds: number },
): Promise<RatedLoad> {
  const requests = paths.map((path) => getRequest(path));
  const request = (number: number): Buffer => requests[number % requests.length]!;
  await openLoop(origin, { ...load, seconds: WARM_UP_SECONDS }, request, () => {});
  const times: number[] = [];
  let failed = 0;
  const started = performance.now();
  await openLoop(origin, load, request, (status, milliseconds) => {
    if (status === 200) times.push(milliseconds);
    else failed += 1;
  });
  const elapsed = (performance.now() - started) / 1000;
  return { ...latencyOf(times), requestsPerSecond: times.length / elapsed, failed, offeredPerSecond: load.perSecond };
}

/**
 * Runs an open loop of any requests: `request` gets the number of each, from 0. Reports each answer's status (0 for no answer) and the
 * milliseconds since it was due. `from` is the address of the loopback network that the requests come from.
 */
export async function openLoop(
  origin: string,
  load: { connections: number; perSecond: number; seconds: number; from?: string },
  request: (number: number) => Buffer,
  answered: (status: number, milliseconds: number) => void,
): Promise<void> {
  const connections = Array.from({ length: load.connections }, () => new Connection(origin, load.from));
  const free = [...connections];
  const total = Math.floor(load.perSecond * load.seconds);
  const started = performance.now();
  const dueAt = (number: number): number => started + (number / load.perSecond) * 1000;
  let next = 0;
  let underWay = 0;
  let fault: Error | null = null;
  const failed = (reason: Error): void => {
    fault ??= reason;
  };
  // A request that is due while no connection is free waits, and its time runs.
  const sendDue = (): void => {
    while (next < total && free.length > 0 && dueAt(next) <= performance.now()) {
      const number = next++;
      const connection = free.pop()!;
      underWay += 1;
      connection.send(request(number)).then((status) => {
        answered(status, performance.now() - dueAt(number));
        underWay -= 1;
        free.push(connection);
        sendDue();
      }, failed);
    }
  };
  while (next < total || underWay > 0) {
    sendDue();
    await setTimeout(1);
    if (fault) break;
  }
  for (const connection of connections) connection.close();
  if (fault) throw fault;
}
