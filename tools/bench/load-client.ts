import type { ClientJob } from './client.ts';
import { measureHttp, measureHttpAtRate } from './latency.ts';

/** A process that only sends: reads a `ClientJob` from standard input and prints what it measured as JSON. */

const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
const { origin, paths, connections, seconds, perSecond } = JSON.parse(Buffer.concat(chunks).toString()) as ClientJob;
const load =
  perSecond === null
    ? await measureHttp(origin, paths, connections, seconds)
    : await measureHttpAtRate(origin, paths, { connections, seconds, perSecond });
process.stdout.write(JSON.stringify(load));
