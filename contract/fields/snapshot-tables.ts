import { REGISTRY_IDS } from '../ids.ts';
import {
  CANONICAL_ID_STATES,
  CHANGE_KINDS,
  DATE_BASES,
  FEED_CATEGORIES,
  IDENTIFIER_ROLES,
  IDENTIFIER_TYPES,
  LINK_DIRECTIONS,
  LINK_KINDS,
  LINK_VERDICTS,
  PAYLOAD_FORMATS,
  PUBLICATION_KINDS,
  QUARANTINE_REASONS,
  RELATION_KINDS,
} from '../vocabularies.ts';
import { columnName } from './field-shapes.ts';
import { BLANK, type Column, MERGE_RULES, type RegistryField } from './field-types.ts';
import { RECORD_COLUMNS, REGISTRY_FIELDS, TRIAL_COLUMNS } from './registry-fields.ts';

/**
 * Every table of a snapshot and each of its columns, once. Column lists, Parquet types and metadata, roots, JSON Schema, Data
 * Package, the comments of snapshot.duckdb and the dictionary page follow from here. A new table is one more entry.
 */

/** A column as the Parquet files have it. */
export interface DescribedColumn extends Column {
  name: string;
  /** How a trial of two registrations shows it; null where it is not merged. */
  merged: string | null;
}

/** Types of lists that may have hundreds of long items. A digest of each list would cost twice as much as these. */
const LONG_LISTS: readonly Column['type'][] = ['sites', 'outcomes', 'arms', 'descriptions'];

/** Whether the leaf of a row has the SHA-256 of the column's value in its place, under `digestName`. */
export function isDigested({ type, prose }: Column): boolean {
  return prose === true || LONG_LISTS.includes(type);
}

export function digestName(column: string): string {
  return `${column}_sha256`;
}

/** Columns of a table that stand in a leaf as SHA-256. */
export function digestedColumns({ columns }: Pick<TableDescription, 'columns'>): string[] {
  return columns.filter((column) => column.hashed !== false && isDigested(column)).map(({ name }) => name);
}

/** Rows of another table that columns of this one name. */
export interface Reference {
  columns: readonly string[];
  table: string;
  to: readonly string[];
}

export interface TableDescription {
  /** One row per what. */
  row: string;
  /** What a reader must know of the table as a whole. */
  meaning: string;
  /** Columns by which the rows are sorted. */
  sortedBy: readonly string[];
  /** True where the columns of `sortedBy` are null in no row and name one row. */
  isKeyed: boolean;
  references: readonly Reference[];
  /** In the order of the Parquet files. */
  columns: readonly DescribedColumn[];
}

type Columns = Readonly<Record<string, Column & Partial<Pick<RegistryField, 'trial'>>>>;

/** Columns from a table of fields; each date is followed by its first possible day. */
function columnsOf(columns: Columns): DescribedColumn[] {
  return Object.entries(columns).flatMap(([key, column]) => {
    const name = columnName(key);
    const merged = column.trial === undefined || column.trial === null ? null : MERGE_RULES[column.trial];
    const described = { ...column, name, merged };
    return column.type === 'date' ? [described, dayOf(described)] : [described];
  });
}

/** `start_day` beside `start_date`. */
function dayOf({ name, null: absent, merged }: DescribedColumn): DescribedColumn {
  return {
    name: name.replace(/_date$/, '_day'),
    type: 'day',
    meaning: `first day that ${name} may mean: of a month its first; ${name} has the text as given and its precision`,
    ...(absent === undefined ? {} : { null: absent }),
    follows: name,
    merged,
  };
}

const REGISTRY = { type: 'word', words: REGISTRY_IDS } as const;
const OF_REGISTRATION: Reference = {
  columns: ['registry', 'registration_id'],
  table: 'registrations',
  to: ['registry', 'id'],
};
const ENDS: readonly Reference[] = [
  { columns: ['from_registry', 'from_id'], table: 'registrations', to: ['registry', 'id'] },
  { columns: ['to_registry', 'to_id'], table: 'registrations', to: ['registry', 'id'] },
];

