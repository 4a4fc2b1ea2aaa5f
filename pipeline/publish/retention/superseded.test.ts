import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readManifest } from '../../../snapshot/format/versions/current.ts';
import type { Manifest } from '../../../snapshot/format/versions/manifest.ts';
import { quietEffects } from '../../../test/builders/working-database.ts';
import { folderOfTest } from '../../../test/support/folders.ts';
import { twoVersions } from '../../../test/support/two-versions.ts';
import { Database } from '../../store/database.ts';
import type { Problem } from '../problem.ts';
import { checkSuperseded, holdPayloads, writeSuperseded } from './superseded.ts';

const place = folderOfTest();

test('a payload that no registration names and a second copy are superseded, and verify knows other places', async () => {
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
  await holdPayloads(
    db,
    dir,
    files.map(({ path }) => path),
  );
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
