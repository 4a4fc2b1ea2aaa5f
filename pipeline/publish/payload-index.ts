import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PAYLOAD_COLUMNS, PAYLOAD_INDEX_FILE } from '../../snapshot/format/payload-index.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { numberData, writeColumns } from '../../snapshot/image/arrow-file.ts';
import { Growable } from '../../snapshot/image/growable.ts';
import { sqlLiteral } from '../../snapshot/sql/connection.ts';
import type { Effects } from '../effects.ts';
import type { Connection } from '../store/database.ts';
import { settleFile } from './durable.ts';
import type { Problem } from './problem.ts';
import { HELD_PAYLOADS, writeSuperseded } from './retention/superseded.ts';

/** What follows from the payloads in part files, as the manifest describes it. */
export type PayloadFiles = Required<Pick<Manifest, 'payloadIndex' | 'superseded'>>;

/** Writes it from the part files of `dir` and the working table of registrations. Needs `HELD_PAYLOADS`, and drops it. */
export async function writePayloadFiles(
  db: Connection,
  dir: string,
  raw: Pick<Manifest['tables']['raw'], 'rows' | 'files'>,
  effects: Effects,
): Promise<PayloadFiles> {
  await writePayloadIndex(db, join(dir, PAYLOAD_INDEX_FILE), pathsOf(dir, raw));
  const payloadIndex = await settleFile(dir, PAYLOAD_INDEX_FILE, effects);
  const superseded = await writeSuperseded(db, { dir, registrations: 'registrations' }, raw, effects);
  await db.run(`DROP TABLE ${HELD_PAYLOADS}; DROP TABLE IF EXISTS named_payloads`);
  return { payloadIndex, superseded };
}

/** Whether the index is the one that sound part files give. Needs `HELD_PAYLOADS`. */
export async function checkPayloadIndex(
  db: Connection,
  dir: string,
  { payloadIndex, tables }: Pick<Manifest, 'payloadIndex' | 'tables'>,
  problems: Problem[],
): Promise<void> {
  if (problems.some(({ file }) => file === PAYLOAD_INDEX_FILE)) return;
  const folder = await mkdtemp(join(tmpdir(), 'payload-index-'));
  try {
    const expected = join(folder, PAYLOAD_INDEX_FILE);
    await writePayloadIndex(db, expected, pathsOf(dir, tables.raw));
    if ((await readFile(expected)).equals(await readFile(join(dir, payloadIndex.path)))) return;
    problems.push({ file: PAYLOAD_INDEX_FILE, message: 'is not the index of the part files of raw' });
  } finally {
    await rm(folder, { recursive: true });
  }
}

function pathsOf(dir: string, { files }: Pick<Manifest['tables']['raw'], 'files'>): string[] {
  return files.map(({ path }) => join(dir, path));
}

/** What normalise compresses part files with, and servers decompress. */
const CODEC = 'ZSTD';

/**
 * Writes the index of all payloads in part files, superseded ones too; `files` in the order of the manifest. Needs `HELD_PAYLOADS`, and
 * reads the footers: about 50 µs of processor time a row group. Throws for a part that normalise did not write.
 */
export async function writePayloadIndex(db: Connection, path: string, files: readonly string[]): Promise<void> {
  const listed = `[${files.map(sqlLiteral).join(', ')}]`;
  await db.run(`CREATE OR REPLACE TEMP TABLE payload_groups AS
    SELECT file_name, list_position(${listed}, file_name) - 1 AS part, row_group_num_rows AS "rows", compression,
      sum(row_group_num_rows) OVER (PARTITION BY file_name ORDER BY row_group_id) - row_group_num_rows AS first_row,
      coalesce(dictionary_page_offset, data_page_offset) AS "at", total_compressed_size AS bytes
    FROM parquet_metadata(${listed}) WHERE path_in_schema = 'payload'`);
  const other = await db.one(
    `SELECT file_name, compression FROM payload_groups WHERE compression <> '${CODEC}' LIMIT 1`,
  );
  if (other !== null) throw new Error(`${other.file_name} is compressed with ${other.compression}, expected ${CODEC}`);
  const places = db.streamColumns(
    `SELECT ${PAYLOAD_COLUMNS.map((name) => `CAST("${name}" AS UINTEGER)`).join(', ')} FROM (
       SELECT g.*, CAST('0x' || left(payload_sha256, 8) AS UBIGINT) AS key, file_row_number - first_row AS "row"
       FROM ${HELD_PAYLOADS} p
       ASOF JOIN payload_groups g ON p.filename = g.file_name AND p.file_row_number >= g.first_row
     ) ORDER BY ALL`,
  );
  const columns = PAYLOAD_COLUMNS.map(() => new Growable(Uint32Array));
  for await (const chunk of places) {
    for (const [place, values] of (chunk as unknown as number[][]).entries())
      columns[place]!.extend(values.length).set(values);
  }
  const written = columns.map((column, place) => [PAYLOAD_COLUMNS[place], numberData(column.view())]);
  writeColumns(path, Object.fromEntries(written));
  await db.run('DROP TABLE payload_groups');
}