const IDENTIFIERS = {
  registry: { ...REGISTRY, meaning: 'registry of the record that states the identifier' },
  registrationId: { type: 'text', meaning: 'number of that record' },
  type: {
    type: 'word',
    words: IDENTIFIER_TYPES,
    meaning: 'kind of identifier by its pattern, whatever type the form claims',
  },
  value: { type: 'text', meaning: 'the identifier in its normal spelling' },
  role: {
    type: 'word',
    words: IDENTIFIER_ROLES,
    meaning:
      'how it is stated: own and alias are numbers of the record itself, declared any other, repaired one with a slip that a check leaves one reading of, related the number of another study',
  },
  field: { type: 'text', meaning: "path of the registry's field that holds it" },
  rawValue: { type: 'text', meaning: 'whole text of that field, as received' },
  suspect: {
    type: 'flag',
    meaning: 'true where it has the right shape but fails a known check',
    defect: 'NCT numbers from NCT00007000 on are divisible by 13; a number that is not was mistyped',
  },
  inIndex: {
    type: 'flag',
    meaning:
      'true where a record with this number is held; false marks a mention, which must not be counted as a record',
  },
  resolvesTo: {
    type: 'text',
    meaning: 'number of the held record that it names, after superseded numbers are replaced',
    null: 'no held record has it, or the identifier is of no registry held',
  },
} as const satisfies Columns;

const LINKS = {
  linkId: { type: 'text', meaning: 'id of the evidence: ln_ and at least 12 characters' },
  fromRegistry: {
    ...REGISTRY,
    meaning: 'registry of the record that declares; of a shared identifier ClinicalTrials.gov',
  },
  fromId: { type: 'text', meaning: 'number of the record that declares' },
  toRegistry: { ...REGISTRY, meaning: 'registry of the other record' },
  toId: { type: 'text', meaning: 'number of the other record' },
  kind: {
    type: 'word',
    words: LINK_KINDS,
    meaning: 'whether one record names the other, or both state one identifier of a third register',
  },
  rule: { type: 'text', meaning: 'rule that found it: an id in data/rules/dedup.json' },
  field: { type: 'text', meaning: "path of the declaring registry's field" },
  rawValue: { type: 'text', meaning: 'whole text of that field, as received' },
  toField: { type: 'text', meaning: "path of the other record's field", null: 'one record names the other' },
  toRawValue: { type: 'text', meaning: 'whole text of that field, as received', null: 'one record names the other' },
  identifierType: { type: 'word', words: IDENTIFIER_TYPES, meaning: 'kind of the identifier that connects them' },
  identifierValue: { type: 'text', meaning: 'the identifier that connects them, in its normal spelling' },
  direction: {
    type: 'word',
    words: LINK_DIRECTIONS,
    meaning: 'whether one record names the other, each the other, or both share it',
  },
  verdict: {
    type: 'word',
    words: LINK_VERDICTS,
    meaning:
      'whether it counts; an accepted link lies inside one trial; one of its records may be superseded and count no more',
  },
  reason: { type: 'text', meaning: 'rule that rejected it: an id in data/rules/dedup.json', null: 'accepted' },
  conflict: { type: 'flag', meaning: 'true where records contradict each other about which one belongs to which' },
} as const satisfies Columns;

const RELATIONS = {
  fromRegistry: { ...REGISTRY, meaning: 'registry of the one record' },
  fromId: { type: 'text', meaning: 'number of the one record' },
  toRegistry: { ...REGISTRY, meaning: 'registry of the other record' },
  toId: { type: 'text', meaning: 'number of the other record' },
  kind: {
    type: 'word',
    words: RELATION_KINDS,
    meaning:
      'what they are to each other; superseded: the registry keeps the other record in place of the one, which counts no more',
  },
  reason: { type: 'text', meaning: 'rule that kept them apart, or superseded the one: an id in data/rules/dedup.json' },
  linkId: { type: 'text', meaning: 'the first link that gives this reason' },
} as const satisfies Columns;

