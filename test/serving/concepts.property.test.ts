import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readConceptQuery } from '../../index-server/search/concepts/concept-query.ts';
import { terminologyOf } from '../../index-server/search/concepts/image-terminology.ts';
import { matchGrounds } from '../../index-server/search/concepts/matched-by.ts';
import { meets, rowsMeeting } from '../../index-server/search/matching.ts';
import { partsOf, relevancePage } from '../../index-server/search/relevance.ts';
import { rowsOf } from '../../index-server/search/row-set.ts';
import { registration, registryDate } from '../builders/registration.ts';
import { imageOfTrials, trialOf } from '../builders/serving-image.ts';
import { smallTerminology } from '../builders/terminology.ts';
import { PlainConcepts, plainQueries, written } from '../support/plain/plain-concepts.ts';
import { plainGround } from '../support/plain/plain-grounds.ts';
import { amountOf } from '../support/runner/amount.ts';

const CONCEPTS = [
  { id: 'D001', heading: 'vora' },
  { id: 'D002', heading: 'vora kelt', terms: ['kv'], broader: ['D001'] },
  { id: 'D003', heading: 'kelt milo', terms: ['mk', 'milo of kelt'], broader: ['D001'] },
  { id: 'D004', heading: 'nodu' },
];
const WORDS = ['vora', 'kelt', 'milo', 'kv', 'mk', 'nodu', 'rilo', 'tuba', 'xeno', 'plim'];

const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
const some = (size: number) => fc.array(text, { maxLength: size });
const name = fc.constantFrom('rilo', 'tuba', 'xeno plim', 'plim', 'milo');
const mesh = fc.array(
  fc.constantFrom(...CONCEPTS).map(({ id, heading }) => ({ id, term: heading })),
  { maxLength: 1 },
);
const record = fc.record({
  title: text,
  officialTitle: fc.option(text, { nil: null }),
  conditions: some(2),
  keywords: some(1),
  sponsorName: fc.option(text, { nil: null }),
  conditionMesh: mesh,
  interventionMesh: mesh,
  interventions: fc.array(
    fc.record({
      type: fc.constant('drug'),
      name: fc.option(name, { nil: null }),
      otherNames: fc.uniqueArray(name, { maxLength: 2 }),
      description: fc.option(text, { nil: null }),
    }),
    { maxLength: 1 },
  ),
});
const corpus = fc.array(record, { minLength: 20, maxLength: 40 });

const query = plainQueries(WORDS, { parts: 3, maxDepth: 3 });

it('a search by concepts finds what a plain reading of every record finds, the same by every name', async () => {
  let found = 0;
  const scores = new Set<number>();
  const vias = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      corpus,
      fc.array(query, { minLength: 80, maxLength: 80 }),
      fc.constantFrom(1, 1000),
      async (fields, queries, commonTermRows) => {
        // One day later each: a row is the place in this list, from its end.
        const records = fields.map((one, place) =>
          registration(`NCT${String(place + 1).padStart(8, '0')}`, {
            ...one,
            dates: {
              lastUpdated: registryDate(
                `2026-0${1 + Math.floor(place / 25)}-${String(1 + (place % 25)).padStart(2, '0')}`,
              ),
            },
          } as Parameters<typeof registration>[1]),
        );
        await using built = await imageOfTrials(records.map(trialOf), {
          topics: [],
          commonTermRows,
          terminology: smallTerminology(CONCEPTS),
        });
        const { image } = built;
        const terminology = terminologyOf(image)!;
        const plain = new PlainConcepts(CONCEPTS, records);
        const rowsBy = (q: string): number[] => [
          ...rowsOf(rowsMeeting(image, readConceptQuery(q, image, terminology)!.requirement)),
        ];
        for (const { heading, terms = [] } of CONCEPTS) {
          const rows = rowsBy(heading);
          for (const term of terms) expect({ term, rows: rowsBy(term) }).toEqual({ term, rows });
        }
        for (const asked of queries) {
          const read = readConceptQuery(written(asked), image, terminology)!;
          const rows = [...rowsOf(rowsMeeting(image, read.requirement))];
          const expected = records.flatMap((one, place) =>
            plain.meets(one, asked) ? [records.length - 1 - place] : [],
          );
          expect({ q: written(asked), rows }).toEqual({ q: written(asked), rows: expected.sort((a, b) => a - b) });
          const isMet = meets(image, read.requirement);
          expect({ q: written(asked), rows: records.flatMap((_, row) => (isMet(row) ? [row] : [])) }).toEqual({
            q: written(asked),
            rows,
          });
          found += rows.length;
          const parts = partsOf(read.requirement);
          const matching = rowsMeeting(image, read.requirement);
          const page = relevancePage(image, matching, parts, { offset: 0, limit: records.length });
          const scored = rows
            .map((row) => ({ row, score: plain.score(records[records.length - 1 - row]!, asked) }))
            .sort((one, other) => other.score - one.score);
          expect({ q: written(asked), rows: [...page.rows], scores: page.scores }).toEqual({
            q: written(asked),
            rows: scored.map(({ row }) => row),
            scores: scored.map(({ score }) => score),
          });
          for (const { score } of scored) scores.add(score);
          const groundsOf = matchGrounds({
            image,
            terminology,
            texts: [{ parameter: 'q', value: written(asked), query: read }],
          });
          const sets = read.clauses.map(({ requirement }) => new Set(rowsOf(rowsMeeting(image, requirement))));
          for (const row of rows) {
            const record = records[records.length - 1 - row]!;
            const expected = read.clauses.flatMap(({ reading }, place) =>
              sets[place]!.has(row) ? [plainGround(terminology, record, reading)] : [],
            );
            const grounds = groundsOf(row);
            expect({ q: written(asked), row, grounds }).toEqual({ q: written(asked), row, grounds: expected });
            for (const { via, term } of grounds) vias.add(`${via} ${term === null}`);
          }
        }
      },
    ),
    { numRuns: amountOf({ quick: 1, deep: 8 }), seed: 20_261_123, endOnFailure: true },
  );
  expect(found).toBeGreaterThan(amountOf({ quick: 200, deep: 1000 }));
  expect(scores.size).toBeGreaterThan(amountOf({ quick: 3, deep: 8 }));
  expect([...vias].sort()).toEqual([
    'mesh false',
    'other-name false',
    'registry-mesh false',
    'registry-mesh-ancestor false',
    'reviewed false',
    'sponsor true',
    'words true',
  ]);
});
