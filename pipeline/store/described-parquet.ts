import type { DescribedTable } from '../../contract/fields/snapshot-tables.ts';
import { sqlLiteral } from '../../snapshot/sql/connection.ts';
import { requiredColumns, rowSchema } from '../../snapshot/sql/row-schema.ts';
import { arrowSchema } from './arrow-schema.ts';
import type { Connection } from './database.ts';

/**
 * Writes a Parquet file of a snapshot's table: `rows` is SQL that gives its columns in its order, and the file says what they mean.
 * `options` are those of COPY beside the format.
 */
export async function writeDescribedParquet(
  db: Connection,
  { table, rows, path, options }: { table: DescribedTable; rows: string; path: string; options: string },
): Promise<void> {
  await db.run(
    `COPY (${rows}) TO ${sqlLiteral(path)}
     (FORMAT parquet, COMPRESSION zstd, ${options}, KV_METADATA {${metadataOf(table)}})`,
  );
}

/** DuckDB 1.5 does not write NOT NULL of single columns, so it stands in the metadata. */
function metadataOf(table: DescribedTable): string {
  const schema = rowSchema(table);
  const entries = {
    description: schema.description as string,
    row_schema: JSON.stringify(schema),
    required_columns: JSON.stringify(requiredColumns(table)),
    'ARROW:schema': arrowSchema(table),
  };
  return Object.entries(entries)
    .map(([name, text]) => `"${name}": ${sqlLiteral(text)}`)
    .join(', ');
}
