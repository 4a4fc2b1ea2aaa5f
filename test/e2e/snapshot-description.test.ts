import { execFile } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { dictionaryText } from '../../gateway/description/dictionary-text.ts';
import { Database } from '../../pipeline/store/database.ts';
import { readCurrent, readManifest } from '../../snapshot/format/versions/current.ts';
import { type Manifest, SNAPSHOT_TABLES, type SnapshotTable } from '../../snapshot/format/versions/manifest.ts';
import { instantText } from '../../snapshot/sql/fields.ts';
import { parquetSource, payloadSource } from '../../snapshot/sql/tables.ts';
import { folderOfFile } from '../support/folders.ts';
import { ROOT } from '../support/tree.ts';

interface RowSchema {
  properties: Record<string, { description: string; 'x-type': string }>;
  'x-sorted-by': string[];
  'x-primary-key': string[] | null;
  'x-references': { columns: string[]; table: SnapshotTable; to: string[] }[];
}
const folder = folderOfFile();
let dir: string;
let manifest: Manifest;
let db: Database;
let schemas: Record<SnapshotTable, RowSchema>;
beforeAll(async () => {
  const snapshots = inject('sampleSnapshots');
  dir = join(snapshots, (await readCurrent(snapshots))!);
  manifest = await readManifest(dir);
  db = await Database.open(':memory:');
  schemas = JSON.parse(await readFile(join(dir, 'schema.json'), 'utf8')).$defs;
});
afterAll(() => db.close());

const sourceOf = (table: SnapshotTable): string =>
  table === 'raw' ? payloadSource(dir, Object.keys(schemas.raw.properties)) : parquetSource(dir, table);
const listed = (columns: readonly string[]): string => columns.map((column) => `"${column}"`).join(', ');
const counted = async (sql: string): Promise<number> =>
  Number((await db.one(`SELECT count(*)::DOUBLE AS n FROM ${sql}`))?.n);

test('Parquet, schema.json, the comments and the dictionary page have the same columns', async () => {
  const page = dictionaryText();
  await db.run(`SET VARIABLE snapshot = '${dir}'; ATTACH '${dir}/snapshot.duckdb' AS s (READ_ONLY)`);
  expect(Object.keys(schemas)).toEqual([...SNAPSHOT_TABLES, 'superseded']);
  for (const table of SNAPSHOT_TABLES) {
    const described = await db.all(`DESCRIBE SELECT * FROM ${parquetSource(dir, table)}`);
    const columns = described.map((column) => `${column.column_name} ${column.column_type}`.replaceAll('"', ''));
    const properties = Object.entries(schemas[table].properties);
    const types = properties.map(([name, column]) => `${name} ${column['x-type']}`.replaceAll('"', ''));
    expect(types, table).toEqual(columns);
    const section = page.split(`\n## ${table}\n`)[1]?.split('\n## ')[0] ?? '';
    const comments = await db.all(
      `SELECT column_name AS name, comment FROM duckdb_columns() WHERE database_name = 's' AND table_name = '${table}' ORDER BY column_index`,
    );
    const texts = properties.map(([name, { description }]) => ({ name, description }));
    const names = texts.map(({ name }) => name);
    for (const found of [
      [...section.matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1]),
      comments.map(({ name }) => name),
    ])
      expect(found, table).toEqual(names);
    for (const [place, { comment }] of comments.entries()) expect(comment).toContain(texts[place]!.description);
  }
  await db.run('DETACH s');
});

test('each row of each table is as its schema says: types, words, and null only where it may be', async () => {
  const ajv = new Ajv.default({ strict: false });
  addFormats.default(ajv);
  for (const table of SNAPSHOT_TABLES) {
    const validate = ajv.compile(schemas[table]);
    const instants = Object.entries(schemas[table].properties).filter(([, column]) => column['x-type'] === 'TIMESTAMP');
    const replaced = instants.map(([name]) => `${instantText(`"${name}"`)} AS "${name}"`);
    const all = replaced.length === 0 ? '*' : `* REPLACE (${replaced.join(', ')})`;
    let rows = 0;
    for await (const chunk of db.stream(
      `SELECT to_json(t)::VARCHAR AS row FROM (SELECT ${all} FROM ${sourceOf(table)}) t`,
    )) {
      for (const { row } of chunk) {
        rows += 1;
        if (!validate(JSON.parse(String(row)))) expect({ table, row, errors: validate.errors }).toBeNull();
      }
    }
    expect(rows, table).toBe(manifest.tables[table].rows);
  }
});

