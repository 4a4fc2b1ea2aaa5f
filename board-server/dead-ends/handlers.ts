import { DEAD_END_ACTIONS } from '../../contract/declared/research.ts';
import { endpointsNamed } from '../../contract/interfaces/endpoint-names.ts';
import { actOnDeadEnd, type DEAD_END_OPERATIONS, registerDeadEnd } from '../../contract/operations/board/dead-ends.ts';
import { type DeadEnd, type DeadEndBody, deadEndSchema } from '../../contract/schemas/board/dead-end.ts';
import type { Fail, Handlers } from '../../server-kit/mount.ts';
import { knownAction, refuseIssues, refuseUnknownFilter, workIssues } from '../declared-work/checks.ts';
import { AGENT_TEXT_HONESTY } from '../kit/honesty.ts';
import { type ResourceRow, resource } from '../kit/resource.ts';
import type { BoardServices } from '../kit/services.ts';
import { addressHash, readTogether, storeOr, type WriteOutcome, writeOnce } from '../kit/write.ts';
import { toIso, toMicros } from '../store/instants.ts';
import type { Transaction } from '../store/transaction.ts';
import {
  BLOCKS_NOBODY,
  DEAD_END_STATE_MEANING,
  HOW_TO_REGISTER,
  howToOverturn,
  WHY_IT_STOPPED_MEANING,
} from './guide.ts';

const honesty = [BLOCKS_NOBODY, ...AGENT_TEXT_HONESTY];
const CORROBORATED = 'expected the id of a finding that is corroborated at this moment';

interface DeadEndRow extends ResourceRow<Omit<DeadEnd, 'overturned'>> {
  overturned_at: number | null;
  overturned_by: string | null;
  overturning_finding_id: string | null;
}

declare module '../store/tables.ts' {
  interface BoardTables {
    dead_ends: DeadEndRow;
  }
}

const deadEnds = resource({
  table: 'dead_ends',
  prefix: 'ded',
  object: 'dead-end',
  title: 'approach',
  fields: deadEndSchema.omit({ overturned: true }),
  filters: ['objectiveId', 'questionId', 'agentName'],
});

function presentDeadEnd(row: DeadEndRow): DeadEnd {
  const { overturned_at: at, overturned_by: by, overturning_finding_id: finding } = row;
  const overturned = at === null ? null : { findingId: finding ?? '', agentName: by ?? '', overturnedAt: toIso(at) };
  return { ...deadEnds.present(row), overturned };
}

export const deadEndHandlers: Handlers<typeof DEAD_END_OPERATIONS, BoardServices> = {
  'dead-ends': ({ query }, context, { board }, fail) =>
    readTogether(board, 'DB_ERROR', async (db) => {
      await refuseUnknownFilter(db, toMicros(context.now), query, fail);
      const { rows, meta } = await deadEnds.list(db, 'dead-ends', query, context, fail);
      const listed = rows.map(presentDeadEnd);
      return {
        data: {
          blocksNobody: BLOCKS_NOBODY,
          howToRegister: HOW_TO_REGISTER,
          howToOverturn: howToOverturn(listed),
          stateMeaning: DEAD_END_STATE_MEANING,
          whyItStoppedMeaning: WHY_IT_STOPPED_MEANING,
          deadEnds: listed,
        },
        meta: { ...meta, honesty },
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

async function register(
  tx: Transaction,
  body: DeadEndBody,
  address: string,
  fail: Fail<'submission_rejected'>,
): Promise<WriteOutcome<DeadEnd>> {
  const { objectiveId = null, questionId = null, whyItStopped } = body;
  const { ids: endpointsUsed } = endpointsNamed(body.endpointsUsed ?? []);
  const content = { ...body, objectiveId, questionId, endpointsUsed };
  const { created, row } = await deadEnds.add(tx, content, {
    address,
    initial: { state: 'standing', overturned_at: null, overturned_by: null, overturning_finding_id: null },
    verb: 'registered',
    eventData: { whyItStopped, objectiveId, questionId },
    check: async () => refuseIssues(await workIssues(tx, body), fail),
  });
  return { created, data: presentDeadEnd(row) };
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
  const overturned = await tx
    .updateTable('dead_ends')
    .set({ state: 'overturned', overturned_at: ts, overturned_by: agentName, overturning_finding_id: findingId })
    .where('id', '=', id)
    .where('state', '=', 'standing')
    .returningAll()
    .executeTakeFirst();
  if (overturned === undefined) return fail('NOT_OPEN');
  await deadEnds.addEvent(tx, ts, overturned, 'overturned', agentName, { findingId });
  return { created: false, data: presentDeadEnd(overturned) };
}
