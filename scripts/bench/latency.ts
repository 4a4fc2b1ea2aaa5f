import { Agent, get } from 'node:http';
import { setTimeout } from 'node:timers/promises';

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

/** Calls `work` once for each subject, `rounds` times over, after one round that is not counted. */
export function measureCalls<T>(subjects: readonly T[], rounds: number, work: (subject: T) => void): Latency {
  for (const subject of subjects) work(subject);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const subject of subjects) {
      const started = performance.now();
      work(subject);
      times.push(performance.now() - started);
    }
  }
  return latencyOf(times);
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
  if (new URL(origin).hostname !== '127.0.0.1') throw new Error('the load goes to 127.0.0.1 only');
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  let failed = 0;
  let next = 0;
  const started = performance.now();
  const deadline = started + seconds * 1000;
  const connection = async (): Promise<void> => {
    while (performance.now() < deadline) {
      const path = paths[next++ % paths.length] as string;
      const sent = performance.now();
      if ((await read(`${origin}${path}`, agent)) === 200) times.push(performance.now() - sent);
      else failed += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  const elapsed = (performance.now() - started) / 1000;
  agent.destroy();
  return { ...latencyOf(times), requestsPerSecond: times.length / elapsed, failed };
}

/** A client that has just started is slower than the rate that it is to send, which would count as the server's delay. */
const WARM_UP_SECONDS = 2;

export interface RatedLoad extends HttpLoad {
  /** Requests a second that were due; `requestsPerSecond` is what was answered. */
  offeredPerSecond: number;
}

/**
 * An open loop: requests fall due at a steady rate whether or not earlier ones were answered, and each is timed from
 * when it was due, so that a stall counts against every request it delays. Bounded in time and connections; goes to
 * 127.0.0.1 only.
 */
export async function measureHttpAtRate(
  origin: string,
  paths: readonly string[],
  load: { connections: number; perSecond: number; seconds: number },
): Promise<RatedLoad> {
  const times: number[] = [];
  let failed = 0;
  await openLoop(origin, paths, { ...load, seconds: WARM_UP_SECONDS }, () => {});
  const started = performance.now();
  await openLoop(origin, paths, load, (_path, status, milliseconds) => {
    if (status === 200) times.push(milliseconds);
    else failed += 1;
  });
  const elapsed = (performance.now() - started) / 1000;
  const offeredPerSecond = load.perSecond;
  return { ...latencyOf(times), requestsPerSecond: times.length / elapsed, failed, offeredPerSecond };
}

/** The loop itself: tells each answer's status (0 where none came) and its milliseconds since it was due. */
export async function openLoop(
  origin: string,
  paths: readonly string[],
  load: { connections: number; perSecond: number; seconds: number },
  answered: (path: string, status: number, milliseconds: number) => void,
): Promise<void> {
  if (new URL(origin).hostname !== '127.0.0.1') throw new Error('the load goes to 127.0.0.1 only');
  const agent = new Agent({ keepAlive: true, maxSockets: load.connections });
  const total = Math.floor(load.perSecond * load.seconds);
  const started = performance.now();
  const pending = new Set<Promise<void>>();
  const ask = async (number: number): Promise<void> => {
    const due = started + (number / load.perSecond) * 1000;
    const path = paths[number % paths.length] as string;
    const status = await read(`${origin}${path}`, agent);
    answered(path, status, performance.now() - due);
  };
  let asked = 0;
  while (asked < total) {
    const due = Math.min(total, Math.floor(((performance.now() - started) / 1000) * load.perSecond) + 1);
    for (; asked < due; asked += 1) {
      const one = ask(asked).then(() => void pending.delete(one));
      pending.add(one);
    }
    await setTimeout(1);
  }
  await Promise.all(pending);
  agent.destroy();
}

function read(url: string, agent: Agent): Promise<number> {
  return new Promise((resolve) => {
    get(url, { agent }, (response) => {
      response.on('data', () => {});
      response.on('end', () => resolve(response.statusCode ?? 0));
    }).on('error', () => resolve(0));
  });
}
