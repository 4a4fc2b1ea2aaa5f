import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readManifest } from '../../../snapshot/format/versions/current.ts';
import type { Manifest } from '../../../snapshot/format/versions/manifest.ts';
import { quietEffects, temporaryDirectory } from '../../../test/builders/working-database.ts';
import { twoVersions } from '../../../test/support/two-versions.ts';
import { createTables, Database } from '../../store/database.ts';
import { sumFile } from '../durable.ts';
import type { Problem } from '../problem.ts';
import { checkSuperseded, HELD_PAYLOADS, holdKeptPayloads, holdPayloads, writeSuperseded } from './superseded.ts';

test('a payload that no registration names and a second copy are superseded, and verify knows other places', async () => {
  await using place = await temporaryDirectory();
  await using db = await Database.open(':memory:');
  const dir = place.path;
  await mkdir(join(dir, 'raw'));
  const payloads = (...rows: string[]) =>
    `(SELECT 'isrctn' AS registry, id, sha AS payload_sha256 FROM (VALUES ${rows.map((row) => `(${row})`).join(', ')}) v(id, sha))`;
  const write = (path: string, rows: string) => db.run(`COPY ${rows} TO '${join(dir, path)}' (FORMAT parquet)`);
  await write('raw/part-0000.parquet', payloads("'a', 's1'", "'b', 's2'", "'c', 's3'"));
  await write('raw/part-0001.parquet', payloads("'a', 's1'", "'b', 's4'"));
  await write('registrations.parquet', payloads("'a', 's1'", "'b', 's4'", "'c', 's3'"));
  const files = ['raw/part-0000.parquet', 'raw/part-0001.parquet'].map((path) => ({ path, bytes: 0, sha256: '' }));
  await holdPayloads(db, dir, { files });
  const registrations = `'${join(dir, 'registrations.parquet')}'`;
  const superseded = await writeSuperseded(db, { dir, registrations }, { rows: 3, files }, quietEffects());
  expect(superseded.rows).toBe(2);
  const found = () => db.all(`SELECT file, place::DOUBLE AS place, id FROM '${dir}/superseded.parquet'`);
  expect(await found()).toEqual([
    { file: 'raw/part-0000.parquet', place: 1, id: 'b' },
    { file: 'raw/part-0001.parquet', place: 0, id: 'a' },
  ]);
  const manifest = { superseded, tables: { raw: { rows: 3, files } } } as Pick<Manifest, 'superseded' | 'tables'>;
  const problems: Problem[] = [];
  await checkSuperseded(db, dir, manifest, problems);
  expect(problems).toEqual([]);
  await write(
    'superseded.parquet',
    "(SELECT 'raw/part-0000.parquet' AS file, 2::BIGINT AS place, 'isrctn' AS registry, 'c' AS id, 's3' AS payload_sha256)",
  );
  await checkSuperseded(db, dir, manifest, problems);
  expect(problems).toEqual([
    {
      file: 'superseded.parquet',
      message: '3 places of it are not those that the files of raw and the registrations give',
    },
  ]);
});

test('after a day the views tell apart what the shared files hold: each record once, and the rest', async () => {
  await using versions = await twoVersions();
  await using db = await Database.open(':memory:');
  const dir = join(versions.snapshotsDir, versions.newer);
  const { superseded, counts } = await readManifest(dir);
  await db.run(`SET VARIABLE snapshot = '${dir}'; ATTACH '${dir}/snapshot.duckdb' AS s (READ_ONLY)`);
  const [found] = await db.all(`SELECT (SELECT count(*)::DOUBLE FROM s.raw) AS current,
    (SELECT count(*)::DOUBLE FROM s.raw SEMI JOIN s.registrations USING (registry, id, payload_sha256)) AS named,
    (SELECT count(*)::DOUBLE FROM s.raw_superseded) AS superseded,
    (SELECT count(*)::DOUBLE FROM s.superseded) AS places`);
  expect(found).toEqual({
    current: counts.registrations,
    named: counts.registrations,
    superseded: superseded?.rows,
    places: superseded?.rows,
  });
  expect(superseded?.rows).toBeGreaterThan(0);
});

test('the places that are kept are those of the files, also where files are renamed, gone, new or other than before', async () => {
  await using place = await temporaryDirectory();
  await using db = await Database.open(':memory:');
  await createTables(db);
  await mkdir(join(place.path, 'raw'));
  const days: Record<string, string[]>[] = [
    { '0000': ['a', 'b'], '0001': ['c'] },
    { '0000': ['d'], '0001': ['a', 'b'], '0002': ['c'] },
    { '0000': ['d', 'e'], '0001': ['c'] },
    { '0000': [] },
    { '0000': ['a', 'b'] },
  ];
  for (const day of days) {
    const files = [];
    for (const [number, ids] of Object.entries(day)) {
      const path = `raw/part-${number}.parquet`;
      const listed = ids.map((id) => `'${id}'`).join(', ');
      await db.run(
        `COPY (SELECT 'isrctn' AS registry, id, id || '1' AS payload_sha256 FROM (SELECT unnest([${listed}]::VARCHAR[]) AS id))
         TO '${join(place.path, path)}' (FORMAT parquet)`,
      );
      files.push(await sumFile(place.path, path));
    }
    const rows = () =>
      db.all(`SELECT * REPLACE (file_row_number::DOUBLE AS file_row_number) FROM ${HELD_PAYLOADS} ORDER BY ALL`);
    await holdPayloads(db, place.path, { files });
    const read = await rows();
    expect(read).toHaveLength(Object.values(day).flat().length);
    await holdKeptPayloads(db, place.path, { files });
    expect(await rows()).toEqual(read);
  }
});
