import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FIELD_LIST } from '../../../contract/fields/field-shapes.ts';
import { pairsOf } from '../../../test/builders/pairs.ts';
import { registration } from '../../../test/builders/registration.ts';
import { EVERY_DAY, type NormalisedRecord, type RejectedRecord } from '../record.ts';
import { normaliseCtgov } from './ctgov.ts';

const RECEIVED = '2026-11-20T03:00:00Z';
const CONTEXT = { asOf: '2026-11-21' };

interface Modules {
  [module: string]: unknown;
}

/** A study with the essential fields and whatever modules a test adds. */
function study(modules: Modules = {}, top: Modules = {}): Buffer {
  const identificationModule = { nctId: 'NCT00000106', briefTitle: 'Cooling after exercise' };
  return Buffer.from(JSON.stringify({ protocolSection: { identificationModule, ...modules }, ...top }));
}

function read(payload: Buffer): NormalisedRecord {
  const record = normaliseCtgov(payload, RECEIVED, CONTEXT);
  if (!record.ok) throw new Error(`rejected: ${record.reason} ${record.detail}`);
  return record;
}

function rejected(payload: Buffer): Omit<RejectedRecord, 'excerpt'> {
  const record = normaliseCtgov(payload, RECEIVED, CONTEXT);
  if (record.ok) throw new Error('not rejected');
  const { excerpt: _excerpt, ...rest } = record;
  return rest;
}

test('a study with nothing but id and title is a registration of nulls and empty lists', () => {
  const { registration: found, identifiers, ...rest } = read(study());
  expect(found).toEqual(
    registration('NCT00000106', {
      title: 'Cooling after exercise',
      payloadSha256: 'c2ed0cfab42785a38856b49057c903ccfc31e75834e58dc8d4077e0d7d281b58',
      retrievedAt: RECEIVED,
      statusBasis: 'overallStatus is missing',
      enrollmentNote: 'enrollmentInfo.count is blank',
      resultsBasis: 'neither hasResults nor resultsSection',
    }),
  );
  expect(identifiers).toEqual([
    {
      registry: 'clinicaltrials_gov',
      registrationId: 'NCT00000106',
      type: 'nct',
      value: 'NCT00000106',
      role: 'own',
      field: 'nctId',
      rawValue: 'NCT00000106',
      suspect: false,
    },
  ]);
  expect(rest).toEqual({ ok: true, publications: [], updated: '', valid: EVERY_DAY, faults: [] });
});

describe('status', () => {
  test.each(
    pairsOf(`
    RECRUITING = running | NOT_YET_RECRUITING = running | ENROLLING_BY_INVITATION = running
    ACTIVE_NOT_RECRUITING = running | COMPLETED = completed | TERMINATED = terminated | WITHDRAWN = withdrawn
    SUSPENDED = suspended | AVAILABLE = expanded_access | NO_LONGER_AVAILABLE = expanded_access
    TEMPORARILY_NOT_AVAILABLE = expanded_access | APPROVED_FOR_MARKETING = expanded_access | WITHHELD = unknown
  `),
  )('%s is %s and, finer, its own word', (overallStatus, status) => {
    expect(read(study({ statusModule: { overallStatus } })).registration).toMatchObject({
      status,
      recruitmentStatus: overallStatus.toLowerCase(),
      statusRaw: overallStatus,
      statusBasis: 'overallStatus',
    });
  });

  test('UNKNOWN stays unknown and names the last known status', () => {
    const { registration } = read(study({ statusModule: { overallStatus: 'UNKNOWN', lastKnownStatus: 'RECRUITING' } }));
    expect(registration).toMatchObject({
      status: 'unknown',
      recruitmentStatus: 'unknown',
      statusBasis: 'overallStatus UNKNOWN; lastKnownStatus RECRUITING',
    });
  });

  test('a word outside the vocabulary is unknown and said to be so', () => {
    const { registration } = read(study({ statusModule: { overallStatus: 'PAUSED' } }));
    expect(registration).toMatchObject({
      status: 'unknown',
      statusRaw: 'PAUSED',
      statusBasis: "overallStatus PAUSED is not a status of this registry's vocabulary",
    });
  });
});

