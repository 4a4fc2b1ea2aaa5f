import { expect, test } from 'vitest';
import { repositoryFiles } from '../../../test/support/tree.ts';
import { codeFrom, hashOfCode, readSource } from './maker.ts';

/** Hash of the code after `from` was replaced by `to` in one file, which must contain `from`. */
async function hashWith(changed: string, from: string, to: string): Promise<string> {
  return hashOfCode(async (path) => {
    const source = await readSource(path);
    if (path !== changed) return source;
    expect(source).toContain(from);
    return (source as string).replace(from, to);
  });
}

test.each([
  ['a meaning', 'contract/fields/registry-fields.ts', "meaning: 'short title'", "meaning: 'the title, shortened'"],
  ['what null means', 'contract/fields/registry-fields.ts', "null: 'the registry states none'", "null: 'none stated'"],
  ['a source', 'contract/fields/registry-fields.ts', 'trialDescription.scientificTitle', 'trialDescription.longTitle'],
  ['a comment', 'contract/fields/registry-fields.ts', '/** What identifies a trial;', '/** Identifies a trial;'],
  ['a description of the API', 'contract/schemas/trials/signals.ts', "'id of the feed'", "'the id of the feed'"],
  ['a module that the image does not run', 'contract/errors/errors.ts', 'export', 'export '],
])('a change of %s leaves the maker equal', async (_name, path, from, to) => {
  expect(await hashWith(path, from, to)).toBe(await hashOfCode(readSource));
});

test.each([
  ['the presenter', 'pipeline/publish/serving/present-trial.ts', "'ISRCTN registry'", "'ISRCTN'"],
  ['the rule of plurals', 'snapshot/format/words/plural.ts', 'return', 'return '],
  ['the rule of conflicts', 'snapshot/format/field-comparison.ts', 'foldTerm(', 'String('],
  ['a query', 'pipeline/publish/serving/term-parts.sql', 'SELECT', 'SELECT '],
  ['a query made from the fields', 'snapshot/sql/fields.ts', "'VARCHAR[]'", "'VARCHAR[3]'"],
  [
    'the type of a field',
    'contract/fields/registry-fields.ts',
    "title: {\n    type: 'text'",
    "title: {\n    type: 'word'",
  ],
  ['whether a field may be null', 'contract/fields/registry-fields.ts', 'null: BLANK,', ''],
  ['the words of a field', 'contract/vocabularies.ts', "'completed'", "'finished'"],
  ['the worker of the terms', 'pipeline/publish/serving/terms/term-worker.ts', 'null', 'undefined'],
  ['a package', 'package.json', '"apache-arrow": "', '"apache-arrow": "^'],
])('a change of %s changes the maker', async (_name, path, from, to) => {
  expect(await hashWith(path, from, to)).not.toBe(await hashOfCode(readSource));
});

test('every module and query of the image is part of its maker', async () => {
  const { sources } = await codeFrom('pipeline/publish/serving/build-serving-image.ts', readSource);
  const own = repositoryFiles().filter((path) =>
    /^pipeline\/publish\/(serving|reuse)\/.*(?<!\.test)\.(ts|sql)$/.test(path),
  );
  expect(own.filter((path) => !sources.has(path))).toEqual([]);
});

test('the code of the image reads no description of a field', async () => {
  const { sources } = await codeFrom('pipeline/publish/serving/build-serving-image.ts', readSource);
  const readers = [...sources].filter(([, source]) =>
    /\.(meaning|defect|null|description)\b|field\.source/.test(source),
  );
  expect(readers.map(([path]) => path)).toEqual([]);
});
