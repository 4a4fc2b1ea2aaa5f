import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MODALITY_IDS } from '../../../contract/declared/modality.ts';
import { PHASES, TRIAL_STATUSES } from '../../../contract/vocabularies.ts';
import { readTrial } from '../../../index-server/search/hints/held-trial.ts';
import { registration, registryDate } from '../../builders/registration.ts';
import { publishSignals } from '../../builders/signal-snapshot.ts';
import type { CorpusTrial } from '../../builders/snapshot-tables.ts';
import { openGateway, type TestGateway } from '../../support/gateway.ts';
import { ofFile } from '../../support/of-file.ts';

const TREND = '/api/v1/trials/trend';

interface Counts {
  trials: number;
  withoutStart: number;
  counts: (number | null)[];
}

let place = 0;
function trial(start: string | null, countries: string[], registry = 'NCT0000000'): CorpusTrial {
  place += 1;
  const id = registry === 'NCT0000000' ? `NCT${String(place).padStart(8, '0')}` : `ISRCTN${10_000_000 + place}`;
  const dates = { start: start === null ? null : registryDate(start) };
  const record = registration(id, { title: 'Study of aspirin', countries, dates });
  return { canonicalId: `wt_${String(place).padStart(12, '0')}`, aliases: [], registrations: [record] };
}

const FEW = [
  trial('2019-12-31', ['France', 'Germany']),
  trial('2020-01', ['France']),
  trial('2020-03-31', []),
  trial('2022-07-01', ['Germany', 'Kingdom of Nowhere']),
  trial(null, ['France']),
  trial('2027-02', ['France'], 'ISRCTN'),
];

describe('a trend', () => {
  const few = ofFile(() => publishSignals({ trials: FEW }));
  const gateway = ofFile(() => openGateway(few.snapshotsDir));
  const read = async (query: string) => (await gateway.get(`${TREND}?${query}`)).body;

  it('has every year from the first start to the last, empty ones as zeros, and tells the trials without a start', async () => {
    const { data, _meta } = await read('q=aspirin');
    const year = (period: string, trials: number, ended: boolean, planned = false) => ({
      period,
      from: `${period}-01-01`,
      to: `${period}-12-31`,
      ended,
      planned,
      trials,
    });
    expect(data).toEqual({
      asOf: '2026-10-01',
      by: 'year',
      split: null,
      trials: 6,
      withStart: 5,
      withoutStart: 1,
      registries: [
        { registry: 'clinicaltrials_gov', state: 'answered', dataDay: '2026-10-02', trials: 5 },
        { registry: 'isrctn', state: 'answered', dataDay: '2026-10-02', trials: 1 },
      ],
      periods: [
        year('2019', 1, true),
        year('2020', 2, true),
        year('2021', 0, true),
        year('2022', 1, true),
        year('2023', 0, true),
        year('2024', 0, true),
        year('2025', 0, true),
        year('2026', 0, false),
        year('2027', 1, false, true),
      ],
      series: null,
    });
    expect(_meta).toMatchObject({ filters: { q: 'aspirin' }, provenance: { corpus: 'registries' } });
    expect(_meta.notices).toEqual([
      'Periods from 2026 on are not whole (ended: false), because the snapshot is of 2026-10-01: fewer trials there are no decline.',
      'Periods from 2027 on begin after 2026-10-01 (planned: true): their starts (1) are planned, and withStart counts them too.',
    ]);
    expect(_meta.honesty.length).toBeGreaterThan(0);
  });
});

it('has no zero where a registry that the query covers never answered', async () => {
  using partly = await publishSignals({ trials: FEW.slice(0, 4), unanswered: ['isrctn'] });
  await using gateway = await openGateway(partly.snapshotsDir);
  const both = (await gateway.get(`${TREND}?split=country`)).body;
  expect(both.data.periods.map(({ trials }: { trials: number | null }) => trials)).toEqual([1, 2, null, 1]);
  expect(both.data.series.shown[0]).toMatchObject({ value: 'France', counts: [1, 1, null, null] });
  expect(both.data.registries[1]).toEqual({ registry: 'isrctn', state: 'unanswered', dataDay: null, trials: null });
  expect([both._meta.provenance.worldwide, both._meta.degraded]).toEqual([false, true]);
  const one = (await gateway.get(`${TREND}?registry=clinicaltrials_gov`)).body;
  expect(one.data.periods.map(({ trials }: { trials: number | null }) => trials)).toEqual([1, 2, 0, 1]);
});

