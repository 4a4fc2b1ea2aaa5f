import { type CompiledQuery, type Insertable, Kysely, type RawBuilder, sql } from 'kysely';
import { SessionDialect } from './dialect.ts';
import { hidden } from './planner.ts';
import type { DialectName } from './session.ts';
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

/** Builds and compiles, and reaches no store. */
const COMPILERS: Record<DialectName, Kysely<BoardTables>> = {
  sqlite: compilerOf('sqlite'),
  postgres: compilerOf('postgres'),
};

function compilerOf(name: DialectName): Kysely<BoardTables> {
  const send = () => {
    throw new TypeError('a prepared query runs on a reader or in a transaction');
  };
  return new Kysely<BoardTables>({ dialect: new SessionDialect(name, send, { queues: false }) });
}

/** A text with places, and the values of each call in their order. Building a query costs as much as running it. */
class Prepared<Values extends object, Row> {
  readonly #build: (db: Kysely<BoardTables>, places: Places<Values>) => Built<Row>;
  readonly #place: (place: Place) => RawBuilder<unknown>;
  readonly #compiled: Partial<Record<DialectName, CompiledQuery<Row>>> = {};

  constructor(
    build: (db: Kysely<BoardTables>, places: Places<Values>) => Built<Row>,
    place: (place: Place) => RawBuilder<unknown>,
  ) {
    this.#build = build;
    this.#place = place;
  }

  /** Every call gives the same names. */
  bound(values: Values, dialect: DialectName): { text: string; parameters: unknown[] } {
    let compiled = this.#compiled[dialect];
    if (compiled === undefined) {
      compiled = this.#build(COMPILERS[dialect], this.#places(Object.keys(values))).compile();
      this.#compiled[dialect] = compiled;
    }
    const named = values as Record<string, unknown>;
    const parameters = compiled.parameters.map((part) => (part instanceof Place ? named[part.name] : part));
    return { text: compiled.sql, parameters };
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
  run<Values extends object>(write: PreparedWrite<Values>, values: Values): Promise<void>;
}

/**
 * A look-up whose text never changes, for `Reader.rows`. Its values are hidden from SQLite's planner (planner.ts); a
 * LIMIT is written `atMost(limit)`, or `sql.lit` where it is always the same.
 */
export function preparedRead<Values extends object, Row>(
  build: (db: Pick<Kysely<BoardTables>, 'selectFrom'>, values: Places<Values>) => Built<Row>,
): PreparedRead<Values, Row> {
  return new PreparedRead(build, hidden);
}

/** A write whose text never changes, for `Transaction.run`. */
export function preparedWrite<Values extends object>(
  build: (db: Pick<Kysely<BoardTables>, 'insertInto' | 'deleteFrom'>, values: Places<Values>) => Built<unknown>,
): PreparedWrite<Values> {
  return new PreparedWrite(build, (place) => sql`${place}`);
}

/** An insert of one row whose text never changes, for `Transaction.run`. */
export function preparedInsert<Table extends keyof BoardTables>(
  table: Table,
): PreparedWrite<Insertable<BoardTables[Table]>> {
  return new PreparedWrite(
    (db, places: Places<Insertable<BoardTables[Table]>>) => db.insertInto(table).values(places as never),
    (place) => sql`${place}`,
  );
}
