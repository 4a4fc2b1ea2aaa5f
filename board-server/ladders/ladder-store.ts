import type { RungEffort } from '../../contract/declared/research.ts';
import type { AcceptanceRule } from '../../contract/schemas/board/acceptance.ts';
import { ladderSchema, type Rung } from '../../contract/schemas/board/ladder.ts';
import { resource } from '../kit/resource.ts';
import { toIso } from '../store/instants.ts';
import { countOf, type PageRange } from '../store/page-range.ts';
import type { Reader } from '../store/reader.ts';
import type { Transaction } from '../store/transaction.ts';
import type { LadderRow, RungRow, RungSubmissionRow } from './tables.ts';

export const ladders = resource({
  table: 'ladders',
  prefix: 'lad',
  object: 'ladder',
  title: 'title',
  fields: ladderSchema,
  filters: ['objectiveId', 'questionId', 'agentName'],
});

export function rulesOf({ rules }: Pick<RungRow, 'rules'>): AcceptanceRule[] {
  return JSON.parse(rules) as AcceptanceRule[];
}

export function rungOf(row: RungRow): Rung {
  return {
    id: row.id,
    ladderId: row.ladder_id,
    place: row.place,
    state: row.state,
    title: row.title,
    input: row.input,
    output: row.output,
    effort: row.effort,
    rulesTotal: rulesOf(row).length,
    satisfiedAt: row.satisfied_at === null ? null : toIso(row.satisfied_at),
    satisfiedBy: row.satisfied_by,
    findingId: row.finding_id,
  };
}

/** Stores a ladder with its rungs; the unique index on its content hash refuses an identical one. */
export async function insertLadder(tx: Transaction, ladder: LadderRow, rungs: readonly RungRow[]): Promise<void> {
  await tx.insertInto('ladders').values(ladder).execute();
  await tx.insertInto('rungs').values(rungs).execute();
}

/** Rungs of a ladder, in order; at most twelve, by the unique index on ladder and place. */
export function rungsOf(db: Reader, ladderId: string): Promise<RungRow[]> {
  return db.selectFrom('rungs').selectAll().where('ladder_id', '=', ladderId).orderBy('place').execute();
}

/**
 * Page of the open rungs, oldest ladder first and in its order, by `seq`, which is unique; at most `limit` rows. By the
 * indexes rungs_state or rungs_effort.
 */
export function openRungPage(
  db: Reader,
  effort: RungEffort | undefined,
  range: PageRange,
): Promise<(RungRow & { ladder_title: string })[]> {
  let query = openRungs(db, effort)
    .innerJoin('ladders as l', 'l.id', 'r.ladder_id')
    .selectAll('r')
    .select('l.title as ladder_title');
  if (range.after !== null) query = query.where('r.seq', '>', range.after);
  return query.orderBy('r.seq').limit(range.limit).offset(range.offset).execute();
}

/** Exact number of open rungs; reads each of them in the index that `openRungPage` uses. */
export async function openRungCount(db: Reader, effort: RungEffort | undefined): Promise<number> {
  const { total } = await openRungs(db, effort)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

function openRungs(db: Reader, effort: RungEffort | undefined) {
  const open = db.selectFrom('rungs as r').where('r.state', '=', 'open');
  return effort === undefined ? open : open.where('r.effort', '=', effort);
}

/** The submission that satisfied a rung; one row of the unique index on the rung. */
export function submissionOf(db: Reader, rungId: string): Promise<RungSubmissionRow | undefined> {
  return db.selectFrom('rung_submissions').selectAll().where('rung_id', '=', rungId).executeTakeFirst();
}

/**
 * Satisfies an open rung and counts it in its ladder, which is completed with its last one. False, and nothing
 * changed, where the rung is not open. Must run in the transaction that stores the finding.
 */
export async function satisfyRung(tx: Transaction, rung: RungRow, submission: RungSubmissionRow): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('rungs')
    .set({
      state: 'satisfied',
      satisfied_at: submission.created_at,
      satisfied_by: submission.agent_name,
      finding_id: submission.finding_id,
    })
    .where('id', '=', rung.id)
    .where('state', '=', 'open')
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  await tx.insertInto('rung_submissions').values(submission).execute();
  await tx
    .updateTable('ladders')
    .set(({ eb }) => ({ rungs_satisfied: eb('rungs_satisfied', '+', 1) }))
    .where('id', '=', rung.ladder_id)
    .execute();
  await tx
    .updateTable('ladders')
    .set({ state: 'completed', completed_at: submission.created_at })
    .where('id', '=', rung.ladder_id)
    .whereRef('rungs_satisfied', '=', 'rungs_total')
    .execute();
  return true;
}

/** Rungs that an agent of exactly this name satisfied; counts them in the index rung_submissions_agent. */
export async function satisfiedRungsOf(db: Reader, agentName: string): Promise<number> {
  return countOf(db.selectFrom('rung_submissions').where('agent_name', '=', agentName));
}
