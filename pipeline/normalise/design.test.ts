import { describe, expect, test } from 'vitest';
import { readStudy, readTrial } from '../../test/builders/normalised-records.ts';
import { pairsOf } from '../../test/builders/pairs.ts';
import { site } from '../../test/builders/registration.ts';
import { ageInYears, allocationOf, maskingOf, plainWord, sexOf } from './concepts.ts';

const RETRIEVE = 'https://www.isrctn.com/editorial/retrieveFile';
const LEFT_OUT = '[e-mail address left out]';

describe('the design of a study at ClinicalTrials.gov', () => {
  test('is its outcomes, design, eligibility and reason of a stop', () => {
    const { registration, faults } = readStudy({
      outcomesModule: {
        primaryOutcomes: [
          { measure: 'Core temperature \\> 38', timeFrame: '1 hour', description: 'Rectal, ask a.b@c.example' },
          { measure: 'N/A', timeFrame: '2 hours' },
        ],
        secondaryOutcomes: [{ measure: 'Heart rate', timeFrame: 'N/A' }, { timeFrame: '1 day' }],
        otherOutcomes: [{ measure: 'Sweat', description: 'Weight' }],
      },
      designModule: {
        designInfo: {
          allocation: 'NON_RANDOMIZED',
          interventionModel: 'SINGLE_GROUP',
          interventionModelDescription: 'One group, twice',
          primaryPurpose: 'SUPPORTIVE_CARE',
          observationalModel: 'CASE_CONTROL',
          maskingInfo: {
            masking: 'DOUBLE',
            whoMasked: ['CARE_PROVIDER', 'OUTCOMES_ASSESSOR'],
            maskingDescription: 'Ice \\& water',
          },
        },
      },
      eligibilityModule: { sex: 'FEMALE', minimumAge: '18 Months', maximumAge: '65 Years', healthyVolunteers: false },
      statusModule: { overallStatus: 'TERMINATED', whyStopped: 'Slow accrual; call 555-555-0100' },
    });
    expect(faults).toEqual([]);
    expect(registration).toMatchObject({
      primaryEndpoints: [{ measure: 'Core temperature \\> 38', timeFrame: '1 hour' }],
      primaryOutcomes: [
        { measure: 'Core temperature > 38', timeFrame: '1 hour', description: `Rectal, ask ${LEFT_OUT}` },
      ],
      secondaryOutcomes: [{ measure: 'Heart rate', timeFrame: null, description: null }],
      otherOutcomes: [{ measure: 'Sweat', timeFrame: null, description: 'Weight' }],
      allocation: 'non-randomized',
      allocationRaw: 'NON_RANDOMIZED',
      masking: 'double',
      maskingRaw: 'DOUBLE',
      maskedParties: ['care provider', 'outcomes assessor'],
      maskingDescription: 'Ice & water',
      purposes: ['supportive care'],
      interventionModel: 'single group',
      observationalModel: 'case control',
      designDescription: 'One group, twice',
      sex: 'female',
      sexRaw: 'FEMALE',
      minimumAge: 1.5,
      minimumAgeRaw: '18 Months',
      maximumAge: 65,
      maximumAgeRaw: '65 Years',
      healthyVolunteers: false,
      whyStopped: 'Slow accrual; call [telephone number left out]',
    });
  });

  test('is its sites without contacts, what is shared, its documents and every number', () => {
    const { registration, faults } = readStudy(
      {
        identificationModule: {
          orgStudyIdInfo: { id: 'R01HL000001', type: 'NIH', link: 'https://reporter.nih.gov/r01' },
          secondaryIdInfos: [
            { id: '2008-005514-40', type: 'EUDRACT_NUMBER' },
            { id: 'N/A' },
            { id: 'ABC-1', type: 'OTHER', domain: 'Example Pharma' },
          ],
        },
        contactsLocationsModule: {
          locations: [
            {
              facility: 'Contact 1-877-555-0100',
              city: 'Seoul',
              state: 'Gyeonggi',
              zip: '04763',
              country: 'Korea, Republic of',
              status: 'NOT_YET_RECRUITING',
              geoPoint: { lat: 37.566, lon: 126.9784 },
              contacts: [{ name: 'A Person', phone: '555 0100', email: 'a@b.example' }],
            },
            { city: 'Paris', country: 'France' },
            { zip: '04763' },
          ],
        },
        ipdSharingStatementModule: {
          ipdSharing: 'YES',
          description: 'All of it',
          infoTypes: ['STUDY_PROTOCOL', 'SAP'],
          timeFrame: 'After 1 year',
          accessCriteria: 'On request to x@y.example',
          url: 'https://data.example/ipd or mailto:data@y.example',
        },
      },
      {
        documentSection: {
          largeDocumentModule: {
            largeDocs: [
              {
                typeAbbrev: 'Prot_SAP',
                label: 'Study Protocol and Statistical Analysis Plan',
                date: '2012-06-14',
                uploadDate: '2020-10-26T11:59',
                filename: 'Prot_SAP_000.pdf',
              },
              { typeAbbrev: 'ICF', label: 'Consent of a@b.example', uploadDate: '2020-10-27T11:59' },
            ],
          },
        },
      },
    );
    expect(faults).toEqual([]);
    const seoul = { facility: 'Contact [telephone number left out]', state: 'Gyeonggi', status: 'not_yet_recruiting' };
    expect(registration.sites).toEqual([
      { ...site('South Korea', 'Seoul'), ...seoul, latitude: 37.566, longitude: 126.9784 },
      site('France', 'Paris'),
    ]);
    expect(registration).toMatchObject({
      ipdSharingPlan: 'yes',
      ipdSharingStatement: 'All of it',
      ipdSharingTypes: ['study protocol', 'sap'],
      ipdSharingTimeFrame: 'After 1 year',
      ipdSharingAccess: 'On request to [e-mail address left out]',
      ipdSharingUrl: 'https://data.example/ipd or mailto:[e-mail address left out]',
      documents: [
        {
          type: 'Prot_SAP',
          label: 'Study Protocol and Statistical Analysis Plan',
          date: '2012-06-14',
          url: 'https://cdn.clinicaltrials.gov/large-docs/06/NCT00000106/Prot_SAP_000.pdf',
        },
        { type: 'ICF', label: 'Consent of [e-mail address left out]', date: '2020-10-27', url: null },
      ],
      secondaryIds: [
        {
          id: 'R01HL000001',
          type: 'NIH',
          domain: null,
          link: 'https://reporter.nih.gov/r01',
          field: 'orgStudyIdInfo',
        },
        { id: '2008-005514-40', type: 'EUDRACT_NUMBER', domain: null, link: null, field: 'secondaryIdInfos' },
        { id: 'ABC-1', type: 'OTHER', domain: 'Example Pharma', link: null, field: 'secondaryIdInfos' },
      ],
    });
    expect(JSON.stringify(registration)).not.toMatch(/A Person|0100|@/);
  });
});

