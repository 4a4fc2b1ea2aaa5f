type Cell = string | number | boolean | null;

/** Lines with aligned columns: one row a line, numbers to the right, `-` for null; no line without rows. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[], indent = ''): string[] {
  if (rows.length === 0) return [];
  const cells = [head, ...rows.map((row) => row.map((cell) => (cell === null ? '-' : String(cell))))];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  const isNumber = head.map((_, column) =>
    rows.every((row) => row[column] === null || typeof row[column] === 'number'),
  );
  return cells.map((row) => {
    const aligned = row.map((cell, column) =>
      isNumber[column] ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
    );
    return `${indent}${aligned.join('  ').trimEnd()}`;
  });
}

const LABEL_WIDTH = 10;

/** Lines of a name and its text each; entries without a text are left out, and more texts of one name stand below it. */
export function facts(entries: readonly (readonly [string, string | readonly string[] | null])[]): string[] {
  return entries.flatMap(([name, text]) => {
    const lines = text === null ? [] : typeof text === 'string' ? [text] : text;
    return lines.map((line, place) => `${(place === 0 ? name : '').padEnd(LABEL_WIDTH)}${line}`);
  });
}
