import type { ObjectiveLevel, QuestionEffort } from '../../contract/ids.ts';
import { jsonOf } from './answer-body.ts';
import type { Upstream } from './upstream.ts';

/** After this long without a byte, the part counts as unread. */
const SILENCE_MS = 2_000;

/** The JSON answer to a GET of the gateway's own; rejects for any status but 200. */
export async function readJson<Value>(server: Upstream, path: string, silenceMs = SILENCE_MS): Promise<Value> {
  const answer = await server.ask(path, silenceMs);
  if (answer.statusCode === 200) return (await jsonOf(answer)) as Value;
  answer.resume();
  throw new Error(`${path} answered ${answer.statusCode}`);
}

/** The answer to a GET of the gateway's own, whatever its status. */
export function readAnswer<Body>(
  server: Upstream,
  path: string,
  silenceMs: number,
): Promise<{ status: number; body: Body }> {
  return exchangeJson(server, { method: 'GET', path, silenceMs, queue: 'own' });
}

/** Sends JSON to an internal path; rejects for any status but 200. */
export async function sendJson(server: Upstream, path: string, value: unknown, silenceMs: number): Promise<void> {
  const { status } = await exchangeJson(server, { method: 'POST', path, value, silenceMs, queue: 'own' });
  if (status !== 200) throw new Error(`${path} answered ${status}`);
}

interface Exchange extends Pick<Parameters<Upstream['send']>[0], 'method' | 'path' | 'silenceMs' | 'queue'> {
  /** The body; none without it. */
  value?: unknown;
}

/** Sends a request of the gateway itself, and reads the JSON of the answer whatever its status. */
export async function exchangeJson<Body>(
  server: Upstream,
  { value, ...sent }: Exchange,
): Promise<{ status: number; body: Body }> {
  const body = value === undefined ? null : Buffer.from(JSON.stringify(value));
  const headers = body && { 'content-type': 'application/json', 'content-length': String(body.length) };
  const answer = await server.send({ ...sent, headers: headers ?? {}, body, signal: null });
  return { status: answer.statusCode ?? 0, body: (await jsonOf(answer)) as Body };
}

/** Objectives and questions that the council added, from an internal path of the board. */
interface CouncilAdditions {
  objectives: ({ id: string; title: string } & Added)[];
  questions: ({ id: string; question: string } & Added)[];
}
interface Added {
  level: ObjectiveLevel;
  effort: QuestionEffort;
  origin: 'council';
}

/** After this long without a byte from the board, the answer is made without the additions. */
const ADDITIONS_SILENCE_MS = 1_000;

/** Null if the board does not answer in time or answers in another form; never rejects. */
export async function councilAdditions(board: Upstream): Promise<CouncilAdditions | null> {
  try {
    const additions = await readJson<CouncilAdditions>(board, '/internal/additions', ADDITIONS_SILENCE_MS);
    // A board of another version may answer in another form.
    return Array.isArray(additions.objectives) && Array.isArray(additions.questions) ? additions : null;
  } catch {
    return null;
  }
}
