import type { RegistryId } from '../../../contract/ids.ts';
import type { QuarantineReason } from '../../../snapshot/format/registration.ts';
import { sqlLiteral } from '../../../snapshot/sql/connection.ts';
import { REGISTRATION_COLUMNS } from '../../../snapshot/sql/fields.ts';
import { parquetSource } from '../../../snapshot/sql/tables.ts';
import type { Connection } from '../../store/database.ts';
import { acceptName, type CheckName, type CheckRules, COMPARED_COLUMNS, type ComparedColumn } from './check-rules.ts';

/** What one check found. */
export interface Finding {
  check: CheckName;
  /** What `--accept` takes. */
  name: string;
  /** In the unit of the check; null where nothing could be compared. */
  figure: number | null;
  /** How many records are affected. */
  affected: number | null;
  limit: number;
  exceeded: boolean;
  /** The numbers, in words. */
  detail: string;
  /** Up to three ids of affected records. */
  examples: string[];
}

/** Reason of the quarantine of a record in an older version than the last snapshot holds. */
export const OLDER: QuarantineReason = 'older-than-published';

/** Two snapshot directories with their as-of days, and the registries that both hold. */
export interface ComparedContent {
  before: { dir: string; asOf: string };
  after: { dir: string; asOf: string };
  registries: readonly RegistryId[];
}

export const MS_PER_DAY = 86_400_000;
/** New records are judged by the share of all older ones, less so many standard deviations: a few records prove little. */
const DEVIATIONS = 4;
export const EXAMPLES = 3;

/** Compares what the registrations of two snapshots state, by registry and column. */
export async function checkContent(db: Connection, content: ComparedContent, rules: CheckRules): Promise<Finding[]> {
  const { registries } = content;
  if (registries.length === 0) return [];
  const columns = await compare(db, content, rules);
  const counts = await countByRegistry(db, columns);
  const findings: Finding[] = [];
  for (const registry of registries) {
    const compared = { registry, columns };
    findings.push(...(await columnFindings(db, compared, counts.get(registry) ?? {}, rules)));
    findings.push(await changedFinding(db, registry, content, rules));
    findings.push(await newestFinding(db, registry, content, rules), await olderFinding(db, registry, content, rules));
  }
  await db.run('DROP TABLE compared_flags');
  return findings;
}

/** A registry, and the columns that are compared. */
interface Compared {
  registry: RegistryId;
  columns: ComparedColumn[];
}

/**
 * Makes the table `compared_flags`, in which the records of both snapshots stand side by side, with the flags of both sides. It has all
 * registries, because DuckDB takes longer to prepare so many columns than to fill them. Returns the compared columns.
 */
async function compare(
  db: Connection,
  { before, after, registries }: ComparedContent,
  rules: CheckRules,
): Promise<ComparedColumn[]> {
  const skipped = rules.notCompared.map(({ column }) => column);
  // An older snapshot may lack a column.
  const held = await db.all(`DESCRIBE SELECT * FROM ${parquetSource(before.dir, 'registrations')}`);
  const names = new Set(held.map((row) => row.column_name));
  const columns = COMPARED_COLUMNS.filter(({ column }) => names.has(column) && !skipped.includes(column));
  const rows = (dir: string, side: Side): string =>
    flaggedRows(parquetSource(dir, 'registrations'), { registries, columns, side }, rules);
  const sides = columns.flatMap((column, at) =>
    flagNames(column).flatMap((name) => [`a_${name}${at}`, `b_${name}${at}`]),
  );
  await db.run(
    `CREATE OR REPLACE TEMP TABLE compared_flags AS
     SELECT coalesce(a.registry, b.registry) AS registry, coalesce(a.id, b.id) AS id, a.id IS NOT NULL AS in_a, b.id IS NOT NULL AS in_b,
       a.id IS NOT NULL AND b.id IS NOT NULL AS in_both, in_both AND a.sha <> b.sha AS differs,
       a.updated AS a_updated, b.updated AS b_updated, a.version AS a_version, b.version AS b_version,
       ${sides.join(', ')}
     FROM ${rows(before.dir, 'a')} a FULL JOIN ${rows(after.dir, 'b')} b ON a.registry = b.registry AND a.id = b.id`,
  );
  return columns;
}

