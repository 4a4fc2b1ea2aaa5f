import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, inject, test } from 'vitest';
import { readCurrent } from '../../snapshot/format/versions/current.ts';
import { ROOT } from '../support/tree.ts';

/** The first rows that each query gives over the sample of the tests; all rows where there are at most three. */
const ANSWERS: Record<string, unknown[][]> = {
  '01-status': [
    ['completed', '363'],
    ['running', '258'],
    ['terminated', '67'],
  ],
  '02-starts-by-year': [
    ['2020', '26'],
    ['2021', '40'],
    ['2022', '34'],
  ],
  '03-registries': [
    [['clinicaltrials_gov'], '548'],
    [['isrctn'], '168'],
    [['clinicaltrials_gov', 'isrctn'], '50'],
  ],
  '04-origin-of-phase': [
    ['clinicaltrials_gov', '39'],
    ['isrctn', '8'],
    [null, '3'],
  ],
  '05-sponsors': [
    ['Harrowgate University', 'other', '8'],
    ['Thornmere University', 'other', '8'],
    ['Veltrane Therapeutics', 'industry', '8'],
  ],
  '06-enrollment-by-phase': [
    ['1', '35', 59],
    ['1-2', '23', 89],
    ['2', '101', 59],
  ],
  '07-no-results-after-a-year': [
    ['other', '194', '158'],
    ['industry', '93', '74'],
    ['government', '9', '8'],
  ],
  '08-countries': [
    ['United States', '219', '53'],
    ['United Kingdom', '142', '30'],
    ['China', '95', '18'],
  ],
  '09-conditions': [
    ['type 2 diabetes', '46'],
    ['breast cancer', '44'],
    ['heart failure', '34'],
  ],
  '10-interventions': [
    ['drug', '672'],
    ['device', '176'],
    ['other', '172'],
  ],
  '11-precision-of-dates': [
    ['clinicaltrials_gov', 'day', '389'],
    ['clinicaltrials_gov', 'month', '209'],
    ['isrctn', 'day', '218'],
  ],
  '12-other-registers': [
    ['cpms', '83', '83'],
    ['eudract', '64', '68'],
    ['iras', '53', '54'],
  ],
  '13-named-but-not-held': [
    ['ISRCTN95801183', 'nct', 'NCT99870018', true],
    ['ISRCTN98432396', 'nct', 'NCT99870004', false],
    ['NCT90000482', 'isrctn', 'ISRCTN94337573', false],
  ],
  '14-why-joined': [
    ['declared-by-isrctn', 'one-way', '25'],
    ['declared-by-clinicaltrials-gov', 'mutual', '10'],
    ['declared-by-isrctn', 'mutual', '10'],
  ],
  '15-why-not-joined': [
    ['ambiguous', 'explicit-cross-reference', '6'],
    ['shared-by-many', 'shared-identifier', '2'],
    ['same-registry', 'explicit-cross-reference', '1'],
  ],
  '16-registries-differ': [
    ['wt_179n0bne5fex', '61', '52', 'clinicaltrials_gov'],
    ['wt_2jemav2fys0m', '251', '242', 'clinicaltrials_gov'],
    ['wt_2m73x68zveec', '25', '16', 'clinicaltrials_gov'],
  ],
  '17-publications': [
    ['clinicaltrials_gov', 'background', '702', '693', '0'],
    ['clinicaltrials_gov', 'results', '235', '235', '0'],
    ['clinicaltrials_gov', 'derived', '218', '216', '0'],
  ],
  '18-payload': [
    ['NCT04233034', 'false', true],
    ['NCT90000001', 'true', true],
    ['NCT90000014', 'false', true],
  ],
  '19-old-ids': [['current', '766']],
  '20-signals': [
    ['2026-10', 'D', '1'],
    ['2026-10', 'I', '1'],
    ['2026-10', 'M', '4'],
  ],
};
const QUERIES = join(ROOT, 'docs', 'queries');

/** As a stranger does who downloaded the folder: DuckDB alone, in another working directory. */
test('twenty questions are answered with one ATTACH', async () => {
  const snapshots = inject('sampleSnapshots');
  const folder = join(snapshots, (await readCurrent(snapshots))!);
  expect(process.cwd()).not.toBe(folder);
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(`SET VARIABLE snapshot = '${folder}'; ATTACH '${folder}/snapshot.duckdb' AS trials_of_a_day (READ_ONLY);
    USE trials_of_a_day`);
  const names = (await readdir(QUERIES)).sort();
  expect(names).toEqual(Object.keys(ANSWERS).map((name) => `${name}.sql`));
  const found: Record<string, unknown[][]> = {};
  for (const name of names) {
    const sql = await readFile(join(QUERIES, name), 'utf8');
    expect(sql, name).toMatch(/^-- [^\n]+\n(?!--)/);
    found[name.replace('.sql', '')] = (await connection.runAndReadAll(sql)).getRowsJson().slice(0, 3);
  }
  connection.closeSync();
  expect(found).toEqual(ANSWERS);
});
