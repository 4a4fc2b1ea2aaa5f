import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { fetchLog, readersOf, study } from '../../test/builders/fetch-log.ts';
import { amountOf } from '../../test/support/runner/amount.ts';
import type { FetchLog } from '../raw/fetch-log.ts';
import { openWorkingDatabase } from '../store/database.ts';
import type { RegistrySets } from './chain.ts';
import type { NormaliseReport } from './report.ts';
import { normalise } from './stage.ts';

const CTGOV = 'clinicaltrials_gov';

function setsOf(runs: readonly string[]): RegistrySets[] {
  const file = { name: 'f', wrapping: 'gzip', format: 'ctgov-ndjson', bytes: 1, records: 1, url: null } as const;
  const [full, ...increments] = runs.map((run) =>
    fetchLog(CTGOV, run, { files: [{ ...file, sha256: run, receivedAt: '2026-11-20T03:30:00Z', position: null }] }),
  );
  return [{ registry: CTGOV, full: full as FetchLog, increments }];
}

const TABLES = ['stated_identifiers', 'publications', 'quarantine', 'known_payloads'];

/** A separate working database: runs the stage over sets, and says what the tables hold. */
async function openPlace(payloads: Record<string, string[]>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'normalise-on-'));
  const database = await openWorkingDatabase(dataDir, { memoryLimit: '256MB' });
  const effects = { now: () => new Date('2026-11-21T00:00:00Z'), progress: () => {}, checkpoint: () => {} };
  return {
    database,
    run: (sets: RegistrySets[]): Promise<NormaliseReport> =>
      normalise({ dataDir, sets }, readersOf(payloads), database, effects),
    /** `raw_part` is left out: the name of a part file depends on what one run wrote together. */
    async tables(): Promise<unknown[]> {
      const held: unknown[] = [await database.all('SELECT * EXCLUDE (raw_part) FROM registrations ORDER BY ALL')];
      for (const table of TABLES) held.push(await database.all(`SELECT * FROM ${table} ORDER BY ALL`));
      return held;
    },
    async titleOf(id: string): Promise<unknown> {
      return (await database.one('SELECT title FROM registrations WHERE id = $1', [id]))?.title;
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await database.close();
      await rm(dataDir, { recursive: true });
    },
  };
}

const ONE = study(1, 'One', '2026-01-01');

it('a set that is read whole leaves no row of a registration that is not held', async () => {
  await using place = await openPlace({ a: [ONE], b: [study(2, 'Two', '2026-02-01')] });
  await place.run(setsOf(['b']));
  const whole = await place.tables();
  await place.run(setsOf(['a']));
  await place.database.run(`
    INSERT INTO stated_identifiers SELECT * REPLACE ('NCT99999901' AS registration_id) FROM stated_identifiers;
    INSERT INTO publications VALUES ('${CTGOV}', 'NCT99999902', 1, 'background', NULL, NULL, NULL, NULL, NULL, NULL, false);
    INSERT INTO known_payloads SELECT * REPLACE ('NCT99999903' AS id) FROM known_payloads;
    INSERT INTO registrations SELECT * REPLACE ('NCT99999904' AS id) FROM registrations`);
  await place.run(setsOf(['b']));
  expect(await place.tables()).toEqual(whole);
});

it('a record of an increment that replaced that of the last run is not forgotten many records later', async () => {
  const others = Array.from({ length: 1050 }, (_, place) => study(place + 2, 'Other', '2026-02-01'));
  const increment = [study(1, 'Newest', '2026-03-01'), ...others, study(1, 'Between', '2026-02-01')];
  await using place = await openPlace({ a: [ONE], b: increment });
  await place.run(setsOf(['a']));
  const report = await place.run(setsOf(['a', 'b']));
  const counts = { read: 1053, kept: 1051, normalised: 1051, unchanged: 0, superseded: 2 };
  expect(report.registries[0]).toMatchObject(counts);
  expect(await place.titleOf('NCT00000013')).toBe('Newest');
});

test('for any sets, a run for each set leaves the tables and counts of one run over all', async () => {
  const day = fc.constantFrom(null, '2026-01-01', '2026-02-01', '2026-03-01', '2099-01-01');
  const good = fc
    .tuple(fc.integer({ min: 1, max: 3 }), fc.constantFrom('A', 'B', 'C'), day)
    .map(([number, title, updated]) => study(number, title, updated));
  const record = fc.oneof({ weight: 6, arbitrary: good }, { weight: 1, arbitrary: fc.constantFrom('[]', '{"n":1}') });
  const sets = fc.array(fc.array(record, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(sets, async (lists) => {
      const runs = lists.map((_, place) => `set-${place}`);
      const payloads = Object.fromEntries(lists.map((list, place) => [`set-${place}`, list]));
      await using once = await openPlace(payloads);
      await using on = await openPlace(payloads);
      const whole = await once.run(setsOf(runs));
      let last = whole;
      for (let count = 1; count <= runs.length; count++) last = await on.run(setsOf(runs.slice(0, count)));
      expect(await on.tables()).toEqual(await once.tables());
      expect(last.asOf).toBe(whole.asOf);
      const counts = ({ registries: [of] }: NormaliseReport) => ({
        ...{ read: of?.read, kept: of?.kept, superseded: of?.superseded, quarantined: of?.quarantinedByReason },
      });
      expect(counts(last)).toEqual(counts(whole));
    }),
    { numRuns: amountOf({ quick: 1, deep: 8 }), seed: 20261122 },
  );
});
