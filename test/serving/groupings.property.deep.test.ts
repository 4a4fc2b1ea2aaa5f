import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GAP_CLOCKS, GAP_MONTHS } from '../../contract/limits/limits.ts';
import { FACETS } from '../../contract/schemas/trials/trial-facets.ts';
import { GAP_GROUPS } from '../../contract/schemas/trials/trial-results-gap.ts';
import { trialFilterParameters } from '../../contract/trial-filters.ts';
import { PHASES, SPONSOR_CLASSES } from '../../contract/vocabularies.ts';
import { countFacet } from '../../index-server/handlers/facets.ts';
import { gapRows, groupShares, overdueOf } from '../../index-server/handlers/gap-shares.ts';
import { compileFilters, type TrialFilters } from '../../index-server/search/filters.ts';
import type { Grouping } from '../../index-server/search/groupings/grouping.ts';
import { groupingBy } from '../../index-server/search/groupings/of-trials.ts';
import { matchingRows } from '../../index-server/search/matching.ts';
import type { RowSet } from '../../index-server/search/row-set.ts';
import type { SnapshotImage } from '../../index-server/snapshot/snapshot-image.ts';
import type { RegistryDate } from '../../snapshot/format/registration.ts';
import { registration, registryDate, site } from '../builders/registration.ts';
import { imageOfTrials } from '../builders/serving-image.ts';
import type { CorpusTrial } from '../builders/snapshot-tables.ts';
import { plainDue, plainSearch } from '../support/plain/plain-search.ts';
import { amountOf } from '../support/runner/amount.ts';

const AS_OF = 20_560;
const CONDITIONS = ['Asthma', 'asthma', 'Heart  Failure', 'Œdème', 'Pain, acute'];
const SPONSORS = ['Acme Tumours', 'acme tumours', 'Acme', 'Royal Child Hospital', '???'];
const COUNTRIES = ['Ireland', "Côte d'Ivoire", 'United States', 'Atlantis'];
/** Half of the clocks have run out on the day. */
const date: fc.Arbitrary<RegistryDate> = fc
  .tuple(fc.integer({ min: 19_300, max: 20_500 }), fc.boolean())
  .map(([day, month]) => registryDate(new Date(day * 86_400_000).toISOString().slice(0, month ? 7 : 10)));
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 4 });
const fields = fc.record({
  title: fc.constantFrom('One word', 'Another word', 'No more'),
  status: fc.constantFrom('completed', 'completed', 'running'),
  phase: fc.constantFrom(...PHASES),
  studyType: fc.constantFrom('interventional', 'interventional', 'observational'),
  sponsorName: maybe(fc.constantFrom(...SPONSORS)),
  sponsorClass: fc.constantFrom(...SPONSOR_CLASSES),
  recruitmentStatus: fc.constantFrom('recruiting', 'completed'),
  countries: fc.array(fc.constantFrom(...COUNTRIES), { maxLength: 2 }),
  sites: fc.array(
    fc
      .tuple(fc.constantFrom('Ireland', 'Atlantis'), fc.constantFrom(null, 'recruiting', 'withdrawn'))
      .map(([country, status]) => ({ ...site(country, 'Dublin'), status })),
    { maxLength: 2 },
  ),
  conditions: fc.array(fc.constantFrom(...CONDITIONS), { maxLength: 3 }),
  resultsAvailable: fc.boolean(),
  dates: fc.record({
    start: maybe(date),
    primaryCompletion: maybe(date),
    completion: maybe(date),
    firstPosted: fc.constant(null),
    lastUpdated: maybe(date),
    resultsPosted: fc.constant(null),
  }),
});
const corpus: fc.Arbitrary<CorpusTrial[]> = fc
  .array(fc.tuple(fields, fields, fc.constantFrom('ctgov', 'ctgov', 'isrctn', 'both')), {
    minLength: 10,
    maxLength: 80,
    size: 'max',
  })
  .map((trials) =>
    trials.map(([one, other, held], place) => {
      const number = String(place).padStart(8, '0');
      const [ctgov, isrctn] = [registration(`NCT${number}`, one), registration(`ISRCTN${number}`, other)];
      const registrations = held === 'both' ? [ctgov, isrctn] : held === 'ctgov' ? [ctgov] : [isrctn];
      return { canonicalId: `wt_${number}aaaa`, aliases: [], registrations };
    }),
  );
