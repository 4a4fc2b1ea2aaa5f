import { beforeAll, describe, expect, test } from 'vitest';
import { TABLE_SPECS } from '../../snapshot/sql/tables.ts';
import {
  type CorpusSpec,
  fillWorkingDatabase,
  makeWorkingDatabase,
  type RegistrationSpec,
} from '../../test/builders/working-database.ts';
import { folderOfFile } from '../../test/support/folders.ts';
import type { Database } from '../store/database.ts';
import { defineTrials } from './write-tables.ts';

const folder = folderOfFile();
let db: Database;
beforeAll(async () => {
  db = await makeWorkingDatabase(folder.path, { trials: [] });
  await defineTrials(db);
  return () => db.close();
});

const CT = 'NCT00000001';
const IS = 'ISRCTN00000001';

async function trialsOf(corpus: CorpusSpec): Promise<Record<string, unknown>[]> {
  await fillWorkingDatabase(db, folder.path, corpus);
  await defineTrials(db);
  const rows = await db.all('SELECT to_json(t)::VARCHAR AS row FROM merged_trials t ORDER BY canonical_id');
  return rows.map(({ row }) => JSON.parse(row as string));
}

/** The trial merged from two registrations with the given columns; null leaves that registration out. */
async function merged(
  c: Partial<RegistrationSpec> | null,
  i: Partial<RegistrationSpec> | null,
): Promise<Record<string, unknown>> {
  const members = [...(c === null ? [] : [{ ...c, id: CT }]), ...(i === null ? [] : [{ ...i, id: IS }])];
  const [trial] = await trialsOf({ trials: [{ canonicalId: 'wt_aaaaaaaaaaaa', members }] });
  return trial!;
}

test('the columns of every table are those of the working database, without raw_part and with the days of dates', async () => {
  for (const [table, spec] of Object.entries(TABLE_SPECS)) {
    if (spec.source === null) continue;
    const described = await db.all(`SELECT column_name AS name FROM (DESCRIBE SELECT * FROM ${spec.source})`);
    const written = spec.columns.filter((name) => !name.endsWith('_day'));
    expect(written, table).toEqual(described.map((row) => row.name).filter((name) => name !== 'raw_part'));
  }
});

test('the columns that a trial shares with a registration have the same types', async () => {
  const types = async (table: string) =>
    new Map(
      (await db.all(`SELECT column_name AS n, column_type AS t FROM (DESCRIBE SELECT * FROM ${table})`)).map((row) => [
        row.n,
        row.t,
      ]),
    );
  const [trial, registration] = [await types('merged_trials'), await types('registrations')];
  const shared = TABLE_SPECS.trials.columns
    .slice(TABLE_SPECS.trials.columns.indexOf('title'))
    .filter((name) => !name.endsWith('_day'));
  expect(shared.map((column) => [column, trial.get(column)])).toEqual(
    shared.map((column) => [column, registration.get(column)]),
  );
});

