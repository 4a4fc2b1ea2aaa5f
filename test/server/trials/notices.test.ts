import { describe, expect, it } from 'vitest';
import { registration, registryDate, site } from '../../builders/registration.ts';
import { publishSignals } from '../../builders/signal-snapshot.ts';
import type { CorpusTrial } from '../../builders/snapshot-tables.ts';
import { openGateway } from '../../support/gateway.ts';
import { ofFile } from '../../support/of-file.ts';

function trial(place: number, id: string, start: string, given: Parameters<typeof registration>[1] = {}): CorpusTrial {
  const dates = { start: registryDate(start), ...given.dates };
  const record = registration(id, { conditions: ['Heart failure'], ...given, dates });
  return { canonicalId: `wt_${String(place).padStart(12, '0')}`, aliases: [], registrations: [record] };
}

const CTGOV = ['2022-05-01', '2023-05-01', '2024-05-01'].map((start, place) =>
  trial(place + 1, `NCT0000000${place + 1}`, start, {
    phase: '2',
    sex: 'female',
    minimumAge: 18,
    countries: ['United Kingdom'],
    sites: [site('United Kingdom', 'Leeds')],
    dates: { primaryCompletion: registryDate('2025-01-01') },
  }),
);
/** Of 25 ISRCTN registrations one states a sex, and none a phase, an age or a site. */
const ISRCTN = Array.from({ length: 25 }, (_, place) =>
  trial(
    place + 100,
    `ISRCTN${10_000_000 + place}`,
    `20${20 + (place % 2)}-03-01`,
    place === 0 ? { sex: 'female' } : {},
  ),
);

const dataTimestamps = { isrctn: '2022-04-01T00:00:00.000Z' };
const held = ofFile(() => publishSignals({ trials: [...CTGOV, ...ISRCTN], dataTimestamps }));
const gateway = ofFile(() => openGateway(held.snapshotsDir));
const get = async (path: string) => (await gateway.get(`/api/v1/trials/${path}`)).body;
const noticesOf = async (path: string): Promise<string[] | undefined> => (await get(path))._meta.notices;

describe('a filter by what a registry hardly states', () => {
  it.each([
    [
      'coverage?sex=female',
      'sex asks for eligibility.sex: 1 of 25 registrations of ISRCTN registry state it, and the others cannot match. What they are is unknown, not none.',
    ],
    [
      'search?age=40&registry=isrctn',
      'age asks for eligibility.ages: 0 of 25 registrations of ISRCTN registry state it, and the others cannot match. What they are is unknown, not none.',
    ],
    [
      'coverage?primaryCompletionBefore=2024-01-01',
      'primaryCompletionBefore asks for dates.primaryCompletion: ISRCTN registry has no such field, so none of its 25 registrations can match by it. That is unknown, not none.',
    ],
  ])('%s names the registry, the field and the counts', async (path, notice) => {
    expect(await noticesOf(path)).toEqual([notice]);
  });

  it.each([
    'search?sex=female&registry=clinicaltrials_gov',
    'search?phase=not-stated',
    'search?condition=heart+failure',
    'search?startedAfter=2020-01-01&startedBefore=2026-10-01',
    'coverage?status=completed',
  ])('%s says nothing: what is asked for is stated, or the registry is not asked', async (path) => {
    expect(await noticesOf(path)).toBeUndefined();
  });
});

describe('counts by time beyond the data of a registry', () => {
  it('a trend marks the periods that its data does not cover, and names the day', async () => {
    const { data, _meta } = await get('trend');
    expect(data.periods.map(({ period, ended }: { period: string; ended: boolean }) => [period, ended])).toEqual([
      ['2020', true],
      ['2021', true],
      ['2022', false],
      ['2023', false],
      ['2024', false],
    ]);
    expect(_meta.notices).toEqual([
      'Periods from 2022 on are not whole (ended: false), because the data of ISRCTN registry ends on 2022-04-01: fewer trials there are no decline.',
    ]);
  });

  it('momentum is not a decline', async () => {
    const { data, _meta } = await get('landscape');
    expect(data.momentum.map(({ days, ended }: { days: number; ended: boolean }) => [days, ended])).toEqual([
      [30, false],
      [90, false],
      [365, false],
    ]);
    expect(_meta.notices).toEqual([
      'momentum counts to 2026-10-01, but the data of ISRCTN registry ends on 2022-04-01: its windows lack the trials since then (ended: false), and a change is no decline.',
    ]);
    const whole = await get('landscape?registry=clinicaltrials_gov');
    expect([whole.data.momentum[0].ended, whole._meta.notices]).toEqual([true, undefined]);
  });
});

