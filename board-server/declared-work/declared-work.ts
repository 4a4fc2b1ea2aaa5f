import { OBJECTIVES } from '../../contract/declared/objectives.ts';
import { QUESTIONS } from '../../contract/declared/questions.ts';
import {
  type AssignmentKind,
  MODULE_OBJECTIVE_IDS,
  OBJECTIVE_IDS,
  type ObjectiveLevel,
  QUESTION_IDS,
  type QuestionEffort,
} from '../../contract/ids.ts';
import { nearNote } from '../../contract/nearest-names.ts';
import { unseenEscaped } from '../../contract/visible-text.ts';
import { ORIGIN } from '../council/amendment.ts';
import { type CouncilView, councilView, effortOf, levelOf, shownOf } from '../council/in-effect.ts';
import type { Reader } from '../store/reader.ts';

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

/** Something that the assignment may suggest. */
export interface Candidate {
  kind: AssignmentKind;
  id: string;
  title: string;
  level: ObjectiveLevel;
  effort: QuestionEffort;
  /** Only on what the council added. */
  origin?: typeof ORIGIN;
}

/** In the order in which they are declared, which breaks ties: the objectives, then the questions. Module objectives are never assigned. */
export const CANDIDATES: readonly Candidate[] = [
  ...OBJECTIVES.map(({ id, title, level, effort }) => ({ kind: 'objective' as const, id, title, level, effort })),
  ...QUESTIONS.map(({ id, question, level, effort }) => ({
    kind: 'question' as const,
    id,
    title: question,
    level,
    effort,
  })),
];

/** The standing work at one moment: what is declared, and what the council has added to it. */
interface StandingWork {
  isObjective(id: string): boolean;
  isQuestion(id: string): boolean;
  /** Also true of work that the council added and took back: what is bound to it is still found by its id. */
  wasObjective(id: string): boolean;
  wasQuestion(id: string): boolean;
  /** In the order in which they are declared, then what was added, oldest ratification first; of additions as many as lists show. */
  candidates: readonly Candidate[];
}

/** The standing work at `now` (microseconds); one indexed row while the council decided nothing. Rejects as the store does. */
export async function standingWork(db: Reader, now: number): Promise<StandingWork> {
  const view = await councilView(db, now);
  return {
    isObjective: (id) => isObjective(id) || view.objectives.has(id),
    isQuestion: (id) => isQuestion(id) || view.questions.has(id),
    wasObjective: (id) => isObjective(id) || view.onceObjectives.has(id),
    wasQuestion: (id) => isQuestion(id) || view.onceQuestions.has(id),
    candidates: [...CANDIDATES, ...addedCandidates(view)],
  };
}

function addedCandidates(view: CouncilView): Candidate[] {
  const objectives = shownOf(view, 'objective').map((one) => ({
    since: one.since,
    candidate: {
      kind: 'objective' as const,
      id: one.adds!,
      title: one.proposal.title,
      level: levelOf(one),
      effort: effortOf(one),
      origin: ORIGIN,
    },
  }));
  const questions = shownOf(view, 'open_question').map((one) => ({
    since: one.since,
    candidate: {
      kind: 'question' as const,
      id: one.adds!,
      title: one.proposal.question,
      level: levelOf(one),
      effort: effortOf(one),
      origin: ORIGIN,
    },
  }));
  return [...objectives, ...questions].sort((a, b) => a.since - b.since).map(({ candidate }) => candidate);
}

interface NamedWork {
  objectiveId?: string | null | undefined;
  questionId?: string | null | undefined;
}

/** What an id of each kind must be, in words. */
const EXPECTED = {
  objectiveId: 'the id of an objective that GET /api/v1/curriculum lists',
  questionId: 'the id of a question that GET /api/v1/open-questions lists',
} as const;

/**
 * One issue for each of `objectiveId` and `questionId` that is given and is not standing work; writes are refused by
 * it.
 */
export function unknownWork(standing: StandingWork, named: NamedWork): { path: string; message: string }[] {
  return issuesOf(named, standing.isObjective, standing.isQuestion);
}

/**
 * One issue for each of them that was never standing work. Lists are refused by it, since they also find what is bound
 * to work that was taken back.
 */
export function unknownFilter(standing: StandingWork, named: NamedWork): { path: string; message: string }[] {
  return issuesOf(named, standing.wasObjective, standing.wasQuestion);
}

/** Details of an INVALID_PARAM for the first of the issues of `unknownFilter`; null where there are none. */
export function filterRefusal(issues: readonly { path: string; message: string }[]) {
  const first = issues[0];
  if (first === undefined) return null;
  const expected = EXPECTED[first.path as keyof typeof EXPECTED];
  const message = `The parameter ${first.path} is not usable: expected ${expected}.`;
  return { message, parameter: first.path, expected, issues: [...issues] };
}

const OBJECTIVES_NAMED = [...OBJECTIVE_SET];
const QUESTIONS_NAMED = [...QUESTION_SET];
const SHOWN_CHARACTERS = 64;

/** What was sent, as far as a refusal repeats it; control characters and what cannot be seen are escaped. */
function shown(id: string): string {
  return unseenEscaped(JSON.stringify(id.slice(0, SHOWN_CHARACTERS).toWellFormed()));
}

function issuesOf(
  { objectiveId, questionId }: NamedWork,
  hasObjective: (id: string) => boolean,
  hasQuestion: (id: string) => boolean,
): { path: string; message: string }[] {
  const unknown = (path: keyof typeof EXPECTED, id: string, near: readonly string[]) => ({
    path,
    message: `${shown(id)} is unknown: expected ${EXPECTED[path]}${nearNote(id, near)}`,
  });
  return [
    ...(objectiveId != null && !hasObjective(objectiveId)
      ? [unknown('objectiveId', objectiveId, OBJECTIVES_NAMED)]
      : []),
    ...(questionId != null && !hasQuestion(questionId) ? [unknown('questionId', questionId, QUESTIONS_NAMED)] : []),
  ];
}
