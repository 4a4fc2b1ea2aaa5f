import type { ExpressionBuilder, SelectQueryBuilder, UpdateObject } from 'kysely';
import { sql } from 'kysely';
import type { ClaimState } from '../../contract/ids.ts';
import { CLAIM_LEASE_HOURS, CLAIM_MAX_RENEWALS } from '../../contract/limits/limits.ts';
import type { ClaimRecord } from '../../contract/schemas/board/claim.ts';
import { seqsWithName, seqsWithScope, seqsWithWords } from '../store/full-text.ts';
import { toIso } from '../store/instants.ts';
import { countOf, type PageRange } from '../store/page-range.ts';
import { atMost, hidden, unindexed } from '../store/planner.ts';
import { type Places, preparedInsert, preparedRead } from '../store/prepared.ts';
import type { Reader } from '../store/reader.ts';
import type { BoardTables } from '../store/tables.ts';
import type { Transaction } from '../store/transaction.ts';
import type { ClaimRow } from './tables.ts';

/** Microseconds that a creation or renewal announces. */
export const LEASE_MICROS = CLAIM_LEASE_HOURS * 3_600_000_000;
/**
 * The longest that a claim can be live after its `seq`: it was renewed as often as allowed, each time as its lease
 * ended.
 */
const LIVE_MAX_MICROS = (1 + CLAIM_MAX_RENEWALS) * LEASE_MICROS;

export interface ClaimFilter {
  objectiveId?: string | undefined;
  questionId?: string | undefined;
  agentName?: string | undefined;
  state: ClaimState;
  /** Part of the scope, three characters or more. */
  scope?: string | undefined;
  q?: string | undefined;
  /** Ids of a trial, at least one of which is named. */
  trialId?: readonly string[] | undefined;
}

/** The state at `now` (microseconds): at the instant at which its lease ends, an active claim is expired. */
export function stateAt(row: Pick<ClaimRow, 'state' | 'lease_until'>, now: number): ClaimState {
  return row.state === 'active' && row.lease_until <= now ? 'expired' : row.state;
}

/** A row as the interface shows it at `now` (microseconds). */
export function claimOf(row: ClaimRow, now: number): ClaimRecord {
  return {
    id: row.id,
    state: stateAt(row, now),
    objectiveId: row.objective_id,
    questionId: row.question_id,
    scope: row.scope,
    intent: row.intent,
    agentName: row.agent_name,
    agentContact: row.agent_contact,
    claimHash: row.content_hash,
    leaseHours: CLAIM_LEASE_HOURS,
    leaseExpiresAt: toIso(row.lease_until),
    renewals: row.renewals,
    renewalsLeft: CLAIM_MAX_RENEWALS - row.renewals,
    maxRenewals: CLAIM_MAX_RENEWALS,
    findingId: row.finding_id,
    createdAt: toIso(row.created_at),
    updatedAt: toIso(row.updated_at),
  };
}

/** The live claim of this content, or null; there is never a second one. Index claims_content, newest first, one row. */
export async function liveTwin(db: Reader, contentHash: string, now: number): Promise<ClaimRow | null> {
  const [newest] = await db.rows(newestOfContent, { contentHash });
  return newest && stateAt(newest, now) === 'active' ? newest : null;
}

const newestOfContent = preparedRead((db, { contentHash }: Places<{ contentHash: string }>) =>
  db.selectFrom('claims').selectAll().where('content_hash', '=', contentHash).orderBy('seq', 'desc').limit(sql.lit(1)),
);

export async function insertClaim(tx: Transaction, row: ClaimRow): Promise<void> {
  await tx.run(insertRow, row);
}

const insertRow = preparedInsert('claims');

/** Whose claim it must be and until when its lease must still run, for the three writes below. */
export interface Hold {
  id: string;
  tokenHash: string;
  /** The present, in microseconds. */
  now: number;
  /** Time of the event that reports the write, in microseconds. */
  ts: number;
}

/** Renews a live claim of this holder that has renewals left; otherwise writes nothing and gives null. */
export function renewClaim(tx: Transaction, hold: Hold): Promise<ClaimRow | null> {
  return heldUpdate(
    tx,
    hold,
    (eb) => ({ lease_until: hold.now + LEASE_MICROS, renewals: eb('renewals', '+', 1) }),
    CLAIM_MAX_RENEWALS,
  );
}

/** Ends a live claim of this holder with a finding; writes nothing and gives null where there is no such claim. */
export function deliverClaim(tx: Transaction, hold: Hold, findingId: string): Promise<ClaimRow | null> {
  return heldUpdate(tx, hold, () => ({ state: 'delivered', finding_id: findingId }));
}

/** Gives a live claim of this holder back; writes nothing and gives null where there is no such claim. */
export function releaseClaim(tx: Transaction, hold: Hold): Promise<ClaimRow | null> {
  return heldUpdate(tx, hold, () => ({ state: 'released' }));
}

