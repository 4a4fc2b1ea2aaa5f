import { createHash } from 'node:crypto';
import { cp, glob, mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
const CACHE = join(ROOT, 'node_modules', '.cache', 'test-sample');

/** Everything that a publication of the sample reads or runs. Tests are left out. */
const MAKERS = [
  '{contract,pipeline,server-kit,snapshot,twin}/**/*.{ts,sql,json}',
  'data/{rules,spelling,terminology,sources,curated,lexicons}/**/*',
  'data/*.json',
  'test/support/sample/**/*',
  'test/support/runner/sample-snapshot.ts',
  'test/support/snapshots/removed-version.ts',
  'package-lock.json',
];

/**
 * Fills `root` with what `make` writes into it. The result is kept below node_modules/.cache under a hash of the
 * files that make it, so that a test run publishes the sample only after one of them changed. Each run works on a copy.
 */
export async function cachedSample(root: string, make: () => Promise<void>): Promise<void> {
  const kept = join(CACHE, await hashOfMakers());
  if (await isDirectory(kept)) return cp(kept, root, { recursive: true });
  await make();
  await mkdir(CACHE, { recursive: true });
  const copy = await mkdtemp(join(CACHE, 'new-'));
  await cp(root, copy, { recursive: true });
  await rename(copy, kept).catch(async () => {
    // Another run was first: its copy equals this one.
    await rm(copy, { recursive: true, force: true });
  });
}

async function hashOfMakers(): Promise<string> {
  const files: string[] = [];
  for (const pattern of MAKERS) {
    for await (const file of glob(pattern, { cwd: ROOT })) if (!file.endsWith('.test.ts')) files.push(file);
  }
  const hash = createHash('sha256');
  for (const file of files.sort()) {
    const path = join(ROOT, file);
    if (await isDirectory(path)) continue;
    hash.update(`${file}\0`).update(await readFile(path));
  }
  return hash.digest('hex').slice(0, 32);
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
