import { type SelectQueryBuilder, sql } from 'kysely';
import type { AmendmentKind, AmendmentState } from '../../contract/ids.ts';
import type { PageRange } from '../store/page-range.ts';
import { unindexed } from '../store/planner.ts';
import { preparedRead } from '../store/prepared.ts';
import type { Reader } from '../store/reader.ts';
import type { BoardTables } from '../store/tables.ts';
import { talliedRows, tallyOf } from '../store/tally-store.ts';
import type { Transaction } from '../store/transaction.ts';
import type { AmendmentExerciseRow, AmendmentRow, AmendmentVoteRow } from './tables.ts';
import { stateAt } from './tally.ts';

export interface AmendmentFilter {
  state?: AmendmentState | undefined;
  kind?: AmendmentKind | undefined;
  agentName?: string | undefined;
}

/** The last write that changed how any amendment ends; `by` is the vote or exercise that did. */
export interface Turn {
  at: number;
  by: string;
}

/** The last turn, or null; one row at the end of amendments_turned. */
export async function lastTurn(db: Reader): Promise<Turn | null> {
  const [row] = await db.rows(newestTurn, {});
  return row ? { at: row.at!, by: row.by! } : null;
}

const newestTurn = preparedRead((db) =>
  db
    .selectFrom('amendments')
    .select(['turned_at as at', 'turned_by as by'])
    .where('turned_at', 'is not', null)
    .orderBy('turned_at', 'desc')
    .limit(sql.lit(1)),
);

/**
 * The council's present: the clock's time, or the time of the last turn where the clock is behind it, so that what was
 * decided is never open again. Reads one indexed row.
 */
export async function councilTime(db: Reader, now: number): Promise<number> {
  return Math.max(now, (await lastTurn(db))?.at ?? 0);
}

/** The state at `now` (microseconds). */
export function stateOf(row: AmendmentRow, now: number): AmendmentState {
  return stateAt({ outcome: row.outcome, at: row.closes_at }, row.reverted_at, Math.max(now, row.turned_at ?? 0));
}

/**
 * Ids of the reality requests that a ratified amendment lifts; reads the amendments of that kind by
 * amendments_kind_outcome.
 */
export function realityPriorities(db: Reader, now: number): Promise<ReadonlySet<string>> {
  return subjectsInEffect(db, 'reality_priority', now);
}

/**
 * Slugs of the method cards that a ratified amendment recommends; reads the amendments of that kind by
 * amendments_kind_outcome.
 */
export function canonicalMethods(db: Reader, now: number): Promise<ReadonlySet<string>> {
  return subjectsInEffect(db, 'canonical_method', now);
}

async function subjectsInEffect(db: Reader, kind: AmendmentKind, now: number): Promise<ReadonlySet<string>> {
  const at = await councilTime(db, now);
  const rows = await matching(db, { state: 'ratified', kind }, at).select('subject').execute();
  return new Set(rows.flatMap(({ subject }) => subject ?? []));
}

/** What votes and exercises change in an amendment. */
export type AmendmentChange = Partial<
  Pick<
    AmendmentRow,
    | 'ratify'
    | 'reject'
    | 'abstain'
    | 'exercising_agents'
    | 'quorum_at'
    | 'exercises_at'
    | 'outcome'
    | 'closes_at'
    | 'reverted_at'
    | 'turned_at'
    | 'turned_by'
  >
>;

export async function updateAmendment(tx: Transaction, id: string, change: AmendmentChange): Promise<void> {
  await tx.updateTable('amendments').set(change).where('id', '=', id).execute();
}

/**
 * Page of the amendments that match, newest first (`seq` is unique). They are read in that order by amendments_agent,
 * amendments_outcome, amendments_kind or amendments_kind_outcome. Open ones are read by amendments_closes and reverted ones by
 * amendments_reverted, then sorted: such a page reads only the open or the reverted ones, not all that ever were.
 */
