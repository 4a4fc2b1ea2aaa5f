import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Reads a file by its path from the root; null where there is none. */
export type ReadSource = (path: string) => Promise<string | null>;

/** Hash of every source that `entry` can run, and of the versions of the packages that these import. */
export async function hashOfCode(read: ReadSource, entry: string): Promise<string> {
  const { sources, packages } = await codeFrom(entry, read);
  const { dependencies } = JSON.parse((await read('package.json')) as string) as { dependencies: object };
  const pinned = Object.entries(dependencies).filter(([name]) => packages.has(name));
  const hash = createHash('sha256').update(JSON.stringify(pinned));
  for (const path of [...sources.keys()].sort()) hash.update(`${path}\n${sources.get(path)}`);
  return hash.digest('hex');
}

/**
 * The sources that a module leads to: modules that it imports, and programs and SQL files that it names. Imports of
 * types alone are not followed: they are gone when the code runs.
 */
export async function codeFrom(entry: string, read: ReadSource) {
  const sources = new Map<string, string>();
  const packages = new Set<string>();
  const open = [entry];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (sources.has(path)) continue;
    const source = await read(path);
    // A text that only looks like a path.
    if (source === null) continue;
    sources.set(path, source);
    if (!path.endsWith('.ts')) continue;
    const running = source.replaceAll(/^import type [^;]*;$/gm, '');
    for (const [, name] of running.matchAll(/from '((?:@[^/']+\/)?[^./'][^/']*)[^']*'/g)) packages.add(name as string);
    for (const [, named] of running.matchAll(/'([\w./-]+\.(?:ts|sql))'/g)) {
      open.push(posix.join(dirname(path), named as string));
    }
  }
  return { sources, packages };
}

export async function readSource(path: string): Promise<string | null> {
  try {
    return await readFile(join(ROOT, path), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
