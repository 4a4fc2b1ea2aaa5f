import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { sqlLiteral } from '../../snapshot/sql/connection.ts';
import { fetchLog, nct, readersOf, study } from '../../test/builders/fetch-log.ts';
import { folderOfTest } from '../../test/support/folders.ts';
import { amountOf, deep } from '../../test/support/runner/amount.ts';
import type { Effects } from '../effects.ts';
import type { FetchLog, RawRecord } from '../raw/fetch-log.ts';
import { type Database, openWorkingDatabase } from '../store/database.ts';
import type { RegistrySets } from './chain.ts';
import { rawPartsDirectory } from './payload-parts.ts';
import type { NormaliseReport } from './report.ts';
import { normalise } from './stage.ts';

const CTGOV = 'clinicaltrials_gov';

function trial(id: string, end: string, updated = '2026-11-01T00:00:00.000Z'): string {
  return `<fullTrial><trial lastUpdated="${updated}"><isrctn>${id}</isrctn><trialDescription><title>T ${id}</title></trialDescription><trialDesign><overallEndDate>${end}T00:00:00.000Z</overallEndDate></trialDesign></trial></fullTrial>`;
}

function effectsOf(checkpoint: (name: string) => void = () => {}): Effects {
  return { now: () => new Date('2026-11-21T00:00:00Z'), progress: () => {}, checkpoint };
}

const folder = folderOfTest();
let dataDir: string;
let database: Database;
beforeEach(async () => {
  dataDir = folder.path;
  database = await openWorkingDatabase(dataDir, { memoryLimit: '256MB' });
});
afterEach(() => database.close());

function ctgovSets(full = 'a', increments: string[] = [], more: Partial<FetchLog> = {}): RegistrySets {
  const added = increments.map((run) => fetchLog(CTGOV, run, { kind: 'incremental', base: full, ...more }));
  return { registry: CTGOV, full: fetchLog(CTGOV, full, more), increments: added };
}

/** A full raw set of ISRCTN. */
const isrctnSets = (full: string, more: Partial<FetchLog> = {}): RegistrySets => ({
  registry: 'isrctn',
  full: fetchLog('isrctn', full, more),
  increments: [],
});

async function run(
  payloads: Record<string, string[]>,
  sets: RegistrySets[],
  asOf?: string,
  effects = effectsOf(),
): Promise<NormaliseReport> {
  return normalise({ dataDir, sets, ...(asOf === undefined ? {} : { asOf }) }, readersOf(payloads), database, effects);
}

async function titles(): Promise<unknown[]> {
  return (await database.all('SELECT title FROM registrations ORDER BY id')).map((row) => row.title);
}

const TABLES = 'registrations stated_identifiers publications quarantine known_payloads stage_state'.split(' ');

/** Every row of the stage's tables and every stored payload, to compare whole states. */
async function state(): Promise<unknown> {
  const tables: unknown[] = [];
  for (const table of TABLES) tables.push(await database.all(`SELECT * FROM ${table} ORDER BY ALL`));
  return [...tables, await storedPayloads()];
}

/** Payloads by registration id, read through `raw_part`. */
async function storedPayloads(): Promise<Record<string, string>> {
  const stored: Record<string, string> = {};
  for (const { id, raw_part } of await database.all('SELECT id, raw_part FROM registrations')) {
    const path = join(rawPartsDirectory(dataDir), String(raw_part));
    const rows = await database.all(
      `SELECT p.payload FROM read_parquet(${sqlLiteral(path)}) p JOIN registrations r USING (registry, id, payload_sha256) WHERE id = $1`,
      [String(id)],
    );
    expect(rows.length).toBe(1);
    stored[String(id)] = String(rows[0]?.payload);
  }
  return stored;
}

const ONE = study(1, 'One', '2026-01-01');
const TWO = study(2, 'Two', '2026-02-01', {
  referencesModule: { references: [{ pmid: '7', type: 'RESULT', citation: 'C' }] },
});

