import {
  Bool,
  type DataType,
  DateDay,
  Field,
  Float64,
  Int32,
  Int64,
  List,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  Table,
  TimestampMicrosecond,
  Utf8,
} from 'apache-arrow';
import type { ColumnValues } from '../../contract/fields/field-types.ts';
import {
  type DescribedColumn,
  type DescribedTable,
  SNAPSHOT_TABLE_DESCRIPTIONS,
} from '../../contract/fields/snapshot-tables.ts';
import { sqlLiteral } from '../../snapshot/sql/connection.ts';
import { memberTypes } from '../../snapshot/sql/fields.ts';
import { columnComment, requiredColumns, rowSchema } from '../../snapshot/sql/row-schema.ts';
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

/** Bytes of the mark behind the schema in a stream without batches. */
const END_BYTES = 8;

/**
 * The table's columns as an Arrow schema in the form of the Parquet metadata `ARROW:schema`, from which readers of the Arrow family
 * (pyarrow, arrow-rs, R) take the comment of each column: `description` in its metadata. Parquet itself has no comments.
 */
function arrowSchema(table: DescribedTable): string {
  const columns: readonly DescribedColumn[] = SNAPSHOT_TABLE_DESCRIPTIONS[table].columns;
  const fields = columns.map(
    (column) => new Field(column.name, arrowType(column.type), true, new Map([['description', columnComment(column)]])),
  );
  const stream = RecordBatchStreamWriter.writeAll(new Table(new Schema(fields))).toUint8Array(true);
  return Buffer.from(stream.subarray(0, stream.length - END_BYTES)).toString('base64');
}

const PLAIN: Partial<Record<keyof ColumnValues, DataType>> = {
  count: new Int64(),
  integer: new Int32(),
  number: new Float64(),
  flag: new Bool(),
  day: new DateDay(),
  instant: new TimestampMicrosecond(),
};

function arrowType(type: keyof ColumnValues): DataType {
  const members = memberTypes(type);
  if (type === 'texts') return listOf(new Utf8());
  if (members === null) return PLAIN[type] ?? new Utf8();
  const struct = new Struct(Object.entries(members).map(([name, sql]) => new Field(name, memberType(sql), true)));
  return type === 'date' || type === 'origins' ? struct : listOf(struct);
}

function memberType(sql: string): DataType {
  if (sql === 'VARCHAR[]') return listOf(new Utf8());
  return sql === 'DOUBLE' ? new Float64() : new Utf8();
}

/** DuckDB names the items of a list `element`. */
function listOf(item: DataType): DataType {
  return new List(new Field('element', item, true));
}
