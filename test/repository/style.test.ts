import { expect, it } from 'vitest';
import { read, repositoryFiles } from '../support/tree.ts';

/** The style sheet as it is served, without comments. */
const style = repositoryFiles()
  .filter((path) => /^gateway\/pages\/assets\/style\/.*\.css$/.test(path))
  .map(read)
  .join('\n')
  .replaceAll(/\/\*[\s\S]*?\*\//g, '');
/** Selectors alone: declarations have dots of their own. */
const selectors = style.replaceAll(/\{[^{}]*\}/g, '{}');
const code = repositoryFiles()
  .filter((path) => /^(gateway|charts)\/.*\.(ts|js)$/.test(path) && !path.endsWith('.test.ts'))
  .map(read)
  .join('\n');

const namesIn = (text: string): Set<string> => new Set(text.match(/(?<![\w-])[a-zA-Z][\w-]*(?![\w-])/g));

it('the style sheet has no rule for a class that no page can have', () => {
  const used = namesIn(code);
  const styled = [...selectors.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name]) => name!);
  expect(styled.length).toBeGreaterThan(100);
  expect([...new Set(styled)].filter((name) => !used.has(name))).toEqual([]);
});