describe('enrolment', () => {
  test.each([
    [{ count: 120, type: 'ACTUAL' }, 120, 'actual', '120', null],
    [{ count: 12.5 }, null, null, '12.5', 'enrollmentInfo.count 12.5 is not a whole number'],
  ])('%j', (enrollmentInfo, enrollmentCount, enrollmentType, enrollmentRaw, enrollmentNote) => {
    const { registration } = read(
      study({ designModule: { enrollmentInfo }, statusModule: { overallStatus: 'WITHDRAWN' } }),
    );
    expect(registration).toMatchObject({ enrollmentCount, enrollmentType, enrollmentRaw, enrollmentNote });
  });
});

test('countries come from the sites, each once in order, with raw spellings beside; removed countries do not count', () => {
  const locations = [
    { country: 'Korea, Republic of' },
    { country: 'France' },
    { city: 'X' },
    { country: 'South Korea' },
    { country: 'France' },
  ];
  const { registration } = read(
    study(
      { contactsLocationsModule: { locations } },
      { derivedSection: { miscInfoModule: { removedCountries: ['Peru'] } } },
    ),
  );
  expect(registration.countries).toEqual(['South Korea', 'France']);
  expect(registration.countriesRaw).toEqual(['Korea, Republic of', 'France', 'South Korea']);
});

test('design, sponsor, arms, endpoints, dates and eligibility are the registry values with the raw ones beside', () => {
  const { registration, updated } = read(
    study({
      statusModule: {
        startDateStruct: { date: '2020-03' },
        primaryCompletionDateStruct: { date: '2022-02-30', type: 'ACTUAL' },
        completionDateStruct: { date: '2022-12-01', type: 'ESTIMATED' },
        studyFirstPostDateStruct: { date: '2020-01-02', type: 'ACTUAL' },
        lastUpdatePostDateStruct: { date: '2023-05-06', type: 'ACTUAL' },
        resultsFirstPostDateStruct: { date: '2023-05-06', type: 'ESTIMATED' },
      },
      designModule: { studyType: 'INTERVENTIONAL', phases: ['PHASE1', 'PHASE2'] },
      sponsorCollaboratorsModule: { leadSponsor: { name: 'Example University', class: 'OTHER_GOV' } },
      conditionsModule: { conditions: ['Heart Failure', 'Heart Failure', 'N/A'] },
      armsInterventionsModule: {
        interventions: [
          { type: 'DRUG', name: 'Aspirin', otherNames: ['ASA', 'ASA', 'N/A'], description: 'daily' },
          { type: 'OTHER', name: 'Not Specified' },
          { type: 'DEVICE', description: 'a pump' },
        ],
      },
      outcomesModule: { primaryOutcomes: [{ measure: 'Death', timeFrame: '1 year' }, { measure: 'Pain' }] },
      eligibilityModule: { eligibilityCriteria: 'Inclusion:\n\n* BMI \\> 30\n' },
    }),
  );
  expect(updated).toBe('2023-05-06');
  expect(registration).toMatchObject({
    studyType: 'interventional',
    studyTypeRaw: 'INTERVENTIONAL',
    phase: '1-2',
    phaseRaw: 'PHASE1+PHASE2',
    sponsorName: 'Example University',
    sponsorClass: 'government',
    sponsorClassRaw: 'OTHER_GOV',
    conditions: ['Heart Failure'],
    interventions: [
      { type: 'drug', name: 'Aspirin', otherNames: ['ASA'], description: null },
      { type: 'device', name: null, otherNames: [], description: 'a pump' },
    ],
    primaryEndpoints: [
      { measure: 'Death', timeFrame: '1 year' },
      { measure: 'Pain', timeFrame: null },
    ],
    dates: {
      start: { date: '2020-03', precision: 'month', type: null },
      primaryCompletion: null,
      completion: { date: '2022-12-01', precision: 'day', type: 'estimated' },
      firstPosted: { date: '2020-01-02', precision: 'day', type: 'actual' },
      lastUpdated: { date: '2023-05-06', precision: 'day', type: 'actual' },
      resultsPosted: { date: '2023-05-06', precision: 'day', type: 'estimated' },
    },
    eligibilityText: 'Inclusion:\n\n* BMI > 30\n',
  });
});

