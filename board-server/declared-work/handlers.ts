import { MODULE_OBJECTIVES, OBJECTIVES, type Objective } from '../../contract/declared/objectives.ts';
import { QUESTIONS } from '../../contract/declared/questions.ts';
import type { CURRICULUM_OPERATIONS } from '../../contract/operations/board/curriculum.ts';
import type { Handlers, Reply } from '../../server-kit/mount.ts';
import { objectiveBlock, questionBlock } from '../council/added-work.ts';
import { type CouncilView, councilView, inEffectById, shownOf } from '../council/in-effect.ts';
import { AGENT_TEXT_HONESTY } from '../kit/honesty.ts';
import type { BoardServices } from '../kit/services.ts';
import { storeOr } from '../kit/write.ts';
import { toMicros } from '../store/instants.ts';
import { isObjective, isQuestion } from './declared-work.ts';

export const curriculumHandlers: Handlers<typeof CURRICULUM_OPERATIONS, BoardServices> = {
  curriculum: async ({ query: { id } }, context, { board }, fail) => {
    const view = await storeOr('DB_ERROR', () => councilView(board.read, toMicros(context.now)));
    const added = addedWork(view, 'objective', id).map(objectiveBlock);
    if (id !== undefined && !isObjective(id) && added.length === 0) fail('objective_not_found');
    const wanted = (objective: Objective<string>) => id === undefined || objective.id === id;
    const objectives = [...OBJECTIVES.filter(wanted).map(present), ...added.map(present)];
    return validated({ objectives, moduleObjectives: MODULE_OBJECTIVES.filter(wanted).map(present) }, added.length > 0);
  },

  'open-questions': async ({ query: { id } }, context, { board }, fail) => {
    const view = await storeOr('DB_ERROR', () => councilView(board.read, toMicros(context.now)));
    const added = addedWork(view, 'open_question', id).map(questionBlock);
    if (id !== undefined && !isQuestion(id) && added.length === 0) fail('question_not_found');
    const fixed = QUESTIONS.filter((question) => id === undefined || question.id === id).map((question) => ({
      ...question,
      endpoints: [...question.endpoints],
      approach: [...question.approach],
    }));
    return validated({ questions: [...fixed, ...added] }, added.length > 0);
  },
};

/** What the council added of one kind: as much as lists show, or the one with this id. */
function addedWork<Kind extends 'objective' | 'open_question'>(view: CouncilView, kind: Kind, id: string | undefined) {
  return id === undefined ? shownOf(view, kind) : inEffectById(view, kind, id);
}

function present<Block extends Objective<string>>(objective: Block) {
  return { ...objective, traversal: objective.traversal.map((step) => ({ ...step })) };
}

/** The answer with an ETag of its content, since nothing else changes it. */
function validated<Data>(data: Data, hasAdditions: boolean): Reply<Data> {
  const meta = hasAdditions ? { meta: { honesty: AGENT_TEXT_HONESTY } } : {};
  return { data, validator: JSON.stringify(data), ...meta };
}
