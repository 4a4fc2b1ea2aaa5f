import type { RegistryId } from '../../../contract/ids.ts';
import type { QuarantineReason } from '../../../snapshot/format/registration.ts';
import { sqlLiteral } from '../../../snapshot/sql/connection.ts';
import { REGISTRATION_COLUMNS } from '../../../snapshot/sql/fields.ts';
import { parquetSource } from '../../../snapshot/sql/tables.ts';
import type { Connection, JsonRow } from '../../store/database.ts';
import { acceptName, type CheckRules, COMPARED_COLUMNS, type ComparedColumn } from './check-rules.ts';
import { daysWords, type Finding, finding, percent } from './gate.ts';

/** Reason of the quarantine of a record in an older version than the last snapshot holds. */
export const OLDER: QuarantineReason = 'older-than-published';

/** Two snapshot directories with their as-of days, and the registries that both hold. */
export interface ComparedContent {
  before: { dir: string; asOf: string };
  after: { dir: string; asOf: string };
  registries: readonly RegistryId[];
}

const MS_PER_DAY = 86_400_000;
/** New records are judged by the share of all older ones, less so many standard deviations: a few records prove little. */
const DEVIATIONS = 4;
const EXAMPLES = 3;

/** The earlier and the later snapshot, whose flags have these letters in front. */
type Side = 'a' | 'b';

/** A property that values of a column should have, as SQL over a registration. */
interface Subject {
  check: 'nulls' | 'unknown' | 'vocabulary';
  column: string;
  /** Registrations of which it is expected. */
  expected: string;
  /** Those that have it, in the earlier and in the later snapshot. */
  met: Record<Side, string>;
}

/** Each check in words: what is expected, and what is wrong with the others. */
const WORDS: Record<Subject['check'], [expected: string, wrong: string]> = {
  nulls: ['values expected', 'are missing'],
  unknown: ['values expected', 'are unknown or not-stated'],
  vocabulary: ['words stated', 'more are in no vocabulary'],
};

/**
 * Compares what the registrations of two snapshots state: the statuses that go back with the day, then each registry, its columns and
 * its records. `numbers` are the findings about numbers: a registry that shrank gets examples of what it has no more.
 */
export async function checkContent(
  db: Connection,
  content: ComparedContent,
  rules: CheckRules,
  numbers: readonly Finding[] = [],
): Promise<Finding[]> {
  const { registries } = content;
  // A field that this program has added is no column of the snapshot before.
  const described = await db.all(`DESCRIBE SELECT * FROM ${parquetSource(content.before.dir, 'registrations')}`);
  const held = new Set(described.map((row) => row.column_name));
  const skipped = new Set<string>(rules.notCompared.map(({ column }) => column));
  const columns = COMPARED_COLUMNS.filter(({ column }) => held.has(column) && !skipped.has(column));
  const subjects = columns.flatMap((column) => subjectsOf(column, rules));
  await compare(db, content, subjects);
  const counts = await db.all(countsSql(content, subjects));
  const findings: Finding[] = [await asOfFinding(db, content, rules)];
  for (const registry of registries) {
    const counted = counts.find((row) => row.registry === registry) ?? {};
    const shrunk = numbers.find(({ name }) => name === acceptName('shrink', registry));
    if (shrunk?.exceeded) shrunk.examples = await examples(db, registry, 'NOT in_b');
    const found = [
      ...subjects.map((subject, at) => subjectFinding(registry, subject, at, counted, rules)),
      changedFinding(registry, content, counted, rules),
      newestFinding(registry, counted, rules),
      olderFinding(registry, counted, rules),
    ];
    for (const { affecting, ...one } of found)
      findings.push(one.exceeded ? { ...one, examples: await examples(db, registry, affecting) } : one);
  }
  await db.run('DROP TABLE compared_flags');
  return findings;
}

/** A finding with the SQL of the records that it is about. */
type FoundRecords = Finding & { affecting: string };

