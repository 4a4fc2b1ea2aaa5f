import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TABLE_SPECS } from '../../snapshot/sql/tables.ts';
import {
  type CorpusSpec,
  fillWorkingDatabase,
  makeWorkingDatabase,
  type RegistrationSpec,
  temporaryDirectory,
} from '../../test/builders/working-database.ts';
import type { Database } from '../store/database.ts';
import { defineTrials } from './write-tables.ts';

let root: Awaited<ReturnType<typeof temporaryDirectory>>;
let db: Database;
beforeAll(async () => {
  root = await temporaryDirectory();
  db = await makeWorkingDatabase(root.path, { trials: [] });
  await defineTrials(db);
});
afterAll(async () => {
  await db.close();
  await root[Symbol.asyncDispose]();
});

const CT = 'NCT00000001';
const IS = 'ISRCTN00000001';

async function trialsOf(corpus: CorpusSpec): Promise<Record<string, unknown>[]> {
  await fillWorkingDatabase(db, root.path, corpus);
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
    const trial = await merged(null, {
      title: 'T',
      enrollment_note: 'sentinel',
      status_basis: 'b',
      results_basis: 'r',
    });
    expect(trial).toMatchObject({
      aliases: [],
      registries: ['isrctn'],
      ctgov_id: null,
      title: 'T',
      status: 'unknown',
      status_basis: 'b',
      phase: 'not-stated',
      sponsor_class: 'unknown',
      enrollment_note: 'sentinel',
      countries: [],
      results_available: false,
      results_basis: 'r',
    });
  });

  test('takes ClinicalTrials.gov where both speak', async () => {
    const trial = await merged(
      {
        title: 'C',
        phase: '2',
        conditions: ['c'],
        start_date: { date: '2020-01', precision: 'month', type: 'actual' },
      },
      { title: 'I', phase: '3', conditions: ['i'], start_date: { date: '2021-01-02', precision: 'day', type: null } },
    );
    expect(trial).toMatchObject({
      title: 'C',
      phase: '2',
      conditions: ['c'],
      start_date: { date: '2020-01', precision: 'month', type: 'actual' },
    });
  });

  test('takes ISRCTN where ClinicalTrials.gov has null, an empty list, unknown or not-stated', async () => {
    const trial = await merged(
      { acronym: null, phase: 'not-stated', study_type: 'unknown', countries: [] },
      { acronym: 'I', phase: '3', study_type: 'interventional', countries: ['Peru'] },
    );
    expect(trial).toMatchObject({ acronym: 'I', phase: '3', study_type: 'interventional', countries: ['Peru'] });
  });

  test('not-applicable is a statement', async () => {
    expect(await merged({ phase: 'not-applicable' }, { phase: '3' })).toMatchObject({ phase: 'not-applicable' });
  });

  test('takes name and class of the sponsor from one side', async () => {
    const i = { sponsor_name: 'I', sponsor_class: 'government' };
    expect(await merged({ sponsor_name: 'C', sponsor_class: 'unknown' }, i)).toMatchObject({
      sponsor_name: 'C',
      sponsor_class: 'unknown',
    });
    expect(await merged({}, i)).toMatchObject({ sponsor_name: 'I', sponsor_class: 'government' });
  });

  test('takes count, type and note of the enrollment from one side', async () => {
    const c = { enrollment_count: null, enrollment_note: 'a sentinel', enrollment_type: 'estimated' };
    expect(await merged(c, { enrollment_count: 12 })).toMatchObject({
      enrollment_count: 12,
      enrollment_type: null,
      enrollment_note: null,
    });
    expect(await merged(c, { enrollment_note: 'other' })).toMatchObject({
      enrollment_count: null,
      enrollment_type: 'estimated',
      enrollment_note: 'a sentinel',
    });
    expect(await merged({ enrollment_count: 0 }, { enrollment_count: 12 })).toMatchObject({ enrollment_count: 0 });
  });

  test('takes status, recruitment status and basis from one side', async () => {
    expect(
      await merged(
        { status: 'unknown', recruitment_status: 'withheld', status_basis: 'c' },
        { status: 'completed', recruitment_status: 'completed', status_basis: 'i' },
      ),
    ).toMatchObject({ status: 'completed', recruitment_status: 'completed', status_basis: 'i' });
    expect(
      await merged(
        { status: 'unknown', recruitment_status: 'withheld', status_basis: 'c' },
        { status: 'unknown', status_basis: 'i' },
      ),
    ).toMatchObject({ status: 'unknown', recruitment_status: 'withheld', status_basis: 'c' });
  });

  test('was first posted at the earliest and last updated at the latest date', async () => {
    const day = (date: string) => ({ date, precision: 'day', type: null });
    expect(
      await merged(
        { first_posted_date: day('2020-05-01'), last_updated_date: day('2022-01-01') },
        { first_posted_date: day('2019-12-31'), last_updated_date: day('2021-06-01') },
      ),
    ).toMatchObject({ first_posted_date: day('2019-12-31'), last_updated_date: day('2022-01-01') });
    expect(
      await merged(
        { first_posted_date: null },
        { first_posted_date: day('2019-12-31'), last_updated_date: day('2024-01-01') },
      ),
    ).toMatchObject({ first_posted_date: day('2019-12-31'), last_updated_date: day('2024-01-01') });
  });

  test('says for each column whose value it shows, and for none that nobody states', async () => {
    const day = (date: string) => ({ date, precision: 'day', type: null });
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
    expect(trial.origins).toEqual({
      ...{ acronym: 'isrctn', completion_date: null, conditions: null, countries: 'isrctn', enrollment_count: null },
      ...{ enrollment_note: 'isrctn', enrollment_type: null, first_posted_date: 'isrctn', interventions: null },
      ...{
        last_updated_date: 'clinicaltrials_gov',
        official_title: null,
        phase: 'isrctn',
        primary_completion_date: null,
      },
      ...{ primary_endpoints: null, recruitment_status: null, results_available: 'isrctn', results_basis: 'isrctn' },
      ...{ results_posted_date: null, sponsor_class: null, sponsor_name: null, start_date: null, status: 'isrctn' },
      ...{ status_basis: 'isrctn', study_type: null, title: 'clinicaltrials_gov' },
    });
    expect((await merged({ results_available: false }, null)).origins).toMatchObject({
      ...{ title: 'clinicaltrials_gov', results_available: 'clinicaltrials_gov', phase: null, acronym: null },
    });
  });

  test('has results when any registry holds them, and says by that one', async () => {
    expect(await merged({ results_basis: 'c' }, { results_available: true, results_basis: 'i' })).toMatchObject({
      results_available: true,
      results_basis: 'i',
    });
  });
});
