import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withBaseNames } from './base-names.ts';

/** A name of a folder: what must not be seen. A comma before a blank would end a path that is not quoted. */
const secret = fc
  .tuple(
    fc.constantFrom('', 'a ', 'b-', 'c,d ', 'e(1) ', 'é', 'x.', '__'),
    fc.constantFrom('', ' f', '.g', '_2', ' (3) h'),
  )
  .map(([before, after]) => `${before}SECRET${after}`);
const fileName = fc.constantFrom('dump.ndjson', 'manifest.json', 'part-0000.parquet', 'data', '.env', 'CURRENT');
const root = fc.constantFrom('/', '~/', './', '../', '../../', 'file:///', 'git+ssh://host/', '//');
const posix = fc
  .tuple(root, fc.array(secret, { minLength: 1, maxLength: 4 }), fileName)
  .map(([start, folders, name]) => ({ path: `${start}${[...folders, name].join('/')}`, name }));
const windows = fc
  .tuple(fc.constantFrom('C:\\', '\\\\', 'D:\\Users\\'), fc.array(secret, { minLength: 1, maxLength: 4 }), fileName)
  .map(([start, folders, name]) => ({ path: `${start}${[...folders, name].join('\\')}`, name }));
const around = fc.constantFrom(
  ['', ''],
  ['cannot read ', ': it is not JSON'],
  ["ENOENT: no such file or directory, open '", "'"],
  ['--ctgov=', ''],
  ['at read (', ')'],
  ['`', '`; look at it'],
  ['first line\n', '\nlast line'],
  ['two: ', ' and /SECRET/other.json'],
);

it('a path loses every folder and keeps its file name, whatever its form and whatever stands around it', () => {
  fc.assert(
    fc.property(fc.oneof(posix, windows), around, ({ path, name }, [before, after]) => {
      const shown = withBaseNames(`${before}${path}${after}`);
      expect(shown).not.toContain('SECRET');
      expect(shown).toContain(name);
    }),
    { numRuns: 2000 },
  );
});

it('is the same when it is applied again, and leaves text without a slash as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (text) => {
      const once = withBaseNames(text);
      if (!/https?:\/\//i.test(text)) {
        expect(once.replaceAll(/\d\/\d/g, '')).not.toMatch(/[^\d]\/|\/[^\d]|\\/);
        expect(withBaseNames(once)).toBe(once);
      }
      if (!/[/\\]/.test(text)) expect(once).toBe(text);
    }),
    { numRuns: 2000 },
  );
});

it.each([
  ["open '/home/John Smith/dump.ndjson'", "open 'dump.ndjson'"],
  ['cannot read /a/b.json and /c/d.json', 'cannot read b.json and d.json'],
  ['no space in /srv/data: need 5 GB, free 1 GB', 'no space in data: need 5 GB, free 1 GB'],
  ['at f (file:///work/x/y.ts:12:3)', 'at f (y.ts:12:3)'],
  ['12/34 records since 2026/11', '12/34 records since 2026/11'],
  ['https://user:word@host.example/api/v2/studies?key=1: 403', 'https://host.example/api/v2/studies: 403'],
])('%s', (text, shown) => {
  expect(withBaseNames(text)).toBe(shown);
});

it('takes time in proportion to the length', () => {
  for (const part of ['a.', '/', 'a b/', 'x ', '\\a', 'a:/', 'https://', '( ']) {
    const began = process.cpuUsage();
    withBaseNames(part.repeat(20_000));
    expect(process.cpuUsage(began).user, part).toBeLessThan(3_000_000);
  }
});
