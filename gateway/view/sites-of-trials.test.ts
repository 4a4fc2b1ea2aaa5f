import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../contract/operations.ts';
import { withinCeiling } from './ceiling.ts';
import type { JsonObject } from './json.ts';
import { conciseSites, withFewSites } from './sites-of-trials.ts';

const operationOf = (id: string) => OPERATIONS.find((operation) => operation.id === id)!;
const sitesIn = (country: string | null, number: number) =>
  Array.from({ length: number }, (_, at) => ({
    ...{ facility: `Hospital ${at + 1}`, city: 'Town', state: null, country, status: 'recruiting' },
    ...{ latitude: null, longitude: null },
  }));
const trialWith = (sites: JsonObject[], more: JsonObject = {}) => ({
  canonicalId: 'wt_1',
  registrations: [{ id: 'NCT90000001', fields: { sites, ...more } }],
});
const MANY = [...sitesIn('Spain', 400), ...sitesIn('Italy', 700), ...sitesIn(null, 15)];
const _meta = { snapshot: '20260101T000000Z-00000000' };
const CUT = {
  at: 'registrations.0.fields.sites',
  shown: 5,
  of: 1115,
  unit: 'items',
  byCountry: { Italy: 700, Spain: 400, 'not stated': 15 },
  whole: '/api/v1/trials/wt_1/sites',
};

describe('the sites of a whole record, over MCP and A2A', () => {
  it('are the first five, with how many each country has and where all are', () => {
    const data = trialWith(MANY);
    const shown = withFewSites('trials-detail', { data, _meta });
    expect(shown).toEqual({ data: trialWith(MANY.slice(0, 5)), _meta: { ..._meta, cut: [CUT] } });
    expect(data.registrations[0]!.fields.sites).toHaveLength(1115);
  });

  it('stay where they are few, and in answers of other operations', () => {
    const few = { data: trialWith(MANY.slice(0, 5)), _meta };
    expect(withFewSites('trials-detail', few)).toBe(few);
    const page = { data: { canonicalId: 'wt_1', sites: MANY }, _meta };
    expect(withFewSites('trials-sites', page)).toBe(page);
  });

  it('are still told where the rest of the record is too long and is cut as well', () => {
    const shown = withFewSites('trials-detail', {
      data: trialWith(MANY, { briefSummary: 'x'.repeat(400_000) }),
      _meta,
    });
    const within = withinCeiling(operationOf('trials-detail'), shown, { detail: 'full', fields: null });
    expect((within._meta.cut as JsonObject[]).map(({ at }) => at)).toEqual([
      'registrations.0.fields.sites',
      'registrations.0.fields.briefSummary',
    ]);
  });
});

it('the sites of a concise record are their number, the countries with most of them, and the first few', () => {
  const countries = Array.from({ length: 10 }, (_, at) => sitesIn(`Country ${at}`, 20 - at)).flat();
  expect(conciseSites([{ sites: countries }, { sites: sitesIn('Country 9', 30) }])).toEqual({
    total: 185,
    byCountry: [
      'Country 9 41',
      ...[20, 19, 18, 17, 16, 15, 14].map((count, at) => `Country ${at} ${count}`),
      '+2 more',
    ],
    first: ['Hospital 1', 'Hospital 2', 'Hospital 3'].map((name) => `${name}, Town, Country 0 (recruiting)`),
  });
  expect(conciseSites([{ sites: [] }, {}])).toBeUndefined();
});
