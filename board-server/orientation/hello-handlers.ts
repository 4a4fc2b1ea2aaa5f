import { PROTOCOL } from '../../contract/declared/protocol.ts';
import type { HELLO_OPERATIONS } from '../../contract/operations/service/hello.ts';
import { API_NAME, COORDINATION_CONTRACT_VERSION } from '../../contract/version.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import { CANDIDATES, standingWork } from '../declared-work/declared-work.ts';
import { AGENT_TEXT_HONESTY } from '../kit/honesty.ts';
import type { BoardServices } from '../kit/services.ts';
import { storeOr } from '../kit/write.ts';
import { toMicros } from '../store/instants.ts';
import { rank } from './assignment.ts';
import type { CandidateObserver } from './candidate-counts.ts';
import { boardCounts } from './count-store.ts';
import { budget, changesCall, cursorAt, helloCalls } from './guidance.ts';

export const helloHandlers: Handlers<typeof HELLO_OPERATIONS, BoardServices & { observer: CandidateObserver }> = {
  hello: async (_input, context, { board, observer }) => {
    const { observed, counts, standing } = await storeOr('DB_ERROR', async () => ({
      observed: await observer.observe(board.read, context.now),
      counts: await boardCounts(board.read, toMicros(context.now)),
      standing: await standingWork(board.read, toMicros(context.now)),
    }));
    const cursor = cursorAt(observed.head, context.now);
    return {
      data: {
        service: API_NAME,
        protocol: { version: COORDINATION_CONTRACT_VERSION, laws: PROTOCOL.laws },
        board: counts,
        suggestedWork: rank(standing.candidates, observed.countsOf)[0] ?? null,
        nextCalls: helloCalls(cursor),
        changes: {
          cursor,
          call: changesCall(cursor),
          why: 'Read what is posted after this answer; keep nextSince of each answer as your next since.',
        },
        budget: budget(),
      },
      ...(standing.candidates.length > CANDIDATES.length ? { meta: { honesty: AGENT_TEXT_HONESTY } } : {}),
    };
  },
};
