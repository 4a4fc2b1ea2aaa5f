import type { Connection } from './database.ts';

export type Cell = string | number | boolean | null;

/** Appends rows to a table, cells in the order of its columns: far faster than INSERT, inside the caller's transaction. */
export async function appendRows(db: Connection, table: string, rows: Iterable<readonly Cell[]>): Promise<void> {
  const appender = await db.appender(table);
  for (const row of rows) {
    for (const cell of row) {
      if (cell === null) appender.appendNull();
      else if (typeof cell === 'string') appender.appendVarchar(cell);
      else if (typeof cell === 'boolean') appender.appendBoolean(cell);
      else appender.appendBigInt(BigInt(cell));
    }
    appender.endRow();
  }
  appender.closeSync();
}
