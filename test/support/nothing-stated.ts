import type { TableColumn } from '../../snapshot/sql/fields.ts';

/** SQL of a column's value where nothing is stated. */
export function nothingStated({ sqlType: type, words, null: absent }: TableColumn): string {
  if (type.endsWith('[]')) return `CAST([] AS ${type})`;
  return absent === undefined && words !== undefined ? `'${words.at(-1)}'` : `CAST(NULL AS ${type})`;
}