test.each([
  [{ hasResults: true }, true, 'hasResults true'],
  [{ hasResults: false }, false, 'hasResults false'],
  [{ resultsSection: {} }, true, 'resultsSection present'],
])('results: %j', (top, resultsAvailable, resultsBasis) => {
  expect(read(study({}, top)).registration).toMatchObject({ resultsAvailable, resultsBasis });
});

test('references keep their kind, number and retraction', () => {
  const references = [
    { pmid: '11', type: 'BACKGROUND', citation: 'A. J One. 2001;1.', retractions: [{ pmid: '12', source: 'x' }] },
    { type: 'RESULT', citation: 'B' },
    { pmid: '13', type: 'DERIVED' },
  ];
  const { publications } = read(study({ referencesModule: { references } }));
  expect(publications).toMatchObject([
    { ordinal: 1, kind: 'background', kindRaw: 'BACKGROUND', pmid: '11', year: 2001, retracted: true },
    { ordinal: 2, kind: 'results', kindRaw: 'RESULT', pmid: null, year: null, retracted: false },
    { ordinal: 3, kind: 'derived', kindRaw: 'DERIVED', pmid: '13', year: null, retracted: false },
  ]);
});

test('identifiers come from typed id fields only, each once, the own id never declared again', () => {
  const identificationModule = {
    nctId: 'NCT00000106',
    briefTitle: 'Follows NCT00000119',
    nctIdAliases: ['NCT00000132'],
    orgStudyIdInfo: { id: 'EudraCT 2008-005325-10' },
    secondaryIdInfos: [
      { id: 'NCT00000106' },
      { id: '2008-005325-10', type: 'EUDRACT_NUMBER' },
      { id: 'ISRCTN-73199181' },
      { id: '82300372; 82270406' },
      { id: 'Heart Foundation Grant' },
    ],
  };
  const { identifiers, registration } = read(study({ identificationModule }));
  expect(identifiers.map(({ role, type, value, field, rawValue }) => [role, type, value, field, rawValue])).toEqual([
    ['own', 'nct', 'NCT00000106', 'nctId', 'NCT00000106'],
    ['alias', 'nct', 'NCT00000132', 'nctIdAliases', 'NCT00000132'],
    ['declared', 'eudract', '2008-005325-10', 'orgStudyIdInfo.id', 'EudraCT 2008-005325-10'],
    ['declared', 'isrctn', 'ISRCTN73199181', 'secondaryIdInfos.id', 'ISRCTN-73199181'],
  ]);
  expect(registration.aliases).toEqual(['NCT00000132']);
});

/** The identifiers that a study states, as `role type value`, without its own. */
function statedBy(identification: object): string[] {
  const identificationModule = { nctId: 'NCT00000106', briefTitle: 'T', ...identification };
  const { identifiers } = read(study({ identificationModule }));
  return identifiers.slice(1).map(({ role, type, value }) => `${role} ${type} ${value}`);
}

test.each([
  ['the domain', { id: 'ISRCTN12345679', type: 'OTHER', domain: 'Parent study' }, 'ISRCTN12345679'],
  ['the text', { id: 'ISRCTN12345679 (sub-study)' }, 'ISRCTN12345679'],
  ['the type', { id: 'ISRCTN12345679', type: 'EXTENSION' }, 'ISRCTN12345679'],
  ['the text, of the main study', { id: 'Main study ISRCTN12345679' }, 'ISRCTN12345679'],
  ['the text, of what this follows up', { id: 'Follow\u2011up of ISRCTN12345679' }, 'ISRCTN12345679'],
  ['the domain, of what this goes on from', { id: 'ISRCTN12345679', domain: 'Roll-over from' }, 'ISRCTN12345679'],
])('a number is another study’s where %s says so', (_, info, value) => {
  expect(statedBy({ secondaryIdInfos: [info] })).toEqual([`related isrctn ${value}`]);
});

