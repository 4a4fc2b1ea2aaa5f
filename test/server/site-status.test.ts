import { describe, expect, it } from 'vitest';
import { shortMeta } from '../../gateway/view/short-meta.ts';
import { matchingLines } from '../../gateway/view/text-of-matching.ts';
import { registration, registryDate, site } from '../builders/registration.ts';
import { publishSignals } from '../builders/signal-snapshot.ts';
import type { CorpusTrial } from '../builders/snapshot-tables.ts';
import { openGateway } from '../support/gateway.ts';
import { ofFile } from '../support/of-file.ts';

type Given = NonNullable<Parameters<typeof registration>[1]>;
type Sites = [country: string, city: string, status: string | null][];

const RECRUITING = { status: 'running', recruitmentStatus: 'recruiting' } as const;
function record(id: string, sites: Sites, given: Given = {}) {
  return registration(id, {
    ...RECRUITING,
    conditions: ['Heart failure'],
    dates: { lastUpdated: registryDate('2026-01-01') },
    countries: [...new Set(sites.map(([country]) => country))],
    sites: sites.map(([country, city, status]) => ({ ...site(country, city), status })),
    ...given,
  });
}

function trial(place: number, ...registrations: ReturnType<typeof record>[]): CorpusTrial {
  return { canonicalId: `wt_${String(place).padStart(12, '0')}`, aliases: [], registrations };
}

const UK = 'United Kingdom';
const at = (country: string, city: string, status: string | null): Sites => [[country, city, status]];
const CAMBRIDGE_US = at('United States', 'Cambridge', 'recruiting');
const TRIALS = [
  // Recruits in the United Kingdom.
  trial(1, record('NCT00000001', [...at(UK, 'Leeds', 'recruiting'), ...at(UK, 'London', 'withdrawn')])),
  // Recruits in the United States alone: its British site has ended.
  trial(2, record('NCT00000002', [...at(UK, 'Leeds', 'completed'), ...CAMBRIDGE_US])),
  // A site in Cambridge, England, that does not recruit yet, and one in London that does.
  trial(3, record('NCT00000003', [...at(UK, 'Cambridge', 'not_yet_recruiting'), ...at(UK, 'London', 'recruiting')])),
  // No site has a status in ISRCTN, which also names a country without a site.
  trial(4, record('ISRCTN00000004', at(UK, 'Leeds', null), { countries: [UK, 'France'] })),
  // In both registries: what sites of the one state counts before the status of the trial.
  trial(5, record('NCT00000005', at(UK, 'Leeds', 'suspended')), record('ISRCTN00000005', at(UK, 'Leeds', null))),
  // Nobody has verified it for years: its status is unknown, and its site says that it recruits.
  trial(6, record('NCT00000006', at(UK, 'Leeds', 'recruiting'), { status: 'unknown', recruitmentStatus: 'unknown' })),
  trial(
    7,
    record('NCT00000007', [], {
      status: 'completed',
      recruitmentStatus: 'completed',
      keywords: ['CRISPR', 'Base editing'],
      title: 'Gene editing',
    }),
  ),
];

const held = ofFile(() =>
  publishSignals({
    trials: TRIALS,
    registries: {
      clinicaltrials_gov: { source: 'dump', registrations: 3116 },
      isrctn: { registrations: 20, expectedRecords: 28_804, complete: false },
    },
  }),
);
const gateway = ofFile(() => openGateway(held.snapshotsDir));

const get = async (path: string) => (await gateway.get(`/api/v1/trials/${path}`)).body;
/** Numbers of the trials that a search finds. */
const found = async (query: string): Promise<number[]> => {
  const { data } = await get(`search?${query}`);
  return data.trials.map(({ canonicalId }: { canonicalId: string }) => Number(canonicalId.slice(3))).sort();
};

