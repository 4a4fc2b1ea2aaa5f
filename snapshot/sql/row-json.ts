import {
  type DescribedColumn,
  type DescribedTable,
  digestName,
  isDigested,
  SNAPSHOT_TABLE_DESCRIPTIONS,
} from '../../contract/fields/snapshot-tables.ts';
import { instantText, sortedListType } from './fields.ts';
import type { ComparedField } from './tables.ts';

/**
 * SQL of the leaf of a row in the Merkle tree of its table (docs/snapshots.md#hashes): SHA-256 of a zero byte and the row as JSON by
 * RFC 8785, in lower-case hex. Long lists and prose stand in that JSON as SHA-256 sums, so that a row is small enough to be handed
 * out as a proof.
 */
export function rowLeaf(table: DescribedTable, columns: readonly string[]): string {
  return `sha256('\\x00'::BLOB || encode(${rowJson(table, columns)}))`;
}

/** SQL of the row as JSON by RFC 8785. */
export function rowJson(table: DescribedTable, columns: readonly string[]): string {
  const members = columns.map((column) => memberOf(table, column)).sort((a, b) => (a.name < b.name ? -1 : 1));
  return canonical(`{${members.map(({ name, value }) => `'${name}': ${value}`).join(', ')}}`);
}

/** SQL of the row `alias` as JSON with every text and list in full; its escapes are made those of RFC 8785 by `withEscapes`. */
export function wholeRowJson(table: DescribedTable, columns: readonly string[], alias: string): string {
  const members = [...columns].sort().map((column) => `'${column}': ${wholeValue(table, column, alias)}`);
  return `to_json({${members.join(', ')}})::VARCHAR`;
}

/** SQL of a compared value of the row `alias` as JSON in full; its escapes are made those of RFC 8785 by `withEscapes`. */
export function valueJson(table: DescribedTable, { column, member }: ComparedField, alias: string): string {
  const value = wholeValue(table, column, alias);
  return `coalesce(to_json(${member === null ? value : `(${value})."${member}"`})::VARCHAR, 'null')`;
}

function wholeValue(table: DescribedTable, column: string, alias: string): string {
  const { type } = fieldOf(table, column);
  const value = `${alias}."${column}"`;
  if (type === 'instant') return instantText(value);
  if (type === 'number') return numberJson(value);
  const sorted = `CAST(${value} AS ${sortedListType(type)})`;
  return type === 'sites' ? `${coordinates(`to_json(${sorted})::VARCHAR`)}::JSON` : sorted;
}

interface Member {
  name: string;
  value: string;
}

function fieldOf(table: DescribedTable, name: string): DescribedColumn {
  const known = described(table).find((column) => column.name === name);
  if (known === undefined) throw new Error(`the table ${table} has no column ${name}`);
  return known;
}

function memberOf(table: DescribedTable, name: string): Member {
  const known = fieldOf(table, name);
  const { type, prose } = known;
  const value = `"${name}"`;
  if (prose) return { name: digestName(name), value: `sha256(${value})` };
  if (type === 'number') return { name, value: numberJson(value) };
  if (type === 'instant') return { name, value: instantText(value) };
  const sorted = `CAST(${value} AS ${sortedListType(type)})`;
  if (!isDigested(known)) return { name, value: sorted };
  const json = canonical(sorted);
  return { name: digestName(name), value: `sha256(${type === 'sites' ? coordinates(json) : json})` };
}

const described = (table: DescribedTable): readonly DescribedColumn[] => SNAPSHOT_TABLE_DESCRIPTIONS[table].columns;

/** A whole number has no fraction in RFC 8785, where DuckDB writes `18.0`. */
function numberJson(value: string): string {
  return `CASE WHEN ${value} = trunc(${value}) THEN to_json(${value}::BIGINT) ELSE to_json(${value}) END`;
}

function coordinates(json: string): string {
  return `CASE WHEN contains(${json}, '.0,') OR contains(${json}, '.0}')
    THEN regexp_replace(${json}, '("(?:latitude|longitude)":-?[0-9]+)\\.0([,}])', '\\1\\2', 'g') ELSE ${json} END`;
}

const CAPITALS = ['0B', '0E', '0F', '1A', '1B', '1C', '1D', '1E', '1F'];

/** SQL of a value as JSON by RFC 8785, where members of objects are in order. */
function canonical(value: string): string {
  return withEscapes(`to_json(${value})::VARCHAR`);
}

/** JSON with the escapes of RFC 8785. DuckDB writes control characters with capital hex digits, RFC 8785 with small ones; an escaped backslash is no escape. */
export function withEscapes(json: string): string {
  const apart = `replace(${json}, '\\\\', chr(0))`;
  const small = CAPITALS.reduce((sql, hex) => `replace(${sql}, '\\u00${hex}', '\\u00${hex.toLowerCase()}')`, apart);
  return `CASE WHEN contains(${json}, '\\u00') THEN replace(${small}, chr(0), '\\\\') ELSE ${json} END`;
}
