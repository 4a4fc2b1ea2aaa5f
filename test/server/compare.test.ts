import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { organisation, registration, registryDate } from '../builders/registration.ts';
import { publishSignals, type SignalSnapshot } from '../builders/signal-snapshot.ts';
import { openGateway, type TestGateway } from '../support/gateway.ts';

const BLANK = { primaryCompletion: null, completion: null, firstPosted: null, lastUpdated: null, resultsPosted: null };
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
  dates: { ...BLANK, start: registryDate('2020-01-02') },
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
  dates: { ...BLANK, start: registryDate('2020-01') },
});
const BOTH = 'wt_aaaaaaaaaaaa';
const ONE = 'wt_bbbbbbbbbbbb';

let snapshot: SignalSnapshot;
let gateway: TestGateway;
beforeAll(async () => {
  snapshot = await publishSignals({
    trials: [
      { canonicalId: BOTH, aliases: [], registrations: [STUDY, TRIAL] },
      { canonicalId: ONE, aliases: [], registrations: [registration('NCT00000002', { acronym: 'ALONE' })] },
    ],
  });
  gateway = await openGateway(snapshot.snapshotsDir);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  snapshot[Symbol.dispose]();
});

interface Compared {
  field: string;
  verdict: string;
  normalisations: string[];
  onlyIn: string | null;
  noFieldIn: string[];
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
          ...['title', 'status', 'countries', 'keywords', 'primaryEndpoints', 'secondaryOutcomes', 'collaborators'],
          ...['funders', 'eligibility.sex', 'eligibility.minimumAge', 'eligibility.maximumAge', 'dates.start'],
        ].map((name) => [name, verdict(name)]),
      ),
    ).toEqual({
      title: 'equal-after case-and-space',
      status: 'equal',
      countries: 'equal-after order',
      keywords: 'only-in clinicaltrials_gov',
      primaryEndpoints: 'equal-after case-and-space order name-only words',
      secondaryOutcomes: 'differs',
      collaborators: 'only-in clinicaltrials_gov',
      funders: 'only-in isrctn',
      'eligibility.sex': 'equal',
      'eligibility.minimumAge': 'differs',
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
      inConflicts: true,
      namedInConflicts: true,
      values: [
        { registry: 'clinicaltrials_gov', id: 'NCT00000001', value: 18 },
        { registry: 'isrctn', id: 'ISRCTN12345678', value: 16 },
      ],
    });
    expect(fields.find(({ field }: Compared) => field === 'keywords').noFieldIn).toEqual(['isrctn']);
  });

  it('agrees with the conflicts of the trial', async () => {
    const { conflicts } = (await gateway.get(`/api/v1/trials/${BOTH}`)).body.data;
    expect(conflicts).toEqual([
      {
        field: 'eligibility.minimumAge',
        values: [
          { registry: 'clinicaltrials_gov', id: 'NCT00000001', value: 18 },
          { registry: 'isrctn', id: 'ISRCTN12345678', value: 16 },
        ],
      },
    ]);
    const { fields } = await read('NCT00000001');
    const named = fields.filter(({ namedInConflicts }: Compared) => namedInConflicts);
    expect(named.map(({ field }: Compared) => field)).toEqual(['eligibility.minimumAge']);
    // `conflicts` compares this field, and does not name it where both say the same.
    expect(fields.find(({ field }: Compared) => field === 'eligibility.sex')).toMatchObject({
      ...{ verdict: 'equal', inConflicts: true, namedInConflicts: false },
    });
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
        expect(conflicts).toEqual(named.map(({ field, values }: Compared) => ({ field, values })));
      }
    }
    expect(compared).toBe(50);
  });
});
