import { sql } from 'kysely';
import type { Board } from '../../../board-server/store/board.ts';
import type { BoardTables } from '../../../board-server/store/tables.ts';

/** Columns that differ in every run: what is encrypted, each time with other random bytes. */
const SEALED = ['sealed', 'secret', 'previous_secret'];
/** Each store has its own: forms of texts, where it keeps its head, and the tasks of the A2A door. */
const OWN = /^sqlite_|_(?:search|scope)(?:_|$)|^(?:head|installation)$/;

/** Names of the tables of a board in a file that boards on either store have. */
export async function tableNames(board: Board): Promise<(keyof BoardTables)[]> {
  const { name } = { name: sql.ref<string>('name') };
  const rows = await board.read
    .selectFrom('sqlite_schema' as 'events')
    .select(name.as('name'))
    .where(sql.ref<string>('type'), '=', 'table')
    .execute();
  return rows
    .map((row) => row.name)
    .filter((table) => !OWN.test(table))
    .toSorted() as (keyof BoardTables)[];
}

/** Every row of the tables, in an order of its own. */
export async function storedRows(
  board: Board,
  tables: readonly (keyof BoardTables)[],
): Promise<Record<string, unknown>> {
  const stored: Record<string, unknown> = {};
  for (const table of tables) {
    const rows = await board.read
      .selectFrom(table as 'events')
      .selectAll()
      .execute();
    stored[table] = rows
      .map((row) =>
        JSON.stringify(
          Object.entries(row)
            .filter(([name]) => !SEALED.includes(name))
            .toSorted(),
        ),
      )
      .toSorted();
  }
  return stored;
}
