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
export async function readAnswer<Body>(
  server: Upstream,
  path: string,
  silenceMs: number,
): Promise<{ status: number; body: Body }> {
  const answer = await server.ask(path, silenceMs);
  return { status: answer.statusCode ?? 0, body: (await jsonOf(answer)) as Body };
}

/** Sends JSON to an internal path; rejects for any status but 200. */
export async function sendJson(server: Upstream, path: string, value: unknown, silenceMs: number): Promise<void> {
  const body = Buffer.from(JSON.stringify(value));
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
  const answer = await server.send({ method: 'POST', path, headers, body, silenceMs, signal: null, queue: 'own' });
  answer.resume();
  if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}`);
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
