import { describe, expect, it } from 'vitest';
import { compareRegistrations } from '../../../index-server/handlers/trial-comparison.ts';
import { organisation, registration, registryDate } from '../../builders/registration.ts';
import { publishSignals } from '../../builders/signal-snapshot.ts';
import { openGateway } from '../../support/gateway.ts';
import { ofFile } from '../../support/of-file.ts';

const STUDY = registration('NCT00000001', {
  title: 'Aspirin in Adults',
  status: 'completed',
  countries: ['France', 'Spain'],
  keywords: ['pain'],
  primaryEndpoints: [{ measure: 'Tumour response', timeFrame: '6 weeks' }],
  secondaryOutcomes: [{ measure: 'Pain', timeFrame: null, description: null }],
  collaborators: [organisation('Hospital of Leeds')],
  sex: 'all',
  minimumAge: 18,
  dates: { start: registryDate('2020-01-02') },
});
const TRIAL = registration('ISRCTN12345678', {
  title: 'aspirin in adults',
  status: 'completed',
  countries: ['Spain', 'France'],
  primaryEndpoints: [{ measure: 'Tumor responses', timeFrame: null }],
  secondaryOutcomes: [{ measure: 'Death', timeFrame: null, description: null }],
  funders: [organisation('Wellcome Trust')],
  sex: 'all',
  minimumAge: 16,
  dates: { start: registryDate('2020-01') },
});
const number = (id: string) => ({ id, type: null, domain: null, link: null, field: 'secondaryIdInfos' });
const BOTH = 'wt_aaaaaaaaaaaa';
const ONE = 'wt_bbbbbbbbbbbb';

const snapshot = ofFile(() =>
  publishSignals({
    trials: [
      { canonicalId: BOTH, aliases: [], registrations: [STUDY, TRIAL] },
      { canonicalId: ONE, aliases: [], registrations: [registration('NCT00000002', { acronym: 'ALONE' })] },
    ],
  }),
);
const gateway = ofFile(() => openGateway(snapshot.snapshotsDir));

interface Compared {
  field: string;
  verdict: string;
  normalisations: string[];
  onlyIn: string | null;
  noFieldIn: string[];
  notHeldIn: string[];
  inConflicts: boolean;
  namedInConflicts: boolean;
  values: unknown[];
}
const read = async (id: string) => (await gateway.get(`/api/v1/trials/${id}/compare`)).body.data;

describe('the comparison of registrations', () => {
  it('has a verdict for each field, with the normalisations that made two values equal', async () => {
    const data = await read(BOTH);
    const verdict = (name: string): string => {
      const { verdict, normalisations, onlyIn } = data.fields.find(({ field }: Compared) => field === name);
      return [verdict, onlyIn, ...normalisations].filter((part) => part !== null).join(' ');
    };
    expect(
      Object.fromEntries(
        [
          ...['title', 'status', 'keywords', 'primaryEndpoints', 'secondaryOutcomes', 'funders'],
          ...['eligibility.maximumAge', 'dates.start'],
        ].map((name) => [name, verdict(name)]),
      ),
    ).toEqual({
      title: 'equal-after case-and-space',
      status: 'equal',
      keywords: 'only-in clinicaltrials_gov',
      primaryEndpoints: 'equal-after case-and-space order name-only words',
      secondaryOutcomes: 'differs',
      funders: 'only-in isrctn',
      'eligibility.maximumAge': 'not-stated',
      'dates.start': 'equal-after shared-precision',
    });
    const { verdicts, fields } = data;
    expect(verdicts.equal + verdicts.equalAfter + verdicts.differs + verdicts.onlyIn + verdicts.notStated).toBe(
      fields.length,
    );
    expect(verdicts).toMatchObject({ equalAfter: 4, differs: 2, onlyIn: 3 });
  });

  it('shows both values, and tells a registry that left a field blank from one that has none', async () => {
    const { fields } = await read(BOTH);
    expect(fields.find(({ field }: Compared) => field === 'eligibility.minimumAge')).toEqual({
      field: 'eligibility.minimumAge',
      verdict: 'differs',
      normalisations: [],
      onlyIn: null,
      noFieldIn: [],
      notHeldIn: [],
      inConflicts: true,
      namedInConflicts: true,
      values: [
        { registry: 'clinicaltrials_gov', id: 'NCT00000001', value: 18 },
        { registry: 'isrctn', id: 'ISRCTN12345678', value: 16 },
      ],
    });
    expect(fields.find(({ field }: Compared) => field === 'keywords').noFieldIn).toEqual(['isrctn']);
  });

  it('of one registration has nothing that differs, and names the registry that is absent', async () => {
    const data = await read(ONE);
    expect(data.absentFrom).toEqual(['isrctn']);
    expect(data.registrations).toMatchObject([{ registry: 'clinicaltrials_gov', id: 'NCT00000002' }]);
    expect(data.verdicts).toMatchObject({ equal: 0, equalAfter: 0, differs: 0 });
    expect(data.fields.find(({ field }: Compared) => field === 'acronym')).toMatchObject({
      verdict: 'only-in',
      onlyIn: 'clinicaltrials_gov',
    });
  });
});

