import type { Kysely } from 'kysely';
import type { Connection } from './connection.ts';
import type { PreparedRead } from './prepared.ts';
import type { BoardTables } from './tables.ts';

/** What a function that reads the board is given. It has no way to write; `Transaction` has. */
export class Reader {
  readonly selectFrom: Kysely<BoardTables>['selectFrom'];
  /** Equal for all readers of one connection; the key under which data about it is kept. */
  readonly source: object;
  readonly #connection: Connection;

  constructor(connection: Connection, queries: Kysely<BoardTables> = connection.db) {
    this.#connection = connection;
    this.source = connection;
    this.selectFrom = queries.selectFrom.bind(queries);
  }

  /** Rows of a prepared look-up. */
  rows<Values extends object, Row>(query: PreparedRead<Values, Row>, values: Values): Row[] {
    const { text, parameters } = query.bound(values);
    return this.#connection.send(text, parameters).rows as Row[];
  }
}
