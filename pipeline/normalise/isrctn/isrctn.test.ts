import { describe, expect, test } from 'vitest';
import type { NormalisedRecord } from '../record.ts';
import { normaliseIsrctn } from './isrctn.ts';

const RECEIVED = '2026-11-20T03:00:00Z';
const CONTEXT = { asOf: '2026-11-21' };

function read(xml: string): NormalisedRecord {
  const record = normaliseIsrctn(Buffer.from(xml), RECEIVED, CONTEXT);
  if (!record.ok) throw new Error(`rejected: ${record.reason} ${record.detail}`);
  return record;
}

/** A trial element: `description` and `rest` go inside trialDescription and behind it. */
function trial(rest = '', description = '<title>Walking</title>', attributes = ''): string {
  return `<trial ${attributes}><isrctn dateAssigned="2020-02-03T10:00:00.123456Z">12345679</isrctn><trialDescription>${description}</trialDescription>${rest}</trial>`;
}

function full(rest = '', beside = ''): string {
  return `<fullTrial xmlns="http://www.67bricks.com/isrctn">${trial(rest)}${beside}</fullTrial>`;
}

test('a current record reads whole: namespace inside, entities decoded, blanks trimmed, inner line breaks kept', () => {
  const record = read(`<fullTrial xmlns="http://www.67bricks.com/isrctn">
    <trial lastUpdated="2026-07-27T09:27:35.342944265Z" version="36">
      <isrctn dateAssigned="2026-02-24T10:19:48.068934Z">12345679</isrctn>
      <trialDescription>
        <title>
          Salt &lt; 5 g &amp; caf&#233;
        </title>
        <scientificTitle>A <![CDATA[<open>]]> trial</scientificTitle>
        <acronym>N/A</acronym>
        <primaryOutcomes><outcomeMeasure id="1"><variable>Pain</variable><method>VAS</method><timepoints>6 weeks</timepoints></outcomeMeasure></primaryOutcomes>
        <primaryOutcome>old text</primaryOutcome>
      </trialDescription>
      <trialDesign><primaryStudyDesign>Interventional</primaryStudyDesign><overallEndDate>2028-01-05T00:00:00.000Z</overallEndDate></trialDesign>
      <participants>
        <recruitmentCountries><country>United Kingdom</country><country>England</country><country>Ireland</country></recruitmentCountries>
        <inclusion>1. Adults
2. Able to walk</inclusion><exclusion>Not specified</exclusion>
        <targetEnrolment>34</targetEnrolment><totalFinalEnrolment>0</totalFinalEnrolment>
        <recruitmentStart>2026-11-02T00:00:00.000Z</recruitmentStart><recruitmentEnd>2028-01-03T00:00:00.000Z</recruitmentEnd>
      </participants>
      <conditions><condition><description>Low back pain</description></condition><condition><description>N/A</description></condition></conditions>
      <interventions><intervention><description>Daily</description><interventionType>Drug</interventionType><phase>Phase II</phase><drugNames>Aspirin, Zinc (oral, 5 mg)</drugNames></intervention></interventions>
      <parties><sponsorId>s2</sponsorId></parties>
    </trial>
    <sponsor id="s1"><organisation>Other</organisation></sponsor>
    <sponsor id="s2"><organisation>
      Example University
      </organisation><sponsorType/><commercialStatus>Non-commercial</commercialStatus></sponsor>
  </fullTrial>`);
  expect(record.faults).toEqual([]);
  expect(record.updated).toBe('2026-07-27T09:27:35.342944265Z');
  expect(record.registration).toMatchObject({
    id: 'ISRCTN12345679',
    url: 'https://www.isrctn.com/ISRCTN12345679',
    sourceVersion: '36',
    title: 'Salt < 5 g & café',
    officialTitle: 'A <open> trial',
    acronym: null,
    status: 'running',
    recruitmentStatus: 'recruiting',
    statusRaw: null,
    statusBasis:
      "derived from overallEndDate 2028-01-05, recruitmentStart 2026-11-02, recruitmentEnd 2028-01-03 as of the snapshot's day",
    phase: '2',
    phaseRaw: 'Phase II',
    studyType: 'interventional',
    sponsorName: 'Example University',
    sponsorClass: 'other',
    sponsorClassRaw: 'Non-commercial',
    enrollmentCount: 34,
    enrollmentType: 'estimated',
    countries: ['United Kingdom', 'Ireland'],
    countriesRaw: ['United Kingdom', 'England', 'Ireland'],
    conditions: ['Low back pain'],
    interventions: [
      { type: 'drug', name: 'Aspirin', otherNames: [], description: null },
      { type: 'drug', name: 'Zinc (oral, 5 mg)', otherNames: [], description: null },
    ],
    primaryEndpoints: [{ measure: 'Pain', timeFrame: '6 weeks' }],
    dates: {
      start: { date: '2026-11-02', precision: 'day', type: null },
      primaryCompletion: null,
      completion: { date: '2028-01-05', precision: 'day', type: null },
      firstPosted: { date: '2026-02-24', precision: 'day', type: null },
      lastUpdated: { date: '2026-07-27', precision: 'day', type: null },
      resultsPosted: null,
    },
    eligibilityText: 'Inclusion criteria:\n\n1. Adults\n2. Able to walk',
  });
});

