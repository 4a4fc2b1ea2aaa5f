/** How the CSV export of ISRCTN begins, and with it each record that is cut out of it. */
const HEAD = /^"?ISRCTN"?,/;
const CELL = /(?:^|,)(?:"((?:[^"]|"")*)"|([^,"]*))/gy;
/** The export writes days as DD/MM/YYYY. */
const DAY = /^(\d{2})\/(\d{2})\/(\d{4})$/;

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

/** A day as YYYY-MM-DD; any other text as it is. */
export function isoDay(text: string): string {
  return text.replace(DAY, '$3-$2-$1');
}

function cellsOf(line: string): string[] {
  return [...line.matchAll(CELL)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '');
}