/** A column has a value, or needs none in the later status; a word of the registry, where it is stated, is in our vocabulary. */
function subjectsOf({ check, column, type, rawColumn }: ComparedColumn, rules: CheckRules): Subject[] {
  const isWord = `coalesce("${column}"::VARCHAR NOT IN ('unknown', 'not-stated'), false)`;
  const isList = REGISTRATION_COLUMNS.some((known) => known.column === column && known.sqlType.endsWith('[]'));
  const isStated = isList ? `coalesce(len("${column}") > 0, false)` : `"${column}" IS NOT NULL`;
  const hasValue = type === 'word' ? isWord : type === 'date' ? `"${column}"."date" IS NOT NULL` : isStated;
  const only = rules.statedInStatus.find((one) => one.column === column);
  const needsNone = only === undefined ? '' : ` OR status NOT IN (${only.status.map(sqlLiteral).join(', ')})`;
  const value: Subject = { check, column, expected: 'true', met: { a: hasValue, b: `(${hasValue}${needsNone})` } };
  if (rawColumn === null) return [value];
  const words = rules.wordsForUnknown.map(({ word }) => sqlLiteral(word)).join(', ');
  const stated = `coalesce(upper("${rawColumn}") NOT IN (${words}), false)`;
  return [value, { check: 'vocabulary', column, expected: stated, met: { a: isWord, b: isWord } }];
}

/**
 * Makes the table `compared_flags`: the records of both snapshots side by side, with the flags of both. It has all registries, because
 * DuckDB takes longer to prepare so many columns than to fill them.
 */
async function compare(db: Connection, { before, after, registries }: ComparedContent, subjects: readonly Subject[]) {
  const listed = [...registries.map(sqlLiteral), 'NULL'].join(', ');
  const rows = (dir: string, side: Side): string => {
    const flags = subjects.map(
      ({ expected, met }, at) =>
        `${expected} AS ${side}_expected${at}, ${expected} AND ${met[side]} AS ${side}_met${at}`,
    );
    return `(SELECT registry, id, payload_sha256 AS sha, recruitment_status AS status, last_updated_date."date" AS updated,
        try_cast(source_version AS BIGINT) AS version, ${flags.join(', ')}
      FROM ${parquetSource(dir, 'registrations')} WHERE registry IN (${listed}))`;
  };
  const flags = subjects.map((_, at) => ['a', 'b'].map((side) => `${side}_expected${at}, ${side}_met${at}`).join(', '));
  await db.run(
    `CREATE OR REPLACE TEMP TABLE compared_flags AS
     SELECT coalesce(a.registry, b.registry) AS registry, coalesce(a.id, b.id) AS id, a.id IS NOT NULL AS in_a,
       b.id IS NOT NULL AS in_b, in_a AND in_b AS in_both, in_both AND a.sha <> b.sha AS differs,
       differs AND (b.updated < a.updated OR b.version < a.version) AS goes_back,
       coalesce(a.id, b.id) IN (SELECT id FROM ${parquetSource(after.dir, 'quarantine')}
         WHERE reason = ${sqlLiteral(OLDER)} AND id IS NOT NULL) AS kept_back,
       CASE WHEN a.sha = b.sha AND a.status <> b.status THEN a.status || ' to ' || b.status END AS moved,
       a.updated AS a_updated, b.updated AS b_updated, ${flags.join(', ')}
     FROM ${rows(before.dir, 'a')} a FULL JOIN ${rows(after.dir, 'b')} b ON a.registry = b.registry AND a.id = b.id`,
  );
}

/** Records of which a property is expected and that lack it, but for those that lacked it before. */
function lacking(at: number): string {
  return `b_expected${at} AND NOT b_met${at} AND NOT coalesce(a_expected${at} AND NOT a_met${at}, false)`;
}

/** Records of both snapshots in which the property can go missing. */
function could({ check }: Subject, at: number): string {
  return check === 'vocabulary' ? `in_both AND b_expected${at}` : `in_both AND a_met${at}`;
}

/**
 * SQL of the counts of each registry over `compared_flags`. Not `count(*) FILTER`: DuckDB prepares all columns of the query for each
 * filter, which takes a second for hundreds of them over however few rows.
 */
