import { REALITY_ACTIONS } from '../../contract/declared/research.ts';
import { LINE_EXCERPT_MAX_CHARACTERS } from '../../contract/limits/limits.ts';
import { REALITY_ACCEPT_DAYS } from '../../contract/limits/research.ts';
import { actOnReality, postRealityRequest, type REALITY_OPERATIONS } from '../../contract/operations/board/reality.ts';
import type { RealityActionBody, RealityBody, RealityRequest } from '../../contract/schemas/board/reality.ts';
import { contentHash } from '../../server-kit/hashing.ts';
import type { Fail, Handlers } from '../../server-kit/mount.ts';
import { realityPriorities } from '../council/council-store.ts';
import { knownAction, refuseIssues, refuseUnknownFilter, workIssues } from '../declared-work/checks.ts';
import { excerpt } from '../kit/excerpt.ts';
import { AGENT_TEXT_HONESTY as honesty } from '../kit/honesty.ts';
import { appliedOf, pageOf, shownBy } from '../kit/pagination.ts';
import { researchEvent } from '../kit/research-event.ts';
import type { BoardServices } from '../kit/services.ts';
import { addressHash, readTogether, type WriteOutcome, writeOnce } from '../kit/write.ts';
import { toIso, toMicros } from '../store/instants.ts';
import type { Reader } from '../store/reader.ts';
import type { Transaction } from '../store/transaction.ts';
import { HOW_TO_REQUEST, howToActOnReality, RANKING, REALITY_STATE_MEANING } from './guide.ts';
import { fulfilRequest, insertRequest, isOnIt, presentRequests, queuePage, requestCount } from './reality-store.ts';
import type { RealityRequestRow } from './tables.ts';

const ACCEPT_MICROS = REALITY_ACCEPT_DAYS * 86_400_000_000;
const NO_CLOSED = 'The request was fulfilled, which is final: it takes no acceptance and no second result.';

export const realityHandlers: Handlers<typeof REALITY_OPERATIONS, BoardServices> = {
  reality: ({ query }, context, { board }, fail) =>
    readTogether(board, 'DB_ERROR', async (db) => {
      const now = toMicros(context.now);
      const { limit, offset, cursor, ...filter } = query;
      await refuseUnknownFilter(db, now, filter, fail);
      const page = pageOf('reality', filter, { limit, offset, cursor }, fail);
      const priorities = await realityPriorities(db, now);
      const total = await requestCount(db, filter);
      const read = await queuePage(db, filter, priorities, page.range);
      const { rows, pagination } = shownBy(page, read, total, ({ place }) => place);
      const requests = await presentRequests(db, rows, priorities, now);
      return {
        data: {
          howToRequest: HOW_TO_REQUEST,
          howToAct: howToActOnReality(requests),
          stateMeaning: REALITY_STATE_MEANING,
          ranking: RANKING,
          requests,
        },
        meta: { ...appliedOf(context), pagination, honesty: [RANKING.honesty, ...honesty] },
      };
    }),

  'reality-create': ({ body }, context, services, fail) =>
    writeOnce(services, postRealityRequest, context, fail, { unavailable: 'SUBMISSION_FAILED', honesty }, (tx) =>
      post(tx, body, addressHash(services, context), fail),
    ),

  'reality-request': ({ params }, context, { board }, fail) =>
    readTogether(board, 'DB_ERROR', async (db) => {
      const row = (await db.byId('reality_requests', params.id)) ?? fail('NOT_FOUND');
      const now = toMicros(context.now);
      const [request] = await presentRequests(db, [row], await realityPriorities(db, now), now);
      return { data: request!, meta: { filters: context.applied, honesty } };
    }),

  'reality-act': async ({ params, body }, context, services, fail) => {
    const action = knownAction(REALITY_ACTIONS, body.action, fail);
    return writeOnce(services, actOnReality, context, fail, { unavailable: 'UPDATE_FAILED', honesty }, async (tx) => {
      const row = (await tx.byId('reality_requests', params.id)) ?? fail('NOT_FOUND');
      if (row.state !== 'open') fail('NOT_OPEN', { message: NO_CLOSED });
      if (action === 'fulfil') return fulfil(tx, row, body, fail);
      return accept(tx, row, body.agentName, addressHash(services, context));
    });
  },
};

