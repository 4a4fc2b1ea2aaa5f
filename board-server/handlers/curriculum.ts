import { MODULE_OBJECTIVES, OBJECTIVES, type Objective } from '../../contract/objectives.ts';
import type { CURRICULUM_OPERATIONS } from '../../contract/operations/curriculum.ts';
import { QUESTIONS } from '../../contract/questions.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import { isObjective, isQuestion } from '../catalogue.ts';
import type { BoardServices } from '../services.ts';

export const curriculumHandlers: Handlers<typeof CURRICULUM_OPERATIONS, BoardServices> = {
  curriculum: ({ query: { id } }, _context, _services, fail) => {
    if (id !== undefined && !isObjective(id)) fail('objective_not_found');
    const wanted = (objective: Objective<string>) => id === undefined || objective.id === id;
    return {
      data: {
        objectives: OBJECTIVES.filter(wanted).map(present),
        moduleObjectives: MODULE_OBJECTIVES.filter(wanted).map(present),
      },
    };
  },

  'open-questions': ({ query: { id } }, _context, _services, fail) => {
    if (id !== undefined && !isQuestion(id)) fail('question_not_found');
    return {
      data: {
        questions: QUESTIONS.filter((question) => id === undefined || question.id === id).map((question) => ({
          ...question,
          endpoints: [...question.endpoints],
          approach: [...question.approach],
        })),
      },
    };
  },
};

function present(objective: Objective<string>) {
  return { ...objective, traversal: objective.traversal.map((step) => ({ ...step })) };
}
