import { type HttpLoad, measureHttp, measureHttpAtRate, type RatedLoad } from './latency.ts';
import { measureRun } from './process.ts';

/**
 * A load that a process of its own sends, so that other work of this one does not count as the server's delay. That process runs this
 * same file.
 */
interface Target {
  origin: string;
  paths: string[];
  connections: number;
  seconds: number;
}

/** `perSecond` is null for a closed loop. */
type Job = Target & { perSecond: number | null };

async function send(job: Job): Promise<unknown> {
  const { output } = await measureRun(['tools/bench/client.ts'], { PATH: '' }, JSON.stringify(job));
  return JSON.parse(output);
}

/** Each connection sends its next request when it has read the answer to the last. */
export async function closedLoop(target: Target): Promise<HttpLoad> {
  return (await send({ ...target, perSecond: null })) as HttpLoad;
}

/** Requests fall due at a steady rate, answered or not, and are timed from when they were due. */
export async function openLoopAt(target: Target, perSecond: number): Promise<RatedLoad> {
  return (await send({ ...target, perSecond })) as RatedLoad;
}

if (import.meta.main) {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  const { origin, paths, connections, seconds, perSecond } = JSON.parse(Buffer.concat(chunks).toString()) as Job;
  const load =
    perSecond === null
      ? await measureHttp(origin, paths, connections, seconds)
      : await measureHttpAtRate(origin, paths, { connections, seconds, perSecond });
  process.stdout.write(JSON.stringify(load));
}
