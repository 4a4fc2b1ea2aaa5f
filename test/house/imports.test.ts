import { describe, expect, it } from 'vitest';
import { localImports, packageImports, repositoryFiles } from '../support/tree.ts';

/** What each room may import beside itself: design.md section 2, `contract <- … <- gateway`. */
const MAY_IMPORT: Record<string, string[]> = {
  contract: [],
  config: [],
  threads: [],
  'snapshot-format': ['contract'],
  'serving-image': ['snapshot-format'],
  'snapshot-sql': ['contract', 'snapshot-format'],
  'server-kit': ['contract'],
  twin: ['contract'],
  charts: ['contract', 'twin'],
  literature: ['contract', 'config'],
  pipeline: ['contract', 'threads', 'twin', 'snapshot-format', 'serving-image', 'snapshot-sql', 'config'],
  'index-server': [
    'contract',
    'threads',
    'twin',
    'snapshot-format',
    'serving-image',
    'snapshot-sql',
    'server-kit',
    'config',
    'literature',
  ],
  'board-server': ['contract', 'twin', 'snapshot-format', 'serving-image', 'server-kit', 'config', 'literature'],
  synthetic: ['pipeline'],
  sdk: ['contract'],
  gateway: ['contract', 'server-kit', 'config', 'index-server', 'charts'],
  scripts: [
    'contract',
    'config',
    'threads',
    'twin',
    'charts',
    'snapshot-format',
    'serving-image',
    'snapshot-sql',
    'pipeline',
    'synthetic',
    'index-server',
    'board-server',
    'gateway',
  ],
};

const modules = repositoryFiles().filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'));
const roomOf = (path: string): string => path.split('/')[0]!;

describe('the house', () => {
  it('has no room whose imports are not laid down here', () => {
    const rooms = new Set(modules.filter((path) => path.includes('/') && roomOf(path) !== 'test').map(roomOf));
    expect([...rooms].filter((room) => !(room in MAY_IMPORT))).toEqual([]);
  });

  it('imports in one direction only', () => {
    const wrong = modules
      .filter((path) => roomOf(path) in MAY_IMPORT)
      .flatMap((path) =>
        localImports(path)
          .map(roomOf)
          .filter((room) => room !== roomOf(path) && !MAY_IMPORT[roomOf(path)]!.includes(room))
          .map((room) => `${path} imports ${room}/`),
      );
    expect(wrong).toEqual([]);
  });

  it('keeps the contract free of every package but zod', () => {
    const packages = modules.filter((path) => roomOf(path) === 'contract').flatMap(packageImports);
    expect([...new Set(packages)].filter((name) => name !== 'zod')).toEqual([]);
  });

  it('gives the index server no way to write a file', () => {
    const writers = modules
      .filter((path) => roomOf(path) === 'index-server')
      .filter((path) => packageImports(path).some((name) => ['better-sqlite3', 'kysely'].includes(name)));
    expect(writers).toEqual([]);
  });
});
