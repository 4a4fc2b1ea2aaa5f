import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Topic } from './terms/topics.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const ENTRY = 'pipeline/publish/serving/build-serving-image.ts';

/** Reads a file by its path from the root; null where there is none. */
export type ReadSource = (path: string) => Promise<string | null>;

let code: Promise<string> | undefined;

/**
 * Hash of what decides an image's bytes besides the tables: the code, its tables of Unicode, its packer, the topics and the
 * terminology.
 */
export async function makerOf(topics: readonly Topic[], terminology: Uint8Array): Promise<string> {
  code ??= hashOfCode(readSource);
  const terms = createHash('sha256').update(terminology).digest('hex');
  const parts = [await code, process.versions.unicode, process.versions.brotli, topics, terms];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Hash of every source that `entry` can run, by default the image's, and of the versions of the packages that these import. */
export async function hashOfCode(read: ReadSource, entry: string = ENTRY): Promise<string> {
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
    sources.set(path, path.startsWith('contract/') ? withoutDescriptions(source) : source);
    if (!path.endsWith('.ts')) continue;
    const running = source.replaceAll(/^import type [^;]*;$/gm, '');
    for (const [, name] of running.matchAll(/from '((?:@[^/']+\/)?[^./'][^/']*)[^']*'/g)) packages.add(name as string);
    for (const [, named] of running.matchAll(/'([\w./-]+\.(?:ts|sql))'/g)) {
      open.push(posix.join(dirname(path), named as string));
    }
  }
  return { sources, packages };
}

const STRING = String.raw`(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|${'`[^`]*`'})`;
const DESCRIPTIONS = new RegExp(
  [
    // Comments on lines of their own.
    String.raw`^ *\/\*[\s\S]*?\*\/ *$`,
    String.raw`^ *\/\/.*$`,
    String.raw`(?<=\.describe\(\s*)${STRING}`,
    String.raw`(?<=\b(?:meaning|null|defect):\s*)${STRING}`,
    String.raw`(?<=\bsource: )\{[^{}]*\}`,
  ].join('|'),
  'gm',
);

/**
 * A module of the contract without the words that describe its fields to readers: the image's code reads none of them.
 */
function withoutDescriptions(source: string): string {
  return source.replaceAll(DESCRIPTIONS, '');
}

export async function readSource(path: string): Promise<string | null> {
  try {
    return await readFile(join(ROOT, path), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
