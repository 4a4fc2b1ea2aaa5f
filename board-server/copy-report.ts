import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { CopyReport } from './store/copy/copy-board.ts';

const HASH_SHOWN = 16;

/** What a copy did, as a table. */
export function copied({ tables, left, copySeconds }: CopyReport): string {
  const rows = tables.map(({ name, rows: count, hash }) => [name, `${count}`, hash.slice(0, HASH_SHOWN)]);
  const sent = tables.reduce((sum, { rows: count }) => sum + count, 0);
  return [
    ...aligned([['table', 'rows', 'hash of the rows, equal on both sides'], ...rows]),
    `${sent} rows in ${copySeconds.toFixed(1)} s, ${Math.round(sent / Math.max(copySeconds, 0.001))} a second`,
    ...(left.length === 0 ? [] : [`not copied, since the database knows no such tables: ${left.join(', ')}`]),
  ].join('\n');
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  return rows.map((row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join('  '),
  );
}

/** What to do with the key of the installation, which is in no board. */
export function keyAdvice(from: string, to: string): string {
  const without = 'without it no webhook is signed and no kept answer shows its secrets';
  if (from === to) return `key: both boards use ${from}`;
  if (!existsSync(from)) return `key: ${from} is not here: bring the key of the copied board as ${to}; ${without}`;
  if (!existsSync(to)) return `key: before the first start, cp -p '${from}' '${to}'; ${without}`;
  if (readFileSync(from, 'utf8') === readFileSync(to, 'utf8')) return `key: ${to} is the same as ${basename(from)}`;
  return `key: ${to} is another key: set it aside, then cp -p '${from}' '${to}'; ${without}`;
}

/** What to do with the salt of address hashes, which a board that was always in a file has in another file. */
export function saltAdvice({ tables }: Pick<CopyReport, 'tables'>, path: string): string {
  if (tables.some(({ name, rows }) => name === 'installation' && rows > 0))
    return 'salt: it is in the board, sealed with the key: a board with another key does not start';
  return `salt: ${path} goes with the board: on another machine put it into DATA_DIR, so that addresses that wrote before are known again`;
}
