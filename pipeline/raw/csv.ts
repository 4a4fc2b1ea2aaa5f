import { isRealDate } from '../../snapshot/format/words/dates.ts';
import { FileFault } from './files.ts';
import { type Part, type Slice, Slicer, trimmedPart } from './slice.ts';

const NEWLINE = 0x0a;
const QUOTE = 0x22;

/** The beginning of the CSV export of ISRCTN, and of each record that is cut out of it. */
const HEAD = /^"?ISRCTN"?,/;
const CELL = /(?:^|,)(?:"((?:[^"]|"")*)"|([^,"]*))/gy;
/** The export writes days as DD/MM/YYYY. */
const EXPORT_DAY = /^(\d{2})\/(\d{2})\/(\d{4})$/;
/** Columns of the CSV export that hold days. */
const DAY_COLUMNS = ['Overall trial start', 'Overall trial end', 'Record last updated'];

export function isIsrctnCsv(text: string): boolean {
  return HEAD.test(text);
}

/** Cells of a row by the names in its head line; the counts of both where they differ. */
export function csvRow(text: string): Map<string, string> | { names: number; cells: number } {
  const end = text.indexOf('\n');
  const [names, cells] = [cellsOf(text.slice(0, end)), cellsOf(text.slice(end + 1))];
  if (names.length !== cells.length) return { names: names.length, cells: cells.length };
  return new Map(names.map((name, place) => [name.trim(), cells[place]!.trim()]));
}

function cellsOf(line: string): string[] {
  return [...line.matchAll(CELL)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '');
}

/** A day of the export's form as YYYY-MM-DD; any other text as it is. */
export function isoDay(text: string): string {
  return text.replace(EXPORT_DAY, '$3-$2-$1');
}

/**
 * Cuts CSV (RFC 4180) into records of the head line and one row each, so that a record can be read alone. A line break
 * between quotes belongs to its row; empty rows are skipped. A file whose last row has no line end was cut: the registry's
 * export ends each row with one. Days that may be read wrongly refuse the file.
 */
export class CsvSlicer extends Slicer {
  #head: Buffer | null = null;
  /** The first day of each column. */
  readonly #days = new Map<string, string>();

  protected override next(buf: Buffer, at: number): Part | null {
    const end = rowEnd(buf, at);
    if (end === -1) return null;
    const row = trimmedPart(buf, at, end);
    return { end: end + 1, slice: row.length === 0 ? null : this.#record(row) };
  }

  protected override finish(rest: Buffer): Slice[] {
    if (rest.length === 0) return [];
    throw new FileFault('truncated', 'its last row has no line end, which every row of the export has');
  }

  /** Null for the head line. */
  #record(row: Buffer): Slice | null {
    if (this.#head === null) {
      this.#head = Buffer.concat([row, Buffer.from('\n')]);
      return null;
    }
    const bytes = Buffer.concat([this.#head, row]);
    const cells = csvRow(bytes.toString('utf8'));
    if (cells instanceof Map) for (const column of DAY_COLUMNS) this.#checkDay(column, cells.get(column) ?? '');
    return { ok: true, bytes };
  }

  /**
   * A spreadsheet program that saves the export again may write days in another form, and where it took the day for the
   * month, as other days. So every day must be as DD/MM/YYYY or as YYYY-MM-DD, one form a column.
   */
  #checkDay(column: string, text: string): void {
    if (text === '') return;
    if (!isRealDate(isoDay(text)))
      throw unclear(column, text, 'is no day as DD/MM/YYYY, the form of the export, or as YYYY-MM-DD');
    const first = this.#days.get(column) ?? text;
    this.#days.set(column, first);
    if (EXPORT_DAY.test(first) !== EXPORT_DAY.test(text))
      throw unclear(column, first, `and ${JSON.stringify(text)} are days in two forms`);
  }
}

/** Index of the line end of the row at `at`; -1 when the buffer has none. */
function rowEnd(buf: Buffer, at: number): number {
  let isQuoted = false;
  for (let i = at; i < buf.length; i += 1) {
    // A doubled quote, which stands for one, turns this off and on again.
    if (buf[i] === QUOTE) isQuoted = !isQuoted;
    else if (buf[i] === NEWLINE && !isQuoted) return i;
  }
  return -1;
}

function unclear(column: string, text: string, why: string): FileFault {
  return new FileFault('other-form', `in its column "${column}", ${JSON.stringify(text.slice(0, 60))} ${why}`);
}
