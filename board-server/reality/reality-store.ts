import { type SelectQueryBuilder, sql } from 'kysely';
import type { RealityLane, RealityState } from '../../contract/declared/research.ts';
import { REALITY_ACCEPTANCES_MAX_ITEMS } from '../../contract/limits/research.ts';
import type { RealityRequest } from '../../contract/schemas/board/reality.ts';
import { toIso } from '../store/instants.ts';
import { countOf, type PageRange } from '../store/page-range.ts';
import { unindexed } from '../store/planner.ts';
import type { Reader } from '../store/reader.ts';
import type { BoardTables } from '../store/tables.ts';
import { talliedRows } from '../store/tally-store.ts';
import type { Transaction } from '../store/transaction.ts';
import { PRIORITY_LIFT, positionsOf, queueKey } from './queue.ts';
import type { RealityAcceptanceRow, RealityRequestRow } from './tables.ts';

export interface RealityFilter {
  state?: RealityState | undefined;
  lane?: RealityLane | undefined;
  objectiveId?: string | undefined;
  questionId?: string | undefined;
}

/** Ids of the requests that the council has given priority; few, as each took a vote. */
type Priorities = ReadonlySet<string>;

/** What ends a request. */
type Fulfilment = Pick<RealityRequestRow, 'fulfilled_by' | 'fulfilment_url' | 'fulfilment_note' | 'fulfilment_branch'>;

type Arrived = Omit<RealityRequestRow, 'number' | 'queue_key'>;

/** Stores a request behind all that came before it. Only inside of a write, where no other can take its number. */
export async function insertRequest(tx: Transaction, row: Arrived): Promise<RealityRequestRow> {
  const { last } = await tx
    .selectFrom('reality_requests')
    .select(({ fn }) => fn.max<number | null>('number').as('last'))
    .executeTakeFirstOrThrow();
  const number = (last ?? 0) + 1;
  const arrived = { ...row, number, queue_key: queueKey({ ...row, number }) };
  await tx.insertInto('reality_requests').values(arrived).execute();
  return arrived;
}

/**
 * Page of the queue under a filter, with each request's place, which is unique. Two reads merged: what has no priority
 * comes in the order of an index that ends in `queue_key`, that of the objective, question, lane or state, else its own;
 * what has priority is read by id and sorted.
 */
export function queuePage(
  db: Reader,
  filter: RealityFilter,
  priorities: Priorities,
  { limit, offset, after }: PageRange,
): Promise<(RealityRequestRow & { place: number })[]> {
  const ids = [...priorities];
  const key = sql.ref<number>('queue_key');
  let usual = matches(db, filter).selectAll().select(key.as('place'));
  if (after !== null) usual = usual.where('queue_key', '>', after);
  if (ids.length === 0) return usual.orderBy('place').limit(limit).offset(offset).execute();
  let lifted = matches(db, filter, true)
    .selectAll()
    .select(sql<number>`${key} - ${sql.lit(PRIORITY_LIFT)}`.as('place'))
    .where('id', 'in', ids);
  if (after !== null) lifted = lifted.where(unindexed<number>('queue_key'), '>', after + PRIORITY_LIFT);
  return usual.where('id', 'not in', ids).unionAll(lifted).orderBy('place').limit(limit).offset(offset).execute();
}

/** Exact number of requests that match; reads every match of a lane, objective or question, else the tallies. */
export async function requestCount(db: Reader, filter: RealityFilter): Promise<number> {
  if ((filter.lane ?? filter.objectiveId ?? filter.questionId) === undefined)
    return talliedRows(db, 'reality_requests', filter.state);
  return countOf(matches(db, filter));
}

/** Requests under a filter. SQLite is left only one index to choose: without statistics it takes a costly one. */
function matches(
  db: Reader,
  { state, lane, objectiveId, questionId }: RealityFilter,
  isById = false,
): SelectQueryBuilder<BoardTables, 'reality_requests', object> {
  const asked = Object.entries({ objective_id: objectiveId, question_id: questionId, lane, state }).filter(
    ([, value]) => value !== undefined,
  );
  const leading = isById ? undefined : asked[0]?.[0];
  let query = db.selectFrom('reality_requests');
  for (const [column, value] of asked) {
    query = query.where(column === leading ? sql.ref<string>(column) : unindexed<string>(column), '=', value!);
  }
  return query;
}

