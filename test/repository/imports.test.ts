import { describe, expect, it } from 'vitest';
import { localImports, packageImports, read, repositoryFiles } from '../support/tree.ts';

/**
 * The packages in the table of docs/architecture.md, with the packages that each may import; null where it may import all.
 */
const PACKAGES = new Map(
  [...read('docs/architecture.md').matchAll(/^\| `([a-z-]+)\/` \|.*\| ([^|]+) \|$/gm)].map(([, name, names]) => {
    if (names === 'every package') return [name!, null];
    return [name!, names === 'nothing' ? [] : names!.split(', ')];
  }),
);

const files = repositoryFiles();
const modules = files.filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'));
const packageOf = (path: string): string => path.split('/')[0]!;

/** Circles of imports, each as the modules on it. Imports of types count too. */
function circlesOf(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const walked = new Set<string>();
  const walk = (path: string, way: readonly string[]): string[] => {
    const start = way.indexOf(path);
    if (start >= 0) return [[...way.slice(start), path].join(' -> ')];
    if (walked.has(path)) return [];
    const found = (imports.get(path) ?? []).flatMap((next) => walk(next, [...way, path]));
    walked.add(path);
    return found;
  };
  return [...imports.keys()].flatMap((path) => walk(path, []));
}

describe('the packages', () => {
  it('are those of the table in docs/architecture.md, and each may import only others of them', () => {
    const folders = new Set(files.filter((path) => /^[a-z-]+\//.test(path)).map(packageOf));
    // These two folders hold no modules.
    for (const name of ['docs', 'snapshots']) folders.delete(name);
    expect([...PACKAGES.keys()].sort()).toEqual([...folders].sort());
    const named = new Set([...PACKAGES.values()].flatMap((names) => names ?? []));
    expect([...named].filter((name) => !PACKAGES.has(name))).toEqual(['zod']);
  });

  it('import in one direction only', () => {
    const wrong = modules
      .filter((path) => path.includes('/'))
      .flatMap((path) => {
        const allowed = PACKAGES.get(packageOf(path)) ?? null;
        if (allowed === null) return [];
        // Reviewed files of data/ are no modules: who reads one may import it.
        return localImports(path)
          .filter((target) => !target.endsWith('.json'))
          .map(packageOf)
          .filter((name) => name !== packageOf(path) && !allowed.includes(name))
          .map((name) => `${path} imports ${name}/`);
      });
    expect(wrong).toEqual([]);
  });

  it('read a server by its entry alone', () => {
    const servers = ['index-server', 'board-server'];
    const wrong = modules
      .filter((path) => !['test', 'tools'].includes(packageOf(path)) || path === 'tools/start.ts')
      .flatMap((path) =>
        localImports(path)
          .filter((target) => servers.includes(packageOf(target)) && packageOf(target) !== packageOf(path))
          .filter((target) => target !== `${packageOf(target)}/entry.ts`)
          .map((target) => `${path} imports ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  it('has no modules that import each other in a circle', () => {
    expect(circlesOf(new Map(modules.map((path) => [path, localImports(path)])))).toEqual([]);
  });

  it('keeps the contract free of every package but zod', () => {
    const packages = modules.filter((path) => packageOf(path) === 'contract').flatMap(packageImports);
    expect([...new Set(packages)]).toEqual(PACKAGES.get('contract'));
  });

  it('gives the index server no way to write a file', () => {
    const writers = modules
      .filter((path) => packageOf(path) === 'index-server')
      .filter((path) => packageImports(path).some((name) => ['better-sqlite3', 'kysely'].includes(name)));
    expect(writers).toEqual([]);
  });
});
