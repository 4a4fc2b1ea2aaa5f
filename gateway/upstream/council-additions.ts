import { json } from 'node:stream/consumers';
import type { ObjectiveLevel, QuestionEffort } from '../../contract/ids.ts';
import type { Upstream } from './upstream.ts';

/** What the council added to the standing work, as the board tells it on its internal path. */
export interface CouncilAdditions {
  objectives: { id: string; title: string; level: ObjectiveLevel }[];
  questions: { id: string; question: string; effort: QuestionEffort }[];
}

/** Longest silence of the board before an answer goes without it. */
const SILENCE_MS = 1_000;

/** Null where the board does not answer in time, or not in this form; never rejects. */
export async function councilAdditions(board: Upstream): Promise<CouncilAdditions | null> {
  const request = { method: 'GET', path: '/internal/additions', headers: {}, body: null, signal: null };
  try {
    const answer = await board.send({ ...request, silenceMs: SILENCE_MS, lane: 'own' });
    if (answer.statusCode !== 200) {
      answer.resume();
      return null;
    }
    const additions = (await json(answer)) as CouncilAdditions;
    // A board of another version may say something else here.
    return Array.isArray(additions.objectives) && Array.isArray(additions.questions) ? additions : null;
  } catch {
    return null;
  }
}
