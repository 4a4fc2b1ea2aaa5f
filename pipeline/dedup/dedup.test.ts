import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type FixtureCorpus,
  fillFixture,
  fixedEffects,
  forgetLedger,
  openFixture,
  registryOf,
} from '../../test/support/dedup-corpus.ts';
import { amountOf } from '../../test/support/runner/amount.ts';
import type { Database, JsonRow } from '../store/database.ts';
import { type DedupReport, dedup } from './dedup.ts';

const TABLES = ['links', 'trial_members', 'relations', 'canonical_ids', 'identifiers', 'stage_state'] as const;

const CORPUS: FixtureCorpus = {
  held: [
    { id: 'NCT00000001', firstPosted: '2020-01-02', aliases: ['NCT00000009'] },
    { id: 'NCT00000002', firstPosted: '2021-01-02' },
    { id: 'NCT00000003', firstPosted: '2021-01-02' },
    { id: 'ISRCTN00000001', firstPosted: '2020-01-01' },
    { id: 'ISRCTN00000002', firstPosted: '2022-01-01' },
  ],
  stated: [
    { by: 'NCT00000001', type: 'nct', value: 'NCT00000001', role: 'own', field: 'nctId' },
    { by: 'NCT00000001', type: 'nct', value: 'NCT00000009', role: 'alias', field: 'nctIdAliases' },
    { by: 'ISRCTN00000001', type: 'nct', value: 'NCT00000009', field: 'clinicalTrialsGovNumber' },
    { by: 'ISRCTN00000001', type: 'nct', value: 'NCT00000009', field: 'secondaryNumbers', raw: 'NCT 00000009' },
    { by: 'ISRCTN00000001', type: 'isrctn', value: 'ISRCTN00000077', field: 'secondaryNumbers' },
    { by: 'ISRCTN00000001', type: 'nct', value: 'NCT00000002', field: 'secondaryNumbers' },
    { by: 'NCT00000003', type: 'isrctn', value: 'ISRCTN00000078' },
    { by: 'NCT00000003', type: 'isrctn', value: 'ISRCTN00000078', field: 'orgStudyIdInfo.id' },
    { by: 'NCT00000003', type: 'euct', value: '2023-500000-10' },
    { by: 'ISRCTN00000002', type: 'euct', value: '2023-500000-10', field: 'secondaryNumbers' },
    { by: 'NCT00000003', type: 'drks', value: 'DRKS00000001' },
  ],
};

async function dump(db: Database): Promise<Record<string, JsonRow[]>> {
  const tables: Record<string, JsonRow[]> = {};
  for (const table of TABLES) tables[table] = await db.all(`SELECT * FROM ${table} ORDER BY ALL`);
  return tables;
}