test('XML is unescaped as XML, then its text is decoded as that of the other registry', () => {
  const { registration, publications } = read(
    full(
      `<outputs><output outputType="other &amp;amp; more"><externalLink url="https://a.example/?a=1&amp;copy=2"/></output></outputs>
       <conditions><condition><description><![CDATA[BMI &gt; 30]]></description></condition></conditions>
       <interventions><intervention><description>5 &amp;lt; 6 &nbsp;&eacute; &#x3b1;</description></intervention></interventions>
       <parties><sponsorId>s&amp;1</sponsorId></parties>`,
      '<sponsor id="s&amp;1"><organisation>Smith &amp;amp; Nephew</organisation></sponsor>',
    ),
  );
  expect(registration).toMatchObject({
    sponsorName: 'Smith & Nephew',
    conditions: ['BMI > 30'],
    interventions: [{ description: '5 < 6  é α' }],
  });
  expect(publications).toMatchObject([{ kindRaw: 'other & more', url: 'https://a.example/?a=1&copy=2' }]);
});

const FILE = '<localFile fileId="1" originalFilename="r.pdf"/>';
const LINK = '<externalLink url="https://example.org/r"/>';
const output = (type: string, inner: string) =>
  `<outputs><output id="1" outputType="${type}" dateCreated="2021-03-01T00:00:00.000Z">${inner}</output></outputs>`;
const report = (text: string) => `<results><basicReport>${text}</basicReport></results>`;

test.each([
  ['a basic results file', output('basicresults', FILE), 'outputs: basicresults with a file at the registry'],
  ['an attached report', report('Basic results see attached file X.pdf'), 'basicReport names an attached file'],
])('%s is results held by the registry', (_name, rest, resultsBasis) => {
  expect(read(full(rest)).registration).toMatchObject({ resultsAvailable: true, resultsBasis });
});

test.each([
  ['a linked basic result', output('basicresults', LINK)],
  ['an article', output('resultsarticle', LINK)],
  ['another file', output('protocolfile', FILE)],
  ['a linked report', report('Basic results in https://example.org/r.pdf')],
  ['nothing', ''],
])('%s is no results held by the registry', (_name, rest) => {
  const resultsBasis = 'no basic results summary held by the registry';
  expect(read(full(rest)).registration).toMatchObject({ resultsAvailable: false, resultsBasis });
});

