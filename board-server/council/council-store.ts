import { type SelectQueryBuilder, sql } from 'kysely';
import type { AmendmentKind, AmendmentState } from '../../contract/ids.ts';
import type { PageRange } from '../store/page-range.ts';
import { unindexed } from '../store/planner.ts';
import { preparedRead } from '../store/prepared.ts';
import type { Reader } from '../store/reader.ts';
import type { BoardTables } from '../store/tables.ts';
import { talliedRows, tallyOf } from '../store/tally-store.ts';
import { storable } from '../store/text.ts';
import type { Transaction } from '../store/transaction.ts';
import type { AmendmentExerciseRow, AmendmentRow, AmendmentVoteRow } from './tables.ts';
import { stateAt } from './tally.ts';

export interface AmendmentFilter {
  state?: AmendmentState | undefined;
  kind?: AmendmentKind | undefined;
}

/** The last write that changed what any amendment comes to, or null; `by` is the vote or exercise that did. */
export interface Turn {
  at: number;
  by: string;
}

/** One row of amendments_turned, from its end. */
export async function lastTurn(db: Reader): Promise<Turn | null> {
  const [row] = db.rows(newestTurn, {});
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
 * The present of the council: the clock's, or the last decision-making write where the clock is behind it, so that what
 * was decided is never open again. One indexed row.
 */
export async function councilTime(db: Reader, now: number): Promise<number> {
  return Math.max(now, (await lastTurn(db))?.at ?? 0);
}

/** The state at `now` (microseconds). */
export function stateOf(row: AmendmentRow, now: number): AmendmentState {
  return stateAt({ outcome: row.outcome, at: row.closes_at }, row.reverted_at, Math.max(now, row.turned_at ?? 0));
}

/** Ids of the reality requests that a ratified amendment lifts; amendments_kind_outcome, those of the kind alone. */
export function realityPriorities(db: Reader, now: number): Promise<ReadonlySet<string>> {
  return subjectsInEffect(db, 'reality_priority', now);
}

/** Slugs of the method cards that a ratified amendment recommends; amendments_kind_outcome, those of the kind alone. */
export function canonicalMethods(db: Reader, now: number): Promise<ReadonlySet<string>> {
  return subjectsInEffect(db, 'canonical_method', now);
}

async function subjectsInEffect(db: Reader, kind: AmendmentKind, now: number): Promise<ReadonlySet<string>> {
  const at = await councilTime(db, now);
  const rows = await matching(db, { state: 'ratified', kind }, at).select('subject').execute();
  return new Set(rows.flatMap(({ subject }) => subject ?? []));
}

export async function amendmentById(db: Reader, id: string): Promise<AmendmentRow | null> {
  return (await db.selectFrom('amendments').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** The amendment that says exactly this, or null; one row of the unique index on the content hash. */
export async function amendmentByContent(db: Reader, contentHash: string): Promise<AmendmentRow | null> {
  const query = db.selectFrom('amendments').selectAll().where('content_hash', '=', contentHash);
  return (await query.executeTakeFirst()) ?? null;
}

export async function insertAmendment(tx: Transaction, row: AmendmentRow): Promise<void> {
  await tx
    .insertInto('amendments')
    .values({
      ...row,
      subject: row.subject === null ? null : storable(row.subject),
      rationale: storable(row.rationale),
      falsifier: storable(row.falsifier),
      agent_name: storable(row.agent_name),
      agent_key: storable(row.agent_key),
    })
    .execute();
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
 * Page of the amendments that match, newest first (`seq` is unique). In their order through amendments_outcome,
 * amendments_kind or amendments_kind_outcome. Open ones come through amendments_closes and reverted ones through
 * amendments_reverted and are sorted: a page reads what is open, or what was reverted, not what there ever was.
 */
export function amendmentPage(
  db: Reader,
  filter: AmendmentFilter,
  now: number,
  range: PageRange,
): Promise<AmendmentRow[]> {
  let query = matching(db, filter, now).selectAll();
  const isSorted = filter.state === 'deliberating' || filter.state === 'reverted';
  const seq = isSorted ? unindexed<number>('seq') : 'seq';
  if (range.after !== null) query = query.where(seq, '<', range.after);
  return query.orderBy(seq, 'desc').limit(range.limit).offset(range.offset).execute();
}

/** Exact number of amendments that match; reads every match, by the index that `amendmentPage` uses, or the tallies. */
export async function amendmentCount(db: Reader, filter: AmendmentFilter, now: number): Promise<number> {
  if (filter.state === undefined && filter.kind === undefined) return talliedRows(db, 'amendments');
  const query = matching(db, filter, now).select((eb) => eb.fn.countAll<number>().as('total'));
  return (await query.executeTakeFirstOrThrow()).total;
}

/**
 * All amendments by state: the tallies of their outcomes, less those that are still open, by amendments_closes, and of the
 * ratified ones less those that were reverted, by amendments_reverted.
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
 * Every amendment that is or by the clock will be ratified, reverts left out, in the order in which they take effect;
 * amendments_outcome. Read anew only after a turn.
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

/** Inserts a vote; the unique index on amendment and agent refuses a second one. */
export async function insertVote(tx: Transaction, row: AmendmentVoteRow): Promise<void> {
  const stored = {
    ...row,
    reasoning: storable(row.reasoning),
    agent_name: storable(row.agent_name),
    agent_key: storable(row.agent_key),
  };
  await tx.insertInto('amendment_votes').values(stored).execute();
}

/** Whether this agent voted; one row of the unique index. */
export async function hasVoted(db: Reader, amendmentId: string, agentKey: string): Promise<boolean> {
  const row = await db
    .selectFrom('amendment_votes')
    .select('id')
    .where('amendment_id', '=', amendmentId)
    .where('agent_key', '=', storable(agentKey))
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertExercise(tx: Transaction, row: AmendmentExerciseRow): Promise<void> {
  const stored = {
    ...row,
    note: storable(row.note),
    agent_name: storable(row.agent_name),
    agent_key: storable(row.agent_key),
  };
  await tx.insertInto('amendment_exercises').values(stored).execute();
}

export async function exerciseByContent(db: Reader, contentHash: string): Promise<AmendmentExerciseRow | null> {
  const query = db.selectFrom('amendment_exercises').selectAll().where('content_hash', '=', contentHash);
  return (await query.executeTakeFirst()) ?? null;
}

/** Whether this agent exercised it before; one row of amendment_exercises_once. */
export async function hasExercised(db: Reader, amendmentId: string, agentKey: string): Promise<boolean> {
  const row = await db
    .selectFrom('amendment_exercises')
    .select('id')
    .where('amendment_id', '=', amendmentId)
    .where('agent_key', '=', storable(agentKey))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

type Children = 'amendment_votes' | 'amendment_exercises';

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

/** How many there are of one amendment, and from how many addresses; amendment_*_address, the amendment's alone. */
export async function countOn(db: Reader, table: Children, id: string): Promise<{ total: number; addresses: number }> {
  return db
    .selectFrom(table)
    .select((eb) => [
      eb.fn.countAll<number>().as('total'),
      eb.fn.count<number>('address_hash').distinct().as('addresses'),
    ])
    .where('amendment_id', '=', id)
    .executeTakeFirstOrThrow();
}

/** Whether a finding that was not withdrawn stands under exactly this name; the index on their agents, until the first one. */
export async function hasFinding(db: Reader, agentName: string): Promise<boolean> {
  const row = await db
    .selectFrom('findings')
    .select('id')
    .where('agent_name', '=', storable(agentName))
    .where(unindexed<string>('status'), '!=', 'withdrawn')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

function matching(
  db: Reader,
  { state, kind }: AmendmentFilter,
  now: number,
): SelectQueryBuilder<BoardTables, 'amendments', object> {
  let query = db.selectFrom('amendments').where((eb) => eb.lit(true));
  const isSorted = state === 'deliberating' || state === 'reverted';
  if (kind !== undefined) query = query.where(isSorted ? unindexed<AmendmentKind>('kind') : 'kind', '=', kind);
  if (state === undefined) return query;
  if (state === 'deliberating') return query.where('closes_at', '>', now);
  if (state === 'reverted') return query.where('reverted_at', '<=', now);
  query = query.where('outcome', '=', state).where(unindexed<number>('closes_at'), '<=', now);
  if (state !== 'ratified') return query;
  const reverted = unindexed<number | null>('reverted_at');
  return query.where((eb) => eb.or([eb(reverted, 'is', null), eb(reverted, '>', now)]));
}
