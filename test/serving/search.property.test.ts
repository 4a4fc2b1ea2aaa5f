import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GAP_CLOCKS, GAP_MONTHS } from '../../contract/limits/limits.ts';
import { trialListItemSchema } from '../../contract/schemas/trials/trial.ts';
import {
  PARTICIPANT_SEX,
  PHASES,
  RECRUITMENT_STATUSES,
  SPONSOR_CLASSES,
  STUDY_TYPES,
  TRIAL_STATUSES,
} from '../../contract/vocabularies.ts';
import { coverage } from '../../index-server/search/counting/coverage.ts';
import { landscape } from '../../index-server/search/counting/landscape.ts';
import { documents } from '../../index-server/search/documents.ts';
import { compileFilters, type TrialFilters } from '../../index-server/search/filters.ts';
import { matchingRows } from '../../index-server/search/matching.ts';
import { search } from '../../index-server/search/sort-order.ts';
import type { SnapshotImage } from '../../index-server/snapshot/snapshot-image.ts';
import type { RegistryDate } from '../../snapshot/format/registration.ts';
import { organisation, registration, registryDate, site } from '../builders/registration.ts';
import { imageOfTrials } from '../builders/serving-image.ts';
import type { CorpusTrial } from '../builders/snapshot-tables.ts';
import { plainScore, plainSearch } from '../support/plain/plain-search.ts';
import { amountOf } from '../support/runner/amount.ts';

const WORDS = [
  ...['tumour', 'tumors', 'Type', '1', '2', 'diabetes', 'gastro-oesophageal', 'gastroesophageal', 'gastro', 'child'],
  ...['oesophageal', 'children', 'Café', 'cafe', 'X-linked', 'X', 'linked', "Crohn's", 'crohn', '𝒳', 'SSRIs'],
];
const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));
const terms = fc.array(fc.constantFrom('Asthma', 'asthma', 'Heart  Failure', 'Tumour', 'Œdème'), { maxLength: 3 });
const countries = fc.array(fc.constantFrom('Ireland', "Côte d'Ivoire", 'United States'), { maxLength: 2 });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const dayText = fc.integer({ min: 0, max: 70 }).map((offset) => new Date((20_000 + offset) * 86_400_000).toISOString());
const date: fc.Arbitrary<RegistryDate> = fc
  .tuple(dayText, fc.boolean())
  .map(([iso, month]) => registryDate(iso.slice(0, month ? 7 : 10)));

const fields = fc.record({
  title: text,
  officialTitle: maybe(text),
  acronym: maybe(fc.constantFrom(...WORDS)),
  status: fc.constantFrom(...TRIAL_STATUSES),
  recruitmentStatus: fc.constantFrom(...RECRUITMENT_STATUSES),
  phase: fc.constantFrom(...PHASES),
  studyType: fc.constantFrom(...STUDY_TYPES),
  sponsorName: maybe(fc.constantFrom('Acme Tumours', 'acme tumours', 'Royal Child Hospital')),
  enrollmentCount: maybe(fc.integer({ min: 0, max: 20_000 })),
  sponsorClass: fc.constantFrom(...SPONSOR_CLASSES),
  collaborators: fc.array(fc.constantFrom('Acme Tumours', 'Child Fund').map(organisation), { maxLength: 2 }),
  sex: fc.constantFrom(...PARTICIPANT_SEX),
  minimumAge: maybe(fc.constantFrom(0.5, 2, 18, 65)),
  maximumAge: maybe(fc.constantFrom(2, 17, 65, 99)),
  sites: fc.array(
    fc
      .tuple(
        fc.constantFrom(
          site('Ireland', 'Dublin'),
          site('United States', 'Dublin'),
          site('United States', 'San José'),
          site('Ireland', null),
          site(null, 'Dublin'),
        ),
        fc.constantFrom(null, null, 'recruiting', 'withdrawn'),
      )
      .map(([one, status]) => ({ ...one, status })),
    { maxLength: 3 },
  ),
  keywords: fc.array(text, { maxLength: 2 }),
  countries,
  conditions: terms,
  interventions: fc.array(
    fc.record({
      type: fc.constant('drug'),
      name: maybe(text),
      otherNames: fc.array(text, { maxLength: 1 }),
      description: maybe(text),
    }),
    { maxLength: 2 },
  ),
  resultsAvailable: fc.boolean(),
  eligibilityText: maybe(text),
  dates: fc.record({
    start: maybe(date),
    primaryCompletion: maybe(date),
    completion: maybe(date),
    firstPosted: maybe(dayText.map((iso) => registryDate(iso.slice(0, 10)))),
    lastUpdated: maybe(date),
    resultsPosted: maybe(dayText.map((iso) => registryDate(iso.slice(0, 10)))),
  }),
});