/** SQL of the records of some registries in `source`, with the flags of the columns. */
function flaggedRows(
  source: string,
  { registries, columns, side }: { registries: readonly RegistryId[]; columns: readonly ComparedColumn[]; side: Side },
  rules: CheckRules,
): string {
  const stated = [
    'registry',
    'id',
    'payload_sha256 AS sha',
    'last_updated_date."date" AS updated',
    'try_cast(source_version AS BIGINT) AS version',
    ...columns.map((column, at) => flags(column, at, rules, side)),
  ];
  return `(SELECT ${stated.join(', ')} FROM ${source} WHERE registry IN (${registries.map(sqlLiteral).join(', ')}))`;
}

/** The earlier and the later snapshot, whose flags have these letters in front. */
type Side = 'a' | 'b';

/** Names of the flags of a column; only a column of words has the two about the registry's own word. */
function flagNames({ rawColumn }: ComparedColumn): readonly string[] {
  return rawColumn === null ? ['value'] : ['value', 'stated', 'outside'];
}

/**
 * SQL of a column's flags of a row: it has a value, or needs none in the status of after; a word is stated; the stated word is in no
 * vocabulary of ours.
 */
function flags(
  { column, type, rawColumn }: ComparedColumn,
  at: number,
  { wordsForUnknown, statedInStatus }: CheckRules,
  side: Side,
): string {
  const isWord = `coalesce("${column}"::VARCHAR NOT IN ('unknown', 'not-stated'), false)`;
  const hasValue: Partial<Record<typeof type, string>> = {
    date: `"${column}"."date" IS NOT NULL`,
    word: isWord,
  };
  const isList = REGISTRATION_COLUMNS.some((known) => known.column === column && known.sqlType.endsWith('[]'));
  const isStated = isList ? `coalesce(len("${column}") > 0, false)` : `"${column}" IS NOT NULL`;
  const only = side === 'b' ? statedInStatus.find((one) => one.column === column) : undefined;
  const needsNone = only === undefined ? '' : ` OR status NOT IN (${only.status.map(sqlLiteral).join(', ')})`;
  const value = `(${hasValue[type] ?? isStated}${needsNone}) AS ${side}_value${at}`;
  if (rawColumn === null) return value;
  const words = wordsForUnknown.map(({ word }) => sqlLiteral(word)).join(', ');
  const stated = `coalesce(upper("${rawColumn}") NOT IN (${words}), false)`;
  return `${value}, ${stated} AS ${side}_stated${at}, ${stated} AND NOT ${isWord} AS ${side}_outside${at}`;
}

/** How many records a condition affects, of how many that it could affect. */
interface Share {
  affected: number;
  of: number;
}

const shareOf = ({ affected, of }: Share): number => (of > 0 ? affected / of : 0);

/**
 * SQL of how many rows hold to a condition. Not `count(*) FILTER`: DuckDB prepares all columns of the query for each
 * filter, which takes a second for hundreds of them over however few rows.
 */
const countOf = (condition: string): string => `count(CASE WHEN ${condition} THEN 1 END)::DOUBLE`;

/** SQL of the counts of a column, from which its findings are made. */
function countsOf({ rawColumn }: ComparedColumn, at: number): string {
  const values = `
    ${countOf(`a_value${at}`)} AS held${at},
    ${countOf(`in_both AND a_value${at}`)} AS had${at},
    ${countOf(`a_value${at} AND NOT b_value${at}`)} AS lost${at},
    ${countOf(`differs AND a_value${at}`)} AS changed_had${at},
    ${countOf(`differs AND a_value${at} AND NOT b_value${at}`)} AS changed_lost${at},
    ${countOf(`NOT in_a AND b_value${at}`)} AS new_has${at}`;
  if (rawColumn === null) return values;
  return `${values},
    ${countOf(`a_stated${at}`)} AS a_stated${at},
    ${countOf(`a_outside${at}`)} AS a_outside${at},
    ${countOf(`in_both AND b_stated${at}`)} AS stated${at},
    ${countOf(`in_both AND b_outside${at} AND NOT a_outside${at}`)} AS left${at},
    ${countOf(`differs AND b_stated${at}`)} AS changed_stated${at},
    ${countOf(`differs AND b_outside${at} AND NOT a_outside${at}`)} AS changed_left${at},
    ${countOf(`NOT in_a AND b_stated${at}`)} AS new_stated${at},
    ${countOf(`NOT in_a AND b_outside${at}`)} AS new_outside${at}`;
}

/** Numbers by name. */
type Counts = Record<string, number>;

/** The counts of each registry over `compared_flags`. */
async function countByRegistry(db: Connection, columns: readonly ComparedColumn[]): Promise<Map<string, Counts>> {
  const rows = await db.all(
    `SELECT registry, ${countOf('in_a')} AS a, ${countOf('NOT in_a')} AS added, ${columns.map(countsOf).join(',')}
     FROM compared_flags GROUP BY registry`,
  );
  return new Map(rows.map(({ registry, ...counts }) => [String(registry), counts as Counts]));
}