describe('the design of a trial at ISRCTN', () => {
  test('is read from the structured elements of newer records', () => {
    const { registration, faults } = readTrial(
      `<externalRefs><doi>10.1186/ISRCTN12345679</doi><eudraCTNumber>Nil known</eudraCTNumber><irasNumber>1005191</irasNumber>
         <secondaryNumbers><secondaryNumber id="a" numberType="ctis">2023-506674-13-00</secondaryNumber>
         <secondaryNumber id="b" numberType="nct">Nil known</secondaryNumber></secondaryNumbers></externalRefs>
       <trialDesign><studyDesign>Double-blind crossover trial</studyDesign><primaryStudyDesign>Interventional</primaryStudyDesign>
         <interventionalTrialDesign><allocation>Randomized controlled trial</allocation><masking>Blinded (masking used)</masking>
         <assignment>Crossover</assignment><purposes><purpose>Basic science</purpose></purposes></interventionalTrialDesign>
         <secondaryStudyDesign>Not applicable</secondaryStudyDesign><reasonAbandoned>Participant recruitment issue</reasonAbandoned></trialDesign>
       <participants><trialCentres>
           <trialCentre id="c1"><name>Royal Infirmary</name><address>1 Road</address><city>Leeds</city><state/><country>England</country><zip>LS1 3EX</zip></trialCentre>
           <trialCentre id="c2"><name>-</name><address>-</address><city>-</city><state/><zip>-</zip></trialCentre></trialCentres>
         <participantTypes/><healthyVolunteersAllowed>false</healthyVolunteersAllowed>
         <lowerAgeLimit unit="years" value="18.0">18 Years</lowerAgeLimit><upperAgeLimit unit="weeks" value="29.0">29 Weeks</upperAgeLimit>
         <gender>All</gender></participants>
       <results><ipdSharingStatement>On request, tel. 020 7946 0000</ipdSharingStatement><dataPolicies><dataPolicy>Available on request</dataPolicy></dataPolicies></results>
       <outputs>
         <output outputType="protocolfile" artefactType="LocalFile" dateCreated="2024-08-01T00:00:00.000Z" dateUploaded="2025-01-06T00:00:00.000Z"><localFile fileId="f1" originalFilename="protocol.pdf"/><description/></output>
         <output outputType="pis" artefactType="ExternalLink" dateCreated="" dateUploaded="2025-01-06T00:00:00.000Z"><externalLink url="https://sheet.example/pis"/><description>Sheet</description></output>
         <output outputType="resultsarticle" artefactType="ExternalLink"><externalLink url="https://doi.org/10.1/x"/></output></outputs>
       <miscellaneous><ipdSharingPlan>No</ipdSharingPlan></miscellaneous>
       <attachedFiles>
         <attachedFile downloadUrl="https://www.isrctn.com/editorial/retrieveFile/f1/1"><description>Protocol file</description><name>protocol.pdf</name><id>f1</id><public>true</public></attachedFile>
         <attachedFile downloadUrl="https://www.isrctn.com/editorial/retrieveFile/f2/1"><description>Consent form</description><name>consent.pdf</name><id>f2</id><public>true</public></attachedFile>
         <attachedFile downloadUrl="https://www.isrctn.com/editorial/retrieveFile/f3/1"><description>Draft</description><name>draft.pdf</name><id>f3</id><public>false</public></attachedFile></attachedFiles>`,
      '',
      `<primaryOutcomes><outcomeMeasure id="o1"><variable>Ventilation</variable><method>Spirometry</method><timepoints>2-3 hours</timepoints></outcomeMeasure>
         <outcomeMeasure id="o2"><variable/><method>A questionnaire</method><timepoints/></outcomeMeasure></primaryOutcomes>
       <primaryOutcome>Old prose</primaryOutcome><secondaryOutcomes/><secondaryOutcome>1. Pain
2. Sleep</secondaryOutcome>`,
    );
    expect(faults).toEqual([]);
    expect(registration).toMatchObject({
      primaryOutcomes: [
        { measure: 'Ventilation', timeFrame: '2-3 hours', description: 'Spirometry' },
        { measure: 'A questionnaire', timeFrame: null, description: null },
      ],
      secondaryOutcomes: [{ measure: '1. Pain\n2. Sleep', timeFrame: null, description: null }],
      otherOutcomes: [],
      allocation: 'randomized',
      allocationRaw: 'Randomized controlled trial',
      masking: 'masked',
      maskingRaw: 'Blinded (masking used)',
      maskedParties: [],
      purposes: ['basic science'],
      interventionModel: 'crossover',
      observationalModel: null,
      designDescription: 'Double-blind crossover trial',
      sex: 'all',
      sexRaw: 'All',
      minimumAge: 18,
      minimumAgeRaw: '18 Years',
      maximumAge: 0.556,
      maximumAgeRaw: '29 Weeks',
      healthyVolunteers: false,
      whyStopped: 'Participant recruitment issue',
      ipdSharingPlan: 'no',
      ipdSharingStatement: 'On request, [telephone number left out]',
      ipdSharingTypes: ['available on request'],
      sites: [{ ...site('United Kingdom', 'Leeds'), facility: 'Royal Infirmary' }],
      documents: [
        { type: 'protocolfile', label: 'protocol.pdf', date: '2024-08-01', url: `${RETRIEVE}/f1/1` },
        { type: 'pis', label: 'Sheet', date: '2025-01-06', url: 'https://sheet.example/pis' },
        { type: null, label: 'Consent form', date: null, url: `${RETRIEVE}/f2/1` },
      ],
      secondaryIds: [
        { id: '1005191', type: null, domain: null, link: null, field: 'irasNumber' },
        { id: '2023-506674-13-00', type: 'ctis', domain: null, link: null, field: 'secondaryNumbers' },
      ],
    });
  });

  test('is read from the single elements of older records', () => {
    const { registration, faults } = readTrial(
      `<trialDesign><overallStartDate>2011-01-01T00:00:00.000Z</overallStartDate><primaryStudyDesign>Observational</primaryStudyDesign><secondaryStudyDesign>Case-control study</secondaryStudyDesign><trialType>Quality of life</trialType></trialDesign>
       <participants><participantType>Healthy volunteer</participantType><gender>Both</gender></participants>
       <results><dataPolicy>Available on request</dataPolicy></results>`,
      '',
      '<primaryOutcome>Weight</primaryOutcome><secondaryOutcome>Not provided at time of registration</secondaryOutcome>',
    );
    expect(faults).toEqual([]);
    expect(registration).toMatchObject({
      primaryOutcomes: [{ measure: 'Weight', timeFrame: null, description: null }],
      dates: { start: { date: '2011-01-01', precision: 'day', type: null } },
      secondaryOutcomes: [],
      allocation: 'not-stated',
      allocationRaw: null,
      purposes: ['quality of life'],
      observationalModel: 'case control',
      sex: 'all',
      sexRaw: 'Both',
      healthyVolunteers: true,
      ipdSharingPlan: null,
      ipdSharingTypes: ['available on request'],
    });
    const randomised = readTrial(
      `<trialDesign><primaryStudyDesign>Interventional</primaryStudyDesign><secondaryStudyDesign>Randomised controlled trial</secondaryStudyDesign></trialDesign>
       <participants><participantTypes><participantType>Patient</participantType></participantTypes></participants>
       <results><dataPolicies><dataPolicy>Not provided at time of registration</dataPolicy></dataPolicies></results>`,
    ).registration;
    expect(randomised).toMatchObject({
      allocation: 'randomized',
      allocationRaw: 'Randomised controlled trial',
      observationalModel: null,
      healthyVolunteers: null,
      sex: 'not-stated',
      ipdSharingTypes: [],
    });
  });
});

describe('words of the design', () => {
  test.each(
    pairsOf(`
    RANDOMIZED = randomized | NA = not-applicable | Non-randomized controlled trial = non-randomized
    Non randomised study = non-randomized | Cohort study = not-stated
  `),
  )('the allocation %j is %s', (raw, expected) => expect(allocationOf(raw)).toBe(expected));

  test.each(pairsOf('QUADRUPLE = quadruple | NONE = none | Open (masking not used) = none | Whatever = not-stated'))(
    'the masking %j is %s',
    (raw, expected) => expect(maskingOf(raw)).toBe(expected),
  );

  test('a sex outside the vocabulary is not stated, and words of both registries are one', () => {
    expect([sexOf('MALE'), sexOf('Other'), allocationOf(null)]).toEqual(['male', 'not-stated', 'not-stated']);
    expect(['SUPPORTIVE_CARE', 'Supportive  care'].map(plainWord)).toEqual(['supportive care', 'supportive care']);
  });

  test('an age is in years, of any unit, and none where it is no age', () => {
    const ages = ['18 Years', '6 Months', '1 Day', '12 Hours', '999 Years', '18', null];
    expect(ages.map(ageInYears)).toEqual([18, 0.5, 0.003, 0.001, null, null, null]);
  });
});
