import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { REGISTRY_DATA, read } from '../support/tree.ts';
import { truthDocument, writtenSections } from './document.ts';
import { filters } from './measures/filters.ts';

const isHeld = existsSync(REGISTRY_DATA);
if (!isHeld) process.stderr.write(`docs/truth.md is not measured again: ${REGISTRY_DATA} is absent.\n`);

describe.skipIf(!isHeld)('docs/truth.md', () => {
  test('says what is measured on the real records: run `npm run truth`', async () => {
    const page = read('docs/truth.md');
    // Another file measures this one, on a snapshot of its own.
    const written = writtenSections(page).get(filters.title);
    expect(written).toBeDefined();
    expect(page).toBe(await truthDocument(REGISTRY_DATA, new Map([[filters.title, written!]])));
  });
});
