import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, inject, test } from 'vitest';
import { readCurrent } from '../../snapshot/format/versions/current.ts';
import { ROOT } from '../support/tree.ts';

/** How many rows each query gives over the sample of the tests, and the first. */
const ANSWERS: Record<string, unknown[]> = {
  '01-status': [6, 'completed', '363'],
  '02-starts-by-year': [8, '2020', '26'],
  '03-registries': [3, ['clinicaltrials_gov'], '548'],
  '04-origin-of-phase': [3, 'clinicaltrials_gov', '39'],
  '05-sponsors': [5, 'Harrowgate University', 'other', '8'],
  '06-enrollment-by-phase': [9, '1', '35', 59],
  '07-no-results-after-a-year': [7, 'other', '194', '158'],
  '08-countries': [5, 'United States', '219', '53'],
  '09-conditions': [5, 'type 2 diabetes', '46'],
  '10-interventions': [16, 'drug', '672'],
  '11-precision-of-dates': [3, 'clinicaltrials_gov', 'day', '389'],
  '12-other-registers': [6, 'cpms', '83', '83'],
  '13-named-but-not-held': [3, 'ISRCTN95801183', 'nct', 'NCT99870018', true],
  '14-why-joined': [7, 'declared-by-isrctn', 'one-way', '25'],
  '15-why-not-joined': [4, 'ambiguous', 'explicit-cross-reference', '6'],
  '16-registries-differ': [3, 'wt_179n0bne5fex', '61', '52', 'clinicaltrials_gov'],
  '17-publications': [4, 'clinicaltrials_gov', 'background', '702', '693', '0'],
  '18-payload': [3, 'NCT04233034', 'false', true],
  '19-old-ids': [1, 'current', '766'],
  '20-signals': [4, '2026-10', 'D', '1'],
  '21-registry-condition-year': [55, 'clinicaltrials_gov', 'breast cancer', '1999', '1'],
  '22-sites': [
    1190,
    'wt_097yjvhgk1pc',
    'isrctn',
    'ISRCTN95842901',
    'Nimbrex Therapeutics',
    'Cardiff',
    null,
    'United Kingdom',
    null,
    null,
    null,
  ],
  '23-reported-within-a-year': [2, 'clinicaltrials_gov', '229', '8', '48', '0', '173', 0.035],
};
const QUERIES = join(ROOT, 'docs', 'queries');

/** As a stranger does who downloaded the folder: DuckDB alone, in another working directory. */
test('every question is answered with one ATTACH', async () => {
  const snapshots = inject('sampleSnapshots');
  const folder = join(snapshots, (await readCurrent(snapshots))!);
  expect(process.cwd()).not.toBe(folder);
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(`SET VARIABLE snapshot = '${folder}'; ATTACH '${folder}/snapshot.duckdb' AS trials_of_a_day (READ_ONLY);
    USE trials_of_a_day`);
  const names = (await readdir(QUERIES)).sort();
  expect(names).toEqual(Object.keys(ANSWERS).map((name) => `${name}.sql`));
  const found: Record<string, unknown[]> = {};
  for (const name of names) {
    const sql = await readFile(join(QUERIES, name), 'utf8');
    expect(sql, name).toMatch(/^-- [^\n]+\n(?!--)/);
    const answer = (await connection.runAndReadAll(sql)).getRowsJson();
    found[name.replace('.sql', '')] = [answer.length, ...answer[0]!];
  }
  connection.closeSync();
  expect(found).toEqual(ANSWERS);
});
