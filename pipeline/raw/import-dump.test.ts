import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { fetchLog } from '../../test/builders/fetch-log.ts';
import { folderOfTest } from '../../test/support/folders.ts';
import { payloadsOf, recordsOf, studyOf, testEffects, zipOf } from '../../test/support/raw-sets.ts';
import { lastAttempt, readFetchLogs, runDirectory } from './fetch-log.ts';
import { importDump } from './import-dump.ts';

const A = JSON.stringify(studyOf(1));
const B = JSON.stringify(studyOf(2), null, 2);
const C = JSON.stringify(studyOf(3));
const CTGOV = 'clinicaltrials_gov' as const;
const ISRCTN = 'isrctn' as const;
const T1 = '<trial><isrctn>1</isrctn></trial>';
const F2 = '<fullTrial><trial><isrctn>2</isrctn></trial></fullTrial>';

const folder = folderOfTest();
let dataDir: string;
beforeEach(() => {
  dataDir = join(folder.path, 'data');
});

/** The path of a dump file. */
async function place(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder.path, name);
  await writeFile(path, content);
  return path;
}

/** Imports one dump file. Returns its format, its wrapping and the payloads. */
async function imported(registry: 'clinicaltrials_gov' | 'isrctn', content: string | Buffer): Promise<string[]> {
  const path = await place('dump.bin', content);
  const log = await importDump({ registry, path, dataDir, asOf: '2026-11-01' }, testEffects());
  const payloads = await payloadsOf(dataDir, log);
  return [log.files[0]!.format, log.files[0]!.wrapping, ...payloads];
}