export function amendmentPage(
  db: Reader,
  filter: AmendmentFilter,
  now: number,
  range: PageRange,
): Promise<AmendmentRow[]> {
  let query = matching(db, filter, now).selectAll();
  const seq = isSorted(filter) ? unindexed<number>('seq') : 'seq';
  if (range.after !== null) query = query.where(seq, '<', range.after);
  return query.orderBy(seq, 'desc').limit(range.limit).offset(range.offset).execute();
}

/** Exact number of amendments that match; reads every match, by the index that `amendmentPage` uses, or the tallies. */
export async function amendmentCount(db: Reader, filter: AmendmentFilter, now: number): Promise<number> {
  if ((filter.state ?? filter.kind ?? filter.agentName) === undefined) return talliedRows(db, 'amendments');
  const query = matching(db, filter, now).select((eb) => eb.fn.countAll<number>().as('total'));
  return (await query.executeTakeFirstOrThrow()).total;
}

/**
 * Number of amendments in each state: the tallies of their outcomes, less those still open (amendments_closes), and for
 * ratified ones less those reverted (amendments_reverted).
 */
export async function amendmentCounts(db: Reader, now: number): Promise<Record<AmendmentState, number>> {
  const outcomes = await tallyOf(db, 'amendments');
  const open = await db
    .selectFrom('amendments')
    .select(({ fn }) => [
      fn.countAll<number>().as('all'),
      sql<number>`count(*) FILTER (WHERE outcome = 'ratified')`.as('ratified'),
      sql<number>`count(*) FILTER (WHERE outcome = 'rejected')`.as('rejected'),
      sql<number>`count(*) FILTER (WHERE outcome = 'expired')`.as('expired'),
    ])
    .where('closes_at', '>', now)
    .executeTakeFirstOrThrow();
  const reverted = await amendmentCount(db, { state: 'reverted' }, now);
  const decided = (outcome: AmendmentRow['outcome']): number => (outcomes.get(outcome) ?? 0) - open[outcome];
  return {
    deliberating: open.all,
    ratified: decided('ratified') - reverted,
    rejected: decided('rejected'),
    reverted,
    expired: decided('expired'),
  };
}

/**
 * Every amendment that is ratified, or will be by the clock alone, reverts left out, in the order in which they take
 * effect; amendments_outcome. Read again only after a turn.
 */
export function ratifiedRows(db: Reader): Promise<AmendmentRow[]> {
  return db
    .selectFrom('amendments')
    .selectAll()
    .where('outcome', '=', 'ratified')
    .where(unindexed<AmendmentKind>('kind'), '!=', 'revert')
    .orderBy('closes_at')
    .orderBy('seq')
    .execute();
}

/** A revert of this amendment that still deliberates, or null; amendments_subject, newest first. */
export async function openRevertOf(db: Reader, id: string, now: number): Promise<AmendmentRow | null> {
  const newest = await db
    .selectFrom('amendments')
    .selectAll()
    .where('kind', '=', 'revert')
    .where('subject', '=', id)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest && stateOf(newest, now) === 'deliberating' ? newest : null;
}

