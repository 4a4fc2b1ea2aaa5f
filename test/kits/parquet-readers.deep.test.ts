import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { readParquet, readSchema } from 'parquet-wasm/node';
import { expect, inject, test } from 'vitest';
import { readCurrent, readManifest } from '../../snapshot/format/versions/current.ts';

/** A reader of Parquet that shares no code with DuckDB, which wrote the files. */
const snapshots = inject('sampleSnapshots');
const dir = join(snapshots, (await readCurrent(snapshots))!);
async function parquetFile(path: string): Promise<ArrayBuffer> {
  const bytes = await readFile(join(dir, path));
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
}

test('another reader finds the types and the description of each column', async () => {
  const file = await parquetFile('registrations.parquet');
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

// Arrow's own reader, in Rust: pyarrow and R read the same metadata.
test('a reader of the Arrow family finds the comment of each column, and the types of the file', async () => {
  const { $defs } = JSON.parse(await readFile(join(dir, 'schema.json'), 'utf8'));
  const { tables } = await readManifest(dir);
  for (const [table, { files }] of Object.entries(tables)) {
    const stream = readSchema(new Uint8Array(await parquetFile(files[0]!.path))).intoIPCStream();
    const { fields } = tableFromIPC(stream).schema;
    const properties = Object.entries($defs[table].properties as Record<string, { description: string }>);
    expect(fields.map(({ name }) => name)).toEqual(properties.map(([name]) => name));
    for (const [at, [, { description }]] of properties.entries())
      expect(fields[at]!.metadata.get('description')).toContain(description);
  }
  const stream = readParquet(new Uint8Array(await parquetFile('registrations.parquet'))).intoIPCStream();
  const read = tableFromIPC(stream);
  const types = Object.fromEntries(read.schema.fields.map(({ name, type }) => [name, String(type)]));
  expect(types).toMatchObject({
    ...{ start_day: 'Date32<DAY>', retrieved_at: 'Timestamp<MICROSECOND>', enrollment_count: 'Int64' },
    ...{
      start_date: 'Struct<{date:Utf8, precision:Utf8, type:Utf8}>',
      conditions: 'List<Utf8>',
      minimum_age: 'Float64',
    },
  });
  expect(read.numRows).toBe(816);
  const comment = read.schema.fields.find(({ name }) => name === 'enrollment_count')!.metadata.get('description');
  expect(comment).toMatch(/; unit: people; .*null: /);
});
