import type { H3Event, HTTPResponse } from 'h3';
import { MODULE_OBJECTIVES, OBJECTIVES, type Objective } from '../../contract/declared/objectives.ts';
import { QUESTIONS } from '../../contract/declared/questions.ts';
import { ERRORS } from '../../contract/errors/errors.ts';
import { CURRICULUM_OPERATIONS } from '../../contract/operations/board/curriculum.ts';
import { correlationIdOf, type Handlers, type MountOptions, responder } from '../../server-kit/mount.ts';
import { Problem } from '../../server-kit/problem.ts';
import type { Forward } from '../upstream/forward.ts';

const WITHOUT_COUNCIL = {
  degraded: true,
  honesty: [
    'The board could not be read: what its council added, if anything, is missing here. What is shown is declared by the service and does not change.',
  ],
};
const UNKNOWN = 'The board could not be read, and only it knows whether its council added something under this id.';

const handlers: Handlers<typeof CURRICULUM_OPERATIONS, null> = {
  curriculum: ({ query: { id } }, _context, _services, fail) => {
    const objectives = shown(OBJECTIVES, id);
    const moduleObjectives = shown(MODULE_OBJECTIVES, id);
    if (objectives.length + moduleObjectives.length === 0) fail('DB_ERROR', { message: UNKNOWN });
    const data = { objectives, moduleObjectives, councilAdditions: 'not read' as const };
    return { data, meta: WITHOUT_COUNCIL };
  },

  'open-questions': ({ query: { id } }, _context, _services, fail) => {
    const questions = QUESTIONS.filter((question) => id === undefined || question.id === id).map((question) => ({
      ...question,
      endpoints: [...question.endpoints],
      approach: [...question.approach],
    }));
    if (questions.length === 0) fail('DB_ERROR', { message: UNKNOWN });
    return { data: { questions, councilAdditions: 'not read' as const }, meta: WITHOUT_COUNCIL };
  },
};

function shown(objectives: readonly Objective<string>[], id: string | undefined) {
  return objectives
    .filter((objective) => id === undefined || objective.id === id)
    .map((objective) => ({ ...objective, traversal: objective.traversal.map((step) => ({ ...step })) }));
}

/** Answers what the service itself declares where the board fails, and says that the council's additions are missing. */
export function withFixedTexts(forward: Forward, options: Omit<MountOptions<null>, 'services'>): Forward {
  const { log } = options;
  const mounted = { ...options, services: null };
  const [curriculum, openQuestions] = CURRICULUM_OPERATIONS;
  const fixed = new Map<string, (event: H3Event) => Promise<HTTPResponse>>([
    [curriculum.id, responder(curriculum, handlers.curriculum, mounted)],
    [openQuestions.id, responder(openQuestions, handlers['open-questions'], mounted)],
  ]);
  return async (event, operation) => {
    const answer = fixed.get(operation.id);
    if (answer === undefined) return forward(event, operation);
    try {
      const response = await forward(event, operation);
      if ((response.status ?? 200) < 500) return response;
    } catch (error) {
      if (!(error instanceof Problem) || ERRORS[error.code].family !== 'availability') throw error;
      const fields = { correlationId: correlationIdOf(event), operation: operation.id, err: error };
      log.warn(fields, 'the board failed; the texts that the service declares are served without it');
    }
    return answer(event);
  };
}