const corpus: fc.Arbitrary<CorpusTrial[]> = fc
  .array(fc.tuple(fields, fields, fc.constantFrom('ctgov', 'isrctn', 'both')), {
    minLength: 20,
    maxLength: 110,
    size: 'max',
  })
  .map((trials) =>
    trials.map(([one, other, held], place) => {
      // Spreads the numbers, so that the order of canonical ids differs from the order of the drawn trials.
      const number = String((place * 7919) % 99_991).padStart(8, '0');
      const ctgov = registration(`NCT${number}`, one);
      const isrctn = registration(`ISRCTN${number}`, other);
      const registrations = held === 'both' ? [ctgov, isrctn] : held === 'ctgov' ? [ctgov] : [isrctn];
      return { canonicalId: `wt_${number}aaaa`, aliases: [], registrations };
    }),
  );

const query = fc
  .array(fc.tuple(text, fc.boolean()), { minLength: 1, maxLength: 2 })
  .map((pieces) => pieces.map(([words, quoted]) => (quoted ? `"${words}"` : words)).join(' '));
const words = (count: number) =>
  fc.array(fc.constantFrom(...WORDS), { minLength: count, maxLength: count }).map((some) => some.join(' '));
const dayNumber = fc.integer({ min: 19_990, max: 20_080 });
const some = <T>(values: readonly T[]) => fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });
const one = {
  q: fc.oneof(query, words(1), words(2), words(3)),
  condition: fc.constantFrom('ASTHMA', 'heart failure', 'œdème', 'none'),
  intervention: fc.constantFrom(...WORDS),
  sponsor: fc.constantFrom('tumor', 'acme', 'children', 'ACME  tumours'),
  status: some([...TRIAL_STATUSES, ...RECRUITMENT_STATUSES, 'active']),
  phase: some(PHASES),
  studyType: some(STUDY_TYPES),
  country: fc.constantFrom('ireland', "CÔTE D'IVOIRE"),
  registry: some(['clinicaltrials_gov', 'isrctn']),
  resultsAvailable: fc.boolean(),
  startedAfter: dayNumber,
  startedBefore: dayNumber,
  completedAfter: dayNumber,
  completedBefore: dayNumber,
  updatedAfter: dayNumber,
  updatedBefore: dayNumber,
  primaryCompletionAfter: dayNumber,
  primaryCompletionBefore: dayNumber,
  firstPostedAfter: dayNumber,
  firstPostedBefore: dayNumber,
  resultsPostedAfter: dayNumber,
  resultsPostedBefore: dayNumber,
  enrollmentMin: fc.integer({ min: 0, max: 20_000 }),
  enrollmentMax: fc.integer({ min: 0, max: 20_000 }),
  sponsorClass: some(SPONSOR_CLASSES),
  anySponsor: fc.constantFrom('acme', 'child fund', 'tumor fund'),
  inBoth: fc.boolean(),
  resultsGap: fc.boolean(),
  resultsDue: fc.boolean(),
  resultsDueAfter: fc.integer({ min: 20_350, max: 20_640 }),
  resultsDueBefore: fc.integer({ min: 20_350, max: 20_640 }),
  age: fc.constantFrom(0, 1, 2, 3, 17, 18, 64, 65, 66, 99),
  sex: some(PARTICIPANT_SEX),
  siteCountry: fc.constantFrom('ireland', 'United States'),
  sitePlace: fc.constantFrom('dublin', 'SAN JOSÉ'),
  siteStatus: some(['recruiting', 'withdrawn', 'completed', 'unknown']),
  keyword: fc.oneof(words(1), words(2)),
};
const filters: fc.Arbitrary<TrialFilters> = fc.record(one, { requiredKeys: [] });
/** Each filter by itself. */
const each = fc
  .record(one)
  .map((full) => Object.entries(full).map(([name, value]): TrialFilters => ({ [name]: value })));
