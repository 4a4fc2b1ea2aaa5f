import { BYTE_ORDER_MARK, CSV_LINE_END, csvCell, csvLine, type FileColumn, LIST_SEPARATOR } from './csv.ts';

/** What a file says of itself, so that whoever finds it later knows what it is. */
export interface FileAbout {
  title: string;
  /** How many there are, and what a row is, as in "distinct trials: 12, one a row". */
  rows: { count: number; what: string; each: string };
  snapshot: string;
  /** SHA-256 that the log of publications has. */
  identity: string | null;
  /** Day of the data. */
  asOf: string;
  corpus: 'registries' | 'sample';
  /** The query as it was read, by parameter. */
  query: Readonly<Record<string, string>>;
  /** How words were expanded, in words; empty where they were not. */
  readAs: readonly string[];
  /** Names of parameters that mean nothing here. */
  ignored: readonly string[];
  sources: readonly {
    name: string;
    publisher: string;
    licence: string;
    licenceUrl: string;
    dataDay: string | null;
    /** All that are held of it, whatever the query; null where it never answered. */
    registrations: number | null;
  }[];
  /** Of each registry that is not held whole, how much of it is. */
  held: readonly string[];
  /** How to read the numbers, in a line. */
  honesty: string;
  /** Makes the same file again, for as long as the version is held. */
  address: string;
  /** Where the columns are described; null where nothing does. */
  columns: string | null;
}

const SYNTHETIC = 'Synthetic sample: no record in it is a real trial';

/** All of it in one line. */
export function aboutLine(about: FileAbout): string {
  const { rows, snapshot, asOf, corpus, readAs, ignored, sources, held, honesty, address, columns } = about;
  return [
    `${about.title}. Number of ${rows.what}: ${rows.count.toLocaleString('en-GB')}, ${rows.each}`,
    ...(corpus === 'sample' ? [SYNTHETIC] : []),
    `Trial Board, snapshot ${snapshot}, data as of ${asOf}`,
    `Query: ${queryWords(about.query)}`,
    ...readAs,
    ...(ignored.length > 0 ? [`Not understood and ignored: ${ignored.join(', ')}`] : []),
    ...sources.map(sourceWords),
    ...(held.length > 0 ? [`Held of registries: ${held.join('; ')}`] : []),
    honesty,
    `This file again: ${address}`,
    ...(columns === null ? [] : [`Its columns: ${columns}`]),
  ]
    .map((part) => part.replaceAll(/\s+/g, ' ').replace(/\.$/, ''))
    .join('. ');
}

/** The least that a part of a file says by itself, beside one that says all of it. */
export function aboutBriefly({ snapshot, asOf, corpus, address }: FileAbout): string {
  const made = corpus === 'sample' ? `. ${SYNTHETIC}` : '';
  return `Trial Board, snapshot ${snapshot}, data as of ${asOf}${made}. The file with its query and licences: ${address}`;
}

function queryWords(query: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name} = ${value}`);
  return pairs.length === 0 ? 'none, so everything' : pairs.join(', ');
}

function sourceWords({
  name,
  publisher,
  licence,
  licenceUrl,
  dataDay,
  registrations,
}: FileAbout['sources'][number]): string {
  const data =
    dataDay === null || registrations === null
      ? 'never answered, so nothing is known of it'
      : `data of ${dataDay}, ${registrations.toLocaleString('en-GB')} registrations held here`;
  return `Source: ${name} (${publisher}), ${data}, licence: ${licence} (${licenceUrl})`;
}

/**
 * The first line of a CSV file. What the file is stands as the heading of a last column whose cells are empty: the file stays a table
 * that every reader of CSV takes, its first line stays the headings, and a spreadsheet shows the text beside them.
 */
export function csvHead<Row>(columns: readonly FileColumn<Row>[], about: FileAbout, by: 'words' | 'names'): string {
  const headings = columns.map(({ heading, name }) => (by === 'words' ? heading : name));
  return BYTE_ORDER_MARK + csvLine([...headings, aboutHeading(about)]);
}

function aboutHeading(about: FileAbout): string {
  return `About this file: ${aboutLine(about)}`;
}

/** A row of such a file; its last cell is empty. Files have hundreds of thousands, so it makes no list of the cells. */
export function csvRow<Row>(columns: readonly FileColumn<Row>[], row: Row): string {
  let line = '';
  for (let at = 0; at < columns.length; at++) line += `${csvCell(columns[at]!.cell(row))},`;
  return line + CSV_LINE_END;
}

const DATATYPES: Record<FileColumn<unknown>['type'], string> = {
  text: 'string',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  // A registry may give a month without a day.
  date: 'string',
};

/** The description of a CSV file in the form of CSV on the Web (https://www.w3.org/TR/tabular-metadata/). */
export function csvOnTheWeb<Row>(
  columns: readonly FileColumn<Row>[],
  about: FileAbout,
  { by, key }: { by: 'words' | 'names'; key: string },
): Record<string, unknown> {
  return {
    '@context': ['http://www.w3.org/ns/csvw', { '@language': 'en' }],
    url: about.address,
    'dc:title': about.title,
    'dc:description': aboutLine(about),
    'dc:identifier': about.snapshot,
    'dc:date': about.asOf,
    'dc:source': about.sources.map(({ name }) => name),
    'dc:license': about.sources.map(({ licenceUrl }) => ({ '@id': licenceUrl })),
    dialect: { encoding: 'utf-8', header: true, lineTerminators: ['\r\n'] },
    tableSchema: {
      columns: [
        ...columns.map(({ name, heading, type, isList, meaning }) => ({
          name,
          titles: by === 'words' ? heading : name,
          datatype: DATATYPES[type],
          ...(isList ? { separator: LIST_SEPARATOR } : {}),
          'dc:description': meaning,
        })),
        { name: 'about', titles: aboutHeading(about), datatype: 'string', 'dc:description': 'What the file is.' },
      ],
      primaryKey: key,
    },
  };
}