function countsSql({ before, after }: ComparedContent, subjects: readonly Subject[]): string {
  const count = (name: string, condition: string): string =>
    `count(CASE WHEN ${condition} THEN 1 END)::DOUBLE AS ${name}`;
  const newest = (name: string, day: string, condition: string): string =>
    `max(CASE WHEN ${condition} THEN ${day} END) AS ${name}`;
  const columns = [
    count('held', 'in_both'),
    count('changed', 'differs'),
    count('backwards', 'goes_back'),
    count('older', 'goes_back OR kept_back'),
    newest('was', 'a_updated', `a_updated <= ${sqlLiteral(before.asOf)}`),
    // A record that was kept back is not part of what was received.
    newest('"is"', 'b_updated', `b_updated <= ${sqlLiteral(after.asOf)} AND NOT kept_back`),
    ...subjects.flatMap((subject, at) => [
      count(`old${at}`, `a_expected${at}`),
      count(`old_met${at}`, `a_met${at}`),
      count(`could${at}`, could(subject, at)),
      count(`lack${at}`, `in_both AND ${lacking(at)}`),
      count(`changed_could${at}`, `differs AND ${could(subject, at)}`),
      count(`changed_lack${at}`, `differs AND ${lacking(at)}`),
      count(`new${at}`, `NOT in_a AND b_expected${at}`),
      count(`new_met${at}`, `NOT in_a AND b_met${at}`),
    ]),
  ];
  return `SELECT registry, ${columns.join(', ')} FROM compared_flags GROUP BY registry`;
}

/** How many records a condition affects, of how many that it could affect. */
interface Share {
  affected: number;
  of: number;
}

const shareOf = ({ affected, of }: Share): number => (of > 0 ? affected / of : 0);

/** The figure is the larger of both shares: of all records, and of the new and changed ones. `counted` is empty for a registry without a record. */
function subjectFinding(
  registry: RegistryId,
  { check, column }: Subject,
  at: number,
  counted: JsonRow,
  rules: CheckRules,
): FoundRecords {
  const of = (name: string): number => Number(counted[`${name}${at}`] ?? 0);
  const isWord = check === 'vocabulary';
  const filledLater = !isWord && rules.filledLater.some((later) => later.column === column);
  const due = filledLater ? 0 : expectedOfNew(of('new'), of('old_met'), of('old'));
  const all: Share = { affected: of('lack'), of: of('could') };
  const recent: Share = {
    affected: of('changed_lack') + Math.max(0, Math.floor(due - of('new_met'))),
    of: of('changed_could') + (isWord ? of('new') : due),
  };
  const [worst, whose] =
    shareOf(recent) > shareOf(all) ? [recent, 'new and changed records'] : [all, 'the records held before'];
  const { limit, moreThan } = rules.checks[check];
  const [expected, wrong] = WORDS[check];
  const numbers = `of ${Math.round(worst.of)} ${expected} in ${whose} ${worst.affected} ${wrong}`;
  const found = finding(
    rules,
    check,
    { registry, column },
    {
      figure: shareOf(worst),
      affected: worst.affected,
      exceeded: [all, recent].some((share) => share.affected > moreThan && shareOf(share) > limit),
      detail: `column ${column}: ${numbers} (${percent(shareOf(worst))}, at most ${percent(limit)})`,
    },
  );
  return { ...found, affecting: lacking(at) };
}

/** How many of `added` new records should have what `have` of `all` older ones have; 0 where the older ones are too few. */
function expectedOfNew(added: number, have: number, all: number): number {
  if (added > all || all === 0) return 0;
  const share = have / all;
  return Math.max(0, added * share - DEVIATIONS * Math.sqrt(added * share * (1 - share)));
}

