import { json } from 'node:stream/consumers';
import type { Upstream } from './upstream.ts';

/** After this long without a byte, the part counts as unread. */
const SILENCE_MS = 2_000;

/** The JSON answer to a GET of the gateway's own; rejects for any status but 200. */
export async function readJson<Value>(server: Upstream, path: string, silenceMs = SILENCE_MS): Promise<Value> {
  const answer = await server.ask(path, silenceMs);
  if (answer.statusCode === 200) return (await json(answer)) as Value;
  answer.resume();
  throw new Error(`${path} answered ${answer.statusCode}`);
}
