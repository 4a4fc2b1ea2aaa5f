import { type Kysely, sql } from 'kysely';

import type { PreparedRead } from './prepared.ts';
import type { DialectName, Session } from './session.ts';
import type { BoardTables, RowOf, TableWith } from './tables.ts';

/** What a function that reads the board is given. It has no way to write; `Transaction` has. */
export class Reader {
  readonly selectFrom: Kysely<BoardTables>['selectFrom'];
  /** Equal for all readers of the same rows; the key under which data about them is kept. */
  readonly source: object;
  readonly dialect: DialectName;
  readonly #session: Session;

  constructor(session: Session, queries: Kysely<BoardTables> = session.db) {
    this.#session = session;
    this.source = session.source;
    this.dialect = session.dialect;
    this.selectFrom = queries.selectFrom.bind(queries);
  }

  /** The row with this id; at most one, by the primary key or the unique index on ids. */
  byId<Table extends TableWith<'id'>>(table: Table, id: string): Promise<RowOf<Table> | undefined> {
    return this.#rowWith(table, 'id', id);
  }

  /** The row that says exactly this; at most one, by the unique index on content hashes. */
  byContent<Table extends TableWith<'content_hash'>>(table: Table, hash: string): Promise<RowOf<Table> | undefined> {
    return this.#rowWith(table, 'content_hash', hash);
  }

  #rowWith<Table extends keyof BoardTables>(table: Table, column: string, value: string) {
    // Kysely types no table that is a type parameter, so any one stands in for it.
    const query = this.selectFrom(table as 'events').selectAll();
    const row: Promise<unknown> = query.where(sql.ref<string>(column), '=', value).executeTakeFirst();
    return row as Promise<RowOf<Table> | undefined>;
  }

  /** Rows of a prepared look-up. */
  async rows<Values extends object, Row>(query: PreparedRead<Values, Row>, values: Values): Promise<Row[]> {
    const { text, parameters } = query.bound(values, this.#session.dialect);
    return (await this.#session.send(text, parameters)).rows as Row[];
  }
}
