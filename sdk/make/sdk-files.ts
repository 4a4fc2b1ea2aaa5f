import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { methodsDeclaration, methodsModule, tableModule } from './operation-modules.ts';
import { typesModule } from './type-module.ts';

const FOLDER = join(import.meta.dirname, '..');
const DECLARATIONS = join(FOLDER, 'declarations');
/** Modules of types alone: their source is their declaration. */
const TYPES_ONLY = ['types.ts', 'options.ts'];

/** The modules that are made from the contract, by file name. They are written only where something imports them: for tests. */
export function madeModules(): Record<string, string> {
  return { 'methods.ts': methodsModule(), 'operations.ts': tableModule(), 'types.ts': typesModule() };
}

/** The whole SDK: TypeScript by name, and what the package holds of it, JavaScript with declarations. */
export interface SdkModules {
  readonly source: Record<string, string>;
  readonly compiled: Record<string, string>;
}

/** Makes every file of the SDK, in about half a second. Node removes the types, so no compiler is needed where it is served. */
export function sdkModules(): SdkModules {
  const made = madeModules();
  const written = readdirSync(FOLDER).filter((name) => /^[a-z-]+\.ts$/.test(name) && !Object.hasOwn(made, name));
  const source = { ...readAll(FOLDER, written), ...made };
  const scripts = Object.entries(source).map(([name, text]) => [compiledName(name), javaScript(text)]);
  const declarations = {
    ...readAll(DECLARATIONS, readdirSync(DECLARATIONS)),
    ...Object.fromEntries(TYPES_ONLY.map((name) => [name.replace('.ts', '.d.ts'), source[name]!])),
    'methods.d.ts': methodsDeclaration(),
  };
  const linked = Object.entries(declarations).map(([name, text]) => [name, withCompiledNames(text)]);
  return { source, compiled: Object.fromEntries([...scripts, ...linked]) };
}

function readAll(folder: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

const compiledName = (name: string): string => name.replace(/\.ts$/, '.js');

/** Types become blanks, comments stay. */
function javaScript(text: string): string {
  return withCompiledNames(
    stripTypeScriptTypes(text)
      .replaceAll(/[ \t]+$/gm, '')
      .replaceAll(/\n{3,}/g, '\n\n'),
  );
}

function withCompiledNames(text: string): string {
  return text.replaceAll(/(?<=\bfrom ')\.\/[a-z-]+\.ts(?=';)/g, compiledName);
}
