import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { expect, inject, test } from 'vitest';
import { readCurrent } from '../../snapshot-format/current.ts';

/** A reader of Parquet that shares no code with DuckDB, which wrote the files. */
test('another reader finds the types, the description of each column and the order of the rows', async () => {
  const snapshots = inject('sampleSnapshots');
  const bytes = await readFile(join(snapshots, (await readCurrent(snapshots))!, 'registrations.parquet'));
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const { key_value_metadata, schema } = parquetMetadata(file);
  const stated = Object.fromEntries((key_value_metadata ?? []).map(({ key, value }) => [key, value ?? '']));
  const columns = JSON.parse(stated.row_schema!).properties;
  expect(stated.description).toBe(
    "One row per record of a registry: every field that a registry states, normalised, with the registry's own value beside it.",
  );
  expect(columns.start_day.description).toBe(
    'first day that start_date may mean: of a month its first; start_date has the text as given and its precision',
  );
  expect(columns.enrollment_count).toMatchObject({ type: ['integer', 'null'], 'x-unit': 'people' });
  expect(JSON.parse(stated.sorting_columns!)).toEqual([
    { column: 'registry', descending: false, nulls_first: false },
    { column: 'id', descending: false, nulls_first: false },
  ]);
  const types = Object.fromEntries(schema.map(({ name, converted_type }) => [name, converted_type]));
  expect(types).toMatchObject({ start_day: 'DATE', retrieved_at: 'TIMESTAMP_MICROS', results_available: undefined });
  const [row] = await parquetReadObjects({
    ...{ file, compressors, rowStart: 0, rowEnd: 1 },
    columns: ['id', 'start_date', 'start_day', 'retrieved_at', 'enrollment_count'],
  });
  expect(row).toEqual({
    id: 'NCT04233034',
    start_date: { date: '2010-05', precision: 'month', type: 'actual' },
    start_day: new Date('2010-05-01T00:00:00.000Z'),
    retrieved_at: new Date('2026-10-01T00:00:00.000Z'),
    enrollment_count: 353n,
  });
});