/** `counts` lacks what a registry without any record would have: nothing was counted. */
async function columnFindings(
  db: Connection,
  { registry, columns }: Compared,
  counts: Record<string, number>,
  rules: CheckRules,
): Promise<Finding[]> {
  const numberOf = (name: string): number => counts[name] ?? 0;
  const findings: Finding[] = [];
  for (const [at, column] of columns.entries()) {
    const of = (name: string): number => numberOf(`${name}${at}`);
    const filledLater = rules.filledLater.some((later) => later.column === column.column);
    const expected = filledLater ? 0 : expectedOfNew(numberOf('added'), of('held'), numberOf('a'));
    const missing = {
      all: { affected: of('lost'), of: of('had') },
      recent: {
        affected: of('changed_lost') + Math.max(0, Math.floor(expected - of('new_has'))),
        of: of('changed_had') + expected,
      },
    };
    findings.push(await columnFinding(db, { registry, column, at, check: column.check, ...missing }, rules));
    if (column.rawColumn === null) continue;
    const stated = of('new_stated');
    const within = expectedOfNew(stated, of('a_stated') - of('a_outside'), of('a_stated'));
    const outside = {
      all: { affected: of('left'), of: of('stated') },
      recent: {
        affected: of('changed_left') + Math.max(0, Math.floor(within - (stated - of('new_outside')))),
        of: of('changed_stated') + stated,
      },
    };
    findings.push(await columnFinding(db, { registry, column, at, check: 'vocabulary', ...outside }, rules));
  }
  return findings;
}

/** How many of `added` new records should have what `have` of `all` older ones have; 0 where the older ones are too few. */
function expectedOfNew(added: number, have: number, all: number): number {
  if (added > all || all === 0) return 0;
  const share = have / all;
  return Math.max(0, added * share - DEVIATIONS * Math.sqrt(added * share * (1 - share)));
}

/** The figure is the larger of both shares: of all records, and of the new and changed ones. */
async function columnFinding(
  db: Connection,
  found: {
    registry: RegistryId;
    column: ComparedColumn;
    at: number;
    check: ComparedColumn['check'] | 'vocabulary';
    all: Share;
    recent: Share;
  },
  rules: CheckRules,
): Promise<Finding> {
  const { registry, column, at, check, all, recent } = found;
  const { limit, moreThan } = rules.checks[check];
  const [worst, whose] =
    shareOf(recent) > shareOf(all) ? [recent, 'new and changed records'] : [all, 'the records held before'];
  const exceeded = [all, recent].some((share) => share.affected > moreThan && shareOf(share) > limit);
  const affected =
    check === 'vocabulary'
      ? `b_outside${at} AND NOT coalesce(a_outside${at}, false)`
      : `in_b AND coalesce(a_value${at}, true) AND NOT b_value${at}`;
  const what = {
    nulls: `of ${Math.round(worst.of)} values expected in ${whose} ${worst.affected} are missing`,
    unknown: `of ${Math.round(worst.of)} values expected in ${whose} ${worst.affected} are unknown or not-stated`,
    vocabulary: `of ${Math.round(worst.of)} words stated in ${whose} ${worst.affected} more are in no vocabulary`,
  }[check];
  return {
    check,
    name: acceptName(check, registry, column.column),
    figure: shareOf(worst),
    affected: worst.affected,
    limit,
    exceeded,
    detail: `column ${column.column}: ${what} (${percent(shareOf(worst))}, at most ${percent(limit)})`,
    examples: exceeded ? await examples(db, registry, affected) : [],
  };
}

async function examples(db: Connection, registry: RegistryId, condition: string): Promise<string[]> {
  // Records that were there before say more: they had the value.
  const rows = await db.all(
    `SELECT id FROM compared_flags
     WHERE registry = ${sqlLiteral(registry)} AND (${condition}) ORDER BY NOT in_a, id LIMIT ${EXAMPLES}`,
  );
  return rows.map(({ id }) => String(id));
}

/** Up to three ids that a registry had and has no more. */
export async function missingIds(
  db: Connection,
  { before, after }: ComparedContent,
  registry: RegistryId,
): Promise<string[]> {
  const of = sqlLiteral(registry);
  const rows = await db.all(
    `SELECT id FROM ${parquetSource(before.dir, 'registrations')} WHERE registry = ${of}
       AND id NOT IN (SELECT id FROM ${parquetSource(after.dir, 'registrations')} WHERE registry = ${of})
     ORDER BY id LIMIT ${EXAMPLES}`,
  );
  return rows.map(({ id }) => String(id));
}

