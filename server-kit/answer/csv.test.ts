import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Database } from '../../pipeline/store/database.ts';
import { unguarded } from '../../test/support/checks/unguarded.ts';
import { folderOfFile } from '../../test/support/folders.ts';
import { BYTE_ORDER_MARK, csvLine, guarded } from './csv.ts';

const { path: folder } = folderOfFile();

const BEGINS_A_FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

it.each([
  [['a', 'b', 1, true, null], 'a,b,1,true,\r\n'],
  [['say "no"', 'one, two', 'two\r\nlines'], '"say ""no""","one, two","two\r\nlines"\r\n'],
  [[['A', 'B'], []], 'A | B,\r\n'],
  [['=1+1', '+44', '-', '@now', '\t', "'=1", "'tis"], `'=1+1,'+44,'-,'@now,'\t,''=1,'tis\r\n`],
  // A number is no formula.
  [[-5, 0.25], '-5,0.25\r\n'],
])('%j is written as RFC 4180 and safely', (cells, line) => {
  expect(csvLine(cells as string[])).toBe(line);
});

it('no text begins a formula once it is guarded, and every text comes back', () => {
  const risky = fc.string({ unit: fc.constantFrom('=', '+', '-', '@', "'", '\t', '\r', '\n', '＝', 'a', ' ') });
  fc.assert(
    fc.property(fc.oneof(risky, fc.string({ unit: 'binary' })), (text) => {
      expect(guarded(text)).not.toMatch(BEGINS_A_FORMULA);
      expect(unguarded(guarded(text))).toBe(text);
    }),
    { numRuns: 2000 },
  );
});

it("another program's reader gives back every cell", async () => {
  const part = fc.constantFrom('"', ',', '\r\n', '\n', "'", '=', ' | ', 'é', '漢', '\u{1f9ea}', ' ', 'a', ';');
  const cell = fc.array(part, { minLength: 1, maxLength: 8 }).map((parts) => `x${parts.join('')}`);
  const rows = fc.sample(fc.tuple(cell, cell, cell), { numRuns: 500, seed: 1 });
  const path = join(folder, 'cells.csv');
  const lines = [['n', 'a', 'b', 'c'], ...rows.map((row, at) => [at, ...row])].map(csvLine);
  await writeFile(path, BYTE_ORDER_MARK + lines.join(''));
  await using db = await Database.open(':memory:');
  const read = await db.all(
    `FROM read_csv('${path}', header = true, all_varchar = true, quote = '"', escape = '"', delim = ',', new_line = '\\r\\n')`,
  );
  expect(read.map(({ a, b, c }) => [a, b, c])).toEqual(rows);
});
