import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { orderOf } from '../../index-server/handlers/search-order.ts';
import { compileFilters } from '../../index-server/search/filters.ts';
import { search } from '../../index-server/search/matching.ts';
import { partsOfText } from '../../index-server/search/relevance.ts';
import { openSnapshotImage } from '../../index-server/snapshot/snapshot-image.ts';
import { SERVING_DIR, TERMS_FILE, TEXT_FIELDS_KEY } from '../../snapshot/format/serving.ts';
import { registration } from '../builders/registration.ts';
import { buildImage } from '../builders/serving-image.ts';

const drug = (name: string) => [{ type: 'drug', name, otherNames: [], description: null }];
const RECORDS = [
  registration('NCT00000001', { title: 'Walking', officialTitle: 'Asthma and walking' }),
  registration('NCT00000002', { title: 'Walking', interventions: drug('asthma inhaler') }),
  registration('NCT00000003', { title: 'Walking', conditions: ['Asthma'] }),
  registration('NCT00000004', { title: 'Asthma' }),
  registration('NCT00000005', { title: 'Walking', acronym: 'ASTHMA' }),
  // The same text in two fields, and as the condition of the other registration.
  registration('NCT00000006', { title: 'Running', conditions: ['Running'] }),
  registration('NCT00000007', { title: 'Nothing', acronym: 'Running', conditions: ['Running', 'Asthma'] }),
];
const TRIALS = RECORDS.map((one) => ({ canonicalId: `wt_${one.id.slice(3)}aaaa`, aliases: [], registrations: [one] }));

async function openCorpus() {
  return buildImage({ trials: TRIALS, identifiers: [], links: [], relations: [] }, { topics: [] });
}

it('a word counts by the best of title or acronym, conditions, interventions, and all else', async () => {
  await using built = await openCorpus();
  const scored = (q: string): [number, number][] => {
    const compiled = compileFilters({ q });
    const sort = { relevantTo: partsOfText(compiled.text) };
    const { rows, scores } = search(built.image, compiled, { offset: 0, limit: 10, sort });
    // Rows are in the order of canonical ids: no record says when it was updated.
    return [...rows].map((row, place) => [row + 1, scores![place]!]);
  };
  expect(scored('asthma')).toEqual([
    [4, 4],
    [5, 4],
    [3, 3],
    [7, 3],
    [2, 2],
    [1, 1],
  ]);
  expect(scored('running')).toEqual([
    [6, 4],
    [7, 4],
  ]);
  expect(scored('asthma running')).toEqual([[7, 7]]);
  expect(scored('"asthma inhaler"')).toEqual([[2, 2]]);
});

it('an image of before the fields were kept refuses relevance and says how to add them', async () => {
  await using built = await openCorpus();
  const terms = join(built.snapshotDir, SERVING_DIR, TERMS_FILE);
  const bytes = readFileSync(terms);
  for (let at = bytes.indexOf(TEXT_FIELDS_KEY); at >= 0; at = bytes.indexOf(TEXT_FIELDS_KEY)) bytes.write('older', at);
  writeFileSync(terms, bytes);
  const older = openSnapshotImage(built.snapshotDir);
  const fail = (code: string, details: unknown): never => {
    throw { code, details };
  };
  try {
    expect([built.image.hasTextFields, older.hasTextFields]).toEqual([true, false]);
    expect(orderOf(built.image, 'relevance', ['q:asthma'], fail)).toEqual({ relevantTo: ['q:asthma'] });
    expect(() => orderOf(older, 'relevance', ['q:asthma'], fail)).toThrow(
      expect.objectContaining({
        code: 'INVALID_PARAM',
        details: expect.objectContaining({
          parameter: 'sort',
          expected: expect.stringContaining(`\`npm run pipeline -- publish --reindex ${older.version}\``),
        }),
      }),
    );
    expect(orderOf(older, 'relevance', [], fail)).toBe('updated');
    expect(orderOf(older, 'start', ['q:asthma'], fail)).toBe('start');
  } finally {
    older.release();
  }
});
