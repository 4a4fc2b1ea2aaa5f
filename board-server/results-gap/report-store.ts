import type { ResultsGapPaper } from '../../contract/schemas/board/results-gap.ts';
import type { Reader } from '../store/reader.ts';
import type { Transaction } from '../store/transaction.ts';
import type { AskedSource, CheckedReport } from './state.ts';
import type { ResultsGapReportRow } from './tables.ts';

/** What the literature said of a report at one time. */
export interface StoredCheck {
  verification: CheckedReport['verification'];
  papers: ResultsGapPaper[];
  asked: AskedSource[];
  /** Microseconds. */
  checkedAt: number;
}

/** A report with its latest check. */
export interface StoredReport extends CheckedReport {
  number: number;
  row: ResultsGapReportRow;
  latest: StoredCheck;
}

/** Rows of one page of `checksAfter`. */
export const CHECKS_PAGE = 1000;

const REPORT_COLUMNS = [
  'r.number',
  'r.id',
  'r.nct_id',
  'r.outcome',
  'r.pmid',
  'r.doi',
  'r.publication_type',
  'r.search_strategy',
  'r.note',
  'r.agent_name',
  'r.agent_key',
  'r.agent_contact',
  'r.content_hash',
  'r.address_hash',
  'r.group_hash',
  'r.created_at',
] as const;

/** Stores a report; the unique index on its content hash refuses an identical one. Returns its number. */
export async function insertReport(tx: Transaction, row: Omit<ResultsGapReportRow, 'number'>): Promise<number> {
  const { number } = await tx
    .insertInto('results_gap_reports')
    .values(row)
    .returning('number')
    .executeTakeFirstOrThrow();
  return number;
}

export async function insertCheck(tx: Transaction, report: number, check: StoredCheck): Promise<void> {
  const { verification, papers, asked, checkedAt } = check;
  await tx
    .insertInto('results_gap_checks')
    .values({
      report,
      verification,
      papers: JSON.stringify(papers),
      asked: JSON.stringify(asked),
      checked_at: checkedAt,
    })
    .execute();
}

/**
 * Every report on one trial with its latest check, oldest first by number. Indexes results_gap_reports_trial and
 * results_gap_checks_report; reads all reports on the trial, since its state depends on every one of them.
 */
export async function reportsOn(db: Reader, nctId: string): Promise<StoredReport[]> {
  const rows = await checkedReports(db).where('r.nct_id', '=', nctId).orderBy('r.number').orderBy('c.number').execute();
  // A later check of the same report takes the place of the one before it.
  return [...new Map(rows.map((row) => [row.number, decodeReport(row)])).values()];
}

/**
 * Checks after a number, each with its report, in the order of their numbers; at most a page. Primary keys of both.
 */
export async function checksAfter(db: Reader, after: number): Promise<StoredReport[]> {
  const rows = await checkedReports(db).where('c.number', '>', after).orderBy('c.number').limit(CHECKS_PAGE).execute();
  return rows.map(decodeReport);
}

function checkedReports(db: Reader) {
  return db
    .selectFrom('results_gap_checks as c')
    .innerJoin('results_gap_reports as r', 'r.number', 'c.report')
    .select([...REPORT_COLUMNS, 'c.number as check_number', 'c.verification', 'c.papers', 'c.asked', 'c.checked_at']);
}

type CheckedRow = Awaited<ReturnType<ReturnType<typeof checkedReports>['execute']>>[number];

function decodeReport({ check_number, verification, papers, asked, checked_at, ...row }: CheckedRow): StoredReport {
  return {
    number: row.number,
    id: row.id,
    nctId: row.nct_id,
    outcome: row.outcome,
    pmid: row.pmid,
    doi: row.doi,
    publicationType: row.publication_type,
    agentKey: row.agent_key,
    addressHash: row.address_hash,
    group: row.group_hash,
    verification,
    check: check_number,
    checkedAt: checked_at,
    row,
    latest: {
      verification,
      papers: JSON.parse(papers) as StoredCheck['papers'],
      asked: JSON.parse(asked) as StoredCheck['asked'],
      checkedAt: checked_at,
    },
  };
}
