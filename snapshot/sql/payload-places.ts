import { type PayloadGroup, packPayloadIndex } from '../format/payload-index.ts';
import { type SqlConnection, sqlLiteral } from './connection.ts';

/** What the pipeline compresses part files with, and the server decompresses. */
const CODEC = 'ZSTD';

/**
 * The index (snapshot/format/payload-index.ts) of all payloads in part files, superseded ones too; `files` in the order of the
 * manifest. Reads the footers and the column of checksums: about 50 µs of processor time a row group. `held` is SQL of the rows of the
 * files where they were read already, with `filename`, `file_row_number` and `payload_sha256`. Throws for a part that the pipeline did not
 * write.
 */
export async function payloadIndexOf(
  connection: SqlConnection,
  files: readonly string[],
  held?: string,
): Promise<Buffer> {
  if (files.length === 0) return packPayloadIndex([], { keys: [], groups: [], rows: [] });
  const listed = files.map(sqlLiteral).join(', ');
  const rows = held ?? `read_parquet([${listed}], filename = true, file_row_number = true)`;
  await connection.run(`CREATE OR REPLACE TEMP TABLE payload_groups AS
    SELECT file_name, part, row_number() OVER (ORDER BY part, row_group_id) - 1 AS number,
      row_group_num_rows AS "rows",
      sum(row_group_num_rows) OVER (PARTITION BY part ORDER BY row_group_id) - row_group_num_rows AS first_row,
      coalesce(dictionary_page_offset, data_page_offset) AS "at", total_compressed_size AS bytes, compression
    FROM parquet_metadata([${listed}])
    JOIN (SELECT unnest([${listed}]) AS file_name, generate_subscripts([${listed}], 1) - 1 AS part) USING (file_name)
    WHERE path_in_schema = 'payload'`);
  const other = await connection.one(
    `SELECT file_name, compression FROM payload_groups WHERE compression <> '${CODEC}' ORDER BY number LIMIT 1`,
  );
  if (other !== null) throw new Error(`${other.file_name} is compressed with ${other.compression}, expected ${CODEC}`);
  // Lists in JSON texts are parsed in a hundredth of the time that rows take one by one.
  const groups = await connection.one(
    `SELECT CAST(to_json(list({'part': part, 'at': "at", 'bytes': bytes, 'rows': "rows"} ORDER BY number)) AS VARCHAR) AS groups FROM payload_groups`,
  );
  const listOf = (column: string): string =>
    `CAST(to_json(list("${column}" ORDER BY key, number, "row")) AS VARCHAR) AS "${column}"`;
  const payloads = await connection.one(
    `SELECT ${['key', 'number', 'row'].map(listOf).join(', ')} FROM (
       SELECT CAST('0x' || left(payload_sha256, 8) AS UBIGINT) AS key, number, file_row_number - first_row AS "row"
       FROM ${rows} p
       ASOF JOIN payload_groups g ON p.filename = g.file_name AND p.file_row_number >= g.first_row
     )`,
  );
  await connection.run('DROP TABLE payload_groups');
  const numbers = (text: unknown): number[] => JSON.parse(String(text ?? '[]')) as number[];
  return packPayloadIndex(JSON.parse(String(groups?.groups ?? '[]')) as PayloadGroup[], {
    keys: numbers(payloads?.key),
    groups: numbers(payloads?.number),
    rows: numbers(payloads?.row),
  });
}
