import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compiledModules, madeModules, SDK_DIR } from '../tools/sdk.ts';

const read = (...path: string[]): string => readFileSync(join(SDK_DIR, ...path), 'utf8');

/** git does not keep js/types.d.ts: `npm pack` writes it, from types.ts. */
const isKept = (name: string): boolean => name !== 'types.d.ts';

describe('what is made from the contract, by `node scripts/sdk.ts`, is up to date:', () => {
  it.each(Object.entries(madeModules()))('sdk/%s', (name, text) => {
    expect(read(name)).toBe(text);
  });

  it('the JavaScript and the declarations of every module', () => {
    const folder = join(SDK_DIR, 'js');
    const kept = Object.fromEntries(
      readdirSync(folder)
        .filter(isKept)
        .map((name) => [name, read('js', name)]),
    );
    expect(kept).toEqual(compiledModules());
  });

  // The compiler checks that no module needs a global of Node either: sdk/tsconfig.json has no types of Node.
  it('and none of it needs a package', () => {
    for (const [name, text] of Object.entries(compiledModules())) {
      const outside = [...text.matchAll(/(?<!['"])\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map(
        (match) => match[1]!,
      );
      expect([name, outside.filter((path) => !/^\.\/[a-z-]+\.[jt]s$/.test(path))]).toEqual([name, []]);
    }
  });
});
