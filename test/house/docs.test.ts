import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../../config/settings.ts';
import { ERROR_CODES } from '../../contract/errors.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { openApiFile } from '../../scripts/openapi.ts';
import { referencePage } from '../../scripts/reference.ts';
import { ROOT, read, repositoryFiles } from '../support/tree.ts';

const pages = repositoryFiles().filter((path) => path.endsWith('.md'));
const headings = new Set([...read('docs/reference.md').matchAll(/^### (.+)$/gm)].map((match) => match[1]));

describe('the documentation', () => {
  it('has a heading for every operation, setting and error code', () => {
    const wanted = [...OPERATIONS.map(({ id }) => id), ...Object.keys(SETTINGS), ...ERROR_CODES];
    expect(wanted.filter((name) => !headings.has(name))).toEqual([]);
  });

  it('has the reference page that the contract makes: run `node scripts/reference.ts`', () => {
    expect(read('docs/reference.md')).toBe(referencePage());
  });

  it('has the machine description that the contract makes: run `node scripts/openapi.ts`', () => {
    // The difference of half a megabyte helps nobody; git shows it once the file is written.
    expect(read('docs/openapi.json') === openApiFile(), 'docs/openapi.json is out of date').toBe(true);
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
    const named =
      /`((?:contract|pipeline|index-server|server-kit|gateway|snapshot-format|config|data|test|scripts|docs)\/[A-Za-z0-9_./-]*[A-Za-z0-9_-])`/g;
    const ignored = /^data\/(raw|work)\b|^docs\/(screenshots|performance)/;
    const missing = pages.flatMap((page) =>
      [...read(page).matchAll(named)]
        .map((match) => match[1]!)
        .filter((path) => !ignored.test(path) && !existsSync(join(ROOT, path)))
        .map((path) => `${page}: ${path}`),
    );
    expect(missing).toEqual([]);
  });

  it('gives no line numbers, which are wrong within a release', () => {
    expect(pages.filter((page) => /\.(ts|sql|mjs):\d+/.test(read(page)))).toEqual([]);
  });
});