describe('one run', () => {
  test('registrations, identifiers, publications and payloads arrive as read', async () => {
    const interventions = [{ type: 'DRUG', name: 'Aspirin', otherNames: ['ASA'] }];
    const three = study(3, 'Half \ud83d pair and \u0000', '2026-03-01', {
      armsInterventionsModule: { interventions },
    });
    const report = await run({ a: [ONE, TWO, three] }, [ctgovSets()]);
    const counts = { read: 3, kept: 3, normalised: 3, unchanged: 0, superseded: 0, removed: 0, quarantined: 0 };
    expect(report.registries[0]).toMatchObject({ state: 'answered', ...counts });
    expect(await titles()).toEqual(['One', 'Two', 'Half \ufffd pair and \ufffd']);
    expect(
      await database.all(
        `SELECT interventions, last_updated_date, retrieved_at FROM registrations WHERE id = '${nct(3)}'`,
      ),
    ).toEqual([
      {
        interventions: [{ type: 'drug', name: 'Aspirin', other_names: ['ASA'], description: null }],
        last_updated_date: { date: '2026-03-01', precision: 'day', type: null },
        retrieved_at: '2026-11-20T03:30:00Z',
      },
    ]);
    expect(await database.all('SELECT "value", "role" FROM stated_identifiers ORDER BY ALL')).toEqual([
      { value: 'NCT00000013', role: 'own' },
      { value: 'NCT00000026', role: 'own' },
      { value: 'NCT00000039', role: 'own' },
    ]);
    expect(await database.all('SELECT registration_id, kind, pmid FROM publications')).toEqual([
      { registration_id: 'NCT00000026', kind: 'results', pmid: '7' },
    ]);
    expect(await storedPayloads()).toEqual({ NCT00000013: ONE, NCT00000026: TWO, NCT00000039: three });
  });

  test('a registry without a raw set is unanswered, and no error', async () => {
    const report = await run({ a: [ONE] }, [ctgovSets()]);
    expect(report.registries.map(({ registry, state: answered, kept }) => [registry, answered, kept])).toEqual([
      [CTGOV, 'answered', 1],
      ['isrctn', 'unanswered', 0],
    ]);
  });

  test('a bad record is a quarantine row with reason, file and excerpt; ten bad ones do not stop a run', async () => {
    const bad = Array.from({ length: 10 }, (_, index) => `{"n":${index}}`);
    const report = await run({ a: [ONE, ...bad] }, [ctgovSets()]);
    expect(report.registries[0]).toMatchObject({
      read: 11,
      kept: 1,
      quarantined: 10,
      quarantinedByReason: { 'missing-id': 10 },
    });
    expect(await database.all('SELECT * FROM quarantine ORDER BY ALL LIMIT 1')).toEqual([
      {
        registry: CTGOV,
        id: null,
        reason: 'missing-id',
        detail: 'protocolSection.identificationModule.nctId is missing',
        excerpt: '{"n":0}',
        file: 'a.gz',
      },
    ]);
  });

  test.each(['row first', 'record first'])(
    'a whole record wins against a row of its day, and a row of a later day is named, %s',
    async (order) => {
      const row = (id: string, day: string) =>
        `ISRCTN,Overall trial start,Record last updated\n${id},01/02/2020,${day}`;
      const [same, later] = ['ISRCTN12345679', 'ISRCTN98765432'];
      const records = [trial('12345679', '2026-01-01'), trial('98765432', '2026-01-01')];
      const rows = [row(same, '01/11/2026'), row(later, '02/11/2026')];
      const payloads = { b: order === 'row first' ? [...rows, ...records] : [...records, ...rows] };
      const { registries } = await run(payloads, [isrctnSets('b')], '2026-11-10');
      expect(registries[1]).toMatchObject({ kept: 2, superseded: 2, rowsForRecords: [later] });
      expect(await database.all('SELECT id, title FROM registrations ORDER BY id')).toEqual([
        { id: same, title: 'T 12345679' },
        { id: later, title: later },
      ]);
    },
  );

  test('unreadable dates of the kept registrations are counted, also when no record is read anew', async () => {
    const payloads = {
      a: [study(1, 'one', '2019-13'), study(2, 'two', '2026-01-02')],
      b: [trial('12345679', '2019-02-30')],
    };
    const sets = [ctgovSets(), isrctnSets('b')];
    for (const normalised of [2, 0]) {
      const { registries } = await run(payloads, sets, '2026-11-01');
      expect(registries).toMatchObject([{ unreadableDates: 1, normalised }, { unreadableDates: 1 }]);
    }
    expect(
      await database.all('SELECT date_notes AS notes, status_basis AS basis FROM registrations ORDER BY id'),
    ).toEqual([
      {
        notes: ['completionDate unreadable: 2019-02-30T00:00:00.000Z'],
        basis: 'overallEndDate 2019-02-30T00:00:00.000Z (unreadable)',
      },
      { notes: ['lastUpdatedDate unreadable: 2019-13'], basis: 'overallStatus is missing' },
      { notes: [], basis: 'overallStatus is missing' },
    ]);
  });

  test('more than 1 % and more than ten bad records stop the run with counts and reasons, and change nothing', async () => {
    await run({ a: [ONE] }, [ctgovSets()]);
    const before = await state();
    const bad = Array.from({ length: 10 }, (_, index) => `{"n":${index}}`);
    await expect(run({ b: [TWO, ...bad, 'nonsense'] }, [ctgovSets('b')])).rejects.toThrow(
      'clinicaltrials_gov: 11 of 12 records cannot be read (missing-id 10, not-json 1), more than 1 %',
    );
    expect(await state()).toEqual(before);
  });

  test('a set without records, an open set, a registry named twice and a bad as-of day are refused', async () => {
    await expect(run({ a: [] }, [ctgovSets()])).rejects.toThrow('raw set a yields no record');
    await expect(run({ a: [ONE] }, [ctgovSets('a', [], { state: 'open' })])).rejects.toThrow(
      'raw set a is not complete',
    );
    await expect(run({ a: [ONE] }, [ctgovSets(), ctgovSets()])).rejects.toThrow('a registry is named twice');
    await expect(run({ a: [ONE] }, [])).rejects.toThrow('no registry has a raw set');
    for (const asOf of ['2026-13-01', '2026-11', 'today', '2026-11-01T00:00:00Z']) {
      await expect(run({ a: [ONE] }, [ctgovSets()], asOf)).rejects.toThrow(`as-of day ${asOf} is`);
    }
  });
});

