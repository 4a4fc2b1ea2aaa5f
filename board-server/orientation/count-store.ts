import type { SurfaceId } from '../../contract/declared/surfaces.ts';
import type { AssignmentKind, FindingStatus } from '../../contract/ids.ts';
import { findingsByStatus } from '../findings/finding-store.ts';
import type { Reader } from '../store/reader.ts';
import type { BoardTables } from '../store/tables.ts';
import { talliedRows, tallyBySubject } from '../store/tally-store.ts';

/** Counts over what agents wrote. Each query answers from an index; its rows are bounded by the declared work, not by the board. */

/** A number of rows that belong to one objective or question. */
interface SubjectCount {
  kind: AssignmentKind;
  id: string;
  count: number;
}

interface FindingCount extends SubjectCount {
  status: FindingStatus;
}

const KINDS = ['objective', 'question'] as const satisfies readonly AssignmentKind[];

/**
 * Active claims whose lease ends after `now` (microseconds), by objective and by question; a claim that names both is
 * counted for each. Unordered; index claims_live; reads the live claims only.
 */
export async function liveClaimCounts(db: Reader, now: number): Promise<SubjectCount[]> {
  const rows = await db
    .selectFrom('claims')
    .select(['objective_id', 'question_id', (eb) => eb.fn.countAll<number>().as('count')])
    .where('state', '=', 'active')
    .where('lease_until', '>', now)
    .groupBy(['objective_id', 'question_id'])
    .execute();
  return rows.flatMap(({ objective_id, question_id, count }) => [
    ...subject('objective', objective_id, count),
    ...subject('question', question_id, count),
  ]);
}

/**
 * Findings by objective and status, and by question and status; one that names both is counted for each. Unordered;
 * tallies, a row for each status of a subject.
 */
export async function findingCounts(db: Reader): Promise<FindingCount[]> {
  const tallies = await tallyBySubject(db, 'findings');
  return tallies.map(({ state, ...counted }) => ({ ...counted, status: state as FindingStatus }));
}

/** Messages on objectives and on questions, and the highest `seq` among them (0 for none). */
interface MessageTally {
  counts: SubjectCount[];
  upTo: number;
}

/**
 * Counts all messages on objectives and questions, unordered. Reads the part of index messages_subject with these two
 * types whole, once in a process.
 */
export async function messageCounts(db: Reader): Promise<MessageTally> {
  const rows = await db
    .selectFrom('messages')
    .select([
      'subject_type',
      'subject_id',
      (eb) => eb.fn.countAll<number>().as('count'),
      (eb) => eb.fn.max('seq').as('last'),
    ])
    .where('subject_type', 'in', KINDS)
    .groupBy(['subject_type', 'subject_id'])
    .execute();
  const counts = rows.flatMap((row) => subject(row.subject_type as AssignmentKind, row.subject_id, row.count));
  return { counts, upTo: rows.reduce((highest, { last }) => Math.max(highest, last), 0) };
}

/** Rows of one page of `laterMessages`. */
const LATER_MESSAGES_PAGE = 1000;

/**
 * Counts the messages after `seq`, at most a page of them; `upTo` is the last `seq` read of any subject. Order and
 * index: seq.
 */
export async function laterMessages(db: Reader, seq: number): Promise<MessageTally & { isLastPage: boolean }> {
  const rows = await db
    .selectFrom('messages')
    .select(['subject_type', 'subject_id', 'seq'])
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(LATER_MESSAGES_PAGE)
    .execute();
  const counts = rows.flatMap(({ subject_type, subject_id }) =>
    subject_type === 'objective' || subject_type === 'question' ? subject(subject_type, subject_id, 1) : [],
  );
  return { counts, upTo: rows.at(-1)?.seq ?? seq, isLastPage: rows.length < LATER_MESSAGES_PAGE };
}

/** What is on the board in all. */
interface BoardCounts {
  liveClaims: number;
  findings: Record<FindingStatus, number>;
  messages: number;
  reviews: number;
  links: number;
}

