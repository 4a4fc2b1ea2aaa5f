import type { ExpressionBuilder, SelectQueryBuilder, UpdateObject } from 'kysely';
import { sql } from 'kysely';
import type { ClaimState } from '../../contract/ids.ts';
import { CLAIM_LEASE_HOURS, CLAIM_MAX_RENEWALS } from '../../contract/limits.ts';
import type { ClaimRecord } from '../../contract/schemas/claim.ts';
import { matchingSeqs, matchPart, matchText } from '../store/full-text.ts';
import { toIso } from '../store/instants.ts';
import { countOf, type PageRange } from '../store/page-range.ts';
import { atMost, hidden, unindexed } from '../store/planner.ts';
import { type Places, preparedInsert, preparedRead } from '../store/prepared.ts';
import type { Reader } from '../store/reader.ts';
import type { BoardTables } from '../store/tables.ts';
import { storable, storableOrNull } from '../store/text.ts';
import type { Transaction } from '../store/transaction.ts';
import type { ClaimRow } from './tables.ts';

/** Microseconds that a creation or renewal announces. */
export const LEASE_MICROS = CLAIM_LEASE_HOURS * 3_600_000_000;
/** No claim is live for longer than this after its `seq`: it was renewed as often as can be, at the end of each lease. */
const LIVE_MAX_MICROS = (1 + CLAIM_MAX_RENEWALS) * LEASE_MICROS;

export interface ClaimFilter {
  objectiveId?: string | undefined;
  questionId?: string | undefined;
  agentName?: string | undefined;
  state: ClaimState;
  /** Part of the scope, three characters or more. */
  scope?: string | undefined;
  q?: string | undefined;
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

/** One claim by its primary key, or null. */
export async function claimById(db: Reader, id: string): Promise<ClaimRow | null> {
  return (await db.selectFrom('claims').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** The live claim of this content, or null; there is never a second one. Index claims_content, newest first, one row. */
export async function liveTwin(db: Reader, contentHash: string, now: number): Promise<ClaimRow | null> {
  const [newest] = db.rows(newestOfContent, { contentHash });
  return newest && stateAt(newest, now) === 'active' ? newest : null;
}

const newestOfContent = preparedRead((db, { contentHash }: Places<{ contentHash: string }>) =>
  db.selectFrom('claims').selectAll().where('content_hash', '=', contentHash).orderBy('seq', 'desc').limit(sql.lit(1)),
);

export async function insertClaim(tx: Transaction, row: ClaimRow): Promise<void> {
  tx.run(insertRow, {
    ...row,
    scope: storable(row.scope),
    intent: storable(row.intent),
    agent_name: storable(row.agent_name),
    agent_contact: storableOrNull(row.agent_contact),
  });
}

const insertRow = preparedInsert('claims');

/** Whose claim it must be and until when its lease must still run, for the three writes below. */
export interface Hold {
  id: string;
  tokenHash: string;
  /** The present, in microseconds. */
  now: number;
  /** Time of the event that tells of it, in microseconds. */
  ts: number;
}

/** Renews a live claim of this holder that has renewals left; null, and nothing written, if any of that is not so. */
export function renewClaim(tx: Transaction, hold: Hold): Promise<ClaimRow | null> {
  return heldUpdate(
    tx,
    hold,
    (eb) => ({ lease_until: hold.now + LEASE_MICROS, renewals: eb('renewals', '+', 1) }),
    CLAIM_MAX_RENEWALS,
  );
}

/** Ends a live claim of this holder with a finding; null, and nothing written, if it is not one. */
export function deliverClaim(tx: Transaction, hold: Hold, findingId: string): Promise<ClaimRow | null> {
  return heldUpdate(tx, hold, () => ({ state: 'delivered', finding_id: findingId }));
}

/** Gives a live claim of this holder back; null, and nothing written, if it is not one. */
export function releaseClaim(tx: Transaction, hold: Hold): Promise<ClaimRow | null> {
  return heldUpdate(tx, hold, () => ({ state: 'released' }));
}

/**
 * Page of the claims that match, newest first (`seq` is unique), at most `limit` rows, in their order: through
 * claims_state, or the index of their objective, question or agent. Live ones under such a filter come by the end of
 * their lease and are sorted, so that a page reads no more than what is live of it, however much was claimed before;
 * without one they come through claims_state, back to where no claim can be live. A text comes through its full-text
 * table.
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

/** Ids of live claims on an objective, latest end of lease first; claims_objective_live, at most `limit`. */
export function liveOnObjective(db: Reader, objectiveId: string, now: number, limit: number): LiveClaim[] {
  return db.rows(onObjective, { id: objectiveId, now, limit });
}

/** Ids of live claims on a question, latest end of lease first; claims_question_live, at most `limit`. */
export function liveOnQuestion(db: Reader, questionId: string, now: number, limit: number): LiveClaim[] {
  return db.rows(onQuestion, { id: questionId, now, limit });
}

type LiveClaim = Pick<ClaimRow, 'id' | 'lease_until'>;

const liveOn = (column: 'objective_id' | 'question_id') =>
  preparedRead((db, { id, now, limit }: Places<{ id: string; now: number; limit: number }>) =>
    db
      .selectFrom('claims')
      .select(['id', 'lease_until'])
      .where(column, '=', id)
      .where('state', '=', hidden<'active'>('active'))
      .where('lease_until', '>', now)
      .orderBy('lease_until', 'desc')
      .limit(atMost(limit)),
  );
const onObjective = liveOn('objective_id');
const onQuestion = liveOn('question_id');

/** Compare and set: one statement that writes only while the claim is live and the token its own. */
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
  const { objectiveId, questionId, agentName, state, scope, q } = filter;
  const ofState = isNarrow(filter) && state !== 'active' ? unindexed<ClaimRow['state']>('state') : 'state';
  let query = db.selectFrom('claims').where(ofState, '=', state === 'expired' ? 'active' : state);
  const lease = inOrder ? unindexed<number>('lease_until') : 'lease_until';
  if (state === 'active') query = query.where(lease, '>', now);
  if (state === 'expired') query = query.where(unindexed<number>('lease_until'), '<=', now);
  if (objectiveId !== undefined) query = query.where('objective_id', '=', objectiveId);
  if (questionId !== undefined) query = query.where('question_id', '=', questionId);
  if (agentName !== undefined) query = query.where('agent_name', '=', storable(agentName));
  if (scope !== undefined) query = query.where('seq', 'in', matchingSeqs('claims_scope', matchPart(scope)));
  if (q !== undefined) query = query.where('seq', 'in', matchingSeqs('claims_search', matchText(q)));
  return query;
}
