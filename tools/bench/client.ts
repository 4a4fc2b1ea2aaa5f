import type { HttpLoad, Latency, RatedLoad } from './latency.ts';
import { measureRun } from './process.ts';

/** Job of the sending process. */
export type ClientJob = {
  origin: string;
  paths: string[];
  connections: number;
  seconds: number;
} & (
  | { loop: 'closed' }
  | { loop: 'open'; perSecond: number }
  /** `kinds` names the kind of read of each path. */
  | { loop: 'long'; perSecond: number; kinds: string[] }
);

export interface LongLoad extends HttpLoad {
  offeredPerSecond: number;
  /** Number of answers by status other than 200; 0 stands for no answer. */
  failures: Record<string, number>;
  kinds: Record<string, Latency>;
}

const PROGRAM = ['tools/bench/load-client.ts'];

async function send(job: ClientJob): Promise<unknown> {
  const { output } = await measureRun(PROGRAM, { PATH: '' }, JSON.stringify(job));
  return JSON.parse(output);
}

type Target = Pick<ClientJob, 'origin' | 'paths' | 'connections' | 'seconds'>;

/** Each connection sends its next request when it has read the answer to the last. */
export async function closedLoop(target: Target): Promise<HttpLoad> {
  return (await send({ ...target, loop: 'closed' })) as HttpLoad;
}

/** Requests fall due at a steady rate, answered or not, and are timed from when they were due. */
export async function openLoopAt(target: Target, perSecond: number): Promise<RatedLoad> {
  return (await send({ ...target, loop: 'open', perSecond })) as RatedLoad;
}

export async function longLoop(target: Target, perSecond: number, kinds: string[]): Promise<LongLoad> {
  return (await send({ ...target, loop: 'long', perSecond, kinds })) as LongLoad;
}
