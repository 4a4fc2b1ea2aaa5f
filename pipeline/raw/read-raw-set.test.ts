import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { payloadsOf, recordsOf, studyOf, temporaryDirectory, testEffects, zipOf } from '../../test/support/raw-sets.ts';
import { deep } from '../../test/support/runner/amount.ts';
import type { FetchLog } from './fetch-log.ts';
import { runDirectory } from './fetch-log-store.ts';
import { importDump } from './import-dump.ts';

const A = JSON.stringify(studyOf(1));
const B = JSON.stringify(studyOf(2));

/** Imports one dump file as a raw set, passes the set to `use` and deletes it. */
async function withSet(
  content: Buffer | string,
  use: (dataDir: string, log: FetchLog, stored: string) => Promise<void>,
): Promise<void> {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, 'dump');
  await writeFile(path, content);
  const log = await importDump({ registry: 'clinicaltrials_gov', path, dataDir: directory.path }, testEffects());
  await rm(path);
  await use(directory.path, log, join(runDirectory(directory.path, log), log.files[0]!.name));
}

describe('readRawSet', () => {
  test.each([
    ['plain', `[${A},${B}]`, gzipSync(`[${A},${B} ]`)],
    ['gzip', gzipSync(`[${A},${B}]`), gzipSync(`[${A},${B}]`, { level: 0 })],
    ['zip', zipOf({ 'a.json': A }), zipOf({ 'a.json': A }, true)],
    ['gzip', gzipSync(`[${A},${B}]`), gzipSync(`[${A},${B}]`).subarray(0, 40)],
    ['plain', `[${A},${B}]`, Buffer.from('not gzip')],
  ])('refuses a stored %s file whose bytes are no longer those received', async (_, content, other) => {
    await withSet(content, async (dataDir, log, stored) => {
      expect((await payloadsOf(dataDir, log))[0]).toBe(A);
      await rm(stored);
      await writeFile(stored, other);
      await expect(recordsOf(dataDir, log)).rejects.toMatchObject({
        code: 'checksum',
        message: expect.stringMatching(
          /^000001-dump(\.gz)? of 20261121T031500Z-full is not what was received \(.*fetch or import again$/,
        ),
      });
    });
  });

  test('reads a stored file that was packed anew, since the bytes received are the same', async () => {
    await withSet(`[${A}]`, async (dataDir, log, stored) => {
      await writeFile(stored, gzipSync(gunzipSync(await readFile(stored)), { level: 9 }));
      expect(await payloadsOf(dataDir, log)).toEqual([A]);
    });
  });

  test('refuses an open set, a missing file and a record count that differs from the log', async () => {
    await withSet(`[${A}]`, async (dataDir, log, stored) => {
      await expect(recordsOf(dataDir, { ...log, state: 'open' })).rejects.toMatchObject({ code: 'incomplete-set' });
      const more = { ...log, files: [{ ...log.files[0]!, records: 2 }] };
      await expect(recordsOf(dataDir, more)).rejects.toMatchObject({
        code: 'checksum',
        message: expect.stringMatching(/1 records where the fetch log has 2/),
      });
      await rm(stored);
      await expect(recordsOf(dataDir, log)).rejects.toMatchObject({
        code: 'incomplete-set',
        message: expect.stringMatching(/is missing/),
      });
    });
  });
});

const REAL = resolve(import.meta.dirname, '../../../shared/registry-data');

deep.describe.skipIf(!existsSync(REAL))('real registry files', () => {
  test('of ClinicalTrials.gov are imported or left out by name, and every payload parses', async () => {
    await using directory = await temporaryDirectory();
    const log = await importDump(
      { registry: 'clinicaltrials_gov', path: join(REAL, 'ctgov'), dataDir: directory.path },
      testEffects(),
    );
    expect(log.files.map((file) => [file.name, file.records])).toEqual([
      ['000001-older-versions.ndjson.gz', 7],
      ['000002-last-page-690d69.json.gz', 4],
      ['000003-last-page-d2ecda.json.gz', 10],
      ['000004-query-hfpef-page1-of-4.json.gz', 100],
      ['000005-query-hfpef-page2-of-4.json.gz', 100],
      ['000006-partial.ndjson.gz', 35],
      ['000007-sample-diverse.ndjson.gz', 54],
      ['000008-studies.ndjson.gz', 1562],
      ['000009-third-party-fixtures.ndjson.gz', 27],
    ]);
    expect(log.leftOut).toEqual([
      { name: 'ctg-oas-v2.yaml', reason: 'in spec: text or data of another kind, not ClinicalTrials.gov JSON' },
      { name: 'ctgov-metadata.json', reason: 'in spec: a JSON array without study records' },
    ]);
    for (const payload of await payloadsOf(directory.path, log))
      expect(JSON.parse(payload)).toHaveProperty('protocolSection');
  });

  test('of ISRCTN are imported or left out by name, and every payload is one trial', async () => {
    await using directory = await temporaryDirectory();
    const log = await importDump(
      { registry: 'isrctn', path: join(REAL, 'isrctn'), dataDir: directory.path },
      testEffects(),
    );
    const [one, pace, colchicine, empty, csv, registry, fragment, ...reconstructed] = log.files.map(
      (file) => file.records,
    );
    expect([one, pace, colchicine, empty, csv, registry, fragment]).toEqual([1, 1, 5, 0, 11_072, 11_072, 1]);
    expect(reconstructed).toEqual(new Array(25).fill(1));
    expect(log.leftOut.length).toBe(27);
    expect(log.gaps).toEqual([
      { name: 'export-2022-04.csv.gz', reason: expect.stringMatching(/^a CSV export has no titles, /) },
    ]);
    expect(log.leftOut.at(-1)).toEqual({
      name: '28-trialAgents.xml',
      reason: 'in fragments: XML with the root <trialAgents>, not a trial',
    });
    const trial = /^ISRCTN,[^\n]*\nISRCTN\d{8},|^<(fullTrial|trial)[\s>](?:(?!<\/?fullTrial)[\s\S])*<\/\1>$/;
    for (const payload of await payloadsOf(directory.path, log)) expect(payload).toMatch(trial);
  });
});
