import type { ColumnValues } from '../../../contract/fields/field-types.ts';
import {
  type DescribedColumn,
  type DescribedTable,
  SNAPSHOT_TABLE_DESCRIPTIONS,
  type TableDescription,
} from '../../../contract/fields/snapshot-tables.ts';
import { memberTypes } from '../../../snapshot/sql/fields.ts';
import type { FileSum } from '../durable.ts';
import { type DatasetFacts, type DescribedSnapshot, type TableFiles, tablesOf } from './facts.ts';

type Json = Record<string, unknown>;

/** The JSON-LD context that the Croissant 1.0 specification recommends, without what is not used here. */
const CONTEXT = {
  '@language': 'en',
  '@vocab': 'https://schema.org/',
  sc: 'https://schema.org/',
  cr: 'http://mlcommons.org/croissant/',
  dct: 'http://purl.org/dc/terms/',
  citeAs: 'cr:citeAs',
  column: 'cr:column',
  conformsTo: 'dct:conformsTo',
  containedIn: 'cr:containedIn',
  dataType: { '@id': 'cr:dataType', '@type': '@vocab' },
  extract: 'cr:extract',
  field: 'cr:field',
  fileObject: 'cr:fileObject',
  fileSet: 'cr:fileSet',
  includes: 'cr:includes',
  isLiveDataset: 'cr:isLiveDataset',
  key: 'cr:key',
  recordSet: 'cr:recordSet',
  references: 'cr:references',
  repeated: 'cr:repeated',
  source: 'cr:source',
  subField: 'cr:subField',
};

function hashNamed(propertyID: string, hash: string): Json {
  return { '@type': 'sc:PropertyValue', propertyID, value: `sha256:${hash}` };
}

/** The snapshot as Croissant 1.0: each file with its sum, each table as a RecordSet. Addresses are relative to its own. */
export function croissant(snapshot: DescribedSnapshot, facts: DatasetFacts): Json {
  const { name, title, description, sources, licences, citation, creator, keywords } = facts;
  const tables = tablesOf(snapshot);
  return {
    '@context': CONTEXT,
    '@type': 'sc:Dataset',
    conformsTo: 'http://mlcommons.org/croissant/1.0',
    name,
    alternateName: title,
    description,
    license: [...new Set(licences.map(({ url }) => url))],
    // Croissant requires one, and no address of a service is known here: beside where it gives the file, the page of the version.
    url: '../',
    creator: { '@type': 'sc:Organization', name: creator },
    isBasedOn: sources.map((source) => ({
      '@type': 'sc:Dataset',
      name: source.title,
      url: source.url,
      license: source.licence.url,
    })),
    datePublished: snapshot.createdAt.slice(0, 10),
    version: snapshot.version,
    identifier: [hashNamed('identity', snapshot.identity), hashNamed('content hash', snapshot.contentHash)],
    isLiveDataset: false,
    citeAs: citation,
    keywords,
    distribution: tables.flatMap(({ table, files }) => [...files.map(fileObject), ...fileSet(table, files)]),
    recordSet: tables.map(recordSet),
  };
}

function fileObject({ path, bytes, sha256 }: FileSum): Json {
  return {
    ...{ '@type': 'cr:FileObject', '@id': path, name: path, contentUrl: path, contentSize: `${bytes} B` },
    ...{ encodingFormat: 'application/vnd.apache.parquet', sha256 },
  };
}

const setOf = (table: DescribedTable): string => `${table}-files`;

/** A table in several files is a set of them. */
function fileSet(table: DescribedTable, files: readonly FileSum[]): Json[] {
  if (files.length === 1) return [];
  return [
    {
      ...{ '@type': 'cr:FileSet', '@id': setOf(table), name: setOf(table) },
      encodingFormat: 'application/vnd.apache.parquet',
      containedIn: files.map(({ path }) => ({ '@id': path })),
      includes: table === 'raw' ? 'raw/part-*.parquet' : `${table}-*.parquet`,
    },
  ];
}

function recordSet({ table, files }: TableFiles): Json {
  const { row, meaning, sortedBy, isKeyed, columns }: TableDescription = SNAPSHOT_TABLE_DESCRIPTIONS[table];
  const [first] = files;
  const source =
    files.length === 1 && first !== undefined
      ? { fileObject: { '@id': first.path } }
      : { fileSet: { '@id': setOf(table) } };
  return {
    '@type': 'cr:RecordSet',
    '@id': table,
    name: table,
    description: `One row per ${row}: ${meaning}.`,
    ...(isKeyed ? { key: sortedBy.map((column) => ({ '@id': `${table}/${column}` })) } : {}),
    field: columns.map((column) => fieldOf(table, column, source)),
  };
}

const DATA_TYPES: Partial<Record<keyof ColumnValues, string>> = {
  count: 'sc:Integer',
  integer: 'sc:Integer',
  number: 'sc:Float',
  flag: 'sc:Boolean',
  day: 'sc:Date',
  instant: 'sc:DateTime',
};
const MEMBER_TYPES: Readonly<Record<string, string>> = {
  VARCHAR: 'sc:Text',
  'VARCHAR[]': 'sc:Text',
  DOUBLE: 'sc:Float',
};

function fieldOf(table: DescribedTable, { name, type, meaning, unit }: DescribedColumn, source: Json): Json {
  const id = `${table}/${name}`;
  const members = memberTypes(type);
  const isList = type === 'texts' || (members !== null && type !== 'date' && type !== 'origins');
  const target = referenceOf(table, name);
  return {
    ...{
      '@type': 'cr:Field',
      '@id': id,
      name,
      description: unit === undefined ? meaning : `${meaning}; unit: ${unit}`,
    },
    ...(members === null ? { dataType: DATA_TYPES[type] ?? 'sc:Text' } : {}),
    ...(isList ? { repeated: true } : {}),
    source: { ...source, extract: { column: name } },
    ...(target === null ? {} : { references: { '@id': target } }),
    ...(members === null
      ? {}
      : { subField: Object.entries(members).map(([member, sql]) => memberField(id, member, sql, source)) }),
  };
}

function memberField(parent: string, name: string, sql: string, source: Json): Json {
  return {
    ...{ '@type': 'cr:Field', '@id': `${parent}/${name}`, name, dataType: MEMBER_TYPES[sql] },
    ...(sql.endsWith('[]') ? { repeated: true } : {}),
    source: { ...source, extract: { column: parent.slice(parent.indexOf('/') + 1) }, transform: { jsonPath: name } },
  };
}

/** Croissant names one field of another table; of a key of several columns each names its own. */
function referenceOf(own: DescribedTable, column: string): string | null {
  const { references }: TableDescription = SNAPSHOT_TABLE_DESCRIPTIONS[own];
  for (const { columns, table, to } of references) {
    const at = columns.indexOf(column);
    if (at >= 0) return `${table}/${to[at]}`;
  }
  return null;
}
