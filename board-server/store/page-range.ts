import { type SelectQueryBuilder, sql } from 'kysely';
import type { BoardTables } from './tables.ts';

/** Which rows of a list are read: at most `limit`, after `offset` rows or after the row whose key is `after`. */
export interface PageRange {
  limit: number;
  offset: number;
  /** Key (`seq`, or `id` of a delivery) of the last row of the previous page; null if the page continues none. */
  after: number | null;
}

type Query<Table extends keyof BoardTables, Row> = SelectQueryBuilder<BoardTables, Table, Row>;

/** A page of the rows of a query, newest first by `seq`, which is unique. */
export function newestPage<Table extends keyof BoardTables, Row>(
  query: Query<Table, Row>,
  { after, limit, offset }: PageRange,
): Promise<Row[]> {
  const seq = sql.ref<number>('seq');
  const beyond = after === null ? query : query.where(seq, '<', after);
  return beyond.orderBy(seq, 'desc').limit(limit).offset(offset).execute() as Promise<Row[]>;
}

/** Exact number of rows that a query without a selection matches; reads every match. */
export async function countOf<Table extends keyof BoardTables>(query: Query<Table, object>): Promise<number> {
  const counted = query.select(({ fn }) => fn.countAll<number>().as('total')) as unknown as Query<
    Table,
    { total: number }
  >;
  return (await counted.executeTakeFirstOrThrow()).total;
}