const readings: fc.Arbitrary<TrialFilters> = fc.record(
  {
    phaseMatch: fc.constant('exact'),
    sponsorMatch: fc.constant('exact'),
    sexMatch: fc.constantFrom('eligible', 'exact'),
    gapClock: fc.constantFrom(...GAP_CLOCKS),
    gapMonths: fc.constantFrom(...GAP_MONTHS),
  },
  { requiredKeys: [] },
);
/** At most three filters at a time: with more, hardly any trial would match. */
const sparse = fc
  .tuple(
    filters,
    fc.array(fc.oneof(fc.constant(0), fc.nat(60)), { maxLength: 3 }),
    readings,
    fc.integer({ min: 20_350, max: 20_620 }),
  )
  .map(([full, places, reading, asOfDay]) => {
    const entries = Object.entries(full);
    const kept = Object.fromEntries(
      entries.filter((_, place) => places.some((one) => one % entries.length === place)),
    ) as TrialFilters;
    return { ...kept, asOfDay, ...reading };
  });
const page = fc.record({ offset: fc.nat(60), limit: fc.integer({ min: 1, max: 30 }) });

function idsOf(image: SnapshotImage, rows: Uint32Array): string[] {
  const json = JSON.parse(documents(image, rows, { detail: 'brief', eligibility: true }).toString());
  return json.map((trial: unknown) => trialListItemSchema.parse(trial).canonicalId);
}

const QUESTIONS = amountOf({ quick: 30, deep: 120 });

describe('search over any corpus', () => {
  it('finds the same trials, totals and pages as filtering the records one by one', async () => {
    let found = 0;
    const scores = new Set<number>();
    const mixed = fc.array(
      fc.oneof(
        sparse,
        filters.map((full) => ({ ...full, asOfDay: 20_560 })),
      ),
      { minLength: QUESTIONS, maxLength: QUESTIONS },
    );
    const asked = fc
      .tuple(mixed, each, each, fc.infiniteStream(page))
      .map(([drawn, first, second, pages]) =>
        [...drawn, ...first, ...second].map((one): [TrialFilters, { offset: number; limit: number }] => [
          { asOfDay: 20_560, ...one },
          pages.next().value!,
        ]),
      );
    // With 1, every word is common and has pairs; with 1000, none is.
    const commonTermRows = fc.constantFrom(1, 10, 1000);
    await fc.assert(
      fc.asyncProperty(corpus, asked, commonTermRows, async (trials, questions, commonTermRows) => {
        await using built = await imageOfTrials(trials, { topics: [], commonTermRows });
        for (const [question, { offset, limit }] of questions) {
          const expected = plainSearch(trials, question).map(({ canonicalId }) => canonicalId);
          const compiled = compileFilters(question);
          const { total, rows } = search(built.image, compiled, { offset, limit });
          expect({ question, total, ids: idsOf(built.image, rows) }).toEqual({
            question,
            total: expected.length,
            ids: expected.slice(offset, offset + limit),
          });
          if (question.q !== undefined) {
            const q = question.q;
            const scored = plainSearch(trials, question)
              .map((trial) => ({ id: trial.canonicalId, score: plainScore(trial, q) }))
              .sort((one, other) => other.score - one.score)
              .slice(offset, offset + limit);
            const sort = { relevantTo: compiled.text };
            const relevant = search(built.image, compiled, { offset, limit, sort });
            expect({ question, ids: idsOf(built.image, relevant.rows), scores: relevant.scores }).toEqual({
              question,
              ids: scored.map(({ id }) => id),
              scores: scored.map(({ score }) => score),
            });
            for (const { score } of scored) scores.add(score);
          }
          const matching = matchingRows(built.image, compiled);
          const counts = coverage(built.image, matching);
          expect(counts.distinct).toBe(total);
          expect(counts.distinct + counts.inflation).toBe(
            counts.registrations.clinicaltrials_gov + counts.registrations.isrctn,
          );
          expect(landscape(built.image, matching, 20_070).trials).toBe(total);
          found += rows.length;
        }
      }),
      // Building an image costs more than a hundred questions. So there are few corpora with many questions, and a
      // failure is not shrunk.
      { numRuns: amountOf({ quick: 2, deep: 6 }), seed: 20_261_121, endOnFailure: true },
    );
    // Guards against questions that find nothing, which would prove nothing.
    expect(found).toBeGreaterThan(amountOf({ quick: 200, deep: 1000 }));
    expect(scores.size).toBeGreaterThan(amountOf({ quick: 3, deep: 8 }));
  });
});
