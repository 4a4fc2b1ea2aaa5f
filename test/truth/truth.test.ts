import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { REGISTRY_DATA, read } from '../support/tree.ts';
import { truthDocument } from './document.ts';

const isHeld = existsSync(REGISTRY_DATA);
if (!isHeld) process.stderr.write(`docs/truth.md is not measured again: ${REGISTRY_DATA} is absent.\n`);

describe.skipIf(!isHeld)('docs/truth.md', () => {
  test('says what is measured on the real records: run `npm run truth`', async () => {
    expect(read('docs/truth.md')).toBe(await truthDocument(REGISTRY_DATA));
  });
});
