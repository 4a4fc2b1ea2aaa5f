import { afterAll, beforeAll, expect, it } from 'vitest';
import { SNAPSHOT_TABLE_DESCRIPTIONS } from '../../contract/fields/snapshot-tables.ts';
import { markupFaults } from '../support/checks/markup-faults.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';
import { readPage } from '../support/read-page.ts';

let origin: TestOrigin;
beforeAll(async () => {
  origin = await openOrigin();
});
afterAll(() => origin[Symbol.asyncDispose]());

it('the dictionary has each column of each table once, with its source and its defect', async () => {
  const { status, markup, text } = await readPage(origin, '/dictionary');
  expect([status, markupFaults(markup)]).toEqual([200, []]);
  const shown = [...markup.matchAll(/<th scope="row" role="rowheader"><code>(\w+)<\/code>/g)].map((match) => match[1]);
  expect(shown).toEqual(
    Object.values(SNAPSHOT_TABLE_DESCRIPTIONS).flatMap(({ columns }) => columns.map(({ name }) => name)),
  );
  expect(text).toContain('under <column>_sha256 (of a text its UTF-8 bytes, of a list its JSON by RFC 8785');
  expect(text).toContain('protocolSection.statusModule.overallStatus');
  expect(text).toContain('known defect: ISRCTN interventions in different phases read as not-stated');
});
