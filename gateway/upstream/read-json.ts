import { json } from 'node:stream/consumers';
import type { Upstream } from './upstream.ts';

/** Longest silence of a part before it counts as unread. */
const SILENCE_MS = 2_000;

/** The JSON that a server behind this one answers to a GET of the gateway's own; rejects for anything but a 200. */
export async function readJson<Value>(server: Upstream, path: string): Promise<Value> {
  const options = { method: 'GET', path, headers: {}, body: null, signal: null };
  const answer = await server.send({ ...options, silenceMs: SILENCE_MS, lane: 'own' });
  if (answer.statusCode === 200) return (await json(answer)) as Value;
  answer.resume();
  throw new Error(`${path} answered ${answer.statusCode}`);
}
