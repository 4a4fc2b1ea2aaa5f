import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { SNAPSHOT_TABLE_DESCRIPTIONS } from '../../../contract/fields/snapshot-tables.ts';
import { readCurrent, readManifest } from '../../../snapshot/format/versions/current.ts';
import { folderOfTest } from '../../../test/support/folders.ts';
import { Database } from '../../store/database.ts';
import { writeDescribedParquet } from '../../store/described-parquet.ts';
import { missingValues } from './missing-values.ts';

const place = folderOfTest();

test('a null in a column that is never null is counted from the end of the file; one that may be null is not', async () => {
  await using db = await Database.open(':memory:');
  const columns = SNAPSHOT_TABLE_DESCRIPTIONS.links.columns.map(({ name }) => name);
  const link = (rule: string) =>
    `SELECT ${columns.map((name) => `${{ rule, to_field: 'NULL' }[name] ?? "'x'"}::VARCHAR AS "${name}"`).join(', ')}`;
  const found = async (...rules: string[]) => {
    await writeDescribedParquet(db, {
      table: 'links',
      rows: rules.map(link).join(' UNION ALL '),
      path: join(place.path, 'links.parquet'),
      options: 'ROW_GROUP_SIZE 2048',
    });
    const files = [{ path: 'links.parquet', bytes: 0, sha256: '' }];
    return missingValues(db, place.path, { links: { files }, raw: { files: [{ ...files[0]!, path: 'raw/none' }] } });
  };
  expect(await found("'a'", "'b'")).toEqual([]);
  expect(await found('NULL', "'b'", 'NULL')).toEqual([
    { file: 'links.parquet', message: '2 rows have no rule, which is never null' },
  ]);
});

test('no table of the sample has one', async () => {
  await using db = await Database.open(':memory:');
  const snapshots = inject('sampleSnapshots');
  const dir = join(snapshots, (await readCurrent(snapshots))!);
  expect(await missingValues(db, dir, (await readManifest(dir)).tables)).toEqual([]);
});
