import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import {
  type FixtureCorpus,
  fillFixture,
  fixedEffects,
  openFixture,
  registryOf,
} from '../../test/support/dedup-corpus.ts';
import { amountOf } from '../../test/support/runner/amount.ts';
import type { Database, JsonRow } from '../store/database.ts';
import type { TrialMember } from './canonical-ids.ts';
import { dedup } from './dedup.ts';
import { resolveTargets } from './evidence.ts';
import type { LedgerRow } from './ledger.ts';
import { findSettled } from './settled.ts';
import { findSuperseded } from './superseded.ts';

const TABLES = ['links', 'trial_members', 'relations', 'canonical_ids', 'identifiers'] as const;
const NCT = ['NCT00000001', 'NCT00000002', 'NCT00000003', 'NCT00000004'];
const ISRCTN = ['ISRCTN00000001', 'ISRCTN00000002', 'ISRCTN00000003'];
const IDS = [...NCT, ...ISRCTN];

async function dump(db: Database): Promise<Record<string, JsonRow[]>> {
  const tables: Record<string, JsonRow[]> = {};
  for (const table of TABLES) tables[table] = await db.all(`SELECT * FROM ${table} ORDER BY ALL`);
  return tables;
}

const dayOf = (day: number): string => `2026-11-${String(day + 1).padStart(2, '0')}T00:00:00.000Z`;

/** Runs the stage on every registration and the whole ledger, with its tables emptied before. */
async function dedupWhole(db: Database, day: number): Promise<unknown> {
  const ledger = await db.all('SELECT * FROM canonical_ids');
  const partners = await db.all('SELECT * FROM trial_members WHERE NOT founding');
  await db.run('DELETE FROM trial_members; DELETE FROM identifiers');
  const previousLedger = ledger.map((row) => ({
    canonicalId: row.canonical_id,
    foundingRegistry: row.founding_registry,
    foundingId: row.founding_id,
    state: row.state,
    aliasOf: row.alias_of,
    firstSeen: row.first_seen,
    partnerId: row.partner_id,
  })) as LedgerRow[];
  const previousPartners = partners.map((row) => ({
    canonicalId: row.canonical_id,
    registrationId: row.registration_id,
  })) as Pick<TrialMember, 'canonicalId' | 'registrationId'>[];
  return dedup({ previousLedger, previousPartners }, db, fixedEffects(dayOf(day)));
}

/** The corpus of one day: which registrations are held, their earlier numbers, and the identifiers that they state. */
const corpora = fc
  .record({
    gone: fc.subarray(IDS, { maxLength: 3 }),
    aliases: fc.array(fc.record({ of: fc.constantFrom(...NCT), is: fc.constantFrom(...NCT) }), { maxLength: 2 }),
    stated: fc.array(fc.record({ by: fc.constantFrom(...IDS), value: fc.constantFrom(...IDS) }), { maxLength: 4 }),
  })
  .map(({ gone, aliases, stated }): FixtureCorpus => {
    const held = IDS.filter((id) => !gone.includes(id));
    return {
      held: held.map((id, place) => ({
        id,
        firstPosted: `2020-01-0${place + 1}`,
        aliases: aliases.filter(({ of, is }) => of === id && is !== id).map(({ is }) => is),
      })),
      stated: [
        ...held.map((id) => ({ by: id, value: id, type: typeOf(id), role: 'own' as const })),
        ...stated.filter(({ by }) => held.includes(by)).map(({ by, value }) => ({ by, value, type: typeOf(value) })),
      ],
    };
  });

function typeOf(id: string): 'isrctn' | 'nct' {
  return registryOf(id) === 'isrctn' ? 'isrctn' : 'nct';
}

