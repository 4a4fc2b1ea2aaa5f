import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { methodsModule, tableModule } from './sdk/operation-modules.ts';
import { typesModule } from './sdk/type-module.ts';

/**
 * Parts of the SDK that are made from the contract, and the JavaScript and declarations that are made from all of it for
 * browsers and for the package; `node tools/sdk.ts` writes them, a test holds them up to date.
 */
const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
export const SDK_DIR = join(ROOT, 'sdk');

/** TypeScript modules of the SDK that no one writes by hand, by file name. */
export function madeModules(): Record<string, string> {
  const made = { 'types.ts': typesModule(), 'operations.ts': tableModule(), 'methods.ts': methodsModule() };
  return Object.fromEntries(Object.entries(made).map(([name, text]) => [name, formatted(name, text)]));
}

function formatted(name: string, text: string): string {
  const biome = join(ROOT, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
  const words = ['check', '--write', `--stdin-file-path=sdk/${name}`];
  return execFileSync(process.execPath, [biome, ...words], { cwd: ROOT, input: text, encoding: 'utf8' });
}

/** Compiles the SDK into a folder. The declarations of types.ts are that file itself: whoever packs it takes it. */
export function compile(folder: string): void {
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const words = ['-p', join(SDK_DIR, 'tsconfig.json'), '--noEmit', 'false', '--declaration', '--outDir', folder];
  execFileSync(process.execPath, [tsc, ...words], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
  rmSync(join(folder, 'types.d.ts'));
}

/** The JavaScript modules and their declarations, by file name. */
export function compiledModules(): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'trial-board-sdk-'));
  try {
    compile(folder);
    const names = readdirSync(folder).sort();
    return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function write(folder: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

if (import.meta.main) {
  write(SDK_DIR, madeModules());
  const folder = join(SDK_DIR, 'js');
  rmSync(folder, { recursive: true, force: true });
  compile(folder);
}