describe("a number of the trial's own registrations", () => {
  const secondary = async (ctgov: string[], isrctn: string[]) => {
    const { data: record } = (await gateway.get(`/api/v1/trials/${BOTH}`)).body;
    record.registrations[0].fields.secondaryIds = ctgov.map(number);
    record.registrations[1].fields.secondaryIds = isrctn.map(number);
    const { fields } = compareRegistrations(record, null);
    const { verdict, normalisations, onlyIn, values } = fields.find(({ field }) => field === 'secondaryIds')!;
    return [verdict, onlyIn, normalisations.join(' '), values.length];
  };

  it.each([
    ['on both sides is no difference', ['ISRCTN12345678'], ['NCT00000001'], ['equal-after', null, 'own-numbers', 2]],
    ['leaves equal numbers equal', ['ISRCTN12345678', 'A1'], ['A1'], ['equal-after', null, 'own-numbers', 2]],
    ['leaves numbers that differ', ['ISRCTN12345678', 'A1'], ['NCT00000001', 'B2'], ['differs', null, '', 2]],
    ['is told from that of another trial', [], ['NCT00000009'], ['only-in', 'isrctn', '', 1]],
  ])('%s', async (_, ctgov, isrctn, expected) => {
    expect(await secondary(ctgov, isrctn)).toEqual(expected);
  });
});

describe('a form of a record that lacks a field', () => {
  it('makes what the other registry states not held, and never what it states itself', async () => {
    const { data: record } = (await gateway.get(`/api/v1/trials/${BOTH}`)).body;
    record.registrations[1].fields.countries = [];
    const whole = { holds: () => true, lacking: null };
    const row = { holds: (field: string) => field !== 'countries' && field !== 'title', lacking: 'a row' };
    const { fields, verdicts } = compareRegistrations(record, [whole, row]);
    const of = (name: string) => fields.find(({ field }) => field === name);
    expect(of('countries')).toMatchObject({ verdict: 'not-held', onlyIn: null, notHeldIn: ['isrctn'] });
    expect(of('title')).toMatchObject({ verdict: 'equal-after', notHeldIn: [] });
    expect(of('keywords')).toMatchObject({ verdict: 'only-in', noFieldIn: ['isrctn'], notHeldIn: [] });
    expect(verdicts.notHeld).toBe(1);
  });

  it('is said to be unknown where the payloads cannot be read', async () => {
    const { _meta } = (await gateway.get(`/api/v1/trials/${BOTH}/compare`)).body;
    expect(_meta.notices).toEqual([expect.stringContaining('The payloads could not be read')]);
  });
});

describe('every trial of the sample in both registries', () => {
  it('has the same conflicts as its comparison', async () => {
    await using sample = await openGateway();
    let compared = 0;
    for (let page = 1; page <= 8; page++) {
      const { trials } = (await sample.get(`/api/v1/trials/search?pageSize=100&page=${page}`)).body.data;
      for (const { canonicalId, registrations, conflicts } of trials) {
        if (registrations.length < 2) continue;
        compared += 1;
        const { fields } = (await sample.get(`/api/v1/trials/${canonicalId}/compare`)).body.data;
        const named = fields.filter(({ namedInConflicts }: Compared) => namedInConflicts);
        const lacking = fields.filter(({ notHeldIn }: Compared) => notHeldIn.length > 0);
        expect(lacking.map(({ field }: Compared) => field)).toEqual([]);
        expect(conflicts).toEqual(named.map(({ field, values }: Compared) => ({ field, values })));
      }
    }
    expect(compared).toBe(50);
  });
});
