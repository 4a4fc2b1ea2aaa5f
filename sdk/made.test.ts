import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sdkModules } from './make/sdk-files.ts';

const { compiled } = sdkModules();
let byCompiler: Record<string, string> | undefined;

/** Declarations as the compiler makes them of the sources, without the parts that only this package's own modules use. */
function declarationsByCompiler(): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'trial-board-sdk-'));
  try {
    const tsc = join(import.meta.dirname, '..', 'node_modules', 'typescript', 'bin', 'tsc');
    const words = [
      '-p',
      join(import.meta.dirname, 'tsconfig.json'),
      '--noEmit',
      'false',
      '--declaration',
      '--outDir',
      folder,
    ];
    execFileSync(process.execPath, [tsc, ...words]);
    return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The statements of a declaration without comments, layout and imports. */
function statementsOf(text: string): string[] {
  return text
    .replaceAll(/\/\*\*[\s\S]*?\*\/|^(import|\/\/) .*$/gm, '')
    .replaceAll(/\.js(?=')/g, '.ts')
    .replaceAll(/[\s;,]+/g, ' ')
    .replaceAll('"', "'")
    .replaceAll(/#private |(?<=[:=] )\| /g, '')
    .replaceAll(/ ?([(){}<>[\]]) ?/g, '$1')
    .split(/(?=\bexport )/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

describe('the package of the SDK', () => {
  it.each(['client.d.ts', 'changes.d.ts', 'error.d.ts', 'methods.d.ts', 'options.d.ts'])(
    '%s declares what the compiler reads from its source',
    (name) => {
      byCompiler ??= declarationsByCompiler();
      const declared = statementsOf(byCompiler[name]!);
      expect(
        statementsOf(compiled[name]!)
          .filter((statement) => !declared.includes(statement))
          .map((text) => text.slice(0, 80)),
      ).toEqual([]);
    },
  );

  // The compiler checks that no module needs a global of Node either: sdk/tsconfig.json has no types of Node.
  it('needs no other package, and every import leads to one of its modules', () => {
    for (const [name, text] of Object.entries(compiled)) {
      const imports = [...text.matchAll(/(?<!['"])\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map(
        (match) => match[1]!,
      );
      expect(
        imports.map((path) => path.slice(2)).filter((path) => !Object.hasOwn(compiled, path)),
        name,
      ).toEqual([]);
    }
  });
});
