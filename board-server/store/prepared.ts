import type { CompiledQuery, Kysely } from 'kysely';
import { statementsOf } from './connection.ts';
import { plannedOnce } from './planning.ts';
import type { BoardTables } from './tables.ts';
import { givenText } from './text.ts';

type Db = Kysely<BoardTables>;

/** Stands for a value while a query is compiled. */
class Place {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A query whose text never changes: built and compiled at its first use, then only bound. Building one anew costs as
 * much as SQLite takes to answer it. Every call gives the same names; a value may be used any number of times, but
 * nothing in `build` may look at one. On a connection that allows it the statement runs at once (connection.ts).
 */
export function compiledOnce<Values extends object, Row>(
  build: (db: Db, values: Values) => { compile(): CompiledQuery<Row> },
): (db: Db, values: Values) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | null = null;
  return async (db, values) => {
    compiled ??= planned(build(db, places(values)).compile());
    const named = values as Record<string, unknown>;
    const parameters = compiled.parameters.map((part) => (part instanceof Place ? named[part.name] : part));
    const statement = statementsOf(db)?.prepare(compiled.sql);
    if (statement === undefined) return (await db.executeQuery<Row>({ ...compiled, parameters })).rows;
    if (!statement.reader) {
      statement.run(parameters);
      return [];
    }
    return (statement.all(parameters) as Row[]).map(asGiven);
  };
}

/** Runs a statement that answers nothing, such as BEGIN, on a connection that runs statements at once. */
export async function runText(db: Db, text: string, parameters: readonly unknown[] = []): Promise<void> {
  const statements = statementsOf(db);
  if (statements === undefined) throw new TypeError('not a connection of the board that runs statements at once');
  statements.prepare(text).run(parameters);
}

function planned<Row>(query: CompiledQuery<Row>): CompiledQuery<Row> {
  return { ...query, sql: plannedOnce(query.sql) };
}

function places<Values extends object>(values: Values): Values {
  return Object.fromEntries(Object.keys(values).map((name) => [name, new Place(name)])) as Values;
}

function asGiven<Row>(row: Row): Row {
  const named = row as Record<string, unknown>;
  for (const name in named) {
    const value = named[name];
    if (typeof value === 'string') named[name] = givenText(value);
  }
  return row;
}
