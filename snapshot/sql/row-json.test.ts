import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { dictionaryText } from '../../gateway/description/dictionary-text.ts';
import { withScratchDatabase } from '../../pipeline/store/scratch-database.ts';
import { nothingStated } from '../../test/support/nothing-stated.ts';
import { REGISTRATION_COLUMNS } from './fields.ts';
import { rowJson, rowLeaf } from './row-json.ts';
import { rowSchema } from './row-schema.ts';
import { hashedColumns, writtenColumns } from './tables.ts';

/** What is stated in the row; the other columns hold what stands for nothing. */
const STATED: Record<string, string> = {
  registry: `'isrctn'`,
  id: `'ISRCTN1'`,
  title: `'a"b\\u001F/é😀 ' || chr(31) || chr(11) || chr(10)`,
  brief_summary: `'line one' || chr(10) || '“two”'`,
  minimum_age: '18.0',
  maximum_age: '0.5',
  enrollment_count: '120',
  results_available: 'true',
  start_date: `{'date': '2026-01', 'precision': 'month', 'type': NULL}`,
  conditions: `['Asthma' || chr(31), 'COPD']`,
  interventions: `[{'type': 'drug', 'name': 'x', 'other_names': ['y'], 'description': NULL}]`,
  sites: `[{'facility': 'at "latitude":5.0, there', 'city': NULL, 'state': NULL, 'country': 'Chad', 'status': NULL,
    'latitude': 12.0, 'longitude': -1.5}, {'facility': NULL, 'city': NULL, 'state': NULL, 'country': NULL, 'status': NULL,
    'latitude': -0.25, 'longitude': 15.0}]`,
};
const ROW = REGISTRATION_COLUMNS.map((column) => {
  const value = STATED[column.column];
  const sql = value === undefined ? nothingStated(column) : `CAST(${value} AS ${column.sqlType})`;
  return `${sql} AS "${column.column}"`;
});

const WRITTEN = `SELECT ${writtenColumns('registrations')} FROM (SELECT ${ROW.join(', ')})`;

async function rowOf(sql: string, from = WRITTEN): Promise<string> {
  return withScratchDatabase(async (db) => {
    const row = await db.one(`SELECT ${sql} AS "made" FROM (${from})`);
    return String(row?.made);
  });
}

const sha256 = (text: string): string => hash('sha256', text, 'hex');
const COLUMNS = hashedColumns('registrations');

test('a row is JSON by RFC 8785: names in order, no blanks, small hex digits, numbers as JavaScript writes them', async () => {
  const json = await rowOf(rowJson('registrations', COLUMNS));
  const value = JSON.parse(json) as Record<string, unknown>;
  expect(json).toBe(JSON.stringify(Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))));
  expect(value).toMatchObject({
    registry: 'isrctn',
    title: 'a"b\\u001F/é😀 \u001f\u000b\n',
    minimum_age: 18,
    maximum_age: 0.5,
    enrollment_count: 120,
    results_available: true,
    start_date: { date: '2026-01', precision: 'month', type: null },
    start_day: '2026-01-01',
    completion_day: null,
    official_title: null,
    keywords: [],
    conditions: ['Asthma\u001f', 'COPD'],
  });
  expect(json).toContain('"interventions":[{"description":null,"name":"x","other_names":["y"],"type":"drug"}],');
  expect(json).toContain('"minimum_age":18,');
  expect(json).toContain('"title":"a\\"b\\\\u001F/é😀 \\u001f\\u000b\\n"');
});

test('long lists stand as SHA-256 of their JSON by RFC 8785, prose as SHA-256 of its text', async () => {
  const value = JSON.parse(await rowOf(rowJson('registrations', COLUMNS))) as Record<string, unknown>;
  expect(value).toMatchObject({
    brief_summary_sha256: sha256('line one\n“two”'),
    eligibility_text_sha256: null,
    arms_sha256: sha256('[]'),
    sites_sha256: sha256(
      '[{"city":null,"country":"Chad","facility":"at \\"latitude\\":5.0, there","latitude":12,"longitude":-1.5,"state":null,"status":null},' +
        '{"city":null,"country":null,"facility":null,"latitude":-0.25,"longitude":15,"state":null,"status":null}]',
    ),
  });
  expect(Object.keys(value)).not.toContain('sites');
  expect(Object.keys(value)).not.toContain('retrieved_at');
});

test('schema.json and the dictionary name the columns that stand as SHA-256', async () => {
  const members = Object.keys(JSON.parse(await rowOf(rowJson('registrations', COLUMNS))));
  const digests = members.filter((name) => !COLUMNS.includes(name));
  expect(digests.length).toBeGreaterThan(5);
  const columns = Object.values((rowSchema('registrations') as { properties: Record<string, object> }).properties);
  expect(columns.flatMap((column) => ('x-in-leaf' in column ? [column['x-in-leaf']] : [])).sort()).toEqual(
    digests.sort(),
  );
  const line = /^## registrations$[\s\S]+?^In its leaf as SHA-256: (.+)\.$/m.exec(dictionaryText())![1]!;
  expect(
    line
      .split(', ')
      .map((name) => `${name.replaceAll('`', '')}_sha256`)
      .sort(),
  ).toEqual(digests.sort());
});

test('the leaf is the hash of that JSON by RFC 6962', async () => {
  const json = await rowOf(rowJson('registrations', COLUMNS));
  expect(await rowOf(rowLeaf('registrations', COLUMNS))).toBe(sha256(`\0${json}`));
});

test('an instant stands as ISO 8601 in UTC with milliseconds', async () => {
  const row = "SELECT 'a' AS id, TIMESTAMP '2026-11-18 08:00:00' AS published_at";
  expect(await rowOf(rowJson('signals', ['id', 'published_at']), row)).toBe(
    '{"id":"a","published_at":"2026-11-18T08:00:00.000Z"}',
  );
});
