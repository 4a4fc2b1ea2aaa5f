/** The connection to DuckDB that snapshot-sql needs; the pipeline and the index server each provide their own. */
export interface SqlConnection {
  run(sql: string): Promise<void>;
  /** The first row, or null; BIGINT as string, lists and structs as arrays and objects. */
  one(sql: string): Promise<Record<string, unknown> | null>;
}

/** A string as a SQL literal, for file names in COPY and read_parquet, which take no parameters. */
export function sqlLiteral(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
