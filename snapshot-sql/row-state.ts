import { columnList, hashedColumns } from './tables.ts';

/**
 * The tables of wide rows, each with the SQL of the payload checksums that a row was made from. A record that changed is
 * told by them, so that no registry's text can be made to look unchanged; DuckDB's 64-bit hash of the row tells what our
 * reading makes of the same payloads.
 */
const STATED = {
  trials: {
    sums: `coalesce(c.payload_sha256, '') || ' ' || coalesce(i.payload_sha256, '')`,
    joins: `LEFT JOIN (SELECT id, payload_sha256 FROM {registrations} WHERE registry = 'clinicaltrials_gov') c
        ON c.id = t.ctgov_id
      LEFT JOIN (SELECT id, payload_sha256 FROM {registrations} WHERE registry = 'isrctn') i ON i.id = t.isrctn_id`,
  },
  registrations: { sums: 't.payload_sha256', joins: '' },
} as const;
export type StatedTable = keyof typeof STATED;

export function isStated(table: string): table is StatedTable {
  return table in STATED;
}

/**
 * SQL of the rows of `source` with a 128-bit `state` beside their columns. Rows of the same state are the same; the other
 * way round not always, since a payload may change in what a row does not show. It costs a fifth of the row's JSON.
 */
export function statedRows(table: StatedTable, source: string, registrations: string): string {
  const { sums, joins } = STATED[table];
  const columns = hashedColumns(table).map((column) => `t."${column}"`);
  return `(SELECT t.*, md5_number(${sums} || ' ' || hash(${columns.join(', ')})) AS state
    FROM ${source} t ${joins.replaceAll('{registrations}', registrations)})`;
}

/** What the state of a registration is made of, for whoever keeps states. */
export function registrationStateForm(): string {
  return `${statedRows('registrations', 'source', 'registrations')} ${columnList(hashedColumns('registrations'))}`;
}
