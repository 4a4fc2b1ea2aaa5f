import { type Kysely, sql } from 'kysely';

import { type Places, type PreparedRead, preparedRead } from './prepared.ts';
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

  async #rowWith<Table extends keyof BoardTables>(table: Table, column: string, value: string) {
    const [row] = await this.rows(rowWith(table, column), { value });
    return row as RowOf<Table> | undefined;
  }

  /** Rows of a prepared look-up. */
  async rows<Values extends object, Row>(query: PreparedRead<Values, Row>, values: Values): Promise<Row[]> {
    const { text, parameters } = query.bound(values, this.#session.dialect);
    return (await this.#session.send(text, parameters)).rows as Row[];
  }
}

interface OfValue {
  value: string;
}

/** Look-ups of one row, by table and column. */
const ROW_WITH = new Map<string, PreparedRead<OfValue, unknown>>();

function rowWith(table: keyof BoardTables, column: string): PreparedRead<OfValue, unknown> {
  const name = `${table}.${column}`;
  let query = ROW_WITH.get(name);
  if (query === undefined) {
    // Kysely types no table that is a type parameter, so any one stands in for it.
    query = preparedRead((db, { value }: Places<OfValue>) =>
      db
        .selectFrom(table as 'events')
        .selectAll()
        .where(sql.ref<string>(column), '=', value),
    );
    ROW_WITH.set(name, query);
  }
  return query;
}