describe('what a record states for a time, where the data of its registry ends early,', () => {
  const STALE = 'and the data of ISRCTN registry ends on 2022-04-01: what has changed since is not counted.';
  it.each([
    ['coverage?status=recruiting', `status is as the records stated it, ${STALE}`],
    [
      'search?status=completed,running&resultsAvailable=false',
      `status and resultsAvailable=false are as the records stated it, ${STALE}`,
    ],
  ])('%s says so', async (path, notice) => expect(await noticesOf(path)).toContain(notice));
});

describe('a word that the caller wants excluded', () => {
  it('is said first to be asked for instead, with the address that excludes it', async () => {
    const { hints, notices } = (await get('search?q=heart+-failure&page=2&pageSize=5'))._meta;
    expect(hints[0]).toEqual({
      cause: 'negation',
      sentence:
        'This answer has only trials with failure, the opposite of leaving it out: match=words excludes nothing. To leave it out, send match=concepts.',
      call: '/api/v1/trials/search?q=heart+-failure&pageSize=5&match=concepts',
    });
    expect(notices).toContainEqual(expect.stringContaining('q takes no operators (- or NOT)'));
  });
});

describe('a city in q', () => {
  it('is offered as a filter, and is then no unknown word', async () => {
    const { hints, notices } = (await get('search?q=heart+failure+Leeds'))._meta;
    expect(hints[0]).toEqual({
      cause: 'filter',
      sentence: 'Words of q name a filter and were matched as words: sitePlace=Leeds and q=heart failure has 3 trials.',
      ...{ total: 3, call: '/api/v1/trials/search?q=heart+failure&sitePlace=Leeds' },
    });
    expect(notices).toBeUndefined();
  });
});

describe('a part of a country', () => {
  it('is said to be read as the whole', async () => {
    const { _meta } = await get('search?country=Scotland');
    expect(_meta.filters).toEqual({ country: 'United Kingdom' });
    expect(_meta.notices[0]).toBe(
      'country=Scotland was read as United Kingdom: countries are held as a whole, so the trials may be in any part of it.',
    );
    expect((await noticesOf('search?siteCountry=wales'))?.[0]).toContain(
      'siteCountry=wales was read as United Kingdom',
    );
    expect(await noticesOf('search?country=UK&registry=clinicaltrials_gov')).toBeUndefined();
  });
});

describe('an identifier that is not held', () => {
  it('and fails the check of its numbers says so in a search too', async () => {
    expect(await noticesOf('search?q=NCT09999979')).toEqual([
      'NCT09999979 is understood (nct) but not held: no registration of this index has it and none states it, which does not prove that it was never registered. It fails the check of such numbers, so a digit may be wrong. Look at the registry itself: ClinicalTrials.gov, https://clinicaltrials.gov/study/NCT09999979',
    ]);
    expect(await noticesOf('coverage?q=NCT09999977')).toEqual([
      'NCT09999977 is understood (nct) but not held: no registration of this index has it and none states it, which does not prove that it was never registered. Look at the registry itself: ClinicalTrials.gov, https://clinicaltrials.gov/study/NCT09999977',
    ]);
  });

  it.each(['NCT09999978', 'NCT12345678', 'wt_000000000000', 'hello'])(
    '%s has a hint that does not lead back to the address that failed',
    async (id) => {
      for (const path of [`registrations?id=${id}`, id, `${id}/related`, `${id}/compare`]) {
        const { error } = await get(path);
        expect(error.code).toBe('TRIAL_NOT_FOUND');
        expect(error.hint).not.toContain('/api/v1/trials/registrations');
      }
    },
  );
});

describe('everyday words for the values of a filter', () => {
  it.each([['status=open', 'open can mean recruiting, enrolling_by_invitation']])(
    '%s is refused with what it can mean',
    async (query, expected) => {
      const { error } = await get(`search?${query}`);
      expect([error.code, error.expected]).toEqual(['INVALID_PARAM', expect.stringContaining(expected)]);
    },
  );

  it("reads a registry's own word that has a comma", async () => {
    const filters = async (status: string) =>
      (await get(`search?status=${encodeURIComponent(status)}`))._meta.filters.status;
    expect(await filters('Active, not recruiting')).toBe('active_not_recruiting');
    expect(await filters('Completed,Active, not recruiting,terminated')).toBe(
      'completed,active_not_recruiting,terminated',
    );
    expect(await filters('active,not_yet_recruiting')).toBe('active,not_yet_recruiting');
  });
});
