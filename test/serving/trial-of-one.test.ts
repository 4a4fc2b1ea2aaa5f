import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Database } from '../../pipeline/store/database.ts';
import type { Registration } from '../../snapshot/format/registration.ts';
import { parquetSource, TABLE_SPECS } from '../../snapshot/sql/tables.ts';
import { registration, registryDate } from '../builders/registration.ts';
import { writeSnapshotTables } from '../builders/snapshot-tables.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'trial-of-one-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const text = fc.constantFrom(null, '', 'one', 'Two "words"');
const texts = fc.constantFrom([], ['one'], ['one', 'one', 'Two']);
const date = fc.constantFrom(null, registryDate('2020-02'), registryDate('2021-03-04'));
const word = fc.constantFrom('unknown', 'not-stated', 'completed', 'other');

/** Every kind of value that a column can have: absent, empty, stated, and words that mean "not stated". */
const given: fc.Arbitrary<Partial<Registration>> = fc
  .record({
    ...{ title: text, officialTitle: text, acronym: text, sponsorName: text, statusBasis: fc.constantFrom('a', 'b') },
    ...{ status: word, recruitmentStatus: word, phase: word, studyType: word, sponsorClass: word },
    ...{ enrollmentCount: fc.constantFrom(null, 0, 40), enrollmentType: text, enrollmentNote: text },
    ...{ countries: texts, countriesRaw: texts, conditions: texts },
    interventions: fc.constantFrom([], [{ type: null, name: 'x', otherNames: ['y'], description: null }]),
    primaryEndpoints: fc.constantFrom([], [{ measure: 'm', timeFrame: null }]),
    dates: fc.record({
      ...{ start: date, primaryCompletion: date, completion: date },
      ...{ firstPosted: date, lastUpdated: date, resultsPosted: date },
    }),
    resultsAvailable: fc.boolean(),
    resultsBasis: fc.constantFrom('hasResults', 'other'),
  })
  .map((record) => record as unknown as Partial<Registration>);

// The serving image reads a trial with one registration from that registration alone, so the two rows must agree.
it('a trial of one registration says in every column that both tables have what its registration says', async () => {
  const shapes = fc.sample(given, { numRuns: 300, seed: 20_261_122 });
  const trials = shapes.map((shape, at) => {
    const number = String(at).padStart(8, '0');
    const record = registration(`${at % 2 === 0 ? 'NCT' : 'ISRCTN'}${number}`, shape);
    return { canonicalId: `wt_${number}`, aliases: [], registrations: [record] };
  });
  await writeSnapshotTables({ trials, identifiers: [], links: [], relations: [] }, root);
  await using database = await Database.open(':memory:');
  const shared = TABLE_SPECS.trials.columns.filter((name) => TABLE_SPECS.registrations.columns.includes(name));
  // A trial's aliases are canonical ids; a registration's aliases are registry numbers. So they are not compared.
  const columns = shared.filter((name) => name !== 'aliases');
  expect(columns).toHaveLength(31);
  const differing = await database.one(`
    SELECT ${columns.map((name) => `count(*) FILTER (t."${name}" IS DISTINCT FROM r."${name}") AS "${name}"`).join(', ')},
      count(*) AS pairs
    FROM ${parquetSource(root, 'trials')} t
    JOIN ${parquetSource(root, 'registrations')} r ON r.id = coalesce(t.ctgov_id, t.isrctn_id)`);
  expect(differing).toEqual({ ...Object.fromEntries(columns.map((name) => [name, '0'])), pairs: '300' });
});
