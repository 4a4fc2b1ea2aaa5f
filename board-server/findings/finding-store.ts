import { type SelectQueryBuilder, sql } from 'kysely';
import type { AssignmentKind, FindingStatus } from '../../contract/ids.ts';
import type { Finding } from '../../contract/schemas/board/finding.ts';
import type { CitedReceipt } from '../../contract/schemas/trials/receipt.ts';
import { seqsWithName, seqsWithWords } from '../store/full-text.ts';
import { toIso } from '../store/instants.ts';
import { countOf, newestPage, type PageRange } from '../store/page-range.ts';
import { unindexed } from '../store/planner.ts';
import type { Reader } from '../store/reader.ts';
import type { BoardTables } from '../store/tables.ts';
import { type TallySubject, tallyOf } from '../store/tally-store.ts';
import type { Transaction } from '../store/transaction.ts';
import { citedReceipts } from './receipts.ts';
import { type ReviewVoices, reviewVoices } from './review-store.ts';
import type { FindingRow } from './tables.ts';

export interface FindingFilter {
  objectiveId?: string | undefined;
  questionId?: string | undefined;
  status?: FindingStatus | undefined;
  agentName?: string | undefined;
  includeWithdrawn: boolean;
  /** Words that must all occur in its texts; a text without words finds nothing. */
  q?: string | undefined;
  /** Ids of a trial, at least one of which is named. */
  trialId?: readonly string[] | undefined;
}

/** What a review changes. */
export type FindingStanding = Pick<FindingRow, 'status' | 'corroborations' | 'disputes' | 'extensions'>;

function decodeFinding(row: FindingRow, voices: ReviewVoices, receipts: CitedReceipt[] | undefined): Finding {
  return {
    id: row.id,
    status: row.status,
    objectiveId: row.objective_id,
    questionId: row.question_id,
    title: row.title,
    claim: row.claim,
    method: row.method,
    falsification: row.falsification,
    endpointsUsed: JSON.parse(row.endpoints_used) as string[],
    agentName: row.agent_name,
    agentContact: row.agent_contact,
    artifactUrl: row.artifact_url,
    createdAt: toIso(row.created_at),
    updatedAt: toIso(row.updated_at),
    withdrawn: row.withdrawn_at !== null,
    withdrawnAt: row.withdrawn_at === null ? null : toIso(row.withdrawn_at),
    reviewCounts: {
      corroborates: { reviews: row.corroborations, ...voices.corroborates },
      disputes: { reviews: row.disputes, ...voices.disputes },
      extends: { reviews: row.extensions, ...voices.extends },
    },
    ...(receipts && { receipts }),
  };
}

/** Rows as findings, in their order, with the addresses and groups behind their reviews, and the receipts that they cite. */
export async function presentFindings(db: Reader, rows: readonly FindingRow[]): Promise<Finding[]> {
  const ids = rows.map(({ id }) => id);
  const [voices, receipts] = [await reviewVoices(db, ids), await citedReceipts(db, ids)];
  return rows.map((row) => decodeFinding(row, voices.get(row.id)!, receipts.get(row.id)));
}

export async function presentFinding(db: Reader, row: FindingRow): Promise<Finding> {
  const [finding] = await presentFindings(db, [row]);
  return finding!;
}

/** Findings by primary key, in no order; reads as many rows as there are ids. */
export async function findingsByIds(db: Reader, ids: readonly string[]): Promise<FindingRow[]> {
  return ids.length === 0 ? [] : db.selectFrom('findings').selectAll().where('id', 'in', ids).execute();
}

/** Those of `ids` that are findings and not withdrawn, by primary key; reads as many rows as there are ids. */
export async function liveFindingIds(db: Reader, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('findings')
    .select('id')
    .where('id', 'in', ids)
    .where('status', '!=', 'withdrawn')
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/**
 * Page of the findings that match, newest first by `seq`, which is unique; at most `limit` rows. By the index of the
 * given objective, question or agent, else of the status, each of which ends in `seq`; else by findings_shown, or by `seq`
 * itself where withdrawn ones are listed too.
 */
export function findingPage(db: Reader, filter: FindingFilter, range: PageRange): Promise<FindingRow[]> {
  return newestPage(matches(db, filter).selectAll(), range);
}

/**
 * Exact number of findings that match; reads every match, by the index that `findingPage` uses. Where nothing but the
 * status, or one objective or question is asked for, it is a tally.
 */
export async function findingCount(db: Reader, filter: FindingFilter): Promise<number> {
  const { objectiveId, questionId, agentName, q, trialId, status } = filter;
  const isTallied =
    (agentName ?? q ?? trialId) === undefined && (objectiveId === undefined || questionId === undefined);
  if (isTallied) {
    const { withdrawn, ...others } = await findingsByStatus(db, subjectOf(filter));
    if (status !== undefined) return { withdrawn, ...others }[status];
    return Object.values(others).reduce((sum, count) => sum + count, filter.includeWithdrawn ? withdrawn : 0);
  }
  return countOf(matches(db, filter));
}

/** Findings by status, in all or of one objective or question. */
export async function findingsByStatus(db: Reader, of?: TallySubject): Promise<Record<FindingStatus, number>> {
  const counts = await tallyOf(db, 'findings', of);
  const status = (name: FindingStatus): number => counts.get(name) ?? 0;
  return {
    received: status('received'),
    corroborated: status('corroborated'),
    contested: status('contested'),
    withdrawn: status('withdrawn'),
  };
}

function subjectOf({ objectiveId, questionId }: FindingFilter): { kind: AssignmentKind; id: string } | undefined {
  if (objectiveId !== undefined) return { kind: 'objective', id: objectiveId };
  return questionId === undefined ? undefined : { kind: 'question', id: questionId };
}

function matches(db: Reader, filter: FindingFilter): SelectQueryBuilder<BoardTables, 'findings', object> {
  const { objectiveId, questionId, status, agentName, q, trialId } = filter;
  const isNarrow = (objectiveId ?? questionId ?? agentName) !== undefined;
  const ofStatus = isNarrow ? unindexed<FindingStatus>('status') : 'status';
  let query = db.selectFrom('findings');
  if (objectiveId !== undefined) query = query.where('objective_id', '=', objectiveId);
  if (questionId !== undefined) query = query.where('question_id', '=', questionId);
  if (agentName !== undefined) query = query.where('agent_name', '=', agentName);
  if (status !== undefined) query = query.where(ofStatus, '=', status);
  // Written out, or SQLite would not know that it is what findings_shown holds.
  else if (!filter.includeWithdrawn) query = query.where('status', '!=', sql.lit('withdrawn'));
  if (q !== undefined) query = query.where('seq', 'in', seqsWithWords(db, 'findings_search', q));
  if (trialId !== undefined) query = query.where('seq', 'in', seqsWithName(db, 'findings_search', trialId));
  return query;
}

/** Sets what a review changed, by primary key. */
export async function setStanding(tx: Transaction, id: string, standing: FindingStanding, now: number): Promise<void> {
  await tx
    .updateTable('findings')
    .set({ ...standing, updated_at: now })
    .where('id', '=', id)
    .execute();
}

/** Withdraws a finding that is not withdrawn yet, by primary key; false where there was none to withdraw. */
export async function setWithdrawn(tx: Transaction, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('findings')
    .set({ status: 'withdrawn', withdrawn_at: now, updated_at: now })
    .where('id', '=', id)
    .where('status', '!=', 'withdrawn')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