const PUBLICATIONS = {
  registry: { ...REGISTRY, meaning: 'registry of the record that lists it' },
  registrationId: { type: 'text', meaning: 'number of that record' },
  ordinal: { type: 'integer', meaning: 'place in the record, from 1' },
  kind: {
    type: 'word',
    words: PUBLICATION_KINDS,
    meaning: 'what it is to the trial',
    source: {
      clinicaltrials_gov: 'protocolSection.referencesModule.references[].type',
      isrctn: 'outputs.output[].outputType, else the words of publicationDetails',
    },
    defect: 'derived ones were added by ClinicalTrials.gov from PubMed; no sponsor declared them',
  },
  kindRaw: { type: 'text', meaning: "the registry's own word for the kind", null: 'the registry states none' },
  pmid: { type: 'text', meaning: 'PubMed id, digits', null: 'none is stated or found in its address' },
  doi: { type: 'text', meaning: 'DOI without its resolver', null: 'none is found in its address or citation' },
  url: { type: 'text', meaning: 'its address', null: BLANK },
  citation: { type: 'text', meaning: 'citation as the registry has it', null: BLANK },
  year: { type: 'integer', meaning: 'year of publication', null: 'none can be read from the citation' },
  retracted: { type: 'flag', meaning: 'true where the registry says that it was retracted' },
} as const satisfies Columns;

const RAW = {
  registry: { ...REGISTRY, meaning: 'registry that the payload was received from' },
  id: { type: 'text', meaning: 'number of the record' },
  payloadSha256: { type: 'text', meaning: 'SHA-256 of the payload, lower-case hexadecimal' },
  format: { type: 'word', words: PAYLOAD_FORMATS, meaning: 'form of the payload', hashed: false },
  payload: { type: 'text', prose: true, meaning: 'the record exactly as received, UTF-8', hashed: false },
} as const satisfies Columns;

const QUARANTINE = {
  registry: { ...REGISTRY, meaning: 'registry that the record was received from' },
  id: { type: 'text', meaning: 'number of the record', null: 'it could not be read' },
  reason: { type: 'word', words: QUARANTINE_REASONS, meaning: 'why the record is not in the tables' },
  detail: { type: 'text', meaning: 'what was found and what was expected' },
  excerpt: { type: 'text', meaning: 'beginning of the record as received' },
  file: { type: 'text', meaning: 'file of the raw set that holds it' },
} as const satisfies Columns;

const SIGNALS = {
  id: { type: 'text', meaning: 'id of the item: 16 hexadecimal digits' },
  source: { type: 'text', meaning: 'id of the feed: see data/sources/feeds.json' },
  publisher: { type: 'text', meaning: 'publisher of the feed' },
  language: { type: 'text', meaning: 'language of the feed: a tag of BCP 47' },
  url: { type: 'text', meaning: 'address of the item', null: 'the feed gives no usable address' },
  title: { type: 'text', meaning: 'title as plain text, at most 300 characters; untrusted text of others' },
  summary: { type: 'text', meaning: 'summary as plain text, at most 400 characters', null: 'the feed gives none' },
  publishedAt: {
    type: 'instant',
    unit: 'UTC',
    meaning: 'when it was published or updated',
    null: 'the feed states no usable date; first_seen_at counts',
    defect: 'a feed that states a day alone is read as its first instant',
  },
  firstSeenAt: { type: 'instant', unit: 'UTC', meaning: 'when it was first read', hashed: false },
  dateBasis: { type: 'word', words: DATE_BASES, meaning: 'what the day of the item is' },
  category: { type: 'word', words: FEED_CATEGORIES, meaning: 'kind of feed' },
  domain: { type: 'text', meaning: 'host of the address', null: 'there is no address' },
  capital: {
    type: 'word',
    words: ['M', 'I', 'N', 'D'],
    meaning: 'capital that most of its words name: material, intelligence, network or diversity',
    null: 'no term matched',
  },
  capitalTerms: { type: 'texts', meaning: 'terms that decided its capital' },
  lexiconClass: { type: 'text', meaning: 'class of data/lexicons/classes.json', null: 'no term matched' },
  classTerms: { type: 'texts', meaning: 'terms that decided its class' },
} as const satisfies Columns;