test('publications come from details and outputs, an address once, patient sheets left out', () => {
  const { publications } = read(
    full(`<results><publicationDetails>2016 Protocol article in https://pubmed.ncbi.nlm.nih.gov/18547419/ protocol
2018 Results article in https://doi.org/10.1000/x1 results</publicationDetails><basicReport/></results>
      <outputs>
        <output outputType="protocolarticle" dateCreated="2016-01-01T00:00:00.000Z"><externalLink url="http://pubmed.ncbi.nlm.nih.gov/18547419"/><description/></output>
        <output outputType="pis"><localFile originalFilename="pis.pdf"/></output>
        <output outputType="basicresults" dateCreated="2021-03-01T00:00:00.000Z"><localFile originalFilename="r.pdf"/><description>Summary</description></output>
      </outputs>`),
  );
  expect(publications).toMatchObject([
    {
      ordinal: 1,
      kind: 'protocol',
      kindRaw: 'Protocol article',
      pmid: '18547419',
      doi: null,
      year: 2016,
      url: 'https://pubmed.ncbi.nlm.nih.gov/18547419/',
      citation: '2016 Protocol article in https://pubmed.ncbi.nlm.nih.gov/18547419/ protocol',
    },
    {
      ordinal: 2,
      kind: 'results',
      kindRaw: 'Results article',
      pmid: null,
      doi: '10.1000/x1',
      year: 2018,
      url: 'https://doi.org/10.1000/x1',
      citation: '2018 Results article in https://doi.org/10.1000/x1 results',
    },
    {
      ordinal: 3,
      kind: 'results',
      kindRaw: 'basicresults',
      pmid: null,
      doi: null,
      year: 2021,
      url: null,
      citation: 'Summary',
    },
  ]);
});

test('a reference of an ISRCTN record can be another study’s, mended, odd, or a sponsor’s code', () => {
  const { identifiers, registration } = read(
    full(`<externalRefs><eudraCTNumber>2012-000344-1</eudraCTNumber>
      <clinicalTrialsGovNumber>NTC01234571</clinicalTrialsGovNumber><irasNumber/>
      <protocolSerialNumber>RG-0367-23</protocolSerialNumber>
      <secondaryNumbers>
        <secondaryNumber numberType="Parent study">NCT00000119</secondaryNumber>
        <secondaryNumber numberType="Protocol serial number">RG-0367-23</secondaryNumber>
      </secondaryNumbers></externalRefs>`),
  );
  expect(identifiers.slice(1).map(({ role, type, value, suspect }) => [role, type, value, suspect])).toEqual([
    ['declared', 'eudract', '2012-000344-1', true],
    ['repaired', 'nct', 'NCT01234571', false],
    ['related', 'nct', 'NCT00000119', false],
  ]);
  expect(identifiers[2]?.rawValue).toBe('NTC01234571');
  expect(registration.sponsorCodes).toEqual(['RG-0367-23']);
});

test('identifiers come from the typed reference fields; bare numbers only where the field says what they are', () => {
  const { identifiers } = read(
    full(`<externalRefs><doi>10.1186/ISRCTN12345679</doi><eudraCTNumber>2021\u2010005429\u201026</eudraCTNumber><irasNumber>1010119</irasNumber>
      <clinicalTrialsGovNumber>NCT00147030, NCT01092637</clinicalTrialsGovNumber><protocolSerialNumber>CPMS: 57449, RG-0367-23, 223780</protocolSerialNumber>
      <secondaryNumbers><secondaryNumber>plain text 4</secondaryNumber><secondaryNumber id="1" numberType="iras">1010119</secondaryNumber><secondaryNumber id="2" numberType="cpms">58327</secondaryNumber>
      <secondaryNumber id="3" numberType="ctis" canonicalSecondaryNumber="CTIS2020-005891-36-00">2020-005891-36</secondaryNumber><secondaryNumber numberType="nct">Nil known</secondaryNumber>
      <secondaryNumber>ISRCTN12345679</secondaryNumber></secondaryNumbers></externalRefs>`),
  );
  expect(identifiers.map(({ role, type, value, field }) => [role, type, value, field])).toEqual([
    ['own', 'isrctn', 'ISRCTN12345679', 'isrctn'],
    ['declared', 'eudract', '2021-005429-26', 'eudraCTNumber'],
    ['declared', 'nct', 'NCT00147030', 'clinicalTrialsGovNumber'],
    ['declared', 'nct', 'NCT01092637', 'clinicalTrialsGovNumber'],
    ['declared', 'iras', '1010119', 'irasNumber'],
    ['declared', 'cpms', '57449', 'protocolSerialNumber'],
    ['declared', 'cpms', '58327', 'secondaryNumbers.secondaryNumber'],
    ['declared', 'eudract', '2020-005891-36', 'secondaryNumbers.secondaryNumber'],
  ]);
});

