import type { ColumnValues } from '../../../contract/fields/field-types.ts';
import {
  type DescribedColumn,
  type DescribedTable,
  type Reference,
  SNAPSHOT_TABLE_DESCRIPTIONS,
  type TableDescription,
} from '../../../contract/fields/snapshot-tables.ts';
import { type DatasetFacts, type DescribedSnapshot, type Licence, type TableFiles, tablesOf } from './facts.ts';

type Json = Record<string, unknown>;

/** The snapshot as a Data Package (datapackage.org, version 2), with a Table Schema for each table. */
export function dataPackage(snapshot: DescribedSnapshot, facts: DatasetFacts): Json {
  const { name, title, description, sources, licences, citation, creator, keywords } = facts;
  return {
    $schema: 'https://datapackage.org/profiles/2.0/datapackage.json',
    ...{ name, title, description },
    version: snapshot.version,
    created: snapshot.createdAt,
    licenses: licences.map(licenceOf),
    ...(sources.length === 0 ? {} : { sources: sources.map(sourceOf) }),
    contributors: [{ title: creator, roles: ['creator'] }],
    keywords,
    citation,
    contentHash: `sha256:${snapshot.contentHash}`,
    resources: tablesOf(snapshot).map(resourceOf),
  };
}

function sourceOf({ title, publisher, url }: DatasetFacts['sources'][number]): Json {
  return { title: `${title} (${publisher})`, path: url };
}

function licenceOf({ id, title, url }: Licence): Json {
  return { name: id, title, path: url };
}

/** A table in several files has the sum of each under `files`: `hash` is of one file. */
function resourceOf({ table, rows, files }: TableFiles): Json {
  const { row, meaning, sortedBy, isKeyed, references, columns }: TableDescription = SNAPSHOT_TABLE_DESCRIPTIONS[table];
  const [first] = files;
  const one = files.length === 1 && first !== undefined;
  return {
    name: table,
    title: `One row per ${row}`,
    description: `${meaning}; sorted by ${sortedBy.join(', ')}`,
    path: one ? first.path : files.map(({ path }) => path),
    format: 'parquet',
    mediatype: 'application/vnd.apache.parquet',
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    ...(one ? { hash: `sha256:${first.sha256}` } : { files }),
    rows,
    schema: {
      $schema: 'https://datapackage.org/profiles/2.0/tableschema.json',
      fields: columns.map(fieldOf),
      ...(isKeyed ? { primaryKey: sortedBy } : {}),
      ...(references.length === 0 ? {} : { foreignKeys: references.map((reference) => foreignKey(table, reference)) }),
    },
  };
}

/** Types of Table Schema; lists and structs are arrays and objects. */
const TYPES: Partial<Record<keyof ColumnValues, Json>> = {
  text: { type: 'string' },
  word: { type: 'string' },
  count: { type: 'integer' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  flag: { type: 'boolean' },
  day: { type: 'date', format: '%Y-%m-%d' },
  instant: { type: 'datetime', format: 'any' },
  date: { type: 'object' },
  origins: { type: 'object' },
};

function fieldOf(column: DescribedColumn): Json {
  const { name, type, words, meaning, unit, source, defect, merged } = column;
  return {
    name,
    ...(TYPES[type] ?? { type: 'array' }),
    description: meaning,
    constraints: { required: column.null === undefined, ...(words === undefined ? {} : { enum: words }) },
    ...(column.null === undefined ? {} : { null: column.null }),
    ...(unit === undefined ? {} : { unit }),
    ...(source === undefined ? {} : { source }),
    ...(defect === undefined ? {} : { knownDefect: defect }),
    ...(merged === null ? {} : { merged }),
  };
}

/** An empty name of a resource means the same table. */
function foreignKey(own: DescribedTable, { columns, table, to }: Reference): Json {
  return { fields: columns, reference: { resource: table === own ? '' : table, fields: to } };
}