describe('the dedup stage', () => {
  let db: Database;
  const run = (now = '2026-11-21T00:00:00.000Z'): Promise<DedupReport> => dedup(db, fixedEffects(now));

  beforeAll(async () => {
    db = await openFixture();
  });
  beforeEach(async () => {
    for (const table of TABLES) await db.run(`DELETE FROM ${table}`);
    await fillFixture(db, CORPUS);
  });
  afterAll(() => db.close());

  test('reports what it found', async () => {
    const report = await run();
    expect(report).toEqual({
      rules: { id: 'dedup-rules-3', sha256: expect.stringMatching(/^[0-9a-f]{64}$/), count: 18 },
      registrations: 5,
      superseded: 0,
      trials: 4,
      merged: 1,
      linksAccepted: 1,
      linksRejected: 3,
      links: [
        { rule: 'declared-by-isrctn', verdict: 'rejected', reason: 'ambiguous', count: 3 },
        { rule: 'shared-euct', verdict: 'accepted', reason: null, count: 1 },
      ],
      conflicts: 0,
      relations: 2,
      unresolved: 1,
      pairs: { mutual: 0, oneWay: 2, shared: 1 },
      canonicalIds: { current: 4, alias: 0, retired: 0, given: 4 },
    });
  });

  test('says of every stated identifier whether it is in the index and which record it means', async () => {
    await run();
    const rows = await db.all(
      `SELECT registration_id || ' ' || "role" || ' ' || "value" || ' ' || in_index || ' ' || coalesce(resolves_to, '-') AS line
       FROM identifiers ORDER BY line`,
    );
    expect(rows.map((row) => row.line)).toEqual([
      'ISRCTN00000001 declared ISRCTN00000077 false -',
      'ISRCTN00000001 declared NCT00000002 true NCT00000002',
      'ISRCTN00000001 declared NCT00000009 true NCT00000001',
      'ISRCTN00000001 declared NCT00000009 true NCT00000001',
      'ISRCTN00000002 declared 2023-500000-10 false -',
      'NCT00000001 alias NCT00000009 true NCT00000001',
      'NCT00000001 own NCT00000001 true NCT00000001',
      'NCT00000003 declared 2023-500000-10 false -',
      'NCT00000003 declared DRKS00000001 false -',
      'NCT00000003 declared ISRCTN00000078 false -',
      'NCT00000003 declared ISRCTN00000078 false -',
    ]);
  });

  test('a link carries both sides of a shared number as the registries gave them', async () => {
    await run();
    expect(await db.all(`SELECT * EXCLUDE (link_id) FROM links WHERE kind = 'shared-identifier'`)).toEqual([
      {
        from_registry: 'clinicaltrials_gov',
        from_id: 'NCT00000003',
        field: 'secondaryIdInfos.id',
        to_registry: 'isrctn',
        to_id: 'ISRCTN00000002',
        to_field: 'secondaryNumbers',
        raw_value: '2023-500000-10',
        to_raw_value: '2023-500000-10',
        identifier_type: 'euct',
        identifier_value: '2023-500000-10',
        rule: 'shared-euct',
        kind: 'shared-identifier',
        direction: 'shared',
        verdict: 'accepted',
        reason: null,
        conflict: false,
      },
    ]);
  });

  test('a link made by a number that was read by repair names that rule, the text as stated and as read', async () => {
    await fillFixture(db, {
      held: [{ id: 'NCT01234571' }, { id: 'ISRCTN00000001' }],
      stated: [{ by: 'ISRCTN00000001', type: 'nct', value: 'NCT01234571', role: 'repaired', raw: 'NTC01234571' }],
    });
    expect(await run()).toMatchObject({ trials: 1, merged: 1 });
    const stated = await db.all('SELECT rule, raw_value, identifier_value, direction, verdict FROM links');
    expect(stated).toEqual([
      {
        rule: 'read-by-repair',
        raw_value: 'NTC01234571',
        identifier_value: 'NCT01234571',
        direction: 'one-way',
        verdict: 'accepted',
      },
    ]);
  });

  test('run twice it leaves the same tables', async () => {
    const first = await run();
    const before = await dump(db);
    const second = await run();
    const given = { ...first.canonicalIds, given: 0 };
    expect(second).toEqual({ ...first, canonicalIds: given });
    const { stage_state: before_state, ...tables } = before;
    const { stage_state: after_state, ...again } = await dump(db);
    expect(again).toEqual(tables);
    expect(after_state).toHaveLength(before_state!.length);
  });

  test('a run killed at any of its checkpoints leaves the last run whole', async () => {
    await run();
    const before = await dump(db);
    await fillFixture(db, { ...CORPUS, held: [...CORPUS.held, { id: 'NCT00000004' }] });
    for (const point of ['dedup:resolved', 'dedup:named', 'dedup:before-commit']) {
      const kill = (name: string): void => {
        if (name === point) throw new Error(`killed at ${name}`);
      };
      const killed = dedup(db, fixedEffects('2026-11-22T00:00:00.000Z', kill));
      await expect(killed).rejects.toThrow(`killed at ${point}`);
      expect(await dump(db)).toEqual(before);
    }
    expect((await run()).registrations).toBe(6);
  });

  test('records its rules and the run of the normalise stage that it read', async () => {
    await db.run(`INSERT INTO stage_state VALUES ('normalise', '2026-11-20T00:00:00.000Z', '{"runs":[]}', '{}')`);
    const report = await run();
    const states = await db.all('SELECT * FROM stage_state ORDER BY stage');
    expect(states.map((row) => [row.stage, row.completed_at])).toEqual([
      ['dedup', '2026-11-21T00:00:00.000Z'],
      ['normalise', '2026-11-20T00:00:00.000Z'],
    ]);
    expect(JSON.parse(String(states[0]?.inputs))).toEqual({
      rules: { id: 'dedup-rules-3', sha256: report.rules.sha256 },
      normalise: { completed_at: '2026-11-20T00:00:00.000Z', inputs: '{"runs":[]}' },
      // The root of no canonical ids, which is SHA-256 of nothing.
      ledger: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    });
    expect(JSON.parse(String(states[0]?.report))).toEqual(report);
  });

  test('goes on from the ledger that it left in the working database', async () => {
    await run();
    const gone = ['NCT00000002', 'NCT00000003'];
    await fillFixture(db, {
      held: CORPUS.held.filter(({ id }) => !gone.includes(id)),
      stated: CORPUS.stated.filter(({ by }) => !gone.includes(by)),
    });
    const report = await run('2026-11-22T00:00:00.000Z');
    // Without NCT00000002 the evidence is no longer ambiguous, so NCT00000001 joins the older ISRCTN00000001. The id
    // founded by NCT00000003 becomes an alias of the trial of its remaining partner.
    expect(report.canonicalIds).toEqual({ current: 2, alias: 2, retired: 1, given: 1 });
    const aliases = await db.all(
      `SELECT a.founding_id AS alias, b.founding_id AS target FROM canonical_ids a
       JOIN canonical_ids b ON b.canonical_id = a.alias_of ORDER BY alias`,
    );
    expect(aliases).toEqual([
      { alias: 'NCT00000001', target: 'ISRCTN00000001' },
      { alias: 'NCT00000003', target: 'ISRCTN00000002' },
    ]);
  });

  test('a ledger that the tables hold is continued', async () => {
    await run();
    await forgetLedger(db);
    await db.run(`INSERT INTO canonical_ids
      VALUES ('wt_fromasnapsh0t', 'clinicaltrials_gov', 'NCT00000003', 'retired', NULL, '2020-01-01T00:00:00.000Z', NULL)`);
    const report = await run();
    expect(report.canonicalIds).toEqual({ current: 4, alias: 0, retired: 0, given: 3 });
    expect(await db.all(`SELECT canonical_id FROM trial_members WHERE registration_id = 'NCT00000003'`)).toEqual([
      { canonical_id: 'wt_fromasnapsh0t' },
    ]);
  });
});

