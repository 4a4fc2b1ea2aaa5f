import {
  type AssignmentKind,
  MODULE_OBJECTIVE_IDS,
  OBJECTIVE_IDS,
  type ObjectiveLevel,
  QUESTION_IDS,
  type QuestionEffort,
} from '../contract/ids.ts';
import { OBJECTIVES } from '../contract/objectives.ts';
import { QUESTIONS } from '../contract/questions.ts';

/** The standing work as the board knows it. */

const OBJECTIVE_SET: ReadonlySet<string> = new Set([...OBJECTIVE_IDS, ...MODULE_OBJECTIVE_IDS]);
const QUESTION_SET: ReadonlySet<string> = new Set(QUESTION_IDS);

/** Whether work may be bound to this objective; module objectives included. */
export function isObjective(id: string): boolean {
  return OBJECTIVE_SET.has(id);
}

export function isQuestion(id: string): boolean {
  return QUESTION_SET.has(id);
}

/** Something that the assignment may suggest: an objective with its level or a question with its effort. */
export interface Candidate {
  kind: AssignmentKind;
  id: string;
  title: string;
  /** Null for a question. */
  level: ObjectiveLevel | null;
  /** Null for an objective. */
  effort: QuestionEffort | null;
}

/** In catalogue order, which breaks ties: the objectives, then the questions. Module objectives are never assigned. */
export const CANDIDATES: readonly Candidate[] = [
  ...OBJECTIVES.map(({ id, title, level }) => ({ kind: 'objective' as const, id, title, level, effort: null })),
  ...QUESTIONS.map(({ id, question, effort }) => ({
    kind: 'question' as const,
    id,
    title: question,
    level: null,
    effort,
  })),
];