test('a day is the first that the date may mean, and the text as given stays beside it', async () => {
  const rows = await db.all(
    `SELECT start_date."precision" AS precision, count(*)::DOUBLE AS n,
       bool_and(CASE WHEN start_date."precision" = 'day' THEN start_day::VARCHAR = start_date."date"
         ELSE start_day::VARCHAR = start_date."date" || '-01' END) AS follows
     FROM ${parquetSource(dir, 'registrations')} WHERE start_date IS NOT NULL GROUP BY precision ORDER BY precision`,
  );
  expect(rows).toEqual([
    { precision: 'day', n: 607, follows: true },
    { precision: 'month', n: 209, follows: true },
  ]);
});

test('keys name one row, references name a row that is there, and the rows are sorted as stated', async () => {
  for (const table of SNAPSHOT_TABLES) {
    const { 'x-primary-key': key, 'x-references': references, 'x-sorted-by': sorted } = schemas[table];
    if (key !== null)
      expect(
        await counted(`(SELECT 1 FROM ${sourceOf(table)} GROUP BY ${listed(key)} HAVING count(*) > 1)`),
        table,
      ).toBe(0);
    for (const { columns, table: other, to } of references) {
      const named = `(SELECT ${columns.map((column, at) => `"${column}" AS k${at}`).join(', ')} FROM ${sourceOf(table)})`;
      const held = `(SELECT ${to.map((column, at) => `"${column}" AS k${at}`).join(', ')} FROM ${sourceOf(other)})`;
      const keys = columns.map((_, at) => `k${at}`);
      const dangling = `${named} ANTI JOIN ${held} USING (${keys.join(', ')}) WHERE k0 IS NOT NULL`;
      expect([table, columns, await counted(dangling)]).toEqual([table, columns, 0]);
    }
    for (const { path } of manifest.tables[table].files) {
      const rows = `(SELECT file_row_number AS found, row_number() OVER (ORDER BY ${listed(sorted)}, file_row_number) - 1 AS place
        FROM read_parquet('${join(dir, path)}', file_row_number = true))`;
      expect([path, await counted(`${rows} WHERE found <> place`)]).toEqual([path, 0]);
    }
  }
});

test('each Parquet file states its description, the schema of its rows and what is never null', async () => {
  for (const table of SNAPSHOT_TABLES) {
    for (const { path } of manifest.tables[table].files) {
      const pairs = await db.all(
        `SELECT decode(key) AS name, decode(value) AS text FROM parquet_kv_metadata('${join(dir, path)}')`,
      );
      const stated = Object.fromEntries(pairs.map(({ name, text }) => [name, text])) as Record<string, string>;
      expect(Object.keys(stated).sort(), path).toEqual([
        ...['ARROW:schema', 'description', 'required_columns', 'row_schema'],
      ]);
      expect(JSON.parse(stated.row_schema!), path).toEqual(schemas[table]);
    }
  }
});

test('the manifest lists the descriptions', () => {
  expect(manifest.descriptions?.map(({ path }) => path)).toEqual(['schema.json', 'snapshot.duckdb']);
});

describe('snapshot.duckdb', () => {
  const COUNT =
    'SELECT (SELECT count(*) FROM trials)::INTEGER AS trials, (SELECT count(*) FROM raw)::INTEGER AS payloads';

  test('answers where DuckDB runs in the folder, and reading does not change it', async () => {
    const copy = folder.path;
    await cp(dir, copy, { recursive: true });
    const before = await readFile(join(copy, 'snapshot.duckdb'));
    // A process of its own has a working directory of its own.
    const script = `import { DuckDBInstance } from ${JSON.stringify(join(ROOT, 'node_modules/@duckdb/node-api/lib/index.js'))};
      const connection = await (await DuckDBInstance.create('snapshot.duckdb')).connect();
      console.log(JSON.stringify((await connection.runAndReadAll(${JSON.stringify(COUNT)})).getRows()));
      connection.closeSync();`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd: copy,
    });
    expect(JSON.parse(stdout)).toEqual([[766, 816]]);
    expect((await readFile(join(copy, 'snapshot.duckdb'))).equals(before)).toBe(true);
  });

  test('answers elsewhere by the variable or by the search path; without either it says that there are no files', async () => {
    for (const setting of [`SET VARIABLE snapshot = '${dir}'`, `SET file_search_path = '${dir}'`]) {
      const connection = await (await DuckDBInstance.create(':memory:')).connect();
      await connection.run(`ATTACH '${dir}/snapshot.duckdb' AS s (READ_ONLY); USE s`);
      await expect(connection.run(COUNT)).rejects.toThrow('No files found that match the pattern "trials.parquet"');
      await connection.run(setting);
      expect((await connection.runAndReadAll(COUNT)).getRows()).toEqual([[766, 816]]);
      connection.closeSync();
    }
  });
});