export function daysWords(days: number): string {
  return `${days} ${days === 1 ? 'day' : 'days'}`;
}

export function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))} %`;
}

async function changedFinding(
  db: Connection,
  registry: RegistryId,
  { before, after }: ComparedContent,
  rules: CheckRules,
): Promise<Finding> {
  const row =
    await db.one(`SELECT count(*) FILTER (in_both)::DOUBLE AS held, count(*) FILTER (differs)::DOUBLE AS changed
    FROM compared_flags WHERE registry = ${sqlLiteral(registry)}`);
  const { limit: least, perDay = 0, moreThan } = rules.checks.changed;
  const days = Math.max(0, (Date.parse(after.asOf) - Date.parse(before.asOf)) / MS_PER_DAY);
  const limit = Math.max(least, perDay * days);
  const share = { affected: Number(row?.changed), of: Number(row?.held) };
  const exceeded = share.affected > moreThan && shareOf(share) > limit;
  return {
    check: 'changed',
    name: acceptName('changed', registry),
    figure: shareOf(share),
    affected: share.affected,
    limit,
    exceeded,
    detail: `${share.affected} of ${share.of} records held before differ (${percent(shareOf(share))}, at most ${percent(limit)} in ${daysWords(days)})`,
    examples: exceeded ? await examples(db, registry, 'differs') : [],
  };
}

async function newestFinding(
  db: Connection,
  registry: RegistryId,
  { before, after }: ComparedContent,
  rules: CheckRules,
): Promise<Finding> {
  // A record that was kept back is not part of what was received.
  const row = await db.one(`SELECT max(a_updated) FILTER (a_updated <= ${sqlLiteral(before.asOf)}) AS was,
      max(b_updated) FILTER (b_updated <= ${sqlLiteral(after.asOf)} AND id NOT IN (${keptBack(after.dir, registry)})) AS "is"
    FROM compared_flags WHERE registry = ${sqlLiteral(registry)}`);
  const { limit } = rules.checks.newest;
  const [was, is] = [row?.was, row?.is].map((day) => (typeof day === 'string' && day.length === 10 ? day : null));
  const figure = was && is ? Math.max(0, (Date.parse(was) - Date.parse(is)) / MS_PER_DAY) : null;
  return {
    check: 'newest',
    name: acceptName('newest', registry),
    figure,
    affected: null,
    limit,
    exceeded: figure !== null && figure > limit,
    detail: `the newest update goes back from ${was} to ${is} (${daysWords(figure ?? 0)}, at most ${limit})`,
    examples: [],
  };
}

/** SQL of the ids of records that were received in an older version and kept back. */
function keptBack(dir: string, registry: RegistryId): string {
  return `SELECT id FROM ${parquetSource(dir, 'quarantine')}
    WHERE registry = ${sqlLiteral(registry)} AND reason = ${sqlLiteral(OLDER)} AND id IS NOT NULL`;
}

async function olderFinding(
  db: Connection,
  registry: RegistryId,
  { after }: ComparedContent,
  rules: CheckRules,
): Promise<Finding> {
  const backwards = 'differs AND (b_updated < a_updated OR b_version < a_version)';
  const older = `(${backwards}) OR id IN (${keptBack(after.dir, registry)})`;
  const row =
    await db.one(`SELECT count(*) FILTER (in_both)::DOUBLE AS held, count(*) FILTER (${older})::DOUBLE AS older,
    count(*) FILTER (${backwards})::DOUBLE AS backwards FROM compared_flags WHERE registry = ${sqlLiteral(registry)}`);
  const { limit, moreThan } = rules.checks.older;
  const share = { affected: Number(row?.older), of: Number(row?.held) };
  const taken = Number(row?.backwards);
  // What was kept back does no harm in small numbers; what would be published in an older version does.
  const exceeded = taken > 0 || (share.affected > moreThan && shareOf(share) > limit);
  return {
    check: 'older',
    name: acceptName('older', registry),
    figure: shareOf(share),
    affected: share.affected,
    limit,
    exceeded,
    detail: `${share.affected} of ${share.of} records held before came in an older version (${percent(shareOf(share))}, at most ${percent(limit)}); ${share.affected - taken} were kept back, ${taken} would be published`,
    examples: exceeded ? await examples(db, registry, older) : [],
  };
}
