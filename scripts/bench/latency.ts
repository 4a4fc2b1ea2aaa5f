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
  if (new URL(origin).hostname !== '127.0.0.1') throw new Error('the load goes to 127.0.0.1 only');
  const agent = new Agent({ keepAlive: true, maxSockets: load.connections });
  const times: number[] = [];
  let failed = 0;
  const total = Math.floor(load.perSecond * load.seconds);
  const started = performance.now();
  const ask = async (number: number): Promise<void> => {
    const due = started + (number / load.perSecond) * 1000;
    const status = await read(`${origin}${paths[number % paths.length]}`, agent);
    if (status === 200) times.push(performance.now() - due);
    else failed += 1;
  };
  const pending: Promise<void>[] = [];
  while (pending.length < total) {
    const due = Math.min(total, Math.floor(((performance.now() - started) / 1000) * load.perSecond) + 1);
    while (pending.length < due) pending.push(ask(pending.length));
    await setTimeout(1);
  }
  await Promise.all(pending);
  const elapsed = (performance.now() - started) / 1000;
  agent.destroy();
  const offeredPerSecond = load.perSecond;
  return { ...latencyOf(times), requestsPerSecond: times.length / elapsed, failed, offeredPerSecond };
}

function read(url: string, agent: Agent): Promise<number> {
  return new Promise((resolve) => {
    get(url, { agent }, (response) => {
      response.on('data', () => {});
      response.on('end', () => resolve(response.statusCode ?? 0));
    }).on('error', () => resolve(0));
  });
}