function changedFinding(
  registry: RegistryId,
  { before, after }: ComparedContent,
  { changed = 0, held = 0 }: JsonRow,
  rules: CheckRules,
): FoundRecords {
  const { limit: least, perDay = 0 } = rules.checks.changed;
  const days = Math.max(0, daysBetween(before.asOf, after.asOf));
  const limit = Math.max(least, perDay * days);
  const share = { affected: Number(changed), of: Number(held) };
  const detail = `${changed} of ${held} records held before differ (${percent(shareOf(share))}, at most ${percent(limit)} in ${daysWords(days)})`;
  const found = { figure: shareOf(share), affected: share.affected, limit, detail };
  return { ...finding(rules, 'changed', { registry }, found), affecting: 'differs' };
}

function newestFinding(registry: RegistryId, counted: JsonRow, rules: CheckRules): FoundRecords {
  const [was, is] = [counted.was, counted.is].map((day) => (typeof day === 'string' && day.length === 10 ? day : null));
  const figure = was && is ? Math.max(0, daysBetween(is, was)) : null;
  const { limit } = rules.checks.newest;
  const detail = `the newest update goes back from ${was} to ${is} (${daysWords(figure ?? 0)}, at most ${limit})`;
  return { ...finding(rules, 'newest', { registry }, { figure, affected: null, detail }), affecting: 'false' };
}

function olderFinding(registry: RegistryId, counted: JsonRow, rules: CheckRules): FoundRecords {
  const [affected, of, taken] = [counted.older, counted.held, counted.backwards].map((count) => Number(count ?? 0));
  const share = { affected: affected!, of: of! };
  const { limit, moreThan } = rules.checks.older;
  const found = finding(
    rules,
    'older',
    { registry },
    {
      figure: shareOf(share),
      affected: affected!,
      // What was kept back does no harm in small numbers; what would be published in an older version does.
      exceeded: taken! > 0 || (affected! > moreThan && shareOf(share) > limit),
      detail: `${affected} of ${of} records held before came in an older version (${percent(shareOf(share))}, at most ${percent(limit)}); ${affected! - taken!} were kept back, ${taken} would be published`,
    },
  );
  return { ...found, affecting: 'goes_back OR kept_back' };
}

async function examples(db: Connection, registry: RegistryId, condition: string): Promise<string[]> {
  // Records that were there before say more: they had the value.
  const rows = await db.all(
    `SELECT id FROM compared_flags
     WHERE registry = ${sqlLiteral(registry)} AND (${condition}) ORDER BY NOT in_a, id LIMIT ${EXAMPLES}`,
  );
  return rows.map(({ id }) => String(id));
}

/**
 * Whether the day goes back to which statuses that follow from dates are derived, and which statuses of records with equal payloads move
 * with it. Some days back are usual where a dump follows a live run, as long as no status goes back with them.
 */
async function asOfFinding(db: Connection, { before, after }: ComparedContent, rules: CheckRules): Promise<Finding> {
  const figure = Math.max(0, daysBetween(after.asOf, before.asOf));
  const { limit } = rules.checks['as-of'];
  const sql = `SELECT registry, moved, count(*)::DOUBLE AS n, list(id ORDER BY id)[:${EXAMPLES}] AS ids
    FROM compared_flags WHERE moved IS NOT NULL GROUP BY registry, moved ORDER BY n DESC, registry, moved`;
  const rows = figure > 0 ? await db.all(sql) : [];
  const affected = rows.reduce((sum, { n }) => sum + Number(n), 0);
  const named = rows.map(({ registry, moved, n }) => `${registry} ${moved} ${n}`).join(', ');
  const back = `the day of the statuses goes back from ${before.asOf} to ${after.asOf}`;
  const most = `${daysWords(figure)}, at most ${limit}, and none where a status goes with it`;
  const statuses = `of unchanged records ${affected} have another status by it${named === '' ? '' : `: ${named}`}`;
  const found = {
    figure,
    affected: figure > 0 ? affected : null,
    exceeded: figure > limit || affected > 0,
    detail: `${back} (${most}); ${statuses}`,
    examples: rows.flatMap(({ ids }) => ids as string[]).slice(0, EXAMPLES),
  };
  return finding(rules, 'as-of', {}, found);
}

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / MS_PER_DAY;
}