describe('the same id twice', () => {
  test.each([
    ['the newer update, read first', [study(1, 'new', '2026-05-01'), study(1, 'old', '2026-04-01')], 'new'],
    ['the newer update, read last', [study(1, 'old', '2026-04-01'), study(1, 'new', '2026-05-01')], 'new'],
    ['the later one of equal updates', [study(1, 'first', '2026-05-01'), study(1, 'second', '2026-05-01')], 'second'],
    ['the later one where an update is missing', [study(1, 'first', '2026-05-01'), study(1, 'second', null)], 'second'],
  ])('%s wins, the other is counted as superseded', async (_name, payloads, title) => {
    const report = await run({ a: payloads }, [ctgovSets()]);
    expect(await titles()).toEqual([title]);
    expect(report.registries[0]).toMatchObject({ read: 2, kept: 1, normalised: 1, superseded: 1 });
    expect(await database.all('SELECT count(*)::VARCHAR AS n FROM stated_identifiers')).toEqual([{ n: '1' }]);
  });

  test('a payload that comes back after another is stored once', async () => {
    const payloads = [study(1, 'A', '2026-05-01'), study(1, 'B', '2026-05-01'), study(1, 'A', '2026-05-01')];
    const report = await run({ a: payloads }, [ctgovSets()]);
    expect(await storedPayloads()).toEqual({ NCT00000013: payloads[0] });
    expect(report.registries[0]).toMatchObject({ read: 3, kept: 1, normalised: 1, superseded: 2 });
  });
});

