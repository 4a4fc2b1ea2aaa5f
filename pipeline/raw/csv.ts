import { isRealDate } from '../../snapshot/format/words/dates.ts';
import { FileFault } from './files.ts';
import { type Part, type Slice, Slicer } from './slice.ts';

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;
const COMMA = 0x2c;

/** How the CSV export of ISRCTN begins, and with it each record that is cut out of it. */
const HEAD = /^"?ISRCTN"?,/;
const CELL = /(?:^|,)(?:"((?:[^"]|"")*)"|([^,"]*))/gy;
/** The export writes days as DD/MM/YYYY; a spreadsheet that saved it may leave out zeros and write a time behind. */
const EXPORT_DAY = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: \d{1,2}:\d{2}(?::\d{2})?)?$/;
const ISO_DAY = /^(\d{4}-\d{2}-\d{2})(?:[ T]\d{1,2}:\d{2}(?::\d{2})?)?$/;
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

/** A day of the export's form, or YYYY-MM-DD, as YYYY-MM-DD; any other text as it is. CsvSlicer refuses files with others. */
export function isoDay(text: string): string {
  const [, day, month, year] = EXPORT_DAY.exec(text) ?? [];
  if (year === undefined) return text.replace(ISO_DAY, '$1');
  return `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`;
}

/**
 * Cuts CSV (RFC 4180) into records of the head line and one row each, so that a record can be read alone. A line break
 * between quotes belongs to its row; empty rows are skipped. A file whose last row has fewer cells than its head was cut,
 * and so was one whose last row has no line end: the registry's export ends each row with one. Days that may be read
 * wrongly refuse the file.
 */
export class CsvSlicer extends Slicer {
  readonly #days = new DayForms();
  #head: Buffer | null = null;
  #headCells = 0;
  /** Cells of the last row that had any text. */
  #lastCells = 0;

  protected override next(buf: Buffer, at: number): Part | null {
    const row = rowAt(buf, at);
    if (row.state !== 'ended') return null;
    const end = row.end > at && buf[row.end - 1] === CARRIAGE_RETURN ? row.end - 1 : row.end;
    return { end: row.end + 1, slice: end === at ? null : this.#record(buf.subarray(at, end), row.cells) };
  }

  protected override finish(rest: Buffer): Slice[] {
    const row = rowAt(rest, 0);
    if (row.state === 'quoted') throw new FileFault('truncated', 'its last row is cut between quotes');
    const last = rest.length > 0 ? row.cells : this.#lastCells;
    if (last < this.#headCells) {
      throw new FileFault('truncated', `its last row has ${last} cells where the head has ${this.#headCells}`);
    }
    if (rest.length > 0) {
      throw new FileFault('truncated', 'its last row has no line end, which every row of the export has');
    }
    this.#days.end();
    return [];
  }

  /** Null for the head line. */
  #record(bytes: Buffer, cells: number): Slice | null {
    this.#lastCells = cells;
    if (this.#head === null) {
      this.#headCells = cells;
      this.#head = Buffer.from(bytes);
      return null;
    }
    const record = Buffer.concat([this.#head, Buffer.from('\n'), bytes]);
    const row = csvRow(record.toString('utf8'));
    if (row instanceof Map) this.#days.note(row);
    return { ok: true, bytes: record };
  }
}

/** The row from its first byte up to its line end, or up to the end of the buffer. */
function rowAt(buf: Buffer, at: number): { end: number; cells: number; state: 'ended' | 'open' | 'quoted' } {
  let isQuoted = false;
  let cells = 1;
  for (let i = at; i < buf.length; i += 1) {
    // A doubled quote, which stands for one, turns this off and on again.
    if (buf[i] === QUOTE) isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (buf[i] === COMMA) cells += 1;
    if (buf[i] === NEWLINE) return { end: i, cells, state: 'ended' };
  }
  return { end: buf.length, cells, state: isQuoted ? 'quoted' : 'open' };
}

/**
 * Refuses a file whose days are not certain to be read right. A spreadsheet program that saves the export again may write
 * days in another form, and where it took the day for the month, as other days. So every day must read as DD/MM/YYYY, the
 * form of the export, or as YYYY-MM-DD, one form a column; days without leading zeros need a day after the 12th in the file
 * that proves which number is the day.
 */
class DayForms {
  /** By column: the first day of each form, and whether a day has a likely year. */
  readonly #columns = new Map<string, { export?: string; iso?: string; hasYear: boolean }>();
  #unpadded: { column: string; text: string } | null = null;
  #hasDayAfter12th = false;

  note(row: ReadonlyMap<string, string>): void {
    for (const column of DAY_COLUMNS) {
      const text = row.get(column) ?? '';
      if (text !== '') this.#noteDay(column, text);
    }
  }

  #noteDay(column: string, text: string): void {
    const day = isoDay(text);
    if (!isRealDate(day))
      throw unclear(column, text, 'is no day as DD/MM/YYYY, the form of the export, or as YYYY-MM-DD');
    const known = this.#columns.get(column) ?? { hasYear: false };
    this.#columns.set(column, known);
    known.hasYear ||= day >= '1900' && day < '2200';
    const parts = EXPORT_DAY.exec(text);
    known[parts === null ? 'iso' : 'export'] ??= text;
    if (known.iso !== undefined && known.export !== undefined)
      throw unclear(column, known.iso, `and ${JSON.stringify(known.export)} are days in two forms`);
    if (parts === null) return;
    if (Number(parts[1]) > 12) this.#hasDayAfter12th = true;
    if (text.length < 'DD/MM/YYYY'.length) this.#unpadded ??= { column, text };
  }

  /** Checks what only the whole file tells. */
  end(): void {
    for (const [column, days] of this.#columns) {
      const why = 'has no year from 1900 to 2199, and no other day of the column has';
      if (!days.hasYear) throw unclear(column, days.iso ?? days.export ?? '', why);
    }
    if (this.#unpadded === null || this.#hasDayAfter12th) return;
    const { column, text } = this.#unpadded;
    throw unclear(column, text, 'may have the day or the month first: no day of the file is after the 12th');
  }
}

function unclear(column: string, text: string, why: string): FileFault {
  return new FileFault('other-form', `in its column "${column}", ${JSON.stringify(text.slice(0, 60))} ${why}`);
}