const CANONICAL_IDS = {
  canonicalId: { type: 'text', meaning: 'id of a trial: wt_ and at least 12 characters' },
  foundingRegistry: { ...REGISTRY, meaning: 'registry of the record that the id was given for' },
  foundingId: { type: 'text', meaning: 'number of the record that the id was given for' },
  state: {
    type: 'word',
    words: CANONICAL_ID_STATES,
    meaning:
      'current: a trial has it; alias: its trial has another id; retired: its trial is gone; divided: it leads to several trials',
  },
  aliasOf: { type: 'text', meaning: 'id that took its place', null: 'the state is not alias' },
  firstSeen: {
    type: 'instant',
    unit: 'UTC',
    meaning: 'when the newest record was retrieved as the id was given',
    hashed: false,
  },
  partnerId: {
    type: 'text',
    meaning: 'number of the record that the founding one shared the trial with; kept when they part',
    null: 'there was none',
  },
} as const satisfies Columns;

const CHANGES = {
  canonicalId: {
    type: 'text',
    meaning:
      'trial that it belongs to: in the snapshot, or in the parent where it is gone; of a link the one that states it',
    null: 'an item of a feed',
  },
  kind: {
    type: 'word',
    words: CHANGE_KINDS,
    meaning: 'what differs; merged is a trial that became an alias, split a new one out of another',
  },
  registry: { ...REGISTRY, meaning: 'registry of the record', null: 'a trial, a link or an item of a feed' },
  registrationId: { type: 'text', meaning: 'number of the record', null: 'a trial, a link or an item of a feed' },
  item: { type: 'text', meaning: 'id of the link or of the item of a feed', null: 'neither' },
  field: {
    type: 'text',
    meaning:
      "column that differs, of origins with its member (origins.phase); of an identifier the path of the registry's field",
    null: 'old and new are whole rows, a publication, or an item of a feed',
  },
  old: {
    type: 'text',
    prose: true,
    meaning: 'value before as JSON by RFC 8785: of the column, or of the whole row',
    null: 'there was none; a column without value is null as JSON',
  },
  new: {
    type: 'text',
    prose: true,
    meaning: 'value after as JSON by RFC 8785: of the column, or of the whole row',
    null: 'there is none; a column without value is null as JSON',
  },
  title: {
    type: 'text',
    meaning: 'title of the trial or record after the change, or before its removal',
    null: 'a link, an identifier, a publication or an item of a feed',
  },
  related: {
    type: 'texts',
    meaning: 'other trials concerned: what it merged into, what it was split out of, the other end of a link',
  },
} as const satisfies Columns;

const SUPERSEDED = {
  file: { type: 'text', meaning: 'path of the part file, from the folder of the snapshot' },
  place: { type: 'count', unit: 'rows', meaning: 'place of the payload in the file, from 0' },
  registry: { ...REGISTRY, meaning: 'registry that sent it' },
  id: { type: 'text', meaning: 'number of its record' },
  payloadSha256: { type: 'text', meaning: 'SHA-256 of the payload, lower-case hex' },
} as const satisfies Columns;