/** Whether this agent voted; one row of the unique index. */
export async function hasVoted(db: Reader, amendmentId: string, agentKey: string): Promise<boolean> {
  const row = await db
    .selectFrom('amendment_votes')
    .select('id')
    .where('amendment_id', '=', amendmentId)
    .where('agent_key', '=', agentKey)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether an exercise by this agent counts already; its rows in amendment_exercises_once. */
export async function hasExercised(db: Reader, amendmentId: string, agentKey: string): Promise<boolean> {
  const row = await db
    .selectFrom('amendment_exercises')
    .select('id')
    .where('amendment_id', '=', amendmentId)
    .where('agent_key', '=', agentKey)
    .where(unindexed<0 | 1>('counts'), '=', 1)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

type Children = 'amendment_votes' | 'amendment_exercises';

/** Whether a vote or an exercise from this group counts already; one row of amendment_*_voices. */
export async function hasCountedGroup(
  db: Reader,
  table: Children,
  amendmentId: string,
  group: string,
): Promise<boolean> {
  const row = await db
    .selectFrom(table)
    .select('id')
    .where('amendment_id', '=', amendmentId)
    .where('group_hash', '=', group)
    .where('counts', '=', 1)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Votes on an amendment, oldest first; amendment_votes_amendment, at most `limit`. */
export function votesOn(db: Reader, id: string, range: { limit: number; offset: number }): Promise<AmendmentVoteRow[]> {
  const { limit, offset } = range;
  const query = db.selectFrom('amendment_votes').selectAll().where('amendment_id', '=', id);
  return query.orderBy('seq').limit(limit).offset(offset).execute();
}

/** Exercises of an amendment, oldest first; amendment_exercises_amendment, at most `limit`. */
export function exercisesOn(
  db: Reader,
  id: string,
  range: { limit: number; offset: number },
): Promise<AmendmentExerciseRow[]> {
  const { limit, offset } = range;
  const query = db.selectFrom('amendment_exercises').selectAll().where('amendment_id', '=', id);
  return query.orderBy('seq').limit(limit).offset(offset).execute();
}

/** Number of votes or exercises of one amendment, and of addresses and groups behind them; its part of amendment_*_voices. */
export async function countOn(
  db: Reader,
  table: Children,
  id: string,
): Promise<{ total: number; addresses: number; groups: number }> {
  return db
    .selectFrom(table)
    .select((eb) => [
      eb.fn.countAll<number>().as('total'),
      eb.fn.count<number>('address_hash').distinct().as('addresses'),
      eb.fn.count<number>('group_hash').distinct().as('groups'),
    ])
    .where('amendment_id', '=', id)
    .executeTakeFirstOrThrow();
}

/**
 * Whether exactly this name has a finding that was not withdrawn; reads the index on agents up to the first such one.
 */
export async function hasFinding(db: Reader, agentName: string): Promise<boolean> {
  const row = await db
    .selectFrom('findings')
    .select('id')
    .where('agent_name', '=', agentName)
    .where(unindexed<string>('status'), '!=', 'withdrawn')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the rows come by the clock, as they are few, and are sorted then. Those of an agent come in their order. */
function isSorted({ state, agentName }: AmendmentFilter): boolean {
  return agentName === undefined && (state === 'deliberating' || state === 'reverted');
}

function matching(
  db: Reader,
  filter: AmendmentFilter,
  now: number,
): SelectQueryBuilder<BoardTables, 'amendments', object> {
  const { state, kind, agentName } = filter;
  const isOfAgent = agentName !== undefined;
  /** An index of this column is read, unless that of the agent is. */
  const by = <Value>(column: 'kind' | 'outcome' | 'closes_at' | 'reverted_at') =>
    isOfAgent ? unindexed<Value>(column) : column;
  let query = db.selectFrom('amendments').where((eb) => eb.lit(true));
  if (isOfAgent) query = query.where('agent_name', '=', agentName);
  if (kind !== undefined) {
    query = query.where(isSorted(filter) ? unindexed<AmendmentKind>('kind') : by<AmendmentKind>('kind'), '=', kind);
  }
  if (state === undefined) return query;
  if (state === 'deliberating') return query.where(by<number>('closes_at'), '>', now);
  if (state === 'reverted') return query.where(by<number>('reverted_at'), '<=', now);
  query = query.where(by<string>('outcome'), '=', state).where(unindexed<number>('closes_at'), '<=', now);
  if (state !== 'ratified') return query;
  const reverted = unindexed<number | null>('reverted_at');
  return query.where((eb) => eb.or([eb(reverted, 'is', null), eb(reverted, '>', now)]));
}
