import { columnName, FIELD_LIST, groupedByPath } from '../../contract/fields/field-shapes.ts';
import type { Column, ColumnValues, DetailValues, FieldValues } from '../../contract/fields/field-types.ts';
import { RECORD_COLUMNS, REGISTRY_FIELDS } from '../../contract/fields/registry-fields.ts';

/** SQL that follows from the table of fields (contract/fields/registry-fields.ts): JSON has camelCase names, tables snake_case. */

type ItemType = 'interventions' | 'endpoints' | keyof DetailValues;
/** SQL types of the members of list items. */
const ITEMS: { [T in ItemType]: Record<keyof FieldValues[T][number], string> } = {
  interventions: { type: 'VARCHAR', name: 'VARCHAR', otherNames: 'VARCHAR[]', description: 'VARCHAR' },
  endpoints: { measure: 'VARCHAR', timeFrame: 'VARCHAR' },
  mesh: { id: 'VARCHAR', term: 'VARCHAR' },
  organisations: { name: 'VARCHAR', class: 'VARCHAR', classRaw: 'VARCHAR', reference: 'VARCHAR' },
  descriptions: { names: 'VARCHAR[]', description: 'VARCHAR' },
  arms: { label: 'VARCHAR', type: 'VARCHAR', description: 'VARCHAR', interventionNames: 'VARCHAR[]' },
  outcomes: { measure: 'VARCHAR', timeFrame: 'VARCHAR', description: 'VARCHAR' },
  sites: {
    facility: 'VARCHAR',
    city: 'VARCHAR',
    state: 'VARCHAR',
    country: 'VARCHAR',
    status: 'VARCHAR',
    latitude: 'DOUBLE',
    longitude: 'DOUBLE',
  },
  documents: { type: 'VARCHAR', label: 'VARCHAR', date: 'VARCHAR', url: 'VARCHAR' },
  secondaryIds: { id: 'VARCHAR', type: 'VARCHAR', domain: 'VARCHAR', link: 'VARCHAR', field: 'VARCHAR' },
};
/** Columns of a trial that are merged from its registrations. */
export const MERGED_COLUMNS = FIELD_LIST.flatMap(({ name, trial }) =>
  trial === null ? [] : [{ column: columnName(name), rule: trial }],
);
/** Members of a trial's `origins`, in the order of names, as RFC 8785 has them. */
export const ORIGIN_COLUMNS = MERGED_COLUMNS.toSorted((a, b) => (a.column < b.column ? -1 : 1));

/** SQL types of the working database; an instant is text there. */
const PLAIN_TYPES: Record<Exclude<keyof ColumnValues, ItemType>, string> = {
  text: 'VARCHAR',
  word: 'VARCHAR',
  count: 'BIGINT',
  number: 'DOUBLE',
  flag: 'BOOLEAN',
  texts: 'VARCHAR[]',
  date: 'STRUCT("date" VARCHAR, "precision" VARCHAR, "type" VARCHAR)',
  integer: 'INTEGER',
  day: 'DATE',
  instant: 'VARCHAR',
  origins: `STRUCT(${ORIGIN_COLUMNS.map(({ column }) => `"${column}" VARCHAR`).join(', ')})`,
};

function isItemType(type: keyof ColumnValues): type is ItemType {
  return type in ITEMS;
}

function sqlType(type: keyof ColumnValues, nameOf: (name: string) => string): string {
  if (!isItemType(type)) return PLAIN_TYPES[type];
  const members = Object.entries(ITEMS[type]).map(([name, member]) => `"${nameOf(name)}" ${member}`);
  return `STRUCT(${members.join(', ')})[]`;
}

/** SQL type of a column of the Parquet tables. */
export function parquetType(type: keyof ColumnValues): string {
  return type === 'instant' ? 'TIMESTAMP' : sqlType(type, columnName);
}

/** SQL types of the members of a column's value, or of the items of a list; null where the value has no members. */
export function memberTypes(type: keyof ColumnValues): Readonly<Record<string, string>> | null {
  if (type === 'date') return { date: 'VARCHAR', precision: 'VARCHAR', type: 'VARCHAR' };
  if (type === 'origins') return Object.fromEntries(ORIGIN_COLUMNS.map(({ column }) => [column, 'VARCHAR']));
  if (!isItemType(type)) return null;
  return Object.fromEntries(Object.entries(ITEMS[type]).map(([name, member]) => [columnName(name), member]));
}

