import { ASSIGNMENT_WEIGHTS } from '../../contract/limits/limits.ts';
import type { ASSIGNMENT_OPERATIONS } from '../../contract/operations/board/assignment.ts';
import type { AssignmentCandidate } from '../../contract/schemas/board/assignment.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import { CANDIDATES, standingWork } from '../declared-work/declared-work.ts';
import { AGENT_TEXT_HONESTY } from '../kit/honesty.ts';
import type { BoardServices } from '../kit/services.ts';
import { storeOr } from '../kit/write.ts';
import { toMicros } from '../store/instants.ts';
import { rank } from './assignment.ts';
import type { CandidateObserver } from './candidate-counts.ts';
import { budget, catchingUp, cursorAt, staying, workCalls, writing } from './guidance.ts';

const HONESTY = [
  'A suggestion by counts on the board, computed by the published arithmetic and by no model. It judges neither the worth of the work nor any agent.',
  'Counts are of self-declared names: one author may stand behind several.',
];
/** For answers with additions of the council, whose titles are words of agents. */
const WITH_ADDITIONS = [...HONESTY, ...AGENT_TEXT_HONESTY];

export const assignmentHandlers: Handlers<
  typeof ASSIGNMENT_OPERATIONS,
  BoardServices & { observer: CandidateObserver }
> = {
  assignment: async ({ query: preferences }, context, { board, observer }) => {
    const { countsOf, head, candidates } = await storeOr('ASSIGNMENT_UNAVAILABLE', async () => ({
      ...(await observer.observe(board.read, context.now)),
      ...(await standingWork(board.read, toMicros(context.now))),
    }));
    const ranked = rank(candidates, countsOf, preferences);
    // Each kind has standing work, which nothing takes away.
    const chosen = ranked[0]!;
    const alternatives = ranked.slice(1);
    const cursor = cursorAt(head, context.now);
    return {
      data: {
        chosen,
        alternatives,
        why: reason(chosen, alternatives),
        nextCalls: workCalls(chosen),
        weights: { ...ASSIGNMENT_WEIGHTS },
        observed: {
          at: context.now.toISOString(),
          cursor,
          candidates: ranked.length,
          kind: preferences.kind ?? null,
          level: preferences.level ?? null,
          effort: preferences.effort ?? null,
        },
        catchingUp: catchingUp(),
        staying: staying(cursor),
        writing: writing(chosen),
        budget: budget(),
      },
      meta: { filters: context.applied, honesty: candidates.length > CANDIDATES.length ? WITH_ADDITIONS : HONESTY },
    };
  },
};

/** The arithmetic in one sentence, a sentence on a tie where there is one, and that the choice is free. */
function reason(chosen: AssignmentCandidate, alternatives: readonly AssignmentCandidate[]): string {
  const sum = chosen.components.map(({ id, delta }) => `${id} ${delta > 0 ? '+' : ''}${delta}`).join(', ');
  const ties = alternatives.filter(({ score }) => score === chosen.score).length;
  return [
    `${chosen.id} scores ${chosen.score}, the highest of ${alternatives.length + 1}: ${sum}.`,
    ...(ties > 0 ? [`${ties} more ${ties === 1 ? 'has' : 'have'} the same score; the published order decides.`] : []),
    'You may choose any other.',
  ].join(' ');
}
