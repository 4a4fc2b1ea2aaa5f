import { comparedColumns } from './tables.ts';

/**
 * The wide tables, each with the SQL of the checksums of the payloads behind a row. A changed record has another
 * checksum, so no registry text can be crafted to look unchanged. A changed reading of equal payloads changes DuckDB's
 * 64-bit hash of the row.
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
type StatedTable = keyof typeof STATED;

export function isStated(table: string): table is StatedTable {
  return table in STATED;
}

/**
 * SQL of the rows of `source` with a 128-bit `state` added. Rows with equal states are equal. Equal rows may have
 * different states, because a payload may change in a part that no row shows. A state costs a fifth of the row's JSON.
 */
export function statedRows(table: StatedTable, source: string, registrations: string): string {
  const { sums, joins } = STATED[table];
  const columns = comparedColumns(table).map((column) => `t."${column}"`);
  return `(SELECT t.*, md5_number(${sums} || ' ' || hash(${columns.join(', ')})) AS state
    FROM ${source} t ${joins.replaceAll('{registrations}', registrations)})`;
}
