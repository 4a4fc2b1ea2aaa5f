/** Entries of a literal table, apart by `|` or a line break. */
export function listOf(table: string): string[] {
  return table
    .split(/[|\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** Pairs of a literal table: `one = other | next = its other`. */
export function pairsOf(table: string): [string, string][] {
  return listOf(table).map((entry) => entry.split(' = ') as [string, string]);
}
