import { type CompiledQuery, type Insertable, Kysely, type RawBuilder, sql } from 'kysely';
import { hidden } from './planner.ts';
import { ConnectionDialect } from './sqlite-dialect.ts';
import type { BoardTables } from './tables.ts';

/** Stands for a value in a query that is built once and then only bound. */
class Place {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** The values of a prepared query while it is built: each stands where its value will be. */
export type Places<Values> = { [Name in keyof Values]: RawBuilder<Values[Name]> };

interface Built<Row> {
  compile(): CompiledQuery<Row>;
}

/** Builds and compiles, and reaches no file. */
const compiler = new Kysely<BoardTables>({
  dialect: new ConnectionDialect(
    () => {
      throw new TypeError('a prepared query runs on a reader or in a transaction');
    },
    { queues: false },
  ),
});

/** A text with places, and the values of each call in their order. Building a query costs as much as running it. */
class Prepared<Values extends object, Row> {
  readonly #build: (places: Places<Values>) => Built<Row>;
  readonly #place: (place: Place) => RawBuilder<unknown>;
  #compiled: CompiledQuery<Row> | null = null;

  constructor(build: (places: Places<Values>) => Built<Row>, place: (place: Place) => RawBuilder<unknown>) {
    this.#build = build;
    this.#place = place;
  }

  /** Every call gives the same names. */
  bound(values: Values): { text: string; parameters: unknown[] } {
    this.#compiled ??= this.#build(this.#places(Object.keys(values))).compile();
    const named = values as Record<string, unknown>;
    const parameters = this.#compiled.parameters.map((part) => (part instanceof Place ? named[part.name] : part));
    return { text: this.#compiled.sql, parameters };
  }

  #places(names: readonly string[]): Places<Values> {
    return Object.fromEntries(names.map((name) => [name, this.#place(new Place(name))])) as Places<Values>;
  }
}

export class PreparedRead<Values extends object, Row> extends Prepared<Values, Row> {}
export class PreparedWrite<Values extends object> extends Prepared<Values, unknown> {
  readonly writes = true;
}

/** What stores need that only run prepared writes; a transaction is one. */
export interface PreparedWriter {
  run<Values extends object>(write: PreparedWrite<Values>, values: Values): void;
}

/**
 * A look-up whose text never changes, for `Reader.rows`. Its values are hidden from SQLite's planner (planner.ts); a
 * LIMIT is written `atMost(limit)`, or `sql.lit` where it is always the same.
 */
export function preparedRead<Values extends object, Row>(
  build: (db: Pick<Kysely<BoardTables>, 'selectFrom'>, values: Places<Values>) => Built<Row>,
): PreparedRead<Values, Row> {
  return new PreparedRead((places: Places<Values>) => build(compiler, places), hidden);
}

/** A write whose text never changes, for `Transaction.run`. */
export function preparedWrite<Values extends object>(
  build: (db: Pick<Kysely<BoardTables>, 'insertInto' | 'deleteFrom'>, values: Places<Values>) => Built<unknown>,
): PreparedWrite<Values> {
  return new PreparedWrite(
    (places: Places<Values>) => build(compiler, places),
    (place) => sql`${place}`,
  );
}

/** An insert of one row whose text never changes, for `Transaction.run`. */
export function preparedInsert<Table extends keyof BoardTables>(
  table: Table,
): PreparedWrite<Insertable<BoardTables[Table]>> {
  return new PreparedWrite(
    (places: Places<Insertable<BoardTables[Table]>>) => compiler.insertInto(table).values(places as never),
    (place) => sql`${place}`,
  );
}
