import { isRealDate } from '../../snapshot/format/words/dates.ts';
import { csvRow, EXPORT_DAY, isoDay } from './csv-row.ts';
import { SliceError } from './slice.ts';

/** Columns of the CSV export that hold days. */
const DAY_COLUMNS = ['Overall trial start', 'Overall trial end', 'Record last updated'];
const SHOWN_CHARACTERS = 60;

/** What one column held so far; each text is the first of its kind. */
interface Column {
  first: string | null;
  exportForm: string | null;
  isoForm: string | null;
  hasYear: boolean;
}

/**
 * Refuses a CSV whose days are not certain to be read right. A spreadsheet program that saves the export anew may write days
 * in another form, and where it took the day for the month, as other days. So every day must read as DD/MM/YYYY, the
 * form of the export, or as YYYY-MM-DD, one form a column; days without leading zeros need a day after the 12th in the file
 * that shows which number is the day.
 */
export class CsvDays {
  readonly #columns = new Map<string, Column>();
  #unpadded: { column: string; text: string } | null = null;
  #showsOrder = false;

  /** A row with the head line before it. */
  note(record: string): void {
    const row = csvRow(record);
    if (!(row instanceof Map)) return;
    for (const name of DAY_COLUMNS) {
      const text = row.get(name) ?? '';
      if (text !== '') this.#noteDay(name, text);
    }
  }

  #noteDay(name: string, text: string): void {
    const column = this.#columns.get(name) ?? { first: null, exportForm: null, isoForm: null, hasYear: false };
    this.#columns.set(name, column);
    column.first ??= text;
    const parts = EXPORT_DAY.exec(text);
    const day = isoDay(text);
    if (!isRealDate(day)) {
      throw refused(name, text, 'is no day as DD/MM/YYYY, the form of the export, or as YYYY-MM-DD');
    }
    if (parts === null) column.isoForm ??= text;
    else column.exportForm ??= text;
    if (column.isoForm !== null && column.exportForm !== null) {
      throw refused(name, column.isoForm, `and ${shown(column.exportForm)} are days in two forms`);
    }
    column.hasYear ||= day >= '1900' && day < '2200';
    if (Number(parts?.[1]) > 12) this.#showsOrder = true;
    if (parts !== null && text.length < 'DD/MM/YYYY'.length) this.#unpadded ??= { column: name, text };
  }

  /** Judges what only the whole file shows. */
  end(): void {
    for (const [name, { first, hasYear }] of this.#columns) {
      if (!hasYear)
        throw refused(name, first ?? '', 'has no year from 1900 to 2199, and no other day of the column has');
    }
    if (this.#unpadded !== null && !this.#showsOrder) {
      const why = 'may have the day or the month first: no day of the file is after the 12th';
      throw refused(this.#unpadded.column, this.#unpadded.text, why);
    }
  }
}

function refused(column: string, text: string, why: string): SliceError {
  return new SliceError('other-form', `in its column "${column}", ${shown(text)} ${why}`);
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, SHOWN_CHARACTERS));
}
