import { describe, expect, it } from 'vitest';
import { localImports, namedImports, read, repositoryFiles } from '../support/tree.ts';

const FILE_LINES_MAX = 500;
const FUNCTION_LINES_MAX = 70;

const files = repositoryFiles();
const modules = files.filter((path) => /(?<!\.d)\.ts$|\.mjs$/.test(path));
const sources = modules.filter((path) => !path.endsWith('.test.ts') && !path.startsWith('test/'));

/** Programs that may print. */
const PRINTS = [/^pipeline\/cli/, /^tools\//, /^snapshot\/proof\/verify\.mjs$/];
/** Programs of worker threads and child processes. */
const STARTED = /(-worker|worker-program|-process)\.ts$/;
/** Programs that are started by name and so imported by nobody. */
const ENTRIES = [
  /(^|\/)main\.ts$/,
  /^pipeline\/cli\.ts$/,
  /^board-server\/cli\.ts$/,
  /^tools\/[^/]+$/,
  /^tools\/(bench|sdk)\//,
  /^vitest\.config\.ts$/,
  STARTED,
  // Served as a file, which others start.
  /^snapshot\/proof\/verify\.mjs$/,
  // The SDK package starts here.
  /^sdk\/client\.ts$/,
];

/** Of tools/, the programs of `npm start` and what makes the SDK belong to the product. */
const PRODUCT = /^(?!tools\/)|^tools\/(start|gateway-process(es)?|public-child|supervised-child|sdk)\.ts$/;
const isEntry = (path: string): boolean => ENTRIES.some((entry) => entry.test(path));

/** One file by its promise: it is downloaded, read and run by itself. */
const ALONE = ['snapshot/proof/verify.mjs'];

/** Functions that are too long. A function ends at the closing brace with the indentation of its first line. */
function longFunctions(path: string): string[] {
  const lines = read(path).split('\n');
  return lines.flatMap((line, start) => {
    const opening =
      /^(\s*)(?:export )?(?:async )?(?:static )?(?:function\*? |(?:async )?\*?#?[a-zA-Z]+\(.*\).*\{$|const \w+ = (?:async )?\(.*=>\s*\{$)/.exec(
        line,
      );
    if (!opening || /^\s*(if|for|while|switch|describe|it|test|return)\b/.test(line)) return [];
    const end = lines.findIndex((candidate, at) => at > start && candidate.startsWith(`${opening[1]}}`));
    return end - start + 1 > FUNCTION_LINES_MAX ? [`${path}: ${line.trim()} has ${end - start + 1} lines`] : [];
  });
}

/** Names that a module declares with `export`. A test below forbids barrels. */
function exportedNames(path: string): string[] {
  const declared =
    /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;
  return [...read(path).matchAll(declared)].map((match) => match[1]!);
}

/** Whether the module uses an exported name itself: then the name occurs there more than once. */
function isUsedInside(path: string, name: string): boolean {
  return [...read(path).matchAll(new RegExp(`\\b${name}\\b`, 'g'))].length > 1;
}

describe('tidiness', () => {
  it('keeps every module within 500 lines', () => {
    const long = modules
      .filter((path) => !ALONE.includes(path))
      .map((path) => `${path}: ${read(path).split('\n').length}`);
    expect(long.filter((entry) => Number(entry.split(': ')[1]) > FILE_LINES_MAX)).toEqual([]);
  });

  it('keeps every function within 70 lines', () => {
    expect(sources.flatMap(longFunctions)).toEqual([]);
  });

  it('prints only in programs that are for a terminal', () => {
    const printing = sources.filter((path) => !PRINTS.some((allowed) => allowed.test(path)));
    expect(printing.filter((path) => /\bconsole\.\w+\(/.test(read(path)))).toEqual([]);
  });

  it('reads the environment in one place', () => {
    const readers = sources.filter(
      (path) => !['server-kit/config/env.ts', 'tools/launch.mjs', 'tools/answers.ts'].includes(path),
    );
    expect(readers.filter((path) => /process\.env\b/.test(read(path)))).toEqual([]);
  });

  it('holds SQL only in the pipeline, in snapshot/sql, in stores, and in benchmarks that ask other engines', () => {
    const outside = sources.filter(
      (path) =>
        !/^(pipeline|snapshot\/sql)\/|(^|\/)store\/|-store\.ts$|^tools\/bench\/(agents\/truth|rivals\/\w+)\.ts$/.test(
          path,
        ),
    );
    const statement = /[`'"]\s*(SELECT\s.+\sFROM\s|INSERT INTO\s|UPDATE\s\w+\sSET\s|DELETE FROM\s|CREATE TABLE\s)/i;
    expect(outside.filter((path) => statement.test(read(path)))).toEqual([]);
  });

  it('keeps every surface of the board out of its kit and its store', () => {
    const shared = sources.filter((path) => /^board-server\/(kit|store)\//.test(path));
    const surfaces = shared.flatMap((path) =>
      localImports(path)
        .filter((target) => target.startsWith('board-server/') && !/^board-server\/(kit|store)\//.test(target))
        .map((target) => `${path} imports ${target}`),
    );
    expect(surfaces).toEqual([]);
  });

  it('has no module that only tests import, and in the product none that only tests and tools import', () => {
    const imported = new Set(sources.flatMap(localImports));
    expect(sources.filter((path) => !imported.has(path) && !isEntry(path))).toEqual([]);
    const product = sources.filter((path) => PRODUCT.test(path));
    const served = new Set(product.flatMap(localImports));
    expect(product.filter((path) => !served.has(path) && !isEntry(path))).toEqual([]);
  });

  it('has at most 40 files at one level of a folder', () => {
    const sizes = Map.groupBy(files, (path) => path.slice(0, path.lastIndexOf('/') + 1));
    expect([...sizes].filter(([, inside]) => inside.length > 40).map(([folder]) => folder)).toEqual([]);
  });

  it('exports no name that only tests use', () => {
    const used = new Set(sources.flatMap(namedImports));
    // A pool of workers calls a function by its name.
    const called = new Set(
      sources
        .filter((path) => read(path).includes('new WorkerPool'))
        .flatMap((path) => Array.from(read(path).matchAll(/'(\w+)'/g), ([, name]) => name)),
    );
    const dead = sources
      .filter((path) => !isEntry(path) && !used.has(`${path} *`))
      .flatMap((path) =>
        exportedNames(path)
          .filter((name) => !used.has(`${path} ${name}`) && !called.has(name) && !isUsedInside(path, name))
          .map((name) => `${path} ${name}`),
      );
    expect(dead).toEqual([]);
  });

  it('has no barrel: a module that only hands on others; the entry of a server is its interface', () => {
    const modules = sources.filter((path) => !path.endsWith('-server/entry.ts'));
    expect(modules.filter((path) => /^export (\*|\{[^}]*\}) from /m.test(read(path)))).toEqual([]);
  });
});