describe('records that cannot be used', () => {
  const deep = `<trial>${'<a>'.repeat(201)}${'</a>'.repeat(201)}</trial>`;
  test.each([
    ['missing-id', '<trial><isrctn/></trial>'],
    ['bad-id', '<trial><isrctn>1234567</isrctn></trial>'],
    ['missing-title', trial('', '')],
    ['bad-field', trial('', '<title>A <b>bold</b> title</title>')],
    ['bad-field', '<trial><isrctn>12345679</isrctn><trialDescription>text</trialDescription></trial>'],
    ['not-xml', '<trial><isrctn>12345679</trial>'],
    ['not-xml', '<!DOCTYPE t [<!ENTITY a "b">]><trial><isrctn>12345679</isrctn></trial>'],
    ['not-xml', ''],
    ['not-an-object', '<html><body/></html>'],
    ['not-an-object', `<allTrials><fullTrial>${trial()}</fullTrial><fullTrial>${trial()}</fullTrial></allTrials>`],
    ['too-deep', deep],
    ['not-utf8', Buffer.from([0x3c, 0xff])],
  ])('%s', (reason, xml) => {
    expect(normaliseIsrctn(Buffer.from(xml as string), RECEIVED, CONTEXT)).toMatchObject({ ok: false, reason });
  });

  test('thousands of character references are text, not an attack', () => {
    expect(read(trial('', `<title>${'&lt;&#8217;'.repeat(5000)}</title>`)).registration.title).toBe('<’'.repeat(5000));
  });
});

test('one trial inside allTrials and a bare trial element read alike', () => {
  const bare = read(trial());
  const wrapped = read(`<?xml version="1.0"?><allTrials totalCount="1"><fullTrial>${trial()}</fullTrial></allTrials>`);
  expect({ ...wrapped.registration, payloadSha256: '' }).toEqual({ ...bare.registration, payloadSha256: '' });
});

test('a day that passes changes the status, its basis, and nothing else', () => {
  const xml = trial(
    `<trialDesign><overallEndDate>2026-11-21T00:00:00.000Z</overallEndDate></trialDesign>
     <participants><targetEnrolment>34</targetEnrolment><totalFinalEnrolment>0</totalFinalEnrolment>
       <recruitmentStart>2025-01-10T00:00:00.000Z</recruitmentStart><recruitmentEnd>2026-05-10T00:00:00.000Z</recruitmentEnd></participants>`,
    undefined,
    'lastUpdated="2025-01-05T00:00:00.000Z"',
  );
  const on = (asOf: string) => {
    const record = normaliseIsrctn(Buffer.from(xml), RECEIVED, { asOf });
    if (!record.ok) throw new Error(record.detail);
    return record.registration;
  };
  const [first, ...later] = ['2024-06-01', '2025-06-01', '2026-11-21', '2026-11-22', '2040-01-01'].map(on);
  expect([first, ...later].map((one) => one?.recruitmentStatus)).toEqual([
    'not_yet_recruiting',
    'recruiting',
    'active_not_recruiting',
    'completed',
    'completed',
  ]);
  const timeless = { status: '', recruitmentStatus: '', statusBasis: '' };
  for (const one of later) expect({ ...one, ...timeless }).toEqual({ ...first, ...timeless });
  expect(first).toMatchObject({ enrollmentCount: 34, enrollmentType: 'estimated', enrollmentNote: null });
});