describe('importDump', () => {
  test.each([
    ['ctgov-page', CTGOV, `{"totalCount":2,"studies":[${A},${B}],"nextPageToken":"x"}`, [A, B]],
    ['ctgov-page', CTGOV, `{ "nextPageToken": "x",\n "studies" : [ ${A} ] }\n`, [A]],
    ['ctgov-array', CTGOV, `[\n${A},\n${B}\n]\n`, [A, B]],
    ['ctgov-ndjson', CTGOV, `${A}\n${C}\n`, [A, C]],
    ['ctgov-ndjson', CTGOV, `{"protocolSection":"cut\n${A}\n${C}`, ['{"protocolSection":"cut', A, C]],
    ['ctgov-study', CTGOV, B, [B]],
    ['ctgov-study', CTGOV, `${A}\n`, [A]],
    ['isrctn-xml', ISRCTN, `<?xml version="1.0"?>\n<allTrials totalCount="2">${T1}${F2}</allTrials>`, [T1, F2]],
    ['isrctn-trial', ISRCTN, T1, [T1]],
    ['isrctn-trial', ISRCTN, `${F2}\n`, [F2]],
  ])('knows %s of %s by its content, packed or not, and keeps each record byte for byte', async (...row) => {
    const [format, registry, content, expected] = row;
    expect(await imported(registry, content)).toEqual([format, 'gzip', ...expected]);
    expect(await imported(registry, `\ufeff${content}`)).toEqual([format, 'gzip', ...expected]);
    expect(await imported(registry, gzipSync(content))).toEqual([format, 'received', ...expected]);
  });

  test.each([false, true])(
    'reads a zip with one study an entry (stored: %s) and names what else is in it',
    async (store) => {
      const path = join(folder.path, 'studies');
      const entries = {
        'ctg/NCT1.json': A,
        'ctg/': '',
        'read me.txt': 'hello',
        'NCT2.json': `${B}\n`,
        'bad.json': '{"a":',
        'page.json': `{"studies":[${A}]}`,
      };
      const bytes = zipOf(entries, store);
      await writeFile(path, bytes);
      const log = await importDump({ registry: CTGOV, path, dataDir }, testEffects());
      expect(await payloadsOf(dataDir, log)).toEqual([
        A,
        B,
        'not-json: it ends after 5 bytes, before its JSON is closed',
      ]);
      expect(log.files.map(({ name, format, wrapping, records }) => ({ name, format, wrapping, records }))).toEqual([
        { name: '000001-studies', format: 'ctgov-zip', wrapping: 'received', records: 3 },
      ]);
      expect(log.leftOut).toEqual([
        { name: 'read me.txt', reason: 'in studies: text or data of another kind, not ClinicalTrials.gov JSON' },
        { name: 'page.json', reason: 'in studies: many studies in one entry of a zip; unpack it and import the files' },
      ]);
      expect(await readFile(join(runDirectory(dataDir, log), '000001-studies'))).toEqual(bytes);
    },
  );

  test('books the hash of the bytes received, copies what is packed, and packs what is plain', async () => {
    const path = join(folder.path, 'dump');
    const packed = gzipSync(`${A}\n${C}\n`);
    await mkdir(join(path, 'sub'), { recursive: true });
    await writeFile(join(path, 'z.ndjson.gz'), packed);
    await writeFile(join(path, 'sub', 'one study.json'), B);
    await writeFile(join(path, 'sub', 'notes.csv'), 'a,b\n');
    await symlink('../dump', join(path, 'loop'));
    const effects = testEffects();
    const log = await importDump({ registry: CTGOV, path, dataDir }, effects);
    const sha = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');
    const receivedAt = '2026-11-21T03:15:00.000Z';
    expect(log).toEqual({
      ...fetchLog(CTGOV, '20261121T031500Z-full'),
      startedAt: receivedAt,
      finishedAt: receivedAt,
      origin: 'dump',
      dumpDay: { day: '2026-10-01', from: 'newest-update' },
      files: [
        {
          name: '000001-one_study.json.gz',
          wrapping: 'gzip',
          format: 'ctgov-study',
          sha256: sha(B),
          bytes: Buffer.byteLength(B),
          records: 1,
          url: null,
          receivedAt,
          position: null,
        },
        {
          name: '000002-z.ndjson.gz',
          wrapping: 'received',
          format: 'ctgov-ndjson',
          sha256: sha(packed),
          bytes: packed.length,
          records: 2,
          url: null,
          receivedAt,
          position: null,
        },
      ],
      leftOut: [{ name: 'notes.csv', reason: 'in sub: text or data of another kind, not ClinicalTrials.gov JSON' }],
    });
    const stored = runDirectory(dataDir, log);
    expect(gunzipSync(await readFile(join(stored, '000001-one_study.json.gz'))).toString()).toBe(B);
    expect((await stat(join(stored, '000002-z.ndjson.gz'))).nlink).toBe(1);
    expect(await readFetchLogs(dataDir, CTGOV)).toEqual([log]);
    expect(effects.events.at(-1)).toEqual({ stage: 'fetch', label: CTGOV, done: 3, total: 3, unit: 'files' });

    const again = await importDump({ registry: CTGOV, path, dataDir }, effects);
    expect(again.run).toBe('20261121T031501Z-full');
    expect(again.files.map((file) => file.sha256)).toEqual(log.files.map((file) => file.sha256));
  });

  test.each([
    ['a gzipped dump', 'dump.ndjson.gz', async () => gzipSync(`${A}\n${C}\n`)],
    ['a zip', 'studies.zip', async () => zipOf({ 'NCT00000001.json': A }, true)],
    ['a plain file', 'dump.ndjson', async () => Buffer.from(`${A}\n${C}\n`)],
  ])('whoever overwrites %s later leaves the raw set as it was received', async (_, name, make) => {
    const path = join(folder.path, name);
    await writeFile(path, await make(), { mode: 0o444 });
    const log = await importDump({ registry: CTGOV, path, dataDir }, testEffects());
    const stored = join(runDirectory(dataDir, log), log.files[0]!.name);
    const before = await readFile(stored);
    await chmod(path, 0o644);
    await truncate(path, 3);
    expect(await readFile(stored)).toEqual(before);
    // Another run may have to remove the set, also where the operator's file was read-only.
    expect((await stat(stored)).mode & 0o200).toBe(0o200);
  });

  const big = Array.from({ length: 400 }, (_, i) => JSON.stringify(studyOf(i)));
  const xml = `<allTrials totalCount="400">${big.map((_, i) => `<trial><isrctn>${i}</isrctn></trial>`).join('')}</allTrials>`;
  const page = `{"totalCount":400,"studies":[${big.join(',')}]}`;
  const cases: [string, 'clinicaltrials_gov' | 'isrctn', Buffer, number][] = [
    ['a gz page', CTGOV, gzipSync(page), 20],
    ['a gz list', 'isrctn', gzipSync(xml), 20],
    ['a zip without its directory', CTGOV, zipOf({ 'a.json': A, 'b.json': B }), 30],
    ['a page', CTGOV, Buffer.from(page), 1],
    ['an array', CTGOV, Buffer.from(`[${big.join(',')}]`), 1],
    ['a study', CTGOV, Buffer.from(B), 1],
    ['a list', 'isrctn', Buffer.from(xml), 3],
    ['a trial', 'isrctn', Buffer.from(F2), 5],
    ['NDJSON', CTGOV, Buffer.from(big.join('\n')), 5],
    ['CSV between two cells', 'isrctn', Buffer.from('ISRCTN,a,b\nISRCTN1,x,y\nISRCTN2,x,y\n'), 3],
    ['CSV between quotes', 'isrctn', Buffer.from('ISRCTN,a,b\nISRCTN1,x,"y"\n'), 2],
  ];
  test.each(cases)(
    'refuses %s that is cut short, names it and leaves no set behind',
    async (_, registry, bytes, missing) => {
      const path = await place('dump.bin', bytes);
      await importDump({ registry, path, dataDir, asOf: '2026-11-01' }, testEffects());
      await truncate(path, bytes.length - missing);
      const fault = expect.objectContaining({
        name: 'SourceFault',
        code: 'truncated',
        registry,
        message: expect.stringMatching(/^dump\.bin is cut short: .*; download it again and import it once more$/),
      });
      await expect(importDump({ registry, path, dataDir }, testEffects())).rejects.toEqual(fault);
      expect((await readFetchLogs(dataDir, registry)).length).toBe(1);
      expect((await readdir(join(dataDir, 'raw', registry))).sort()).toEqual([
        '20261121T031500Z-full',
        'attempts.json',
      ]);
    },
  );

  test('tells a page that states more records than it holds, as one that was read with gaps', async () => {
    const path = await place('page.json', `{"totalCount":100,"studies":[${A},${C}]}`);
    const dump = { registry: CTGOV, path, dataDir, asOf: '2026-11-01' };
    const reason =
      'it states 100 records and holds 2, so it is a part; put the other pages into one directory with it, or run `pipeline fetch --registry clinicaltrials_gov`';
    const { gaps, expectedRecords } = await importDump(dump, testEffects());
    expect([gaps, expectedRecords]).toEqual([[{ name: 'page.json', reason }], 100]);
    await writeFile(path, `{"totalCount":2,"studies":[${A},${C}]}`);
    expect((await importDump(dump, testEffects())).gaps).toBeUndefined();
  });

  test('finds a zip whose middle is missing or changed although its directory is whole', async () => {
    const path = join(folder.path, 'dump.zip');
    const bytes = zipOf({ 'a.json': A, 'b.json': B }, true);
    bytes[60] = bytes[60]! ^ 1;
    await writeFile(path, bytes);
    await expect(importDump({ registry: CTGOV, path, dataDir }, testEffects())).rejects.toMatchObject({
      code: 'checksum',
      message: 'dump.zip is damaged: its entry a.json fails its CRC-32; download it again and import it once more',
    });
  });

  test.each(['../a.json', 'studies/../../a.json', '/etc/a.json', 'C:/a.json', '..\\a.json'])(
    'refuses a zip with an entry named %s for that name',
    async (name) => {
      const path = await place('dump.zip', zipOf({ [name]: A }));
      const message =
        /^dump\.zip is no dump of this registry: its entry ".*a\.json" is named so that it would be unpacked elsewhere/;
      await expect(importDump({ registry: CTGOV, path, dataDir }, testEffects())).rejects.toMatchObject({
        code: 'not-the-registry',
        message: expect.stringMatching(message),
      });
    },
  );

  test('refuses a source without records, saying what it left out, and books the failed attempt', async () => {
    const path = join(folder.path, 'dump');
    await mkdir(path);
    await writeFile(join(path, 'a.csv'), 'a,b');
    await writeFile(join(path, 'b.xml'), '<isrctn>1</isrctn>');
    await writeFile(join(path, 'empty.xml'), '');
    const message =
      'dump holds no isrctn record; left out: a.csv (text or data of another kind, not ISRCTN XML), ' +
      'b.xml (XML with the root <isrctn>, not ISRCTN XML), empty.xml (empty file). Check the registry and the path';
    await expect(importDump({ registry: 'isrctn', path, dataDir }, testEffects())).rejects.toMatchObject({
      code: 'no-records',
      message,
    });
    expect(await lastAttempt(dataDir, 'isrctn')).toEqual({
      formatVersion: 1,
      lastAttemptAt: '2026-11-21T03:15:00.000Z',
      lastSuccessAt: null,
      lastError: message,
    });
    await expect(
      importDump({ registry: 'isrctn', path: join(path, 'gone'), dataDir }, testEffects()),
    ).rejects.toMatchObject({ code: 'no-records', message: 'gone does not exist; give the path of a dump' });
  });

  describe('the day of a dump', () => {
    const aged = (held: string | null, update: string | null) =>
      JSON.stringify({
        protocolSection: {
          identificationModule: { nctId: 'NCT00000001' },
          statusModule: update === null ? {} : { lastUpdatePostDateStruct: { date: update, type: 'ACTUAL' } },
        },
        derivedSection: held === null ? {} : { miscInfoModule: { versionHolder: held } },
      });
    const trial = (update: string) => `<trial lastUpdated="${update}"><isrctn>1</isrctn></trial>`;

    async function dayOf(registry: 'clinicaltrials_gov' | 'isrctn', content: string | Buffer, asOf?: string) {
      const path = await place('dump.bin', content);
      const dump = { registry, path, dataDir, ...(asOf === undefined ? {} : { asOf }) };
      const log = await importDump(dump, testEffects());
      const [record] = await recordsOf(dataDir, log);
      const [kept] = await readFetchLogs(dataDir, registry);
      expect(kept!.dumpDay).toEqual(log.dumpDay);
      return { ...log.dumpDay, retrieved: record!.ok ? record!.receivedAt : null };
    }

    const many = `${aged(null, '2021-01-01')}\n${aged(null, '2022-04-02')}\n${aged(null, '2020-01-01')}`;
    test.each<[string, 'clinicaltrials_gov' | 'isrctn', string | Buffer, string, string]>([
      ['the registry day that its records name', CTGOV, aged('2022-04-14', '2022-03-01'), '2022-04-14', 'stated'],
      ['the newest update where that is newer', CTGOV, aged('2022-04-14', '2022-04-20'), '2022-04-20', 'newest-update'],
      ['the newest of many', CTGOV, many, '2022-04-02', 'newest-update'],
      [
        'a packed list',
        'isrctn',
        gzipSync(`<allTrials totalCount="2">${trial('2022-04-01T09:00:00.000Z')}${trial('2021-04-01')}</allTrials>`),
        '2022-04-01',
        'newest-update',
      ],
      [
        'a zip',
        CTGOV,
        zipOf({ 'a.json': aged('2022-04-14', null), 'b.json': aged(null, '2022-01-01') }),
        '2022-04-14',
        'stated',
      ],
      [
        'no day after the import',
        CTGOV,
        `${aged('2030-01-01', '2022-04-01')}\n${aged('2022-13-01', '2026-11-22')}`,
        '2022-04-01',
        'newest-update',
      ],
    ])('is %s, and each record was retrieved on it', async (_, registry, content, day, from) => {
      expect(await dayOf(registry, content)).toEqual({ day, from, retrieved: `${day}T00:00:00.000Z` });
    });

    test('is the day that the operator gives, which may not be a later one than today', async () => {
      const [study, day] = [aged('2022-04-14', '2022-03-01'), '2022-04-10'];
      expect(await dayOf(CTGOV, study, day)).toEqual({ day, from: 'given', retrieved: `${day}T00:00:00.000Z` });
      await expect(dayOf(CTGOV, study, '2026-11-22')).rejects.toMatchObject({
        code: 'undated',
        message: '--as-of 2026-11-22 lies after today (2026-11-21); give the day the dump was made',
      });
    });

    test('is asked for where no record states one, and no set is left behind', async () => {
      const path = await place('undated.json', aged(null, null));
      await expect(importDump({ registry: CTGOV, path, dataDir }, testEffects())).rejects.toMatchObject({
        code: 'undated',
        message:
          'undated.json: no record states a day of its update, so the age of the dump is unknown; give the day it was made with --as-of YYYY-MM-DD',
      });
      expect(await readFetchLogs(dataDir, CTGOV)).toEqual([]);
    });
  });

  test('keeps a record that is not UTF-8 byte for byte, with its neighbours', async () => {
    const [before, after] = [`[${A},{"protocolSection":"`, `"},${C}]`];
    const bytes = Buffer.concat([Buffer.from(before), Buffer.from([0xe9]), Buffer.from(after)]);
    const path = await place('page.json', bytes);
    const log = await importDump({ registry: CTGOV, path, dataDir }, testEffects());
    const records = await recordsOf(dataDir, log);
    const payloads = records.map((record) => record.ok && record.payload.toString('latin1'));
    expect(payloads).toEqual([
      Buffer.from(A).toString('latin1'),
      '{"protocolSection":"\xe9"}',
      Buffer.from(C).toString('latin1'),
    ]);
  });

  test('leaves no set behind when it is stopped between two files', async () => {
    const path = join(folder.path, 'dump');
    await mkdir(path);
    await writeFile(join(path, 'a.json'), A);
    await writeFile(join(path, 'b.json'), B);
    const effects = testEffects();
    effects.killAt = 'import:clinicaltrials_gov:file:1';
    await expect(importDump({ registry: CTGOV, path, dataDir }, effects)).rejects.toThrow('killed');
    expect(await readFetchLogs(dataDir, CTGOV)).toEqual([]);
  });
});
