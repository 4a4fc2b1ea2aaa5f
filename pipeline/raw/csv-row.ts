/** How the CSV export of ISRCTN begins, and with it each record that is cut out of it. */
const HEAD = /^"?ISRCTN"?,/;
const CELL = /(?:^|,)(?:"((?:[^"]|"")*)"|([^,"]*))/gy;
/** The export writes days as DD/MM/YYYY; a spreadsheet that saved it may leave out zeros and write a time behind. */
export const EXPORT_DAY = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: \d{1,2}:\d{2}(?::\d{2})?)?$/;
const ISO_DAY = /^(\d{4}-\d{2}-\d{2})(?:[ T]\d{1,2}:\d{2}(?::\d{2})?)?$/;

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

/** A day of the export's form, or YYYY-MM-DD, as YYYY-MM-DD; any other text as it is. CsvDays refuses files with others. */
export function isoDay(text: string): string {
  const [, day, month, year] = EXPORT_DAY.exec(text) ?? [];
  if (year === undefined) return text.replace(ISO_DAY, '$1');
  return `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`;
}

function cellsOf(line: string): string[] {
  return [...line.matchAll(CELL)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '');
}
