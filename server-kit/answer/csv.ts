/** Tables as CSV: RFC 4180, and safe to open in a spreadsheet. */

export type Cell = string | number | boolean | null | readonly string[];

/** A column of a table that people take away. */
export interface FileColumn<Row> {
  /** Stable, for programs. */
  name: string;
  /** In words. */
  heading: string;
  /** What an empty cell means is said here too. */
  meaning: string;
  type: 'text' | 'integer' | 'number' | 'boolean' | 'date';
  /** Items of the cell are parted by LIST_SEPARATOR. */
  isList?: true;
  cell(row: Row): Cell;
}

/** No semicolon: where a comma stands in numbers, spreadsheets part columns by it. */
export const LIST_SEPARATOR = ' | ';

/** By it a spreadsheet knows that a file is UTF-8, and shows accents as they are. */
export const BYTE_ORDER_MARK = '\u{feff}';

/** What a spreadsheet would take for the beginning of a formula, in its plain and its full-width form. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
export const CSV_LINE_END = '\r\n';
const TO_QUOTE = /[",\r\n]/;

/**
 * A text that no spreadsheet runs as a formula: one that might be begins with one apostrophe more. To read the text as it was, take one
 * apostrophe from each cell in which apostrophes stand before one of these characters.
 */
export function guarded(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** One line with its end. */
export function csvLine(cells: readonly Cell[]): string {
  let line = '';
  for (let at = 0; at < cells.length; at++) line += at === 0 ? csvCell(cells[0]!) : `,${csvCell(cells[at]!)}`;
  return line + CSV_LINE_END;
}

export function csvCell(cell: Cell): string {
  if (cell === null) return '';
  // A number is no formula, also below zero.
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell);
  const text = typeof cell === 'string' ? cell : cell.length === 1 ? cell[0]! : cell.join(LIST_SEPARATOR);
  const safe = beginsWithLetter(text) ? text : guarded(text);
  return TO_QUOTE.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Nearly every text of a table does, and none of those is a formula: one look at a character is faster than the pattern. */
function beginsWithLetter(text: string): boolean {
  const letter = text.charCodeAt(0) | 0x20;
  return letter >= 0x61 && letter <= 0x7a;
}