describe('a second run', () => {
  it('keeps unchanged rows, reads what changed, removes what the full set lacks', async () => {
    await run({ a: [ONE, TWO, study(3, 'Three', '2026-03-01')] }, [ctgovSets()]);
    const report = await run({ b: [ONE, study(2, 'Two b', '2026-06-01'), study(4, 'Four', '2026-06-01')] }, [
      ctgovSets('b'),
    ]);
    const counts = { read: 3, kept: 3, normalised: 2, unchanged: 1, superseded: 0, removed: 1 };
    expect(report.registries[0]).toMatchObject(counts);
    expect(await titles()).toEqual(['One', 'Two b', 'Four']);
    expect(await database.all('SELECT count(*)::VARCHAR AS n FROM publications')).toEqual([{ n: '0' }]);
  });

  it('over the same inputs gives the same rows, and reads nothing anew', async () => {
    const payloads = { a: [ONE, TWO, study(1, 'One b', '2026-06-01')], i: [trial('12345679', '2026-12-01')] };
    const sets = [ctgovSets(), isrctnSets('i')];
    await run(payloads, sets);
    const tables = async () => ((await state()) as unknown[]).toSpliced(5, 1);
    const before = await tables();
    const report = await run(payloads, sets);
    expect(await tables()).toEqual(before);
    // The table does not hold the superseded record, so it is read again and is superseded again.
    expect(report.registries[0]).toMatchObject({ normalised: 0, unchanged: 2, superseded: 1 });
    expect(report.registries[1]).toMatchObject({ normalised: 0, unchanged: 1 });
    expect(report.parts).toEqual({ written: 1, rewritten: 0, removed: 1 });
    expect((await run({ ...payloads, a: [ONE, TWO] }, sets)).registries[0]).toMatchObject({
      normalised: 1,
      unchanged: 1,
    });
  });

  deep.it('replaces the quarantine of the first', async () => {
    await run({ a: [ONE, 'nonsense'] }, [ctgovSets()]);
    await run({ b: [ONE, '[]'] }, [ctgovSets('b')]);
    expect(await database.all('SELECT reason, excerpt FROM quarantine')).toEqual([
      { reason: 'not-an-object', excerpt: '[]' },
    ]);
  });

  deep.it('without a registry that was there removes its rows', async () => {
    await run({ a: [ONE], i: [trial('12345679', '2026-12-01')] }, [ctgovSets(), isrctnSets('i')]);
    const report = await run({ a: [ONE] }, [ctgovSets()]);
    expect(report.registries[1]).toMatchObject({ registry: 'isrctn', state: 'unanswered', removed: 1 });
    expect(await titles()).toEqual(['One']);
  });

  deep.it('renews parts that are more than half dead and removes files that nothing refers to', async () => {
    const many = Array.from({ length: 10 }, (_, index) => study(index + 1, `V1 ${index}`, '2026-01-01'));
    await run({ a: many }, [ctgovSets()]);
    const [first] = await readdir(rawPartsDirectory(dataDir));
    const half = many.map((text, index) => (index < 5 ? study(index + 1, `V2 ${index}`, '2026-02-01') : text));
    expect((await run({ b: half }, [ctgovSets('b')])).parts).toEqual({ written: 1, rewritten: 0, removed: 0 });
    expect(await readdir(rawPartsDirectory(dataDir))).toContain(first);
    const more = half.map((text, index) => (index === 5 ? study(6, 'V3', '2026-03-01') : text));
    expect((await run({ c: more }, [ctgovSets('c')])).parts).toEqual({ written: 1, rewritten: 0, removed: 0 });
    expect((await run({ c: more }, [ctgovSets('c')])).parts).toEqual({ written: 1, rewritten: 1, removed: 1 });
    expect(await readdir(rawPartsDirectory(dataDir))).not.toContain(first);
    expect(Object.values(await storedPayloads()).toSorted()).toEqual(more.toSorted());
    await writeFile(join(rawPartsDirectory(dataDir), 'left-over.parquet.tmp'), 'x');
    await run({ c: more }, [ctgovSets('c')]);
    expect(await readdir(rawPartsDirectory(dataDir))).not.toContain('left-over.parquet.tmp');
  });
});

