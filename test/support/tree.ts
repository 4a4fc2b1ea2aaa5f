import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the checkout. */
export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
/** The real registry records beside the checkout; absent elsewhere. */
export const REGISTRY_DATA = resolve(ROOT, '../shared/registry-data');

/** Files that git tracks or would track, as paths from the root. */
export function repositoryFiles(): string[] {
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => path !== '' && readable(path));
}

function readable(path: string): boolean {
  try {
    readFileSync(join(ROOT, path));
    return true;
  } catch {
    return false;
  }
}

export function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Relative imports of a module, as paths from the root; packages and built-ins are left out. */
export function localImports(path: string): string[] {
  const found = read(path).matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g);
  return [...found].map((match) => relative(ROOT, resolve(ROOT, dirname(path), match[1]!)));
}

/**
 * The names that a module imports from modules of this project, each as `path name`; `path *` where it imports all
 * names.
 */
export function namedImports(path: string): string[] {
  const found = read(path).matchAll(/^(?:import|export) (?:type )?\{([^}]*)\} from '(\.{1,2}\/[^']+)'/gm);
  const moduleOf = (target: string): string => relative(ROOT, resolve(ROOT, dirname(path), target));
  const whole = read(path).matchAll(/import(?: \* as \w+ from |\()'(\.{1,2}\/[^']+)'/g);
  const all = [...whole].map(([, target]) => `${moduleOf(target!)} *`);
  const named = [...found].flatMap(([, names, target]) => {
    const module = moduleOf(target!);
    return names!.split(',').flatMap((entry) => {
      const name = /^\s*(?:type )?(\w+)/.exec(entry)?.[1];
      return name === undefined ? [] : [`${module} ${name}`];
    });
  });
  return [...named, ...all];
}

/** Packages that a module imports. */
export function packageImports(path: string): string[] {
  const found = read(path).matchAll(
    /^(?:import |export (?:type )?\{|\} from )[^'\n]*'((?:@[^/']+\/)?[^./'][^/']*)(?:\/[^']*)?';$/gm,
  );
  return [...found].map((match) => match[1]!);
}
