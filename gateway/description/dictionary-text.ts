import {
  type DescribedColumn,
  digestedColumns,
  type Reference,
  SNAPSHOT_TABLE_DESCRIPTIONS,
  type TableDescription,
} from '../../contract/fields/snapshot-tables.ts';
import { parquetType } from '../../snapshot/sql/fields.ts';

function columnRow(column: DescribedColumn): string {
  const { name, type, words, meaning, unit, defect, source, merged } = column;
  const cells = [
    `\`${name}\``,
    `\`${type === 'origins' ? 'STRUCT, a VARCHAR for each merged column' : parquetType(type).replaceAll('"', '')}\`${words === undefined ? '' : `: ${words.join(', ')}`}`,
    [
      `${meaning}${unit === undefined || meaning.includes(unit) ? '' : ` (${unit})`}`,
      ...(defect === undefined ? [] : [`**known defect:** ${defect}`]),
    ].join('; '),
    column.null ?? 'never null',
    source?.clinicaltrials_gov ?? '',
    source?.isrctn ?? '',
    merged ?? '',
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function referenceText({ columns, table, to }: Reference): string {
  const named = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
  return `${named(columns)} ${columns.length === 1 ? 'names' : 'name'} a row of \`${table}\` by ${named(to)}.`;
}

function tableSection(
  name: string,
  { row, meaning, sortedBy, isKeyed, references, columns }: TableDescription,
): string {
  const digested = digestedColumns({ columns }).map((column) => `\`${column}\``);
  const key = sortedBy.map((column) => `\`${column}\``).join(', ');
  const order = isKeyed ? `Key and order: ${key}.` : `Order: ${key}; no key.`;
  return [
    `## ${name}`,
    `One row per ${row}: ${meaning}.`,
    [order, ...references.map(referenceText)].join(' '),
    ...(digested.length === 0 ? [] : [`In its leaf as SHA-256: ${digested.join(', ')}.`]),
    [
      '| column | type and values | meaning | null | ClinicalTrials.gov | ISRCTN | in a trial of two registrations |',
      '|---|---|---|---|---|---|---|',
      ...columns.map(columnRow),
    ].join('\n'),
  ].join('\n\n');
}

/** Every table and column of a snapshot as a document, made from their description. */
export function dictionaryText(): string {
  return `${[
    '# Data dictionary',
    'Made from `contract/fields/snapshot-tables.ts`. Every snapshot has the same as `schema.json`, in the metadata of its Parquet files, and as comments in `snapshot.duckdb`: [snapshots](snapshots.md#reading-it-with-other-tools).',
    'Dates are three values: the text as a registry gave it (`start_date.date`, a day or a month), its precision, and the first possible day as DATE (`start_day`). A TIMESTAMP is UTC.',
    'In a proof a row is written for its leaf, with prose and long lists as their SHA-256 under `<column>_sha256` and without run times: [hashes](snapshots.md#hashes).',
    ...Object.entries(SNAPSHOT_TABLE_DESCRIPTIONS).map(([name, table]) => tableSection(name, table)),
  ].join('\n\n')}\n`;
}
