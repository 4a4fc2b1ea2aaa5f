/** Escapes that JSON.stringify writes for half a surrogate pair and for NUL; DuckDB's JSON reader refuses both. */
const UNLOADABLE = /\\u(?:d[89a-f]|0000)/;

function loadable(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\u0000', '\ufffd') : value;
}

/** A row as one line of newline-delimited JSON that DuckDB can load, with its line feed. */
export function jsonLine(row: Record<string, unknown>): string {
  const plain = JSON.stringify(row);
  return `${UNLOADABLE.test(plain) ? JSON.stringify(row, loadable) : plain}\n`;
}
