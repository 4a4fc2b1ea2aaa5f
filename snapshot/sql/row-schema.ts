import type { ColumnValues } from '../../contract/fields/field-types.ts';
import {
  type DescribedColumn,
  type DescribedTable,
  digestName,
  isDigested,
  SNAPSHOT_TABLE_DESCRIPTIONS,
  type TableDescription,
} from '../../contract/fields/snapshot-tables.ts';
import { REGISTRY_IDS } from '../../contract/ids.ts';
import { memberTypes, parquetType } from './fields.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * JSON Schema (2020-12) of a table's row as JSON: a DATE is a date, a TIMESTAMP a date-time in UTC, a STRUCT an object. What
 * JSON Schema has no word for stands under names that begin with `x-`.
 */
export function rowSchema(table: DescribedTable): JsonSchema {
  const { row, meaning, sortedBy, isKeyed, references, columns }: TableDescription = SNAPSHOT_TABLE_DESCRIPTIONS[table];
  return {
    title: table,
    description: `One row per ${row}: ${meaning}.`,
    type: 'object',
    properties: Object.fromEntries(columns.map((column) => [column.name, columnSchema(column)])),
    required: columns.map(({ name }) => name),
    additionalProperties: false,
    'x-sorted-by': sortedBy,
    'x-primary-key': isKeyed ? sortedBy : null,
    'x-references': references,
  };
}

/** JSON Schemas of the rows of all given tables, as `schema.json` has them. */
export function schemaDocument(tables: readonly DescribedTable[]): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Rows of the tables of a snapshot',
    $defs: Object.fromEntries(tables.map((table) => [table, rowSchema(table)])),
  };
}

function columnSchema(column: DescribedColumn): JsonSchema {
  const { type, words, meaning, unit, source, defect, merged, hashed, prose } = column;
  const isNullable = column.null !== undefined;
  return {
    description: meaning,
    ...valueSchema(type, isNullable),
    ...(words === undefined ? {} : { enum: isNullable ? [...words, null] : words }),
    'x-type': parquetType(type),
    'x-null': column.null ?? null,
    ...(unit === undefined ? {} : { 'x-unit': unit }),
    ...(source === undefined ? {} : { 'x-source': source }),
    ...(defect === undefined ? {} : { 'x-known-defect': defect }),
    ...(merged === null ? {} : { 'x-merged': merged }),
    ...(prose === undefined ? {} : { 'x-prose': prose }),
    ...(hashed === undefined ? {} : { 'x-in-root': hashed }),
    ...(hashed !== false && isDigested(column) ? { 'x-in-leaf': digestName(column.name) } : {}),
  };
}

const PLAIN: Partial<Record<keyof ColumnValues, JsonSchema>> = {
  count: { type: 'integer', minimum: 0 },
  integer: { type: 'integer' },
  number: { type: 'number' },
  flag: { type: 'boolean' },
  day: { type: 'string', format: 'date' },
  instant: { type: 'string', format: 'date-time' },
};

function valueSchema(type: keyof ColumnValues, isNullable: boolean): JsonSchema {
  const members = memberTypes(type);
  if (type === 'date')
    return orNull(objectOf({ date: TEXT, precision: { enum: ['day', 'month'] }, type: DATE_TYPE }), isNullable);
  if (type === 'origins') {
    const registry = { enum: [...REGISTRY_IDS, null] };
    return objectOf(Object.fromEntries(Object.keys(members ?? {}).map((name) => [name, registry])));
  }
  if (members !== null)
    return {
      type: 'array',
      items: objectOf(Object.fromEntries(Object.entries(members).map(([name, sql]) => [name, MEMBERS[sql]!]))),
    };
  if (type === 'texts') return { type: 'array', items: TEXT };
  return orNull(PLAIN[type] ?? TEXT, isNullable);
}

const TEXT: JsonSchema = { type: 'string' };
const DATE_TYPE: JsonSchema = { enum: ['actual', 'estimated', null] };
/** By SQL type; a member of an item may always be null. */
const MEMBERS: Readonly<Record<string, JsonSchema>> = {
  VARCHAR: { type: ['string', 'null'] },
  DOUBLE: { type: ['number', 'null'] },
  'VARCHAR[]': { type: ['array', 'null'], items: TEXT },
};

function objectOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function orNull(schema: JsonSchema, isNullable: boolean): JsonSchema {
  return isNullable ? { ...schema, type: [schema.type, 'null'] } : schema;
}

/** What a column means, in one text, for tools that have a comment for each. */
export function columnComment({ meaning, unit, null: absent, defect }: DescribedColumn): string {
  const parts = [
    meaning,
    ...(unit === undefined ? [] : [`unit: ${unit}`]),
    ...(defect === undefined ? [] : [`known defect: ${defect}`]),
  ];
  return [...parts, absent === undefined ? 'never null' : `null: ${absent}`].join('; ');
}

/** Columns that are null in no row. */
export function requiredColumns(table: DescribedTable): string[] {
  const columns: readonly DescribedColumn[] = SNAPSHOT_TABLE_DESCRIPTIONS[table].columns;
  return columns.filter((column) => column.null === undefined).map(({ name }) => name);
}
