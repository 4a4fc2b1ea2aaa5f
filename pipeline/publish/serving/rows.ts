import { join } from 'node:path';
import {
  PHASES,
  RECRUITMENT_STATUSES,
  SPONSOR_CLASSES,
  STUDY_TYPES,
  TRIAL_STATUSES,
} from '../../../contract/vocabularies.ts';
import { ROWS_FILE, SPONSORS_FILE, TRIAL_COUNT_KEY } from '../../../snapshot/format/serving.ts';
import {
  COMPLETENESS,
  foldTerm,
  GAP,
  LINK_FLAGS,
  NO_AGE,
  NO_SPONSOR,
  NOT_STATED,
  ROW_COLUMNS,
  type RowColumn,
} from '../../../snapshot/format/serving-columns.ts';
import { numberData, textData, writeColumns } from '../../../snapshot/image/arrow-file.ts';
import { sqlLiteral } from '../../../snapshot/sql/connection.ts';
import type { Connection } from '../../store/database.ts';
import { queryText } from './image-tables.ts';

/** By the width of a column: its array, and the SQL type of its values. */
const WIDTHS = {
  u8: { array: Uint8Array, sqlType: 'UTINYINT' },
  u16: { array: Uint16Array, sqlType: 'USMALLINT' },
  u32: { array: Uint32Array, sqlType: 'UINTEGER' },
  i32: { array: Int32Array, sqlType: 'INTEGER' },
} as const;

const QUERIED = (Object.keys(ROW_COLUMNS) as RowColumn[]).filter((name) => name !== 'sponsor');

/** Writes rows.arrow and sponsors.arrow. Needs the tables of `openTrialTables`. */
export async function writeRows(connection: Connection, outDir: string, trials: number): Promise<void> {
  const columns = QUERIED.map((name) => new WIDTHS[ROW_COLUMNS[name]].array(trials));
  const sponsors = new Uint32Array(trials).fill(NO_SPONSOR);
  // The first row that states a sponsor gives its spelling.
  const numbers = new Map<string, number>();
  const names: string[] = [];
  let row = 0;
  for await (const [stated = [], ...chunk] of connection.streamColumns(await rowsQuery())) {
    for (const [place, values] of (chunk as unknown as (number | null)[][]).entries()) {
      const missing = values.indexOf(null);
      if (missing >= 0) throw new Error(`the trial of row ${row + missing} has no known ${QUERIED[place]}`);
      columns[place]!.set(values as number[], row);
    }
    for (const [place, name] of (stated as (string | null)[]).entries()) {
      if (name === null) continue;
      const folded = foldTerm(name);
      if (!numbers.has(folded)) numbers.set(folded, names.push(name) - 1);
      sponsors[row + place] = numbers.get(folded)!;
    }
    row += stated.length;
  }
  const written = new Map<RowColumn, ReturnType<typeof numberData>>([['sponsor', numberData(sponsors)]]);
  for (const [place, name] of QUERIED.entries()) written.set(name, numberData(columns[place]!));
  const inOrder = Object.fromEntries(Object.keys(ROW_COLUMNS).map((name) => [name, written.get(name as RowColumn)!]));
  writeColumns(join(outDir, ROWS_FILE), inOrder, { [TRIAL_COUNT_KEY]: String(trials) });
  writeColumns(join(outDir, SPONSORS_FILE), { name: textData(names) });
}

/** The name of the sponsor and the columns of rows.arrow in result order. */
async function rowsQuery(): Promise<string> {
  const presence = Object.values(COMPLETENESS).map((stated, bit) => `CASE WHEN ${stated} THEN ${2 ** bit} ELSE 0 END`);
  const listOf = (words: readonly string[]): string => `[${words.map(sqlLiteral).join(', ')}]`;
  const rows = await queryText('rows.sql', {
    ...GAP,
    ...LINK_FLAGS,
    noAge: NO_AGE,
    presence: presence.join(' + '),
    statuses: listOf(TRIAL_STATUSES),
    recruitmentStatuses: listOf(RECRUITMENT_STATUSES),
    phases: listOf(PHASES),
    studyTypes: listOf(STUDY_TYPES),
    sponsorClasses: listOf(SPONSOR_CLASSES),
  });
  const columns = QUERIED.map((name) => {
    const width = ROW_COLUMNS[name];
    const value = width === 'i32' ? `coalesce("${name}", ${NOT_STATED})` : `"${name}"`;
    return `CAST(${value} AS ${WIDTHS[width].sqlType})`;
  });
  return `SELECT sponsor_name, ${columns.join(', ')} FROM (${rows}) ORDER BY "row"`;
}