test('a word about one number of a text is not taken for the others, and outweighs a field that only holds it', () => {
  expect(statedBy({ secondaryIdInfos: [{ id: 'ISRCTN12345679, NCT00000119 (extension)' }] })).toEqual([
    'declared isrctn ISRCTN12345679',
    'related nct NCT00000119',
  ]);
  const twice = [{ id: 'ISRCTN12345679' }, { id: 'ISRCTN12345679', domain: 'Parent trial' }];
  expect(statedBy({ secondaryIdInfos: twice })).toEqual(['related isrctn ISRCTN12345679']);
  for (const domain of ['Parental Advice Trust', 'Follow-up Centre', 'Main registry', 'Core Laboratory']) {
    const named = [{ id: 'ISRCTN12345679', domain }];
    expect(statedBy({ secondaryIdInfos: named })).toEqual(['declared isrctn ISRCTN12345679']);
  }
});

test('a number with a slip is read by its check and says so; one that is stated without it is declared', () => {
  expect(statedBy({ secondaryIdInfos: [{ id: 'SRCTN89034346' }] })).toEqual(['repaired isrctn ISRCTN89034346']);
  expect(statedBy({ secondaryIdInfos: [{ id: 'SRCTN89034346' }, { id: 'ISRCTN89034346' }] })).toEqual([
    'declared isrctn ISRCTN89034346',
  ]);
});

test('numbers of other registries keep their type; codes are the sponsor’s, grants and committees’ numbers nobody’s', () => {
  const identification = {
    orgStudyIdInfo: { id: 'H9X-MC-GBDB' },
    secondaryIdInfos: [
      { id: 'NCI-2014-01313', type: 'REGISTRY', domain: 'CTRP (Clinical Trial Reporting Program)' },
      { id: '2006-002055-3', type: 'EUDRACT_NUMBER' },
      { id: '2008-005325-10', type: 'EUDRACT_NUMBER' },
      { id: '1007807', type: 'OTHER', domain: 'IRAS' },
      { id: 'B3461026', type: 'OTHER', domain: 'Alias Study Number' },
      { id: 'R01HL123456', type: 'NIH' },
      { id: '15/SC/0004', type: 'OTHER', domain: 'Research Ethics Committee' },
      { id: 'Heart Foundation Grant' },
    ],
  };
  expect(statedBy(identification)).toEqual([
    'declared ctrp NCI-2014-01313',
    'declared eudract 2006-002055-3',
    'declared eudract 2008-005325-10',
    'declared iras 1007807',
  ]);
  const identificationModule = { nctId: 'NCT00000106', briefTitle: 'T', ...identification };
  const { identifiers, registration } = read(study({ identificationModule }));
  expect(identifiers.filter(({ suspect }) => suspect).map(({ value }) => value)).toEqual(['2006-002055-3']);
  expect(registration.sponsorCodes).toEqual(['H9X-MC-GBDB', 'B3461026']);
});

describe('records that cannot be used', () => {
  const named = (nctId: unknown, briefTitle: unknown = 'T') => study({ identificationModule: { nctId, briefTitle } });
  const nested = Buffer.from(`${'['.repeat(201)}${']'.repeat(201)}`);
  const large = Buffer.alloc(64 * 1024 * 1024 + 1, 0x20);
  const id = 'protocolSection.identificationModule.nctId';
  const title = 'protocolSection.identificationModule.briefTitle';
  test.each([
    ['missing-id', null, named(undefined), `${id} is missing`],
    ['bad-id', null, named('NCT001'), 'nctId NCT001 is not NCT and 8 digits'],
    ['missing-title', 'NCT00000106', named('NCT00000106', ' '), 'neither briefTitle nor officialTitle is given'],
    ['bad-field', null, named(106), `${id}: expected text, found number`],
    ['bad-field', 'NCT00000106', named('NCT00000106', ['T']), `${title}: expected text, found list`],
    ['bad-field', null, Buffer.from('{"protocolSection":[]}'), 'protocolSection: expected object, found list'],
    ['not-an-object', null, Buffer.from('[]'), 'the record is a list, not an object'],
    ['not-utf8', null, Buffer.from([0x7b, 0xff, 0x7d]), 'payload is not valid UTF-8'],
    ['too-deep', null, nested, 'nested more than 200 deep'],
    ['too-large', null, large, 'payload of 67108865 bytes; at most 67108864 are read'],
  ])('%s with id %s', (reason, id, payload, detail) => {
    expect(rejected(payload)).toEqual({ ok: false, id, reason, detail });
  });

  test('broken JSON is rejected with an excerpt of at most 300 characters', () => {
    const record = normaliseCtgov(Buffer.from(`{"a": "${'é'.repeat(900)}`), RECEIVED, CONTEXT);
    expect(record).toMatchObject({ ok: false, reason: 'not-json', id: null });
    expect(record.ok ? '' : record.excerpt).toBe(`{"a": "${'é'.repeat(293)}`);
  });
});