async function presented(tx: Transaction, row: RealityRequestRow): Promise<RealityRequest> {
  const [request] = await presentRequests(tx, [row], await realityPriorities(tx, tx.now), tx.now);
  return request!;
}

/** Stores a request with its event, or gives the one that says exactly the same. */
async function post(
  tx: Transaction,
  body: RealityBody,
  address: string,
  fail: Fail<'submission_rejected'>,
): Promise<WriteOutcome<RealityRequest>> {
  const { lane, ask, resolves, ifResultIsA, ifResultIsB, agentName } = body;
  const { objectiveId = null, questionId = null, findingId = null, estimatedCost = null } = body;
  const content = { lane, ask, resolves, ifResultIsA, ifResultIsB, objectiveId, questionId, findingId, estimatedCost };
  const content_hash = contentHash('reality-request', { ...content, agentName });
  const same = await tx.byContent('reality_requests', content_hash);
  if (same) return { created: false, data: await presented(tx, same) };
  refuseIssues([...(await workIssues(tx, body)), ...(await findingIssues(tx, findingId))], fail);
  const ts = tx.nextTime();
  const row = await insertRequest(tx, {
    ...tx.newRow('rea', ts, address),
    lane,
    ask,
    resolves,
    if_result_is_a: ifResultIsA,
    if_result_is_b: ifResultIsB,
    objective_id: objectiveId,
    question_id: questionId,
    finding_id: findingId,
    estimated_cost: estimatedCost,
    agent_name: agentName,
    content_hash,
    state: 'open',
    fulfilled_at: null,
    fulfilled_by: null,
    fulfilment_url: null,
    fulfilment_note: null,
    fulfilment_branch: null,
  });
  await tell(tx, ts, row, 'posted', agentName, { lane, objectiveId, questionId, findingId });
  return { created: true, data: await presented(tx, row) };
}

async function findingIssues(db: Reader, id: string | null) {
  if (id === null) return [];
  const row = await db.byId('findings', id);
  if (row && row.status !== 'withdrawn') return [];
  return [{ path: 'findingId', message: 'expected the id of a finding that exists and is not withdrawn' }];
}

/** Announces that an agent is on a request; adds nothing where it is on it already. */
async function accept(
  tx: Transaction,
  row: RealityRequestRow,
  agentName: string,
  address: string,
): Promise<WriteOutcome<RealityRequest>> {
  if (await isOnIt(tx, row.id, agentName, tx.now)) return { created: false, data: await presented(tx, row) };
  const ts = tx.nextTime();
  const acceptance = {
    ...tx.newRow('acc', ts, address),
    request_id: row.id,
    agent_name: agentName,
    live_until: ts + ACCEPT_MICROS,
  };
  await tx.insert('reality_acceptances', acceptance);
  await tell(tx, ts, row, 'accepted', agentName, { until: toIso(acceptance.live_until) });
  return { created: true, data: await presented(tx, row) };
}

async function fulfil(
  tx: Transaction,
  row: RealityRequestRow,
  { agentName, fulfilmentUrl = null, note = null, branch = null }: RealityActionBody,
  fail: Fail<'NOT_OPEN'>,
): Promise<WriteOutcome<RealityRequest>> {
  const ts = tx.nextTime();
  const fulfilment = {
    fulfilled_by: agentName,
    fulfilment_url: fulfilmentUrl,
    fulfilment_note: note,
    fulfilment_branch: branch,
  };
  const fulfilled = (await fulfilRequest(tx, row, fulfilment, ts)) ?? fail('NOT_OPEN', { message: NO_CLOSED });
  await tell(tx, ts, fulfilled, 'fulfilled', agentName, { branch });
  return { created: false, data: await presented(tx, fulfilled) };
}

async function tell(
  tx: Transaction,
  ts: number,
  row: RealityRequestRow,
  verb: 'posted' | 'accepted' | 'fulfilled',
  agentName: string,
  data: Record<string, unknown>,
): Promise<void> {
  const title = excerpt(row.ask, LINE_EXCERPT_MAX_CHARACTERS);
  await tx.appendEvent(
    ts,
    researchEvent('reality-request', verb, { objectId: row.id, agentName, data: { title, ...data } }),
  );
}
