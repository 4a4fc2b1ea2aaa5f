import { join, relative } from 'node:path';
import type { Manifest } from '../../../snapshot/format/versions/manifest.ts';
import { sqlLiteral } from '../../../snapshot/sql/connection.ts';
import type { Connection } from '../../store/database.ts';
import type { Problem } from '../problem.ts';

type Tables = Readonly<Record<string, Pick<Manifest['tables']['trials'], 'files'>>>;

/**
 * Columns with a null although their file states that they have none, since DuckDB writes every column as one that may be null. Reads
 * only the ends of the files, which count the nulls of columns without members. Files of older programs that state nothing pass, and so
 * do payloads, whose hashes are checked one by one.
 */
export async function missingValues(db: Connection, dir: string, tables: Tables): Promise<Problem[]> {
  const files = Object.entries(tables).flatMap(([table, { files }]) => (table === 'raw' ? [] : files));
  if (files.length === 0) return [];
  const listed = `[${files.map(({ path }) => sqlLiteral(join(dir, path))).join(', ')}]`;
  const found = await db.all(
    `SELECT file_name, path_in_schema AS name, sum(stats_null_count)::DOUBLE AS nulls FROM parquet_metadata(${listed})
     JOIN (
       SELECT file_name, unnest(from_json(decode("value"), '["VARCHAR"]')) AS path_in_schema
       FROM parquet_kv_metadata(${listed}) WHERE decode("key") = 'required_columns'
     ) USING (file_name, path_in_schema)
     GROUP BY ALL HAVING nulls > 0 ORDER BY ALL`,
  );
  return found.map(({ file_name, name, nulls }) => ({
    file: relative(dir, String(file_name)),
    message: `${nulls} rows have no ${name}, which is never null`,
  }));
}
