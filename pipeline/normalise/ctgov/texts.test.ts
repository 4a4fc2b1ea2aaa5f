import { expect, test } from 'vitest';
import { readStudy } from '../../../test/builders/normalised-records.ts';

test.each(['[Redacted]', '[REDACTED]', 'Withheld', 'N/A', '-', 'TBC'])(
  '%s is no name of a sponsor, country or site',
  (text) => {
    const { registration } = readStudy({
      identificationModule: { nctId: 'NCT00000106', briefTitle: 'T', acronym: text, orgStudyIdInfo: { id: text } },
      sponsorCollaboratorsModule: { leadSponsor: { name: text, class: 'OTHER' }, collaborators: [{ name: text }] },
      contactsLocationsModule: { locations: [{ facility: text, city: text, country: text }] },
    });
    expect(registration).toMatchObject({
      acronym: null,
      sponsorName: null,
      sponsors: [],
      collaborators: [],
      countries: [],
      countriesRaw: [],
      sites: [],
      sponsorCodes: [],
      secondaryIds: [],
    });
  },
);

test('character references are decoded once in every text of a record, short or long', () => {
  const { registration } = readStudy({
    identificationModule: { nctId: 'NCT00000106', briefTitle: 'Pain &amp; anxiety: IL-2R&#945; &amp;lt;50' },
    sponsorCollaboratorsModule: { leadSponsor: { name: 'Smith &amp; Nephew, Inc.', class: 'INDUSTRY' } },
    conditionsModule: { conditions: ['Survival &gt;6 Months'], keywords: ['&alpha;-synuclein'] },
    armsInterventionsModule: { interventions: [{ type: 'DRUG', name: 'Vitamin B&#8321;&#x2082;' }] },
    outcomesModule: {
      primaryOutcomes: [{ measure: 'PFS &amp; OS', timeFrame: '&lt;6 months', description: '5&nbsp;mg \\&amp;gt;3' }],
    },
    eligibilityModule: { eligibilityCriteria: 'Inclusion:\n\n* BMI \\&ge; 30' },
    contactsLocationsModule: {
      locations: [{ facility: 'Citizen&#39;s Hospital', city: 'L&#39;Aquila', country: 'C&ocirc;te d&#39;Ivoire' }],
    },
  });
  expect(registration).toMatchObject({
    title: 'Pain & anxiety: IL-2Rα &lt;50',
    sponsorName: 'Smith & Nephew, Inc.',
    conditions: ['Survival >6 Months'],
    keywords: ['α-synuclein'],
    interventions: [{ name: 'Vitamin B₁₂' }],
    primaryEndpoints: [{ measure: 'PFS & OS', timeFrame: '<6 months' }],
    primaryOutcomes: [{ measure: 'PFS & OS', timeFrame: '<6 months', description: '5 mg &gt;3' }],
    sites: [{ facility: "Citizen's Hospital", city: "L'Aquila", country: "Côte d'Ivoire" }],
    eligibilityText: 'Inclusion:\n\n* BMI ≥ 30',
  });
});

test('a date that cannot be read is null, and its text is kept with the field that it is of', () => {
  const { registration, updated } = readStudy(
    {
      statusModule: {
        startDateStruct: { date: '2019-13', type: 'ACTUAL' },
        primaryCompletionDateStruct: { date: '2019-02-30' },
        completionDateStruct: { date: 'October 7, 2014' },
        studyFirstPostDateStruct: { date: ' ' },
        lastUpdatePostDateStruct: { date: '2018' },
        resultsFirstPostDateStruct: { date: '2020-05-04' },
      },
    },
    {
      documentSection: {
        largeDocumentModule: { largeDocs: [{ date: '0202-05-01', uploadDate: '2021-06-01T10:00' }] },
      },
    },
  );
  expect(registration.dates).toEqual({
    start: null,
    primaryCompletion: null,
    completion: null,
    firstPosted: null,
    lastUpdated: null,
    resultsPosted: { date: '2020-05-04', precision: 'day', type: null },
  });
  expect(registration.dateNotes).toEqual([
    'startDate unreadable: 2019-13',
    'primaryCompletionDate unreadable: 2019-02-30',
    'completionDate unreadable: October 7, 2014',
    'lastUpdatedDate unreadable: 2018',
    'documents unreadable: 0202-05-01',
  ]);
  expect(registration.documents[0]?.date).toBe('2021-06-01');
  expect(updated).toBe('');
});
