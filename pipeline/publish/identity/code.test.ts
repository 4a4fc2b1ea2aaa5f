import { expect, test } from 'vitest';
import { hashOfCode, readSource } from './code.ts';

const ENTRY = 'pipeline/publish/serving/build-serving-image.ts';

/** Hash of the code after `from` was replaced by `to` in one file, which must contain `from`. */
async function hashWith(changed: string, from: string, to: string): Promise<string> {
  const read = async (path: string): Promise<string | null> => {
    const source = await readSource(path);
    if (path !== changed) return source;
    expect(source).toContain(from);
    return (source as string).replace(from, to);
  };
  return hashOfCode(read, ENTRY);
}

test('a change of a module that the entry does not run leaves the hash equal', async () => {
  expect(await hashWith('contract/errors/errors.ts', 'export', 'export ')).toBe(await hashOfCode(readSource, ENTRY));
});

test.each([
  ['an imported module', 'snapshot/format/words/plural.ts', 'return', 'return '],
  ['a query', 'pipeline/publish/serving/term-parts.sql', 'SELECT', 'SELECT '],
  ['the words of a field', 'contract/vocabularies.ts', "'completed'", "'finished'"],
  ['a worker', 'pipeline/publish/serving/terms/term-worker.ts', 'null', 'undefined'],
  ['a package', 'package.json', '"apache-arrow": "', '"apache-arrow": "^'],
])('a change of %s changes the hash', async (_name, path, from, to) => {
  expect(await hashWith(path, from, to)).not.toBe(await hashOfCode(readSource, ENTRY));
});
