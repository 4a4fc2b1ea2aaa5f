import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contractText } from '../../tools/contract-text.ts';
import { ROOT, read, repositoryFiles } from '../support/tree.ts';

const files = repositoryFiles();
/** Every folder at the root with a file that git tracks. */
const ROOMS = [...new Set(files.filter((path) => /^[a-z-]+\//.test(path)).map((path) => path.split('/')[0]!))];
const pages = files.filter((path) => path.endsWith('.md'));

describe('the documentation', () => {
  it('has the contract as it is, a line for each operation, parameter, code and field: run `node tools/contract-text.ts`', () => {
    const expected = new Set(contractText().split('\n'));
    const held = read('contract/contract.txt').split('\n');
    expect(held.filter((line) => !expected.has(line)).slice(0, 20)).toEqual([]);
    expect([...expected].filter((line) => !held.includes(line)).slice(0, 20)).toEqual([]);
  });

  it('links only to what exists', () => {
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)]
        .map((match) => match[1]!)
        .filter((target) => !existsSync(join(ROOT, dirname(page), target)))
        .map((target) => `${page}: ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it('names only files and folders that exist', () => {
    const named = new RegExp(`\`((?:${ROOMS.join('|')})\\/[A-Za-z0-9_./-]*[A-Za-z0-9_-])\``, 'g');
    // Paths in folders that git ignores.
    const ignored = /^data\/(raw|work)\b|^snapshots\//;
    const missing = pages.flatMap((page) =>
      [...read(page).matchAll(named)]
        .map((match) => match[1]!)
        .filter((path) => !ignored.test(path) && !existsSync(join(ROOT, path)))
        .map((path) => `${page}: ${path}`),
    );
    expect(missing).toEqual([]);
  });
});
