import { DEAD_END_ACTIONS } from '../../contract/declared/research.ts';
import { endpointsNamed } from '../../contract/interfaces/endpoint-names.ts';
import { LINE_EXCERPT_MAX_CHARACTERS } from '../../contract/limits/limits.ts';
import { actOnDeadEnd, type DEAD_END_OPERATIONS, registerDeadEnd } from '../../contract/operations/board/dead-ends.ts';
import type { DeadEnd, DeadEndBody } from '../../contract/schemas/board/dead-end.ts';
import { contentHash } from '../../server-kit/hashing.ts';
import type { Fail, Handlers } from '../../server-kit/mount.ts';
import { knownAction, refuseIssues, refuseUnknownFilter, workIssues } from '../declared-work/checks.ts';
import { excerpt } from '../kit/excerpt.ts';
import { AGENT_TEXT_HONESTY } from '../kit/honesty.ts';
import { appliedOf, pageOf, shown } from '../kit/pagination.ts';
import { researchEvent } from '../kit/research-event.ts';
import type { BoardServices } from '../kit/services.ts';
import { addressHash, readTogether, storeOr, type WriteOutcome, writeOnce } from '../kit/write.ts';
import { toMicros } from '../store/instants.ts';
import type { Transaction } from '../store/transaction.ts';
import { deadEndCount, deadEndPage, overturnDeadEnd, presentDeadEnd } from './dead-end-store.ts';
import {
  BLOCKS_NOBODY,
  DEAD_END_STATE_MEANING,
  HOW_TO_REGISTER,
  howToOverturn,
  WHY_IT_STOPPED_MEANING,
} from './guide.ts';
import type { DeadEndRow } from './tables.ts';

const honesty = [BLOCKS_NOBODY, ...AGENT_TEXT_HONESTY];
const CORROBORATED = 'expected the id of a finding that is corroborated at this moment';

export const deadEndHandlers: Handlers<typeof DEAD_END_OPERATIONS, BoardServices> = {
  'dead-ends': ({ query }, context, { board }, fail) =>
    readTogether(board, 'DB_ERROR', async (db) => {
      const { limit, offset, cursor, ...filter } = query;
      await refuseUnknownFilter(db, toMicros(context.now), filter, fail);
      const page = pageOf('dead-ends', filter, { limit, offset, cursor }, fail);
      const total = await deadEndCount(db, filter);
      const { rows, pagination } = shown(page, await deadEndPage(db, filter, page.range), total);
      const deadEnds = rows.map(presentDeadEnd);
      return {
        data: {
          blocksNobody: BLOCKS_NOBODY,
          howToRegister: HOW_TO_REGISTER,
          howToOverturn: howToOverturn(deadEnds),
          stateMeaning: DEAD_END_STATE_MEANING,
          whyItStoppedMeaning: WHY_IT_STOPPED_MEANING,
          deadEnds,
        },
        meta: { ...appliedOf(context), pagination, honesty },
      };
    }),

  'dead-end-register': ({ body }, context, services, fail) =>
    writeOnce(services, registerDeadEnd, context, fail, { unavailable: 'SUBMISSION_FAILED', honesty }, (tx) =>
      register(tx, body, addressHash(services, context), fail),
    ),

  'dead-end': ({ params }, context, { board }, fail) =>
    storeOr('DB_ERROR', async () => {
      const row = (await board.read.byId('dead_ends', params.id)) ?? fail('NOT_FOUND');
      return { data: presentDeadEnd(row), meta: { filters: context.applied, honesty } };
    }),

  'dead-end-act': async ({ params, body }, context, services, fail) => {
    knownAction(DEAD_END_ACTIONS, body.action, fail);
    const findingId = body.findingId ?? '';
    return writeOnce(services, actOnDeadEnd, context, fail, { unavailable: 'UPDATE_FAILED', honesty }, (tx) =>
      overturn(tx, params.id, { findingId, agentName: body.agentName }, fail),
    );
  },
};

/** Stores a dead end with its event, or gives the one that says exactly the same. */
async function register(
  tx: Transaction,
  body: DeadEndBody,
  address: string,
  fail: Fail<'submission_rejected'>,
): Promise<WriteOutcome<DeadEnd>> {
  const { approach, howFar, whereItStopped, whyItStopped, whatWouldChangeIt, agentName } = body;
  const { objectiveId = null, questionId = null } = body;
  const { ids: endpointsUsed } = endpointsNamed(body.endpointsUsed ?? []);
  const said = { approach, howFar, whereItStopped, whyItStopped, whatWouldChangeIt, objectiveId, questionId };
  const content_hash = contentHash('dead-end', { ...said, endpointsUsed, agentName });
  const same = await tx.byContent('dead_ends', content_hash);
  if (same) return { created: false, data: presentDeadEnd(same) };
  refuseIssues(await workIssues(tx, body), fail);
  const ts = tx.nextTime();
  const row: DeadEndRow = {
    ...tx.newRow('ded', ts, address),
    approach,
    how_far: howFar,
    where_it_stopped: whereItStopped,
    why_it_stopped: whyItStopped,
    what_would_change_it: whatWouldChangeIt,
    objective_id: objectiveId,
    question_id: questionId,
    endpoints_used: JSON.stringify(endpointsUsed),
    agent_name: agentName,
    content_hash,
    state: 'standing',
    overturned_at: null,
    overturned_by: null,
    overturning_finding_id: null,
  };
  await tx.insert('dead_ends', row);
  await tell(tx, ts, row, 'registered', agentName, { whyItStopped, objectiveId, questionId });
  return { created: true, data: presentDeadEnd(row) };
}

async function overturn(
  tx: Transaction,
  id: string,
  { findingId, agentName }: { findingId: string; agentName: string },
  fail: Fail<'NOT_FOUND' | 'NOT_OPEN' | 'submission_rejected'>,
): Promise<WriteOutcome<DeadEnd>> {
  const row = (await tx.byId('dead_ends', id)) ?? fail('NOT_FOUND');
  if (row.state !== 'standing') {
    fail('NOT_OPEN', { message: 'The dead end was overturned, which is final: it takes no second finding.' });
  }
  const finding = await tx.byId('findings', findingId);
  if (finding?.status !== 'corroborated') refuseIssues([{ path: 'findingId', message: CORROBORATED }], fail);
  const ts = tx.nextTime();
  const overturned = (await overturnDeadEnd(tx, id, { findingId, agentName, now: ts })) ?? fail('NOT_OPEN');
  await tell(tx, ts, overturned, 'overturned', agentName, { findingId });
  return { created: false, data: presentDeadEnd(overturned) };
}

async function tell(
  tx: Transaction,
  ts: number,
  row: DeadEndRow,
  verb: 'registered' | 'overturned',
  agentName: string,
  data: Record<string, unknown>,
): Promise<void> {
  const title = excerpt(row.approach, LINE_EXCERPT_MAX_CHARACTERS);
  await tx.appendEvent(ts, researchEvent('dead-end', verb, { objectId: row.id, agentName, data: { title, ...data } }));
}
