import type { ObjectiveLevel, QuestionEffort } from '../../contract/ids.ts';
import { readJson } from './read-json.ts';
import type { Upstream } from './upstream.ts';

/** Objectives and questions that the council added, from an internal path of the board. */
export interface CouncilAdditions {
  objectives: { id: string; title: string; level: ObjectiveLevel }[];
  questions: { id: string; question: string; effort: QuestionEffort }[];
}

/** After this long without a byte from the board, the answer is made without the additions. */
const SILENCE_MS = 1_000;

/** Null if the board does not answer in time or answers in another form; never rejects. */
export async function councilAdditions(board: Upstream): Promise<CouncilAdditions | null> {
  try {
    const additions = await readJson<CouncilAdditions>(board, '/internal/additions', SILENCE_MS);
    // A board of another version may answer in another form.
    return Array.isArray(additions.objectives) && Array.isArray(additions.questions) ? additions : null;
  } catch {
    return null;
  }
}