/**
 * Page of the claims that match, newest first (`seq` is unique), at most `limit` rows. They are read in that order by
 * claims_state, or by the index of their objective, question or agent. Live claims of one objective, question or agent
 * are read by the end of their lease and sorted: such a page reads only live claims, however many were made before.
 * Without such a filter, live claims are read by claims_state, back to the time before which no claim can be live. A
 * text is found by its full-text table.
 */
export function claimPage(db: Reader, filter: ClaimFilter, now: number, range: PageRange): Promise<ClaimRow[]> {
  const isSorted = filter.state === 'active' && isNarrow(filter);
  const seq = isSorted ? unindexed<number>('seq') : 'seq';
  let query = matching(db, filter, now, !isSorted).selectAll();
  if (filter.state === 'active' && !isSorted) query = query.where('seq', '>', now - LIVE_MAX_MICROS);
  if (range.after !== null) query = query.where(seq, '<', range.after);
  return query.orderBy('seq', 'desc').limit(range.limit).offset(range.offset).execute();
}

/** Exact number of claims that match; reads every match, by the index that `claimPage` uses. */
export async function claimCount(db: Reader, filter: ClaimFilter, now: number): Promise<number> {
  return countOf(matching(db, filter, now));
}

/** Ids of live claims on an objective, latest end of lease first, then newest first; claims_objective_live, at most `limit`. */
export function liveOnObjective(db: Reader, objectiveId: string, now: number, limit: number): Promise<LiveClaim[]> {
  return db.rows(onObjective, { id: objectiveId, now, limit });
}

/** Ids of live claims on a question, latest end of lease first, then newest first; claims_question_live, at most `limit`. */
export function liveOnQuestion(db: Reader, questionId: string, now: number, limit: number): Promise<LiveClaim[]> {
  return db.rows(onQuestion, { id: questionId, now, limit });
}

export type LiveClaim = Pick<ClaimRow, 'id' | 'lease_until'>;

const liveOn = (column: 'objective_id' | 'question_id') =>
  preparedRead((db, { id, now, limit }: Places<{ id: string; now: number; limit: number }>) =>
    db
      .selectFrom('claims')
      .select(['id', 'lease_until'])
      .where(column, '=', id)
      .where('state', '=', hidden<'active'>('active'))
      .where('lease_until', '>', now)
      .orderBy('lease_until', 'desc')
      .orderBy('seq', 'desc')
      .limit(atMost(limit)),
  );
const onObjective = liveOn('objective_id');
const onQuestion = liveOn('question_id');

/** Compare and set: one statement that writes only while the claim is live and the token belongs to it. */
async function heldUpdate(
  tx: Transaction,
  { id, tokenHash, now, ts }: Hold,
  change: (eb: ExpressionBuilder<BoardTables, 'claims'>) => UpdateObject<BoardTables, 'claims'>,
  belowRenewals?: number,
): Promise<ClaimRow | null> {
  let update = tx
    .updateTable('claims')
    .set((eb) => ({ ...change(eb), updated_at: ts }))
    .where('id', '=', id)
    .where('state', '=', 'active')
    .where('token_hash', '=', tokenHash)
    .where('lease_until', '>', now);
  if (belowRenewals !== undefined) update = update.where('renewals', '<', belowRenewals);
  return (await update.returningAll().executeTakeFirst()) ?? null;
}

function isNarrow({ objectiveId, questionId, agentName }: ClaimFilter): boolean {
  return (objectiveId ?? questionId ?? agentName) !== undefined;
}

/** `inOrder` keeps SQLite from finding live claims by the end of their lease. */
function matching(
  db: Reader,
  filter: ClaimFilter,
  now: number,
  inOrder = false,
): SelectQueryBuilder<BoardTables, 'claims', object> {
  const { objectiveId, questionId, agentName, state, scope, q, trialId } = filter;
  const ofState = isNarrow(filter) && state !== 'active' ? unindexed<ClaimRow['state']>('state') : 'state';
  let query = db.selectFrom('claims').where(ofState, '=', state === 'expired' ? 'active' : state);
  const lease = inOrder ? unindexed<number>('lease_until') : 'lease_until';
  if (state === 'active') query = query.where(lease, '>', now);
  if (state === 'expired') query = query.where(unindexed<number>('lease_until'), '<=', now);
  if (objectiveId !== undefined) query = query.where('objective_id', '=', objectiveId);
  if (questionId !== undefined) query = query.where('question_id', '=', questionId);
  if (agentName !== undefined) query = query.where('agent_name', '=', agentName);
  if (scope !== undefined) query = query.where('seq', 'in', seqsWithScope(db, scope));
  if (q !== undefined) query = query.where('seq', 'in', seqsWithWords(db, 'claims_search', q));
  if (trialId !== undefined) query = query.where('seq', 'in', seqsWithName(db, 'claims_search', trialId));
  return query;
}
