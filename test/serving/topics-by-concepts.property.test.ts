import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Population } from '../../board-server/results-gap/population.ts';
import { rowsMeeting } from '../../index-server/search/matching.ts';
import { rowsOf } from '../../index-server/search/row-set.ts';
import { RESULTS_GAP_FILE } from '../../snapshot/format/results-gap.ts';
import { SERVING_DIR } from '../../snapshot/format/serving.ts';
import { POSTING } from '../../snapshot/format/serving-columns.ts';
import { registration } from '../builders/registration.ts';
import { imageOfTrials, trialOf } from '../builders/serving-image.ts';
import { smallTerminology } from '../builders/terminology.ts';
import { amountOf } from '../support/runner/amount.ts';

/** One word each, so that a text names the concepts whose words it has. */
const CONCEPTS = [
  { id: 'D001', heading: 'vora' },
  { id: 'D002', heading: 'kelt', broader: ['D001'] },
  { id: 'D003', heading: 'milo', broader: ['D002'] },
  { id: 'D004', heading: 'nodu', broader: ['D001'] },
  { id: 'D005', heading: 'rilo' },
];
const ABOVE: Record<string, string[]> = { D001: [], D002: ['D001'], D003: ['D002', 'D001'], D004: ['D001'], D005: [] };
const IDS = Object.keys(ABOVE);
const idOf = (word: string) => CONCEPTS.find(({ heading }) => heading === word)?.id;
const WORDS = [...CONCEPTS.map(({ heading }) => heading), 'tuba', 'xeno'];

const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 2 }).map((words) => words.join(' '));
const record = fc.record({
  title: text,
  conditions: fc.array(text, { maxLength: 2 }),
  conditionMesh: fc.array(fc.constantFrom(...IDS), { maxLength: 1 }),
});
const ids = fc.uniqueArray(fc.constantFrom(...IDS), { maxLength: 2 });
const topic = fc.record({
  words: fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 2 }),
  concepts: ids,
  without: ids,
});

type PlainTopic = { words: string[]; concepts: string[]; without: string[] };
type PlainRecord = { title: string; conditions: string[]; conditionMesh: string[] };

/** The rule as docs/terminology.md states it, read word by word. */
function isIn({ title, conditions, conditionMesh }: PlainRecord, { words, concepts, without }: PlainTopic): boolean {
  const counts = (id: string | undefined): boolean => {
    if (id === undefined) return false;
    const stated = [id, ...ABOVE[id]!];
    return stated.some((one) => concepts.includes(one)) && !stated.some((one) => without.includes(one));
  };
  const inConditions = conditions.flatMap((one) => one.split(' '));
  const all = [...title.split(' '), ...inConditions];
  if (all.some((word) => counts(idOf(word)))) return true;
  if (conditionMesh.some(counts)) return true;
  return all.some((word) => words.includes(word) && !counts(idOf(word)));
}

it('a topic by concepts has the trials of a plain reading, in the index as in the results gap', async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { minLength: 20, maxLength: 40 }),
      fc.array(topic, { minLength: 12, maxLength: 12 }),
      async (records, topics) => {
        const trials = records.map((given, place) => {
          const id = `NCT${String(place + 1).padStart(8, '0')}`;
          const conditionMesh = given.conditionMesh.map((mesh) => ({ id: mesh, term: mesh }));
          const gap = { studyType: 'interventional', status: 'completed', resultsAvailable: false } as const;
          return trialOf(registration(id, { ...given, ...gap, conditionMesh }));
        });
        const headings = (some: string[]) => Object.fromEntries(some.map((id) => [id, id]));
        const declared = topics.map(({ words, concepts, without }, place) => ({
          ...{ id: `t${place}`, title: 'x', why: 'x', reviewed: '2026-11-24', anyOf: words },
          ...{ concepts: headings(concepts), without: headings(without) },
        }));
        await using built = await imageOfTrials(trials, { topics: declared, terminology: smallTerminology(CONCEPTS) });
        const path = join(built.snapshotDir, SERVING_DIR, RESULTS_GAP_FILE);
        const gap = Population.fromBytes(await readFile(path), path, {
          ...{ version: 'v', asOf: '2026-11-24', identity: '0'.repeat(64) },
        });
        for (const [place, one] of topics.entries()) {
          const expected = records.flatMap((given, row) => (isIn(given, one) ? [row] : []));
          const rows = [...rowsOf(rowsMeeting(built.image, POSTING.topicByConcepts + declared[place]!.id))];
          expect({ one, rows }).toEqual({ one, rows: expected });
          expect({ one, gap: [...gap.rowsOf(declared[place]!.id, 'concepts')] }).toEqual({ one, gap: expected });
          found += expected.length;
        }
      },
    ),
    { numRuns: amountOf({ quick: 2, deep: 8 }), seed: 20_261_124, endOnFailure: true },
  );
  expect(found).toBeGreaterThan(amountOf({ quick: 100, deep: 500 }));
});