/** Ends an open request and moves it behind the open ones; undefined where it is not open any more. */
export async function fulfilRequest(
  tx: Transaction,
  row: RealityRequestRow,
  fulfilment: Fulfilment,
  now: number,
): Promise<RealityRequestRow | undefined> {
  return tx
    .updateTable('reality_requests')
    .set({
      state: 'fulfilled',
      queue_key: queueKey({ ...row, state: 'fulfilled' }),
      fulfilled_at: now,
      ...fulfilment,
    })
    .where('id', '=', row.id)
    .where('state', '=', 'open')
    .returningAll()
    .executeTakeFirst();
}

/** Whether this agent is on the request at `now`, by an index of its own. */
export async function isOnIt(db: Reader, requestId: string, agentName: string, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('reality_acceptances')
    .select('id')
    .where('request_id', '=', requestId)
    .where('agent_name', '=', agentName)
    .where('live_until', '>', now)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Requests as callers see them, in their order, with who is on them at `now`. */
export async function presentRequests(
  db: Reader,
  rows: readonly RealityRequestRow[],
  priorities: Priorities,
  now: number,
): Promise<RealityRequest[]> {
  const counts = await acceptanceCounts(
    db,
    rows.map(({ id }) => id),
    now,
  );
  const requests: RealityRequest[] = [];
  for (const row of rows) {
    const counted = counts.get(row.id);
    const newest = counted === undefined ? [] : await newestAcceptances(db, row.id);
    requests.push(decode(row, priorities.has(row.id), { newest, counts: counted ?? { live: 0, ever: 0 } }, now));
  }
  return requests;
}

/** Acceptances of each request that has any; read from the index reality_acceptances_own alone. */
async function acceptanceCounts(db: Reader, ids: readonly string[], now: number) {
  const rows = await db
    .selectFrom('reality_acceptances')
    .select(({ fn }) => [
      'request_id',
      fn.countAll<number>().as('ever'),
      sql<number>`sum(CASE WHEN live_until > ${now} THEN 1 ELSE 0 END)`.as('live'),
    ])
    .where('request_id', 'in', ids.length === 0 ? [''] : ids)
    .groupBy('request_id')
    .execute();
  return new Map(rows.map(({ request_id, live, ever }) => [request_id, { live, ever }]));
}

/** Newest first by reality_acceptances_request. */
function newestAcceptances(db: Reader, requestId: string): Promise<RealityAcceptanceRow[]> {
  return db
    .selectFrom('reality_acceptances')
    .selectAll()
    .where('request_id', '=', requestId)
    .orderBy('seq', 'desc')
    .limit(REALITY_ACCEPTANCES_MAX_ITEMS)
    .execute();
}

function decode(
  row: RealityRequestRow,
  isPriority: boolean,
  acceptances: { newest: readonly RealityAcceptanceRow[]; counts: RealityRequest['acceptanceCounts'] },
  now: number,
): RealityRequest {
  return {
    id: row.id,
    state: row.state,
    lane: row.lane,
    ask: row.ask,
    resolves: row.resolves,
    ifResultIsA: row.if_result_is_a,
    ifResultIsB: row.if_result_is_b,
    objectiveId: row.objective_id,
    questionId: row.question_id,
    findingId: row.finding_id,
    estimatedCost: row.estimated_cost,
    agentName: row.agent_name,
    createdAt: toIso(row.created_at),
    place: { ...positionsOf(row, isPriority), waitingSince: toIso(row.created_at) },
    acceptances: acceptances.newest.map(({ agent_name, created_at, live_until }) => ({
      agentName: agent_name,
      since: toIso(created_at),
      until: toIso(live_until),
      live: live_until > now,
    })),
    acceptanceCounts: acceptances.counts,
    fulfilment:
      row.fulfilled_at === null
        ? null
        : {
            agentName: row.fulfilled_by ?? '',
            fulfilmentUrl: row.fulfilment_url ?? '',
            note: row.fulfilment_note ?? '',
            branch: row.fulfilment_branch,
            fulfilledAt: toIso(row.fulfilled_at),
          },
  };
}
