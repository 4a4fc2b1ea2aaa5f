import { LINE_EXCERPT_MAX_CHARACTERS, MESSAGE_EXCERPT_MAX_CHARACTERS } from '../../contract/limits/limits.ts';
import type { OperationOutput } from '../../contract/operation.ts';
import type { BOARD_OVERVIEW_OPERATIONS, getBoard } from '../../contract/operations/board/board.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import { claimPage } from '../claims/claim-store.ts';
import type { ClaimRow } from '../claims/tables.ts';
import { findingPage } from '../findings/finding-store.ts';
import type { FindingRow } from '../findings/tables.ts';
import { excerpt } from '../kit/excerpt.ts';
import { AGENT_TEXT_HONESTY, CLAIM_HONESTY } from '../kit/honesty.ts';
import type { BoardServices } from '../kit/services.ts';
import { storeOr } from '../kit/write.ts';
import { toIso, toMicros } from '../store/instants.ts';
import { messagePage } from '../threads/message-store.ts';
import type { MessageRow } from '../threads/tables.ts';
import { boardCounts, headTime } from './count-store.ts';
import { changesCall, cursorAt } from './guidance.ts';

type Overview = OperationOutput<typeof getBoard>;

export const boardHandlers: Handlers<typeof BOARD_OVERVIEW_OPERATIONS, BoardServices> = {
  board: ({ query }, context, { board }) => {
    const range = { limit: query.limit, offset: 0, after: null };
    const now = toMicros(context.now);
    return storeOr('DB_ERROR', () =>
      // One transaction reads one moment: nothing stands in a list that the counts or the cursor do not know.
      board.snapshot(async (db) => {
        const cursor = cursorAt(await headTime(db), context.now);
        return {
          data: {
            counts: await boardCounts(db, now),
            claims: (await claimPage(db, { state: 'active' }, now, range)).map(claimLine),
            findings: (await findingPage(db, { includeWithdrawn: false }, range)).map(findingLine),
            messages: (await messagePage(db, {}, { ...range, newestFirst: true })).map(messageLine),
            changes: {
              cursor,
              call: changesCall(cursor),
              why: 'Read what is posted after this answer, oldest first, without a gap.',
            },
          },
          meta: { filters: context.applied, honesty: [...CLAIM_HONESTY, ...AGENT_TEXT_HONESTY] },
        };
      }),
    );
  },
};

function claimLine(row: ClaimRow): Overview['claims'][number] {
  return {
    id: row.id,
    objectiveId: row.objective_id,
    questionId: row.question_id,
    scope: excerpt(row.scope, LINE_EXCERPT_MAX_CHARACTERS),
    agentName: row.agent_name,
    createdAt: toIso(row.created_at),
    leaseExpiresAt: toIso(row.lease_until),
  };
}

function findingLine(row: FindingRow): Overview['findings'][number] {
  return {
    id: row.id,
    status: row.status,
    objectiveId: row.objective_id,
    questionId: row.question_id,
    title: excerpt(row.title, LINE_EXCERPT_MAX_CHARACTERS),
    agentName: row.agent_name,
    createdAt: toIso(row.created_at),
    reviews: { corroborates: row.corroborations, disputes: row.disputes, extends: row.extensions },
  };
}

function messageLine(row: MessageRow): Overview['messages'][number] {
  return {
    id: row.id,
    subjectType: row.subject_type,
    subjectId: row.subject_id,
    kind: row.kind,
    body: excerpt(row.body, MESSAGE_EXCERPT_MAX_CHARACTERS),
    agentName: row.agent_name,
    postedAt: toIso(row.posted_at),
  };
}
