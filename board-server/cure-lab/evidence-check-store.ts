import type { SourceState } from '../../contract/declared/research.ts';
import type { EvidenceTrace } from '../../contract/schemas/research/cure-lab.ts';
import { countOf } from '../store/page-range.ts';
import type { Reader } from '../store/reader.ts';
import type { Transaction } from '../store/transaction.ts';
import type { EvidenceCheckRow } from './tables.ts';

type ShownCheck = EvidenceTrace['checks'][number];

/** What one check said of a source. */
export interface SourceCheck {
  state: SourceState;
  paper: ShownCheck['paper'];
  asked: ShownCheck['asked'];
}

export interface StoredCheck extends SourceCheck {
  number: number;
  source: string;
  /** Microseconds. */
  checkedAt: number;
}

/** What is known of a source: its newest check, and the newest that had an answer; undefined where there is none. */
export interface SourceStanding {
  newest: StoredCheck | undefined;
  answered: StoredCheck | undefined;
}

export async function insertCheck(tx: Transaction, source: string, check: SourceCheck, now: number): Promise<void> {
  const row = {
    source,
    state: check.state,
    paper: check.paper === null ? null : JSON.stringify(check.paper),
    asked: JSON.stringify(check.asked),
    checked_at: now,
  };
  await tx.insertInto('evidence_checks').values(row).execute();
}

/** The standing of each of a page's sources, in two reads by index evidence_checks_source. */
export async function standingsOf(db: Reader, sources: readonly string[]): Promise<Map<string, SourceStanding>> {
  const wanted = [...new Set(sources)];
  const newest = await lastOf(db, wanted, false);
  const answered = await lastOf(db, wanted, true);
  return new Map(sources.map((source) => [source, { newest: newest.get(source), answered: answered.get(source) }]));
}

async function lastOf(db: Reader, sources: string[], onlyAnswered: boolean): Promise<Map<string, StoredCheck>> {
  if (sources.length === 0) return new Map();
  let last = db
    .selectFrom('evidence_checks')
    .select(({ fn }) => fn.max('number').as('number'))
    .where('source', 'in', sources)
    .groupBy('source');
  if (onlyAnswered) last = last.where('state', '!=', 'unverified');
  const rows = await db.selectFrom('evidence_checks').selectAll().where('number', 'in', last).execute();
  return new Map(rows.map((row) => [row.source, decode(row)]));
}

/** Checks of one source, newest first, at most `limit`. Index evidence_checks_source. */
export async function checksOf(db: Reader, source: string, limit: number): Promise<StoredCheck[]> {
  const rows = await db
    .selectFrom('evidence_checks')
    .selectAll()
    .where('source', '=', source)
    .orderBy('number', 'desc')
    .limit(limit)
    .execute();
  return rows.map(decode);
}

/** How many checks of one source there are; reads that part of index evidence_checks_source. */
export async function checkCount(db: Reader, source: string): Promise<number> {
  return countOf(db.selectFrom('evidence_checks').where('source', '=', source));
}

function decode(row: EvidenceCheckRow): StoredCheck {
  return {
    number: row.number,
    source: row.source,
    state: row.state,
    paper: row.paper === null ? null : (JSON.parse(row.paper) as StoredCheck['paper']),
    asked: JSON.parse(row.asked) as StoredCheck['asked'],
    checkedAt: row.checked_at,
  };
}
