import { type RawBuilder, sql } from 'kysely';

/** What a query keeps from SQLite's planner, which guesses badly without statistics. A plus sign changes no value. */

/** A column that must not choose an index. */
export function unindexed<Value>(column: string): RawBuilder<Value> {
  return sql<Value>`+${sql.ref(column)}`;
}

/**
 * A value that the planner must not look at: it plans a statement anew at each binding of one that it has looked at, which
 * costs several times what a look-up does.
 */
export function hidden<Value>(value: unknown): RawBuilder<Value> {
  return sql<Value>`+${value}`;
}

/** A hidden LIMIT: there the planner sees through a plus sign, so it gets a sum. */
export function atMost(limit: RawBuilder<number>): RawBuilder<number> {
  return sql<number>`(${limit} + 0)`;
}
