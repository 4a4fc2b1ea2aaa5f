import type { ClientJob, LongLoad } from './client.ts';
import { type Latency, latencyOf, measureHttp, measureHttpAtRate, openLoop } from './latency.ts';

/** A process that only sends: reads a `ClientJob` from standard input and prints what it measured as JSON. */

const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
const job = JSON.parse(Buffer.concat(chunks).toString('utf8')) as ClientJob;
process.stdout.write(JSON.stringify(await carryOut(job)));

async function carryOut(one: ClientJob): Promise<unknown> {
  const { origin, paths, connections, seconds } = one;
  if (one.loop === 'closed') return measureHttp(origin, paths, connections, seconds);
  const load = { connections, seconds, perSecond: one.perSecond };
  if (one.loop === 'open') return measureHttpAtRate(origin, paths, load);
  return longLoad(one);
}

/** Collects latencies by the kind of read, and counts the answers of every status but 200. */
async function longLoad({ origin, paths, connections, seconds, perSecond, kinds }: ClientJob & { loop: 'long' }) {
  const times: number[] = [];
  const byKind = new Map<string, number[]>();
  const failures: Record<string, number> = {};
  const kindOf = new Map(paths.map((path, place) => [path, kinds[place] as string]));
  const started = performance.now();
  await openLoop(origin, paths, { connections, seconds, perSecond }, (path, status, milliseconds) => {
    if (status !== 200) {
      failures[status] = (failures[status] ?? 0) + 1;
      return;
    }
    times.push(milliseconds);
    const kind = kindOf.get(path)!;
    const known = byKind.get(kind);
    if (known) known.push(milliseconds);
    else byKind.set(kind, [milliseconds]);
  });
  const elapsed = (performance.now() - started) / 1000;
  const result: LongLoad = {
    ...latencyOf(times),
    requestsPerSecond: times.length / elapsed,
    offeredPerSecond: perSecond,
    failed: Object.values(failures).reduce((sum, count) => sum + count, 0),
    failures,
    kinds: Object.fromEntries([...byKind].sort().map(([kind, own]): [string, Latency] => [kind, latencyOf(own)])),
  };
  return result;
}
