import type { Kysely } from 'kysely';
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
import type { BoardTables } from './store/tables.ts';

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

/** The standing work at one moment: the catalogue and what the council has added to it. */
export interface StandingWork {
  isObjective(id: string): boolean;
  isQuestion(id: string): boolean;
  /** Catalogue order, then what was added, oldest ratification first. */
  candidates: readonly Candidate[];
}

/** The standing work at `now` (microseconds). Rejects as the store does. */
export async function standingWork(_db: Kysely<BoardTables>, _now: number): Promise<StandingWork> {
  return { isObjective, isQuestion, candidates: CANDIDATES };
}

/** One issue for each of `objectiveId` and `questionId` that is given and is not standing work. */
export function unknownWork(
  standing: StandingWork,
  { objectiveId, questionId }: { objectiveId?: string | null | undefined; questionId?: string | null | undefined },
): { path: string; message: string }[] {
  const objective = objectiveId != null && !standing.isObjective(objectiveId);
  const question = questionId != null && !standing.isQuestion(questionId);
  return [
    ...(objective
      ? [{ path: 'objectiveId', message: 'expected the id of an objective that GET /api/v1/curriculum lists' }]
      : []),
    ...(question
      ? [{ path: 'questionId', message: 'expected the id of a question that GET /api/v1/open-questions lists' }]
      : []),
  ];
}