const asked: fc.Arbitrary<TrialFilters> = fc
  .record(
    {
      q: fc.constantFrom('word', 'more', 'one'),
      country: fc.constantFrom('ireland', 'atlantis'),
      siteCountry: fc.constant('ireland'),
      sitePlace: fc.constant('dublin'),
      siteStatus: fc.constantFrom(['recruiting'], ['withdrawn', 'completed']),
      phase: fc.constantFrom(['1'], ['2', '3']),
      phaseMatch: fc.constantFrom('exact', 'combined'),
      sponsor: fc.constantFrom('acme', 'tumours'),
      condition: fc.constantFrom('asthma', 'heart failure'),
      sponsorClass: fc.constantFrom(['industry', 'nih']),
      registry: fc.constantFrom(['isrctn'], ['clinicaltrials_gov']),
      resultsAvailable: fc.boolean(),
      startedAfter: fc.integer({ min: 19_300, max: 20_500 }),
      gapClock: fc.constantFrom(...GAP_CLOCKS),
      gapMonths: fc.constantFrom(...GAP_MONTHS),
      resultsDueAfter: fc.integer({ min: 19_900, max: 20_500 }),
    },
    { requiredKeys: [] },
  )
  .chain((filters) => fc.shuffledSubarray(Object.entries(filters)))
  .map((kept): TrialFilters => ({ ...Object.fromEntries(kept.slice(0, 2)), asOfDay: AS_OF }));

const without = (filters: TrialFilters, own: readonly string[]): TrialFilters =>
  Object.fromEntries(Object.entries(filters).filter(([name]) => !own.includes(name)));
/** As the server reads a query string. */
const sent = (query: Record<string, string>): TrialFilters =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      trialFilterParameters[name as keyof typeof trialFilterParameters].parse(value),
    ]),
  );
/** The rows among which a grouping counts: found without the filters that its own rows apply. */
const countedRows = (image: SnapshotImage, others: TrialFilters, { applied = [] }: Grouping): RowSet =>
  matchingRows(image, compileFilters(without(others, applied)));
const withImage = async (trials: CorpusTrial[], use: (image: SnapshotImage) => Promise<void>) => {
  await using built = await imageOfTrials(trials, { topics: [] });
  await use(built.image);
};
const question = fc.array(asked, { minLength: 6, maxLength: 6 });

describe('the facets of any search', () => {
  it("give each value the number of trials that filtering the records one by one finds with it in the place of the facet's own filter", async () => {
    let held = 0;
    await fc.assert(
      fc.asyncProperty(corpus, question, fc.integer({ min: 1, max: 4 }), (trials, questions, pageSize) =>
        withImage(trials, async (image) => {
          for (const filters of questions) {
            // Labels are inferred from the records by a worker: test/server/trials/facets.deep.test.ts asks for them.
            for (const facet of FACETS.filter((one) => one !== 'modality')) {
              const grouping = await groupingBy(facet, image, filters, null as never);
              const others = without(filters, grouping.own);
              const found = countedRows(image, others, grouping);
              const all = countFacet(facet, grouping, found, { page: 1, pageSize: 1000 });
              expect(matchingRows(image, compileFilters(others)).count).toBe(plainSearch(trials, others).length);
              expect(all.total).toBe(all.values.length);
              for (const { value, query, trials: counted } of all.values) {
                const listed = plainSearch(trials, { ...others, ...sent(query!) }).length;
                expect({ filters, facet, value, counted }).toEqual({ filters, facet, value, counted: listed });
                held += counted;
              }
              const pages = Array.from(
                { length: Math.ceil(all.total / pageSize) },
                (_, place) => countFacet(facet, grouping, found, { page: place + 1, pageSize }).values,
              );
              expect(pages.flat()).toEqual(all.values);
            }
          }
        }),
      ),
      { numRuns: amountOf({ quick: 2, deep: 120 }) },
    );
    expect(held).toBeGreaterThan(amountOf({ quick: 100, deep: 400 }));
  });

  it('count a country where the own status of a trial stands for sites, though its sites elsewhere state another', async () => {
    const sites = [{ ...site('Ireland', 'Dublin'), status: 'recruiting' as const }];
    const own = { recruitmentStatus: 'completed' as const, countries: ['Ireland', 'Atlantis'], sites };
    const trials = [{ canonicalId: 'wt_00000000aaaa', aliases: [], registrations: [registration('NCT00000001', own)] }];
    await withImage(trials, async (image) => {
      const filters: TrialFilters = { siteStatus: ['completed'], asOfDay: AS_OF };
      const grouping = await groupingBy('country', image, filters, null as never);
      const found = countedRows(image, filters, grouping);
      const { values } = countFacet('country', grouping, found, { page: 1, pageSize: 9 });
      expect(values.map(({ value, trials: counted }) => [value, counted])).toEqual([['Atlantis', 1]]);
      expect(matchingRows(image, compileFilters({ ...filters, country: 'Atlantis' })).count).toBe(1);
    });
  });

  it('list every condition, sponsor and country of the trials, the most common first', async () => {
    await fc.assert(
      fc.asyncProperty(corpus, (trials) =>
        withImage(trials, async (image) => {
          const found = matchingRows(image, compileFilters({}));
          const valuesOf = async (facet: 'condition' | 'sponsor' | 'country') => {
            const { values } = countFacet(facet, await groupingBy(facet, image, {}, null as never), found, {
              page: 1,
              pageSize: 1000,
            });
            expect(values.map((one) => one.trials)).toEqual(values.map((one) => one.trials).sort((a, b) => b - a));
            return values.map(({ value }) => value.toLowerCase().replaceAll(/\s+/g, ' ')).sort();
          };
          const stated = (of: (one: CorpusTrial['registrations'][number]) => string[]) =>
            [
              ...new Set(
                trials.flatMap(({ registrations }) =>
                  registrations.flatMap(of).map((name) => name.toLowerCase().replaceAll(/\s+/g, ' ')),
                ),
              ),
            ].sort();
          expect(await valuesOf('condition')).toEqual(stated(({ conditions }) => conditions));
          expect(await valuesOf('country')).toEqual(stated(({ countries }) => countries));
        }),
      ),
      { numRuns: amountOf({ quick: 2, deep: 40 }) },
    );
  });
});

