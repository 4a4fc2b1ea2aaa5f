import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ERRORS, type ErrorCode } from '../contract/errors/errors.ts';
import { VIEW_PARAMETERS } from '../contract/interfaces/view.ts';
import * as acceptanceLimits from '../contract/limits/acceptance.ts';
import * as boardLimits from '../contract/limits/limits.ts';
import * as researchLimits from '../contract/limits/research.ts';
import * as twinLimits from '../contract/limits/twin.ts';
import type { Operation, ParameterShape } from '../contract/operation.ts';
import { OPERATIONS } from '../contract/operations.ts';
import { descriptionOf, expectedOf } from '../contract/parameters.ts';
import { SETTINGS } from '../server-kit/config/settings.ts';
import { dictionaryPage } from './dictionary.ts';

/** docs/reference.md and docs/dictionary.md are made from the contract; `node tools/reference.ts` writes them, a test holds them up to date. */
const DOCS = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs');

function parameterTable(parameters: ParameterShape): string {
  return ['| parameter | expected | meaning |', '|---|---|---|', ...parameterRows(parameters)].join('\n');
}

function parameterRows(parameters: ParameterShape): string[] {
  return Object.entries(parameters).map(
    ([name, schema]) => `| \`${name}\` | ${expectedOf(schema).replaceAll('|', '\\|')} | ${descriptionOf(schema)} |`,
  );
}

function operationSection(operation: Operation): string {
  const parameters = { ...operation.params, ...operation.query };
  const { aliases = [], ...names } = operation.names ?? {};
  const doors = Object.entries({ ...names, ...(aliases.length > 0 && { before: aliases.join('`, `') }) }).map(
    ([door, name]) => `${door} \`${name}\``,
  );
  return [
    `### ${operation.id}`,
    `\`${operation.method} ${operation.path}\` — ${operation.summary}. ${operation.description}`,
    ...(Object.keys(parameters).length > 0 ? [parameterTable(parameters)] : []),
    `Example: \`${operation.example}\`. Errors: ${operation.errors.map((code) => `\`${code}\``).join(', ') || 'none of its own'}.${doors.length > 0 ? ` Other names: ${doors.join(', ')}.` : ''}`,
  ].join('\n\n');
}

function errorSection(code: ErrorCode): string {
  const { status, family, retryable, cause, hint } = ERRORS[code];
  return `### ${code}\n\n${status}, ${family}, ${retryable ? 'retryable' : 'not retryable'}. ${cause} ${hint}`;
}

function settingSection([name, setting]: [string, (typeof SETTINGS)[keyof typeof SETTINGS]]): string {
  return `### ${name}\n\n${setting.meaning} Expected: ${setting.expected}. Default: ${setting.fallback === '' ? 'none' : `\`${setting.fallback}\``}.`;
}

function limitRows(): string[] {
  return Object.entries({ ...boardLimits, ...acceptanceLimits, ...researchLimits, ...twinLimits })
    .filter(([, value]) => typeof value === 'number')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `| ${name} | ${String(value)} |`);
}

/** The whole page. */
export function referencePage(): string {
  return `${[
    '# Reference',
    'Made from the contract by `node tools/reference.ts`; do not edit it by hand.',
    '## Operations',
    'Every read that answers in the envelope takes these two besides its own parameters ([views](views.md)):',
    parameterTable(VIEW_PARAMETERS),
    ...OPERATIONS.map(operationSection),
    '## Settings',
    'Environment variables, read once at start; a faulty one stops the start with a list of all faults.',
    ...(Object.entries(SETTINGS) as [string, (typeof SETTINGS)[keyof typeof SETTINGS]][]).map(settingSection),
    '## Error codes',
    'Branch on `error.code`. A 4xx fails the same way when repeated; a 5xx is ours.',
    ...(Object.keys(ERRORS) as ErrorCode[]).map(errorSection),
    '## Limits',
    ['| limit | value |', '|---|---|', ...limitRows()].join('\n'),
  ].join('\n\n')}\n`;
}

if (import.meta.main) {
  writeFileSync(join(DOCS, 'reference.md'), referencePage());
  writeFileSync(join(DOCS, 'dictionary.md'), dictionaryPage());
}