describe('registrations about which a run has nothing to decide', () => {
  let db: Database;
  const run = (day: number) => dedup({}, db, fixedEffects(dayOf(day)));
  const single = (ids: readonly string[]): FixtureCorpus => ({ held: ids.map((id) => ({ id })), stated: [] });

  beforeEach(async () => {
    db = await openFixture();
  });
  afterEach(() => db.close());

  test('are left out without a trace: after any days the tables and reports are those of whole runs', async () => {
    await using whole = await openFixture();
    await fc.assert(
      fc.asyncProperty(fc.array(corpora, { minLength: 2, maxLength: 4 }), async (days) => {
        for (const each of [db, whole]) await each.run(TABLES.map((table) => `DELETE FROM ${table}`).join(';'));
        for (const [day, corpus] of days.entries()) {
          for (const each of [db, whole]) await fillFixture(each, corpus);
          expect(await run(day)).toEqual(await dedupWhole(whole, day));
          expect(await dump(db)).toEqual(await dump(whole));
        }
      }),
      { seed: 11, numRuns: amountOf({ quick: 3, deep: 7 }) },
    );
  });

  it('are all but those of a merge, of an alias, of a new record and of a reused number', async () => {
    await fillFixture(db, {
      held: [...NCT, 'ISRCTN00000001', 'ISRCTN00000002'].map((id) => ({ id })),
      stated: [{ by: 'ISRCTN00000001', type: 'nct', value: 'NCT00000001' }],
    });
    await run(0);
    const held = [
      { id: 'NCT00000001' },
      { id: 'NCT00000002' },
      { id: 'NCT00000003', aliases: ['NCT00000004'] },
      { id: 'ISRCTN00000001' },
      { id: 'ISRCTN00000002' },
      { id: 'ISRCTN00000003' },
    ];
    await fillFixture(db, { held, stated: [] });
    await findSuperseded(db);
    await resolveTargets(db);
    const merge = ['NCT00000002', 'ISRCTN00000003'].map((id) => ({ registry: registryOf(id), id }));
    expect(await findSettled(db, [])).toBe(3);
    expect(await findSettled(db, [[merge[0]!, merge[1]!]])).toBe(2);
    expect(await db.all('SELECT id FROM dedup_settled ORDER BY id')).toEqual([
      { id: 'ISRCTN00000002' },
      { id: 'NCT00000001' },
    ]);
    await db.run("INSERT INTO trial_members VALUES ('wt_other', 'isrctn', 'ISRCTN00000002', false)");
    expect(await findSettled(db, [])).toBe(2);
  });

  it('keep their ids from one that would be the same', async () => {
    await fillFixture(db, single(['NCT00000001']));
    await run(0);
    const idOfSecond = 'wt_f73qq3wfvw1b';
    await db.run(`UPDATE canonical_ids SET canonical_id = '${idOfSecond}'`);
    await db.run(`UPDATE trial_members SET canonical_id = '${idOfSecond}'`);
    await fillFixture(db, single(['NCT00000001', 'NCT00000002']));
    await run(1);
    const rows = await db.all('SELECT founding_id, canonical_id FROM canonical_ids ORDER BY founding_id');
    expect(rows[0]).toEqual({ founding_id: 'NCT00000001', canonical_id: idOfSecond });
    expect(rows[1]?.canonical_id).toMatch(/^wt_f73qq3wfvw1b.$/);
  });

  it('hide no fault of the ledger', async () => {
    await fillFixture(db, single(NCT));
    await run(0);
    const before = await dump(db);
    const faults: [change: string, message: string][] = [
      [`INSERT INTO canonical_ids SELECT * REPLACE ('NCT9' AS founding_id) FROM canonical_ids`, 'stands twice'],
      [
        `INSERT INTO canonical_ids SELECT * REPLACE (canonical_id || 'x' AS canonical_id) FROM canonical_ids`,
        'founds two',
      ],
      [`UPDATE canonical_ids SET alias_of = 'wt_x' WHERE founding_id = 'NCT00000002'`, 'is current with alias_of wt_x'],
      [`UPDATE canonical_ids SET state = 'alias' WHERE founding_id = 'NCT00000002'`, 'is alias with alias_of null'],
    ];
    for (const [change, message] of faults) {
      await db.run(change);
      await expect(run(1)).rejects.toThrow(message);
      await db.run('DELETE FROM canonical_ids');
      for (const row of before.canonical_ids!)
        await db.run('INSERT INTO canonical_ids VALUES ($1, $2, $3, $4, $5, $6, $7)', Object.values(row) as string[]);
    }
    expect((await run(1)).canonicalIds).toEqual({ current: 4, alias: 0, retired: 0, given: 0 });
  });

  it('are one member each, whatever the table of members held beside', async () => {
    await fillFixture(db, single(NCT));
    await run(0);
    const before = await dump(db);
    await db.run(`INSERT INTO trial_members SELECT * FROM trial_members WHERE registration_id <= 'NCT00000002'`);
    await db.run(`INSERT INTO trial_members SELECT * REPLACE ('NCT9' AS registration_id) FROM trial_members`);
    await run(1);
    expect(await dump(db)).toEqual(before);
  });
});

it('an identifier that means another record than before is written again, and only what it names has changed', async () => {
  await using db = await openFixture();
  const stated: FixtureCorpus['stated'] = [
    { by: 'NCT00000001', type: 'nct', value: 'NCT00000002' },
    { by: 'NCT00000001', type: 'nct', value: 'NCT00000002' },
    { by: 'NCT00000001', type: 'drks', value: 'DRKS00000001' },
  ];
  await fillFixture(db, { held: [{ id: 'NCT00000001' }], stated });
  await dedup({}, db, fixedEffects(dayOf(0)));
  const lines = async () =>
    (await db.all(`SELECT "value" || ' ' || in_index || ' ' || coalesce(resolves_to, '-') AS line FROM identifiers`))
      .map(({ line }) => line)
      .sort();
  expect(await lines()).toEqual(['DRKS00000001 false -', 'NCT00000002 false -', 'NCT00000002 false -']);
  await fillFixture(db, { held: [{ id: 'NCT00000001' }, { id: 'NCT00000002' }], stated: stated.slice(1) });
  await dedup({}, db, fixedEffects(dayOf(1)));
  expect(await lines()).toEqual(['DRKS00000001 false -', 'NCT00000002 true NCT00000002']);
  await fillFixture(db, { held: [{ id: 'NCT00000003', aliases: ['NCT00000002'] }, { id: 'NCT00000001' }], stated });
  await dedup({}, db, fixedEffects(dayOf(2)));
  expect(await lines()).toEqual([
    'DRKS00000001 false -',
    'NCT00000002 true NCT00000003',
    'NCT00000002 true NCT00000003',
  ]);
});