describe('the shares of the results gap of any search', () => {
  it('are those of the lists of their queries, in every group, with the days overdue', async () => {
    let inGap = 0;
    await fc.assert(
      fc.asyncProperty(corpus, question, fc.constantFrom('numerator', 'name'), (trials, questions, sort) =>
        withImage(trials, async (image) => {
          for (const filters of questions) {
            const { gapClock: clock = 'primaryCompletion', gapMonths = '18' } = filters;
            const clocked = { clock, months: Number(gapMonths), day: AS_OF };
            for (const by of GAP_GROUPS.filter((one) => one !== 'disease')) {
              const grouping = await groupingBy(by, image, filters, null as never);
              const others = without(filters, grouping.own);
              const found = gapRows(image, matchingRows(image, compileFilters(others)), clocked);
              const listed = (query: TrialFilters) => plainSearch(trials, { ...others, ...query });
              const gap = listed({ resultsGap: true });
              expect([found.unposted.count, found.due.count]).toEqual([
                gap.length,
                listed({ resultsDue: true }).length,
              ]);
              expect(overdueOf(image, found.unposted, clocked)).toEqual(plainOverdue(gap, filters));
              const counted = gapRows(image, countedRows(image, others, grouping), clocked);
              const { values, total } = groupShares(image, grouping, counted, clocked, {
                page: 1,
                pageSize: 1000,
                sort,
              });
              expect(values).toHaveLength(total);
              for (const { value, query, numerator, denominator, share, daysOverdue } of values) {
                const missed = listed({ ...sent(query!), resultsGap: true });
                const due = listed({ ...sent(query!), resultsDue: true }).length;
                expect({ filters, value, numerator, denominator, daysOverdue }).toEqual({
                  ...{ filters, value, numerator: missed.length, denominator: due },
                  daysOverdue: plainOverdue(missed, filters),
                });
                expect(share).toBe(due === 0 ? null : missed.length / due);
                inGap += missed.length;
              }
              if (grouping.exclusive) {
                const withSponsor = by === 'sponsor' ? gap.filter(hasSponsor) : gap;
                expect(values.reduce((sum, { numerator }) => sum + numerator!, 0)).toBe(withSponsor.length);
              }
            }
          }
        }),
      ),
      { numRuns: amountOf({ quick: 3, deep: 100 }) },
    );
    expect(inGap).toBeGreaterThan(amountOf({ quick: 10, deep: 150 }));
  });
});

function plainOverdue(trials: CorpusTrial[], filters: TrialFilters) {
  const days = trials.map(({ registrations }) => AS_OF - plainDue(registrations, filters)!.on).sort((a, b) => a - b);
  if (days.length === 0) return null;
  const [below, above] = [days[Math.floor((days.length - 1) / 2)]!, days[Math.ceil((days.length - 1) / 2)]!];
  return { median: (below + above) / 2, longest: days.at(-1)! };
}

function hasSponsor(trial: CorpusTrial): boolean {
  return SPONSORS.some((sponsor) => plainSearch([trial], { sponsor, sponsorMatch: 'exact' }).length > 0);
}