describe('the tables', () => {
  const ids = [1, 2, 3, 4].flatMap((n) => [`NCT0000000${n}`, `ISRCTN0000000${n}`]);
  const statement = fc.oneof(
    fc
      .record({ by: fc.constantFrom(...ids), value: fc.constantFrom(...ids, 'NCT00000008', 'NCT00000009') })
      .map(({ by, value }) => ({
        by,
        value,
        type: registryOf(value) === 'isrctn' ? ('isrctn' as const) : ('nct' as const),
      })),
    fc.record({
      by: fc.constantFrom(...ids),
      type: fc.constant('eudract' as const),
      value: fc.constantFrom('2010-000001-10', '2010-000002-10'),
    }),
  );
  const nct = ids.filter((id) => id.startsWith('NCT'));
  /** Records whose earlier numbers are any: of nobody, of one that is held, of themselves. */
  const corpus = fc.tuple(...ids.map((id) => fc.record({ id: fc.constant(id), aliases: aliasesOf(id) })));
  function aliasesOf(id: string): fc.Arbitrary<string[]> {
    return nct.includes(id) ? fc.subarray([...nct, 'NCT00000009'], { maxLength: 2 }) : fc.constant([]);
  }

  test('do not depend on the order in which records and identifiers came', async () => {
    const db = await openFixture();
    try {
      await fc.assert(
        fc.asyncProperty(
          fc.tuple(corpus, fc.array(statement, { maxLength: 12 })).chain(([held, stated]) =>
            fc.tuple(
              fc.constant({ held, stated }),
              fc.record({
                held: fc.shuffledSubarray(held, { minLength: held.length, maxLength: held.length }),
                stated: fc.shuffledSubarray(stated, { minLength: stated.length, maxLength: stated.length }),
              }),
            ),
          ),
          async ([corpus, shuffled]) => {
            const dumps = [];
            for (const one of [corpus, shuffled]) {
              await fillFixture(db, one);
              await forgetLedger(db);
              await dedup(db, fixedEffects('2026-11-21T00:00:00.000Z'));
              dumps.push(await dump(db));
            }
            expect(dumps[1]).toEqual(dumps[0]);
          },
        ),
        { seed: 7, numRuns: amountOf({ quick: 3, deep: 60 }) },
      );
    } finally {
      await db.close();
    }
  });
});

test('an identifier that means another record than before is written anew', async () => {
  await using db = await openFixture();
  const stated: FixtureCorpus['stated'] = [
    { by: 'NCT00000001', type: 'nct', value: 'NCT00000002' },
    { by: 'NCT00000001', type: 'nct', value: 'NCT00000002' },
    { by: 'NCT00000001', type: 'drks', value: 'DRKS00000001' },
  ];
  await fillFixture(db, { held: [{ id: 'NCT00000001' }], stated });
  await dedup(db, fixedEffects('2026-11-01T00:00:00.000Z'));
  const lines = async () =>
    (await db.all(`SELECT "value" || ' ' || in_index || ' ' || coalesce(resolves_to, '-') AS line FROM identifiers`))
      .map(({ line }) => line)
      .sort();
  expect(await lines()).toEqual(['DRKS00000001 false -', 'NCT00000002 false -', 'NCT00000002 false -']);
  await fillFixture(db, { held: [{ id: 'NCT00000001' }, { id: 'NCT00000002' }], stated: stated.slice(1) });
  await dedup(db, fixedEffects('2026-11-02T00:00:00.000Z'));
  expect(await lines()).toEqual(['DRKS00000001 false -', 'NCT00000002 true NCT00000002']);
  await fillFixture(db, { held: [{ id: 'NCT00000003', aliases: ['NCT00000002'] }, { id: 'NCT00000001' }], stated });
  await dedup(db, fixedEffects('2026-11-03T00:00:00.000Z'));
  expect(await lines()).toEqual([
    'DRKS00000001 false -',
    'NCT00000002 true NCT00000003',
    'NCT00000002 true NCT00000003',
  ]);
});