it('refuses more periods than an answer can hold, and names two ways out', async () => {
  using wide = await publishSignals({ trials: [trial('1024-01-01', []), trial('2024-01-01', [])] });
  await using gateway = await openGateway(wide.snapshotsDir);
  const { status, body } = await gateway.get(TREND);
  expect([status, body.error.code, body.error.parameter]).toEqual([400, 'INVALID_PARAM', 'by']);
  expect(body.error.expected).toContain('startedAfter');
  const later = (await gateway.get(`${TREND}?startedAfter=1025-01-01&by=quarter`)).body.data;
  expect(later.periods.map(({ period }: { period: string }) => period)).toEqual(['2024-Q1']);
  using fits = await publishSignals({ trials: [trial('1025-01-01', []), trial('2024-01-01', [])] });
  await using other = await openGateway(fits.snapshotsDir);
  expect((await other.get(TREND)).body.data.periods).toHaveLength(1000);
});

describe('a trend of the sample', () => {
  let gateway: TestGateway;
  let all: ReturnType<typeof readTrial>[];
  let labels: Map<string, string[]>;
  beforeAll(async () => {
    gateway = await openGateway();
    using lease = gateway.index.holder.acquire()!;
    all = Array.from({ length: lease.image.trials }, (_, row) => readTrial(lease.image, row));
    labels = new Map(
      all.map(({ canonicalId }, row) => [
        canonicalId,
        gateway.index.modalities.labelsOf(lease.image, row).labels.map(({ id }) => id),
      ]),
    );
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const VALUES = {
    phase: { all: PHASES as readonly string[], of: (one: (typeof all)[number]) => [one.phase as string] },
    status: { all: TRIAL_STATUSES as readonly string[], of: (one: (typeof all)[number]) => [one.status as string] },
    country: {
      all: null,
      of: (one: (typeof all)[number]) => [...new Set(one.registrations.flatMap(({ fields }) => fields.countries))],
    },
    modality: {
      all: MODALITY_IDS as readonly string[],
      of: (one: (typeof all)[number]) => labels.get(one.canonicalId)!,
    },
  };
  const QUARTER = ['01', '04', '07', '10'];
  const periodOf = (date: string, by: string): string =>
    by === 'year'
      ? date.slice(0, 4)
      : `${date.slice(0, 4)}-Q${QUARTER.filter((month) => month <= date.slice(5, 7)).length}`;

  it.each([
    ['year', 'phase'],
    ['quarter', 'status'],
    ['year', 'country'],
    ['quarter', 'modality'],
  ] as const)('by %s and %s is what a plain scan of every trial counts', async (by, split) => {
    const { data } = (await gateway.get(`${TREND}?by=${by}&split=${split}`)).body;
    const names: string[] = data.periods.map(({ period }: { period: string }) => period);
    const plain = (trials: typeof all): Counts => {
      const started = trials.flatMap(({ dates }) => (dates.start === null ? [] : [periodOf(dates.start.date, by)]));
      return {
        trials: trials.length,
        withoutStart: trials.length - started.length,
        counts: names.map((name) => started.filter((one) => one === name).length),
      };
    };
    const { of, all: order } = VALUES[split];
    const held = [...new Set(all.flatMap(of))].map((value) => ({
      value,
      trials: all.filter((one) => of(one).includes(value)),
    }));
    const rank = ({ value }: { value: string }) => order?.indexOf(value) ?? 0;
    const byName = (a: string, b: string): number => (a.toLowerCase() < b.toLowerCase() ? -1 : 1);
    held.sort((a, b) => b.trials.length - a.trials.length || rank(a) - rank(b) || byName(a.value, b.value));
    const further = new Set(held.slice(12).flatMap(({ trials }) => trials));
    const without = all.filter((one) => of(one).length === 0);
    expect(plain(all)).toEqual({
      trials: data.trials,
      withoutStart: data.withoutStart,
      counts: data.periods.map(({ trials }: { trials: number }) => trials),
    });
    expect(data.trials).toBe(766);
    expect(data.series.shown).toEqual(held.slice(0, 12).map(({ value, trials }) => ({ value, ...plain(trials) })));
    expect(data.series.others).toEqual(held.length <= 12 ? null : { values: held.length - 12, ...plain([...further]) });
    expect(data.series.withoutValue).toEqual(without.length === 0 ? null : plain(without));
  });
});
