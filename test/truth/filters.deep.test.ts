import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { REGISTRY_DATA, read } from '../support/tree.ts';
import { sectionOf, writtenSections } from './document.ts';
import type { Share } from './measure.ts';
import { filters } from './measures/filters.ts';
import { serveRecords } from './served.ts';

const isHeld = existsSync(REGISTRY_DATA);
if (!isHeld) process.stderr.write(`Filters are not compared with the registries: ${REGISTRY_DATA} is absent.\n`);

const isExact = (share: Share | null): boolean => share !== null && share.hits === share.of;

test.skipIf(!isHeld)('every filter and sort finds what a plain scan of the raw registry records finds', async () => {
  await using served = await serveRecords(REGISTRY_DATA, { isrctn: true });
  const opened = async () => served;
  const measured = await filters.measure({ data: REGISTRY_DATA, served: opened, servedOfBoth: opened });
  const inexact = measured.rows.filter(({ precision, recall }) => !isExact(precision) || !isExact(recall));
  expect(inexact.map(({ what, misses }) => ({ what, misses: misses.slice(0, 5) }))).toEqual([]);
  // A filter that finds nothing on either side says nothing.
  expect(measured.rows.filter(({ n }) => n === 0)).toEqual([]);
  expect(writtenSections(read('docs/truth.md')).get(filters.title)).toBe(sectionOf(filters, measured));
});