describe('a trial', () => {
  test('a divided id is a former id of the trials of both registrations that it was given to', async () => {
    const trials = await trialsOf({
      trials: [
        { canonicalId: 'wt_aaaaaaaaaaaa', members: [{ id: 'ISRCTN00000002' }, { id: CT }] },
        { canonicalId: 'wt_bbbbbbbbbbbb', members: [{ id: IS }] },
        { canonicalId: 'wt_cccccccccccc', members: [{ id: 'NCT00000002' }] },
      ],
      dividedIds: [['wt_dddddddddddd', CT, IS]],
      formerIds: [['wt_eeeeeeeeeeee', 'alias', 'wt_dddddddddddd']],
    });
    expect(trials.map(({ canonical_id, aliases }) => [canonical_id, aliases])).toEqual([
      ['wt_aaaaaaaaaaaa', ['wt_dddddddddddd', 'wt_eeeeeeeeeeee']],
      ['wt_bbbbbbbbbbbb', ['wt_dddddddddddd', 'wt_eeeeeeeeeeee']],
      ['wt_cccccccccccc', []],
    ]);
  });

  test('names its registrations, founder and former ids, also those that were aliases of an alias', async () => {
    const [trial] = await trialsOf({
      trials: [{ canonicalId: 'wt_aaaaaaaaaaaa', members: [{ id: IS }, { id: CT }] }],
      formerIds: [
        ['wt_cccccccccccc', 'alias', 'wt_bbbbbbbbbbbb'],
        ['wt_bbbbbbbbbbbb', 'alias', 'wt_aaaaaaaaaaaa'],
        ['wt_dddddddddddd', 'retired', null],
        ['wt_eeeeeeeeeeee', 'alias', 'wt_dddddddddddd'],
      ],
    });
    expect(trial).toMatchObject({
      canonical_id: 'wt_aaaaaaaaaaaa',
      aliases: ['wt_bbbbbbbbbbbb', 'wt_cccccccccccc'],
      ctgov_id: CT,
      isrctn_id: IS,
      registries: ['clinicaltrials_gov', 'isrctn'],
      founding_registry: 'isrctn',
      founding_id: IS,
    });
  });

  test('of one registry has what that registry says, also where it does not speak', async () => {
    const stated = { title: 'T', enrollment_note: 'sentinel', status_basis: 'b', results_basis: 'r' };
    const unstated = { status: 'unknown', phase: 'not-stated', sponsor_class: 'unknown', countries: [] };
    expect(await merged(null, stated)).toMatchObject({
      ...stated,
      ...unstated,
      results_available: false,
      aliases: [],
      registries: ['isrctn'],
      ctgov_id: null,
    });
  });

  const day = (date: string) => ({ date, precision: 'day', type: null });
  const month = { date: '2020-01', precision: 'month', type: 'actual' };
  const sponsor = { sponsor_name: 'I', sponsor_class: 'government' };
  const noted = { enrollment_count: null, enrollment_note: 'a sentinel', enrollment_type: 'estimated' };
  const withheld = { status: 'unknown', recruitment_status: 'withheld', status_basis: 'c' };
  const completed = { status: 'completed', recruitment_status: 'completed', status_basis: 'i' };
  const MERGED: [what: string, c: Partial<RegistrationSpec>, i: Partial<RegistrationSpec>, trial: object][] = [
    [
      'takes ClinicalTrials.gov where both speak',
      { title: 'C', phase: '2', conditions: ['c'], start_date: month },
      { title: 'I', phase: '3', conditions: ['i'], start_date: day('2021-01-02') },
      { title: 'C', phase: '2', conditions: ['c'], start_date: month },
    ],
    [
      'takes ISRCTN where ClinicalTrials.gov has null, an empty list, unknown or not-stated',
      { acronym: null, phase: 'not-stated', study_type: 'unknown', countries: [] },
      { acronym: 'I', phase: '3', study_type: 'interventional', countries: ['Peru'] },
      { acronym: 'I', phase: '3', study_type: 'interventional', countries: ['Peru'] },
    ],
    ['takes not-applicable as a statement', { phase: 'not-applicable' }, { phase: '3' }, { phase: 'not-applicable' }],
    [
      'takes name and class of the sponsor from one side',
      { sponsor_name: 'C', sponsor_class: 'unknown' },
      sponsor,
      { sponsor_name: 'C', sponsor_class: 'unknown' },
    ],
    ['takes the sponsor of ISRCTN where the other states none', {}, sponsor, sponsor],
    [
      'takes count, type and note of the enrollment from the side that counts',
      noted,
      { enrollment_count: 12 },
      { enrollment_count: 12, enrollment_type: null, enrollment_note: null },
    ],
    ['takes the enrollment of ClinicalTrials.gov where neither counts', noted, { enrollment_note: 'other' }, noted],
    ['takes an enrollment of 0', { enrollment_count: 0 }, { enrollment_count: 12 }, { enrollment_count: 0 }],
    ['takes status, recruitment status and basis from the side that states one', withheld, completed, completed],
    [
      'takes them of ClinicalTrials.gov where neither does',
      withheld,
      { status: 'unknown', status_basis: 'i' },
      withheld,
    ],
    [
      'was first posted at the earliest and last updated at the latest date',
      { first_posted_date: day('2020-05-01'), last_updated_date: day('2022-01-01') },
      { first_posted_date: day('2019-12-31'), last_updated_date: day('2021-06-01') },
      { first_posted_date: day('2019-12-31'), last_updated_date: day('2022-01-01') },
    ],
    [
      'was posted and updated when one side says so',
      { first_posted_date: null },
      { first_posted_date: day('2019-12-31'), last_updated_date: day('2024-01-01') },
      { first_posted_date: day('2019-12-31'), last_updated_date: day('2024-01-01') },
    ],
    [
      'has results when any registry holds them, and says by that one',
      { results_basis: 'c' },
      { results_available: true, results_basis: 'i' },
      { results_available: true, results_basis: 'i' },
    ],
  ];
  test.each(MERGED)('%s', async (_what, c, i, trial) => expect(await merged(c, i)).toMatchObject(trial));

  test('says for each column whose value it shows, and for none that nobody states', async () => {
    const trial = await merged(
      { title: 'C', phase: 'not-stated', first_posted_date: day('2020-05-01'), last_updated_date: day('2022-01-01') },
      {
        ...{
          title: 'I',
          acronym: 'A',
          phase: '3',
          study_type: 'unknown',
          countries: ['Peru'],
          results_available: true,
        },
        ...{ first_posted_date: day('2019-12-31'), last_updated_date: day('2021-06-01') },
        ...{ status: 'completed', status_basis: 'i', enrollment_note: 'blank' },
      },
    );
    const columnsOf = (registry: string | null) =>
      Object.entries(trial.origins as object).flatMap(([column, origin]) => (origin === registry ? [column] : []));
    expect(columnsOf('clinicaltrials_gov').sort()).toEqual(['last_updated_date', 'title']);
    expect(columnsOf('isrctn').sort()).toEqual([
      ...['acronym', 'countries', 'enrollment_note', 'first_posted_date', 'phase', 'results_available'],
      ...['results_basis', 'status', 'status_basis'],
    ]);
    expect(columnsOf(null)).toHaveLength(14);
    expect((await merged({ results_available: false }, null)).origins).toMatchObject({
      ...{ title: 'clinicaltrials_gov', results_available: 'clinicaltrials_gov', phase: null, acronym: null },
    });
  });
});