/** SQL of an instant of a Parquet table as ISO 8601 text in UTC. */
export function instantText(value: string): string {
  return `strftime(CAST(${value} AS TIMESTAMP), '%Y-%m-%dT%H:%M:%S.%gZ')`;
}

/** SQL type of a list of items with their members in order of name. */
export function sortedListType(type: keyof ColumnValues): string {
  if (!isItemType(type)) return PLAIN_TYPES[type];
  const members = Object.entries(ITEMS[type]).map(([name, member]) => [columnName(name), member] as const);
  const sorted = members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => `"${name}" ${member}`);
  return `STRUCT(${sorted.join(', ')})[]`;
}

/** SQL that renames the members of a value's items. */
function renamed(
  type: keyof ColumnValues,
  value: string,
  from: (name: string) => string,
  to: (name: string) => string,
) {
  if (!isItemType(type)) return value;
  const members = Object.keys(ITEMS[type]).map((name) => `'${to(name)}': item."${from(name)}"`);
  return `list_transform(${value}, lambda item: {${members.join(', ')}})`;
}

const asIs = (name: string): string => name;

/** A column of a table with the name that TypeScript gives it. */
export interface TableColumn extends Column {
  name: string;
  column: string;
  sqlType: string;
  json?: string | null;
}

function tableColumns(columns: Readonly<Record<string, Column>>): TableColumn[] {
  return Object.entries(columns).map(([name, column]) => {
    return { ...column, name, column: columnName(name), sqlType: sqlType(column.type, columnName) };
  });
}

/** Columns of the working table `registrations`. */
export const REGISTRATION_COLUMNS: readonly TableColumn[] = tableColumns({ ...RECORD_COLUMNS, ...REGISTRY_FIELDS });
export const RECORD_FIELDS: readonly TableColumn[] = tableColumns(RECORD_COLUMNS);

/** The column list of CREATE TABLE registrations. */
export function registrationDefinitions(): string {
  const definitions = REGISTRATION_COLUMNS.map(({ column, sqlType: type, null: absent }) => {
    return `"${column}" ${type}${absent === undefined ? ' NOT NULL' : ''}`;
  });
  return definitions.join(',\n  ');
}

/** How rows are read from JSON: the SQL type of each key, and the SQL of each column over the keys. */
export interface JsonForm {
  keys: Readonly<Record<string, string>>;
  columns: Readonly<Record<string, string>>;
}

/** The form of registrations; their dates are members of one object. */
export function registrationForm(): JsonForm {
  const keys: Record<string, string> = {};
  const dates: string[] = [];
  const values: Record<string, string> = {};
  for (const { name, column, type, json } of REGISTRATION_COLUMNS) {
    if (type !== 'date') {
      keys[name] = sqlType(type, asIs);
      values[column] = renamed(type, `"${name}"`, asIs, columnName);
      continue;
    }
    const date = /^dates\.(\w+)$/.exec(json ?? '')?.[1];
    if (date === undefined) throw new Error(`the date field ${name} needs a place in the JSON below dates`);
    dates.push(`"${date}" ${PLAIN_TYPES.date}`);
    values[column] = `dates."${date}"`;
  }
  keys.dates = `STRUCT(${dates.join(', ')})`;
  return { keys, columns: values };
}

type JsonField = Pick<TableColumn, 'name' | 'type' | 'json'>;

/** SQL of the API's JSON object of the fields of the row `alias` of a Parquet table. */
export function jsonObject(alias: string, fields: readonly JsonField[]): string {
  const valueSql = ({ name, type }: JsonField): string => {
    const value = `${alias}."${columnName(name)}"`;
    return type === 'instant' ? instantText(value) : renamed(type, value, columnName, asIs);
  };
  const members = [...groupedByPath(fields)].map(([group, leaves]) =>
    leaves[0]?.leaf === group
      ? `'${group}': ${valueSql(leaves[0].field)}`
      : `'${group}': {${leaves.map(({ leaf, field }) => `'${leaf}': ${valueSql(field)}`).join(', ')}}`,
  );
  return `{${members.join(', ')}}`;
}
