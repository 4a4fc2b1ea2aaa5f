import { describe, expect, it } from 'vitest';
import { FACETS, type TrialFacetsRecord } from '../../../contract/schemas/trials/trial-facets.ts';
import type { TrialResultsGapRecord } from '../../../contract/schemas/trials/trial-results-gap.ts';
import { Modalities } from '../../../index-server/modality/modalities.ts';
import { openGateway } from '../../support/gateway.ts';
import { ofFile } from '../../support/of-file.ts';
import { openOrigin } from '../../support/origin.ts';

const origin = ofFile(() => openOrigin());

const get = async (path: string) => (await origin.get(`/api/v1/${path}`)).body;
const read = (path: string) => get(`trials/${path}`);
const addressed = (query: Record<string, string>): string => String(new URLSearchParams(query));
const listed = async (query: Record<string, string>): Promise<number> =>
  (await read(`search?${addressed({ ...query, pageSize: '1' })}`))._meta.pagination.totalItems;
const facetsOf = async (query: Record<string, string>): Promise<TrialFacetsRecord> =>
  (await read(`facets?${addressed(query)}`)).data;
const gapOf = async (query: Record<string, string>): Promise<TrialResultsGapRecord> =>
  (await read(`results-gap?${addressed(query)}`)).data;
const without = (query: Record<string, string>, own: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter(([name]) => !own.includes(name)));

const QUERIES: Record<string, string>[] = [
  { q: 'diabetes', match: 'concepts', status: 'completed,running' },
  { topic: 'diabetes', match: 'concepts', condition: 'diabetes mellitus' },
  { modality: 'small-molecule,device', registry: 'isrctn', gapClock: 'completion', resultsGap: 'false' },
];

describe('the facets of a search', () => {
  it.each(QUERIES)('%j: each value finds as many trials as it says, in the place of its own filter', async (query) => {
    const { trials, facets } = await facetsOf(query);
    expect(trials).toBe(await listed(query));
    for (const { facet, own, values, trials: others } of facets) {
      expect([facet, others]).toEqual([facet, await listed(without(query, own))]);
      for (const { value, trials: counted, query: asked } of values) {
        const found = await listed({ ...without(query, own), ...asked });
        expect([facet, value, counted]).toEqual([facet, value, found]);
      }
    }
  });

  it('say which values the request asks for', async () => {
    const { facets } = await facetsOf({
      country: 'uk',
      phase: '2',
      phaseMatch: 'exact',
      sponsorClass: 'industry,other',
    });
    const applied = facets.flatMap(({ facet, values }) =>
      values.filter((one) => one.applied).map(({ value }) => [facet, value]),
    );
    expect(applied).toEqual([
      ['country', 'United Kingdom'],
      ['phase', '2'],
      ['sponsorClass', 'industry'],
      ['sponsorClass', 'other'],
    ]);
  });

  it('are read on by page and by text, one facet at a time', async () => {
    const first = (await facetsOf({ facet: 'sponsor' })).facets[0]!;
    expect(first).toMatchObject({ facet: 'sponsor', exclusive: true, own: ['sponsor', 'sponsorMatch'] });
    expect(first.values).toHaveLength(20);
    expect(first.others!.values).toBe(first.total - 20);
    const second = (await facetsOf({ facet: 'sponsor', page: '2' })).facets[0]!;
    const both = (await facetsOf({ facet: 'sponsor', pageSize: '40' })).facets[0]!;
    expect(both.values).toEqual([...first.values, ...second.values]);
    const withSponsor = ({ values, others }: typeof first): number =>
      values.reduce((sum, { trials }) => sum + trials!, others!.trials!);
    expect(withSponsor(second)).toBe(withSponsor(first));
    const { values } = (await facetsOf({ facet: 'condition', text: 'DIABETES' })).facets[0]!;
    expect(values.length).toBeGreaterThan(2);
    expect(values.every(({ title }) => /\bdiabetes/i.test(title))).toBe(true);
  });
});

describe('while the labels of all trials are still inferred', () => {
  it('facets and page leave them out and say so; who names the facet waits for it, and then they are among the others', async () => {
    await using gateway = await openGateway();
    await using modalities = new Modalities({ threadFromTrials: 0 });
    Object.assign(gateway.index, { modalities });
    const others = FACETS.filter((facet) => facet !== 'modality');
    const asked = async (query = ''): Promise<[string[], string[]]> => {
      const { data } = (await gateway.get(`/api/v1/trials/facets${query}`)).body as { data: TrialFacetsRecord };
      return [data.facets.map(({ facet }) => facet), data.pending];
    };
    const page = async (): Promise<string> =>
      (await gateway.app.fetch(new Request('http://test.example/trials'))).text();
    expect(await asked()).toEqual([others, ['modality']]);
    expect(await page()).toContain('Not counted yet');
    expect(await asked('?facet=modality')).toEqual([['modality'], []]);
    expect(await asked()).toEqual([[...others, 'modality'], []]);
    expect(await page()).not.toContain('Not counted yet');
  });
});

describe('the shares of the results gap', () => {
  it('have the numerator of the counter, and a list for each number by every clock', async () => {
    const counter = (await get('results-gap')).data;
    const gap = await gapOf({});
    expect(gap.numerator).toBe(counter.population);
    expect([gap.clock, gap.months]).toEqual(['primaryCompletion', 18]);
    expect(gap.clocks).toHaveLength(4);
    for (const { numerator, denominator, queries } of [gap, ...gap.clocks]) {
      expect([numerator, denominator]).toEqual([await listed(queries.numerator), await listed(queries.denominator)]);
    }
    expect(gap.clocks.find(({ months }) => months === 12)!.numerator).toBe(counter.clocks.short.trials);
    expect(gap.population).toBe(gap.denominator! + gap.withoutDate! + gap.notYetDue!);
    expect(gap.share).toBe(gap.numerator! / gap.denominator!);
  });

  it.each([
    ['disease', { q: 'diabetes' }],
    ['sponsorClass', { gapClock: 'completion', sponsorClass: 'industry' }],
    ['year', { phase: '2', resultsDueAfter: '2024-03-01' }],
    ['country', { country: 'ie', gapClock: 'completion', gapMonths: '12' }],
  ] as [string, Record<string, string>][])('by %s of %j: each group has the lists that it says', async (by, query) => {
    const { groups } = await gapOf({ ...query, by });
    const { values, queries, own } = groups!;
    expect(values.length).toBeGreaterThan(1);
    for (const group of values) {
      const { value, numerator, denominator, share } = group;
      const lists = [
        { ...queries.numerator, ...group.query },
        { ...queries.denominator, ...group.query },
      ];
      expect([value, numerator, denominator]).toEqual([value, ...(await Promise.all(lists.map(listed)))]);
      expect(share).toBe(denominator === 0 ? null : numerator! / denominator!);
    }
    expect(Object.keys(queries.numerator).filter((name) => own.includes(name))).toEqual([]);
  });

  it('ISRCTN is counted apart, and never added', async () => {
    const { notCovered, numerator, denominator } = await gapOf({ registry: 'isrctn', inBoth: 'false' });
    expect([numerator, denominator]).toEqual([0, 0]);
    expect(notCovered).toEqual([
      { registry: 'isrctn', trials: await listed({ registry: 'isrctn', inBoth: 'false' }), why: expect.any(String) },
    ]);
  });
});