export const SNAPSHOT_TABLE_DESCRIPTIONS = {
  trials: {
    isKeyed: true,
    references: [
      { columns: ['ctgov_id'], table: 'registrations', to: ['id'] },
      { columns: ['isrctn_id'], table: 'registrations', to: ['id'] },
      { columns: ['canonical_id'], table: 'canonical_ids', to: ['canonical_id'] },
    ],
    row: 'trial',
    meaning: "merged values: ClinicalTrials.gov's where both registries speak, unless the column says otherwise",
    sortedBy: ['canonical_id'],
    columns: columnsOf({
      ...TRIAL_COLUMNS,
      ...Object.fromEntries(Object.entries(REGISTRY_FIELDS).filter(([, { trial }]) => trial !== null)),
    }),
  },
  registrations: {
    isKeyed: true,
    references: [
      { columns: ['registry', 'id', 'payload_sha256'], table: 'raw', to: ['registry', 'id', 'payload_sha256'] },
    ],
    row: 'record of a registry',
    meaning: "every field that a registry states, normalised, with the registry's own value beside it",
    sortedBy: ['registry', 'id'],
    columns: columnsOf({ ...RECORD_COLUMNS, ...REGISTRY_FIELDS }),
  },
  identifiers: {
    row: 'identifier that a record states',
    meaning: 'a record may state one identifier in several fields; each is a row',
    sortedBy: ['registry', 'registration_id', 'type', 'value', 'role', 'field', 'raw_value'],
    isKeyed: false,
    references: [OF_REGISTRATION],
    columns: columnsOf(IDENTIFIERS),
  },
  links: {
    row: 'piece of evidence that two records are one trial',
    meaning: 'accepted or rejected, with rule, field and raw value',
    sortedBy: ['link_id'],
    isKeyed: true,
    references: ENDS,
    columns: columnsOf(LINKS),
  },
  relations: {
    row: 'pair of records that evidence connects and that do not count together in one trial',
    meaning: 'what remains of a rejected link, or a record and the one in its place',
    sortedBy: Object.keys(RELATIONS).map(columnName),
    isKeyed: false,
    references: [...ENDS, { columns: ['link_id'], table: 'links', to: ['link_id'] }],
    columns: columnsOf(RELATIONS),
  },
  publications: {
    row: 'publication that a record lists',
    meaning: 'never evidence for a trial and never counted; one file for each beginning of a registration id',
    sortedBy: ['registry', 'registration_id', 'ordinal'],
    isKeyed: true,
    references: [OF_REGISTRATION],
    columns: columnsOf(PUBLICATIONS),
  },
  raw: {
    row: 'payload of a record',
    meaning:
      'files are shared between versions and may hold superseded payloads too, whose places superseded lists; the current one of a record is the one that registrations names by registry, id and payload_sha256; the rows that are counted, and their root, are the current ones alone, and because of the others the files have no key',
    sortedBy: ['registry', 'id'],
    isKeyed: false,
    references: [],
    columns: columnsOf(RAW),
  },
  quarantine: {
    row: 'record that could not be read',
    meaning: 'such a record is in no other table',
    sortedBy: Object.keys(QUARANTINE).map(columnName),
    isKeyed: false,
    references: [],
    columns: columnsOf(QUARANTINE),
  },
  signals: {
    isKeyed: true,
    references: [],
    row: 'item of a public feed',
    meaning: 'published attention and announced money; no registry fact, and never counted with trials',
    sortedBy: ['id'],
    columns: columnsOf(SIGNALS),
  },
  canonical_ids: {
    isKeyed: true,
    references: [{ columns: ['alias_of'], table: 'canonical_ids', to: ['canonical_id'] }],
    row: 'canonical id that was ever given',
    meaning: 'so that an old id keeps resolving',
    sortedBy: ['canonical_id'],
    columns: columnsOf(CANONICAL_IDS),
  },
  changes: {
    isKeyed: false,
    references: [],
    row: 'difference from the parent',
    meaning:
      'there where the snapshot has a parent of the same corpus; of what is on one side only the row is whole, so that changes of versions that follow on each other add up',
    sortedBy: Object.keys(CHANGES).map(columnName).slice(0, 8),
    columns: columnsOf(CHANGES),
  },
  superseded: {
    isKeyed: true,
    references: [],
    row: 'payload in a part file that is no row of raw',
    meaning:
      'part files are written once and shared between versions, so they keep payloads of records that changed or went since, and second copies; whoever reads them leaves these places out',
    sortedBy: ['file', 'place'],
    columns: columnsOf(SUPERSEDED),
  },
} as const satisfies Readonly<Record<string, TableDescription>>;
export type DescribedTable = keyof typeof SNAPSHOT_TABLE_DESCRIPTIONS;