/**
 * Each query reads one row, or one for each status, from index claims_live and the tallies. A table that only grows is
 * counted whole once in a process; after that only its new rows are.
 */
export async function boardCounts(db: Reader, now: number): Promise<BoardCounts> {
  const findings = await findingsByStatus(db);
  const live = await db
    .selectFrom('claims')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', 'active')
    .where('lease_until', '>', now)
    .executeTakeFirstOrThrow();
  return {
    liveClaims: Number(live.count),
    findings,
    messages: await rowsOf(db, 'messages'),
    reviews: await rowsOf(db, 'reviews'),
    links: await rowsOf(db, 'links'),
  };
}

/** Tables of what agents write, by surface; fulfilments are no rows of their own, and reports are numbered. */
const TABLES = {
  claims: 'claims',
  messages: 'messages',
  findings: 'findings',
  reviews: 'reviews',
  links: 'links',
  amendments: 'amendments',
  votes: 'amendment_votes',
  exercises: 'amendment_exercises',
  'reality-requests': 'reality_requests',
  'reality-acceptances': 'reality_acceptances',
  predictions: 'predictions',
  'dead-ends': 'dead_ends',
  ladders: 'ladders',
  'rungs-satisfied': 'rung_submissions',
  methods: 'methods',
  'method-uses': 'method_uses',
  evidence: 'evidence',
  hypotheses: 'hypotheses',
} as const satisfies Record<Exclude<SurfaceId, 'reality-fulfilments' | 'results-gap-reports'>, keyof BoardTables>;
type CountedTable = (typeof TABLES)[keyof typeof TABLES];

/** Rows of each surface, counted as `boardCounts` counts them. */
export async function surfaceCounts(db: Reader): Promise<Record<SurfaceId, number>> {
  const counts: Record<string, number> = {
    'reality-fulfilments': await talliedRows(db, 'reality_requests', 'fulfilled'),
    'results-gap-reports': await reportsOf(db),
  };
  for (const [surface, table] of Object.entries(TABLES)) counts[surface] = await rowsOf(db, table);
  return counts as Record<SurfaceId, number>;
}

/** Reports are numbered without a gap and never removed; primary key, one row. */
async function reportsOf(db: Reader): Promise<number> {
  const newest = await db
    .selectFrom('results_gap_reports')
    .select('number')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest?.number ?? 0;
}

async function rowsOf(db: Reader, table: CountedTable): Promise<number> {
  const kept = keptOf(db);
  const { count, upTo } = kept[table] ?? { count: 0, upTo: 0 };
  const later = await db
    .selectFrom(table)
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.max<number | null>('seq').as('last')])
    .where('seq', '>', upTo)
    .executeTakeFirstOrThrow();
  const counted = { count: count + later.count, upTo: later.last ?? upTo };
  // A read that began earlier may end later.
  if (counted.upTo >= (kept[table]?.upTo ?? 0)) kept[table] = counted;
  return counted.count;
}

/**
 * Number of rows up to a `seq`. Later rows have a higher one, whichever process wrote them, and no row is ever removed.
 */
interface Tally {
  count: number;
  upTo: number;
}

/** What a connection has counted. */
type Kept = Partial<Record<CountedTable, Tally>>;

/** A cache by connection, a few numbers for each; everything in it can be counted again. */
const KEPT = new WeakMap<object, Kept>();

function keptOf(db: Reader): Kept {
  const kept = KEPT.get(db.source) ?? {};
  KEPT.set(db.source, kept);
  return kept;
}

/** Time of the newest event in microseconds, null on a board without events; primary key, one row. */
export async function headTime(db: Reader): Promise<number | null> {
  const row = await db.selectFrom('events').select('ts').orderBy('ts', 'desc').limit(1).executeTakeFirst();
  return row?.ts ?? null;
}

function subject(kind: AssignmentKind, id: string | null, count: number): SubjectCount[] {
  return id === null ? [] : [{ kind, id, count: Number(count) }];
}
