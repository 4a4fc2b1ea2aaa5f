import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '../gateway/description/openapi-document.ts';

/** docs/openapi.json is made from the contract; `node scripts/openapi.ts` writes it, a test holds it up to date. */
const PATH = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs', 'openapi.json');

/** Where `npm start` serves by default. */
const BASE_URL = 'http://127.0.0.1:3000';

/** The whole file. */
export function openApiFile(): string {
  return `${JSON.stringify(openApiDocument(BASE_URL), null, 2)}\n`;
}

if (import.meta.main) writeFileSync(PATH, openApiFile());