describe('siteStatus', () => {
  it.each([
    ['status=recruiting&country=UK', [1, 2, 3, 4, 5]],
    ['status=recruiting&country=UK&siteStatus=recruiting', [1, 3, 4]],
    ['siteStatus=recruiting&siteCountry=gb', [1, 3, 4, 6]],
    ['siteStatus=RECRUITING', [1, 2, 3, 4, 6]],
    ['siteStatus=recruiting&sitePlace=Cambridge&country=uk', []],
    // The registration names France, and no site there.
    ['siteStatus=recruiting&country=France', [4]],
    ['siteStatus=recruiting&siteCountry=France', []],
    // One site, not one of each.
    ['sitePlace=Cambridge&siteCountry=UK', [3]],
    ['sitePlace=Cambridge&country=UK', [3]],
  ])('%s', async (query, trials) => {
    expect(await found(query)).toEqual(trials);
    expect((await get(`coverage?${query}`)).data.distinct).toBe(trials.length);
    expect((await get(`landscape?${query}`)).data.trials).toBe(trials.length);
  });

  it('is told of wherever a status and a place meet: in numbers, as a notice, and by each trial', async () => {
    const { data, _meta } = await get('search?status=recruiting&country=UK');
    expect(_meta.siteStatus).toEqual({
      ...{ place: { country: UK }, statuses: ['recruiting'], trials: 5, atSite: 2, byTrial: 1 },
      call: '/api/v1/trials/search?status=recruiting&country=UK&siteStatus=recruiting',
    });
    expect(_meta.notices).toContain(
      "status is that of a whole trial: of 5 trials, 2 have a site in United Kingdom that is itself recruiting; for 1 no site there states a status, so the trial's own counts. siteStatus=recruiting asks for these 3.",
    );
    const said = Object.fromEntries(
      data.trials.map((one: { canonicalId: string; siteStatus: { statuses: string[]; basis: string } }) => [
        one.canonicalId.slice(-1),
        [...one.siteStatus.statuses, one.siteStatus.basis],
      ]),
    );
    expect(said).toEqual({
      1: ['recruiting', 'withdrawn', 'site'],
      2: ['completed', 'site'],
      3: ['not_yet_recruiting', 'recruiting', 'site'],
      4: ['recruiting', 'trial'],
      5: ['suspended', 'site'],
    });
    for (const operation of ['coverage', 'landscape', 'trend', 'facets']) {
      expect((await get(`${operation}?status=active&sitePlace=Leeds`))._meta.siteStatus).toMatchObject({
        ...{ place: { city: 'Leeds' }, trials: 4, atSite: 1, byTrial: 1 },
      });
    }
  });

  it('says where a site recruits and its trial does not', async () => {
    expect((await get('coverage?siteStatus=recruiting&country=UK'))._meta.notices).toEqual([
      'siteStatus=recruiting: 3 of 4 trials by the status of a site in United Kingdom, 1 by that of the trial, since no site there states one.',
      'siteStatus asks for sites alone: 1 of 4 trials has another status as a whole, as where nobody has verified the record for years. status=recruiting leaves it out.',
    ]);
  });

  it('counts a facet and a split by country as the list of each country does', async () => {
    const { data } = await get('facets?facet=country&siteStatus=recruiting&status=recruiting');
    const counts = data.facets[0].values.map(({ value, trials }: { value: string; trials: number }) => [value, trials]);
    expect(counts).toEqual([
      [UK, 3],
      ['France', 1],
      ['United States', 1],
    ]);
    const { series } = (await get('trend?split=country&siteStatus=recruiting&status=recruiting')).data;
    expect(
      series.shown.map(({ value, withoutStart }: { value: string; withoutStart: number }) => [value, withoutStart]),
    ).toEqual(counts);
  });
});

describe('a word that no trial has in the texts that q reads', () => {
  it.each([
    ['q=CRISPR', 'keyword=CRISPR', '/api/v1/trials/coverage?keyword=CRISPR'],
    ['q=gene+crispr', 'keyword=crispr with q=gene', '/api/v1/trials/coverage?q=gene&keyword=crispr'],
    ['condition=Base+editing', 'keyword=Base editing', '/api/v1/trials/coverage?keyword=Base+editing'],
  ])('%s: the keywords are offered with their count', async (query, keyword, call) => {
    const { hints } = (await get(`coverage?${query}`))._meta;
    const sentence = `Among the keywords of a registry, ${keyword}: 1 trial.`;
    expect(hints).toContainEqual({ cause: 'keyword', sentence, total: 1, call });
    expect((await gateway.get(call)).body.data.distinct).toBe(1);
  });

  it('is named in the short form with the fields that were read', async () => {
    const { _meta } = await get('search?q=CRISPR');
    expect(matchingLines(shortMeta(_meta)).lines).toEqual([
      'match=concepts finds no further trials.',
      'Among the keywords of a registry, keyword=CRISPR: 1 trial. GET /api/v1/trials/search?keyword=CRISPR',
    ]);
    expect((await get('search?intervention=xyzzyq'))._meta.notices).toContain(
      'No trial has “xyzzyq” in its interventions, and no known word is near.',
    );
  });
});

it('a part of a registry says so in the whole and in the short form', async () => {
  const { _meta } = await get('coverage');
  const parts = [
    'ClinicalTrials.gov: 3116 records, part of the registry: loaded from a dump',
    "ISRCTN registry: 20 records of the registry's own total of 28804",
  ];
  expect(_meta.provenance.held).toEqual(parts);
  expect((await get('coverage?detail=concise'))._meta.held).toEqual(parts);
});