describe('as-of day', () => {
  const payloads = {
    i: [
      trial('12345679', '2026-11-10', '2026-11-05T10:00:00.000Z'),
      trial('12345681', '2030-01-01', '2027-05-05T10:00:00.000Z'),
    ],
  };

  const live = { source: 'live' } as const;
  test.each([
    [
      'of a dump is the day in its fetch log',
      { dumpDay: { day: '2026-11-05', from: 'stated' } },
      '2026-11-05',
      'running',
    ],
    [
      'of a live set is the time of its data',
      { ...live, dataTimestamp: '2026-11-15T09:00:00' },
      '2026-11-15',
      'completed',
    ],
    ['of a live set without one is the day of the fetch', live, '2026-11-20', 'completed'],
  ] as const)('%s', async (_name, more, asOf, status) => {
    const report = await run(payloads, [isrctnSets('i', more)]);
    expect([report.asOf, report.asOfFrom]).toEqual([asOf, 'inputs']);
    expect(await database.all("SELECT status FROM registrations WHERE id = 'ISRCTN12345679'")).toEqual([{ status }]);
  });

  test('when given wins, and on a new day only the records of ISRCTN whose status it changes are read again', async () => {
    await run(payloads, [isrctnSets('i')], '2026-11-10');
    const report = await run(payloads, [isrctnSets('i')], '2026-11-11');
    expect([report.asOf, report.asOfFrom]).toEqual(['2026-11-11', 'given']);
    expect(report.registries[1]).toMatchObject({ normalised: 1, unchanged: 1 });
    expect(
      await database.all(
        "SELECT status, recruitment_status, status_basis FROM registrations WHERE id = 'ISRCTN12345679'",
      ),
    ).toEqual([
      {
        status: 'completed',
        recruitment_status: 'completed',
        status_basis: "derived from overallEndDate 2026-11-10 as of the snapshot's day",
      },
    ]);
  });
});

describe('a stop at any point', () => {
  const last = ['normalise:before-swap', 'normalise:in-swap'];
  const earlier = ['normalise:set-read', 'normalise:part-written', 'normalise:staged'];
  const points = amountOf({ quick: last.slice(1), deep: [...earlier, ...last] });
  const many = Array.from({ length: 6 }, (_, index) => study(index + 1, `V1 ${index}`, '2026-01-01'));
  const changed = many.map((text, index) => (index < 4 ? study(index + 1, `V2 ${index}`, '2026-02-01') : text));

  test.each(points)('%s leaves the tables of the last complete run, and the next run completes', async (point) => {
    await run({ a: many }, [ctgovSets()]);
    const before = await state();
    const stopping = effectsOf((name) => {
      if (name === point) throw new Error(`stopped at ${name}`);
    });
    await expect(run({ b: changed }, [ctgovSets('b')], undefined, stopping)).rejects.toThrow(`stopped at ${point}`);
    expect(await state()).toEqual(before);
    await run({ b: changed }, [ctgovSets('b')]);
    expect(Object.values(await storedPayloads()).toSorted()).toEqual(changed.toSorted());
    const files = await readdir(rawPartsDirectory(dataDir));
    const referenced = await database.all('SELECT DISTINCT raw_part FROM registrations ORDER BY raw_part');
    expect(files.toSorted()).toEqual(referenced.map((row) => row.raw_part));
  });

  deep.it('a reader that fails in the middle fails the stage and changes nothing', async () => {
    await run({ a: many }, [ctgovSets()]);
    const before = await state();
    const failing = {
      async *readRawSet(): AsyncGenerator<RawRecord> {
        yield { ok: true, registry: CTGOV, payload: Buffer.from(changed[0] ?? ''), file: 'f', receivedAt: 'x' };
        throw new Error('truncated');
      },
    };
    await expect(normalise({ dataDir, sets: [ctgovSets('b')] }, failing, database, effectsOf())).rejects.toThrow(
      'truncated',
    );
    expect(await state()).toEqual(before);
  });
});
