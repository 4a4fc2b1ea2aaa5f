import type { HttpLoad, RatedLoad } from './latency.ts';
import { measureRun } from './process.ts';

/** A load that a process of its own sends, so that other work of this one does not count as the server's delay. */
export interface ClientJob {
  origin: string;
  paths: string[];
  connections: number;
  seconds: number;
  /** Null for a closed loop. */
  perSecond: number | null;
}

async function send(job: ClientJob): Promise<unknown> {
  const { output } = await measureRun(['tools/bench/load-client.ts'], { PATH: '' }, JSON.stringify(job));
  return JSON.parse(output);
}

type Target = Omit<ClientJob, 'perSecond'>;

/** Each connection sends its next request when it has read the answer to the last. */
export async function closedLoop(target: Target): Promise<HttpLoad> {
  return (await send({ ...target, perSecond: null })) as HttpLoad;
}

/** Requests fall due at a steady rate, answered or not, and are timed from when they were due. */
export async function openLoopAt(target: Target, perSecond: number): Promise<RatedLoad> {
  return (await send({ ...target, perSecond })) as RatedLoad;
}
