const GUARDED = /^'+[=+\-@\t\r\n＝＋－＠]/;

/** The text of a CSV cell as it was before it was made safe for spreadsheets, as docs/take-away.md says it is read. */
export function unguarded(cell: string): string {
  return GUARDED.test(cell) ? cell.slice(1) : cell;
}