const FAULTS = `
conditionsModule.conditions[]: number, not text
contactsLocationsModule.locations[].geoPoint.lat: string, not number
designModule.designInfo.allocation: list, not text
designModule.designInfo.maskingInfo: string, not object
designModule.enrollmentInfo: list, not object
designModule.phases: string, not list
eligibilityModule.healthyVolunteers: string, not boolean
eligibilityModule.minimumAge: number, not text
outcomesModule.otherOutcomes[].measure: number, not text
outcomesModule.secondaryOutcomes: object, not list
sponsorCollaboratorsModule.collaborators[].name: object, not text
sponsorCollaboratorsModule.collaborators[]: number, not object
sponsorCollaboratorsModule.leadSponsor: string, not object`;

test('a side field of another type reads as nothing and is named with its path', () => {
  const { registration: fields, faults } = read(
    study({
      designModule: { phases: 'PHASE1', enrollmentInfo: [], designInfo: { maskingInfo: 'DOUBLE', allocation: [] } },
      conditionsModule: { conditions: ['Asthma', 5] },
      outcomesModule: { secondaryOutcomes: {}, otherOutcomes: [{ measure: 1 }] },
      eligibilityModule: { healthyVolunteers: 'yes', minimumAge: 18 },
      contactsLocationsModule: { locations: [{ city: 'Paris', geoPoint: { lat: '48', lon: 2 } }] },
      sponsorCollaboratorsModule: { leadSponsor: 'a name', collaborators: [3, { name: {} }] },
    }),
  );
  expect(fields).toMatchObject({
    phase: 'not-stated',
    enrollmentCount: null,
    conditions: ['Asthma'],
    otherOutcomes: [],
    masking: 'not-stated',
    healthyVolunteers: null,
    minimumAge: null,
    sites: [{ latitude: null, longitude: 2 }],
    collaborators: [],
  });
  const shown = faults.map(({ path, expected, found }) => `${path}: ${found}, not ${expected}`);
  expect(shown.toSorted().join('\n').replaceAll('protocolSection.', '')).toBe(FAULTS.trim());
});

const JSON_TYPES = { text: 'string', word: 'string', count: 'number', number: 'number', flag: 'boolean' };

test('no JSON value, in whatever place of a study, makes the reader throw or give a field of another type', () => {
  const types = FIELD_LIST.flatMap(({ name, type }) => {
    const expected = JSON_TYPES[type as keyof typeof JSON_TYPES] ?? 'object';
    return type === 'date' ? [] : [[name, expected] as const];
  });
  const modules = [
    ...['statusModule', 'designModule', 'referencesModule', 'contactsLocationsModule', 'armsInterventionsModule'],
    ...['outcomesModule', 'eligibilityModule', 'sponsorCollaboratorsModule', 'descriptionModule', 'conditionsModule'],
  ];
  fc.assert(
    fc.property(fc.constantFrom(...modules), fc.jsonValue(), (module, value) => {
      const fields = read(study({ [module]: value })).registration as unknown as Record<string, unknown>;
      const wrong = types.filter(([name, type]) => fields[name] !== null && typeof fields[name] !== type);
      expect(wrong).toEqual([]);
    }),
  );
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(normaliseCtgov(Buffer.from(text), RECEIVED, CONTEXT).ok).toBe(false);
    }),
  );
});
