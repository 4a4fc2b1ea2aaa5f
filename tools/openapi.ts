import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '../gateway/description/openapi-document.ts';

/** docs/openapi.json is made from the contract; `node tools/openapi.ts` writes it, a test holds it up to date. */
const PATH = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs', 'openapi.json');

/** Where `npm start` serves by default. */
const BASE_URL = 'http://127.0.0.1:3000';

const LINE_WIDTH = 120;
/** A field of a component and a response of an operation each have a line of their own; what is deeper stays in it. */
const LINES_DEPTH = 5;

/** JSON by lines that a review can compare, without the blanks that would be half of the file. */
function printed(value: unknown, depth = 0, before = ''): string {
  const flat = JSON.stringify(value);
  const fits = before.length + flat.length < LINE_WIDTH;
  if (fits || depth >= LINES_DEPTH || value === null || typeof value !== 'object') return flat;
  const names = Object.keys(value).map((key) => (Array.isArray(value) ? '' : `${JSON.stringify(key)}: `));
  const lines = Object.values(value).map((part, at) => `${names[at]}${printed(part, depth + 1, names[at])}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.join(',\n')}\n${close}`;
}

/** The whole file. */
export function openApiFile(): string {
  return `${printed(openApiDocument(BASE_URL))}\n`;
}

if (import.meta.main) writeFileSync(PATH, openApiFile());
