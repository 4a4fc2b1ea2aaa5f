import { join } from 'node:path';
import { SNAPSHOT_TABLES, type SnapshotTable } from '../snapshot-format/manifest.ts';
import { sqlLiteral } from './connection.ts';
import { REGISTRATION_COLUMNS, TRIAL_TABLE_COLUMNS } from './fields.ts';

/** How one table of a snapshot is written, ordered and hashed. */
export interface TableSpec {
  /** Columns in the order of the Parquet file. */
  columns: readonly string[];
  /** Columns that order the rows. */
  key: readonly string[];
  /** Columns left out of the root: run times, and payloads, whose checksum is hashed. */
  unhashed: readonly string[];
  /** Table or view of the working database; null for the payloads, which are not in it. */
  source: string | null;
}

const IDENTIFIER_COLUMNS = [
  ...['registry', 'registration_id', 'type', 'value', 'role', 'field', 'raw_value', 'suspect', 'in_index'],
  'resolves_to',
];

const LINK_COLUMNS = [
  ...['link_id', 'from_registry', 'from_id', 'to_registry', 'to_id', 'kind', 'rule', 'field', 'raw_value', 'to_field'],
  ...['to_raw_value', 'identifier_type', 'identifier_value', 'direction', 'verdict', 'reason', 'conflict'],
];

const RELATION_COLUMNS = ['from_registry', 'from_id', 'to_registry', 'to_id', 'kind', 'reason', 'link_id'];

const PUBLICATION_COLUMNS = [
  ...['registry', 'registration_id', 'ordinal', 'kind', 'kind_raw', 'pmid', 'doi', 'url', 'citation', 'year'],
  'retracted',
];

const QUARANTINE_COLUMNS = ['registry', 'id', 'reason', 'detail', 'excerpt', 'file'];

const SIGNAL_COLUMNS = [
  ...['id', 'source', 'publisher', 'language', 'url', 'title', 'summary', 'published_at', 'first_seen_at'],
  'date_basis',
  ...['category', 'domain', 'capital', 'capital_terms', 'lexicon_class', 'class_terms'],
];

/** The tables of a snapshot. A table without a natural key is ordered by all its columns. */
export const TABLE_SPECS: Readonly<Record<SnapshotTable, TableSpec>> = {
  trials: { columns: TRIAL_TABLE_COLUMNS, key: ['canonical_id'], unhashed: [], source: 'merged_trials' },
  registrations: {
    columns: REGISTRATION_COLUMNS.map(({ column }) => column),
    key: ['registry', 'id'],
    unhashed: REGISTRATION_COLUMNS.flatMap(({ column, hashed }) => (hashed === false ? [column] : [])),
    source: 'registrations',
  },
  identifiers: {
    columns: IDENTIFIER_COLUMNS,
    key: IDENTIFIER_COLUMNS.slice(0, 7),
    unhashed: [],
    source: 'identifiers',
  },
  links: { columns: LINK_COLUMNS, key: ['link_id'], unhashed: [], source: 'links' },
  relations: { columns: RELATION_COLUMNS, key: RELATION_COLUMNS, unhashed: [], source: 'relations' },
  publications: {
    columns: PUBLICATION_COLUMNS,
    key: ['registry', 'registration_id', 'ordinal'],
    unhashed: [],
    source: 'publications',
  },
  raw: {
    columns: ['registry', 'id', 'payload_sha256', 'format', 'payload'],
    key: ['registry', 'id'],
    unhashed: ['format', 'payload'],
    source: null,
  },
  quarantine: { columns: QUARANTINE_COLUMNS, key: QUARANTINE_COLUMNS, unhashed: [], source: 'quarantine' },
  signals: { columns: SIGNAL_COLUMNS, key: ['id'], unhashed: ['first_seen_at'], source: 'signals' },
  canonical_ids: {
    columns: ['canonical_id', 'founding_registry', 'founding_id', 'state', 'alias_of', 'first_seen', 'partner_id'],
    key: ['canonical_id'],
    unhashed: ['first_seen'],
    source: 'canonical_ids',
  },
};

/** Column names for a SELECT list or an ORDER BY. */
export function columnList(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ');
}

/** Columns whose values make up the root. */
export function hashedColumns(table: SnapshotTable): string[] {
  const { columns, unhashed } = TABLE_SPECS[table];
  return columns.filter((column) => !unhashed.includes(column));
}

/**
 * This many first characters of a registration id name the file of its publications: about 8,000 ClinicalTrials.gov
 * registrations in each file, and all of ISRCTN in one. One record's publications are read by its id, and skipping a
 * row group costs 0.1 ms.
 */
export const PUBLICATIONS_PREFIX = 6;

/** Path of the publications of registrations whose ids begin with `prefix`. Older snapshots have one file for all. */
export function publicationsFile(prefix: string): string {
  return `publications-${prefix}.parquet`;
}

const PUBLICATIONS_FILE = new RegExp(`^publications-([A-Z0-9]{1,${PUBLICATIONS_PREFIX}})\\.parquet$`);

/** False when a file holds only publications of other registrations. */
export function mayHoldRegistration(path: string, registrationId: string): boolean {
  const prefix = PUBLICATIONS_FILE.exec(path)?.[1];
  return prefix === undefined || prefix === registrationId.slice(0, PUBLICATIONS_PREFIX);
}

/** Files of the tables that are not in `<table>.parquet`. */
const FILE_PATTERNS: Partial<Record<SnapshotTable, string>> = {
  raw: join('raw', 'part-*.parquet'),
  publications: 'publications*.parquet',
};

/** SQL that reads a table of a snapshot directory. */
export function parquetSource(dir: string, table: SnapshotTable): string {
  return `read_parquet(${sqlLiteral(join(dir, FILE_PATTERNS[table] ?? `${table}.parquet`))})`;
}

/**
 * SQL that reads columns of a snapshot's payloads. The part files may also hold payloads of records that were later
 * changed or removed; a payload belongs to the snapshot when a registration names it.
 */
export function payloadSource(dir: string, columns: readonly string[]): string {
  return `(SELECT ${columnList(columns)} FROM ${parquetSource(dir, 'raw')}
    SEMI JOIN (SELECT registry, id, payload_sha256 FROM ${parquetSource(dir, 'registrations')}) named
      USING (registry, id, payload_sha256))`;
}

/** The table that a file of the snapshot belongs to; null for any other file. */
export function tableOfFile(path: string): SnapshotTable | null {
  if (/^raw\/part-\d{4,}\.parquet$/.test(path)) return 'raw';
  if (PUBLICATIONS_FILE.test(path)) return 'publications';
  return SNAPSHOT_TABLES.find((table) => table !== 'raw' && path === `${table}.parquet`) ?? null;
}
