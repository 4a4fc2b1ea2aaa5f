import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { compile, SDK_DIR } from './sdk.ts';

/** `node scripts/sdk-pack.ts [folder]` makes the package of the SDK, as npm publishes it, and prints where it lies. */

/** Path of the tarball that was put into the folder. */
export function packSdk(folder: string): string {
  const staged = mkdtempSync(join(tmpdir(), 'trial-board-pack-'));
  try {
    for (const name of ['package.json', 'README.md']) copyFileSync(join(SDK_DIR, name), join(staged, name));
    copyFileSync(join(dirname(SDK_DIR), 'LICENSE'), join(staged, 'LICENSE'));
    compile(join(staged, 'js'), { declarations: true });
    mkdirSync(folder, { recursive: true });
    const words = [
      'pack',
      '--json',
      '--offline',
      '--ignore-scripts',
      '--loglevel=error',
      '--pack-destination',
      resolve(folder),
    ];
    const [packed] = JSON.parse(
      execFileSync('npm', words, { cwd: staged, encoding: 'utf8', shell: process.platform === 'win32' }),
    ) as [{ filename: string }];
    return join(resolve(folder), packed.filename);
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}

if (import.meta.main) process.stdout.write(`${packSdk(process.argv[2] ?? '.')}\n`);
