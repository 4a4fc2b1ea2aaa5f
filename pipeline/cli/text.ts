type Scalar = string | number | boolean | null | undefined;

/**
 * A report for people: facts by name, in the order in which they are printed. A list of objects is a table whose head is the names of
 * their members; an object is its members in words; a list has a line for each entry. Null, undefined and empty facts are left out.
 */
export type Facts = Readonly<Record<string, Scalar | object>>;

const LABEL_WIDTH = 10;

/** Reports as text for a terminal, one below the other; `--json` has all of each. */
export function textOf(...reports: readonly (Facts | undefined)[]): string {
  const facts = reports.flatMap((report = {}) => Object.entries(report));
  return facts.flatMap(([name, fact]) => linesOf(name, fact)).join('\n');
}

function linesOf(name: string, fact: Scalar | object): string[] {
  const entries: unknown[] = Array.isArray(fact) ? fact : [fact];
  if (Array.isArray(fact) && typeof fact[0] === 'object' && fact[0] !== null) return table(fact);
  return entries
    .map((entry) => (typeof entry === 'object' && entry !== null ? wordsOf(entry) : String(entry ?? '')))
    .filter((text) => text !== '')
    .flatMap((text) => text.split('\n'))
    .map((line, place) => `${(place === 0 ? plain(name) : '').padEnd(LABEL_WIDTH - 1)} ${line}`);
}

/** The members of an object in words, such as `accepted 3, in both 1`. */
function wordsOf(members: object): string {
  return Object.entries(members)
    .map(([name, value]) => `${plain(name)} ${value ?? 'none'}`)
    .join(', ');
}

/** `dataDay` as `data day`. */
function plain(name: string): string {
  return name.replaceAll(/(?<=[a-z])[A-Z](?=[a-z])/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Lines with aligned columns: one row a line, numbers to the right, `-` for null. */
function table(rows: readonly Readonly<Record<string, Scalar>>[]): string[] {
  const head = Object.keys(rows[0]!);
  const cells = [head.map(plain), ...rows.map((row) => head.map((name) => String(row[name] ?? '-')))];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  const isNumber = head.map((name) => rows.every((row) => row[name] === null || typeof row[name] === 'number'));
  const aligned = (cell: string, column: number): string =>
    isNumber[column] ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!);
  return cells.map((row) => row.map(aligned).join('  ').trimEnd());
}
