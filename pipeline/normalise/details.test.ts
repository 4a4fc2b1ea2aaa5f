import { describe, expect, test } from 'vitest';
import { readStudy, readTrial } from '../../test/builders/normalised-records.ts';
import { organisation } from '../../test/builders/registration.ts';

describe('the long fields of a study at ClinicalTrials.gov', () => {
  test('are its summary, keywords, MeSH terms, organisations, descriptions and arms', () => {
    const { registration, faults } = readStudy(
      {
        descriptionModule: { briefSummary: 'Cooling for BMI \\> 30.\n\nAsk a.b@c.example.' },
        conditionsModule: { conditions: ['Heat'], keywords: ['cold water', 'N/A', 'cold water'] },
        sponsorCollaboratorsModule: {
          leadSponsor: { name: 'Example University', class: 'OTHER' },
          collaborators: [{ name: 'Example Pharma', class: 'INDUSTRY' }, { name: 'No class' }, { class: 'NIH' }],
        },
        armsInterventionsModule: {
          armGroups: [
            {
              label: 'Cooled',
              type: 'EXPERIMENTAL',
              description: 'Ice \\~ 10 min',
              interventionNames: ['Device: Vest', 'Drug: Aspirin'],
            },
            { label: 'Control', type: 'NO_INTERVENTION' },
            { type: 'OTHER' },
          ],
          interventions: [
            { type: 'DEVICE', name: 'Vest', description: 'Worn \\< 1 h' },
            { type: 'DRUG', name: 'Aspirin' },
            { type: 'DRUG', name: 'N/A', description: 'Unnamed' },
          ],
        },
      },
      {
        derivedSection: {
          conditionBrowseModule: {
            meshes: [{ id: 'D018883', term: 'Heat Stroke' }],
            ancestors: [{ id: 'D018882', term: 'Heat Stress Disorders' }, { term: 'No id' }, { id: 'D1' }],
          },
          interventionBrowseModule: { meshes: [{ id: 'D001241', term: 'Aspirin' }], ancestors: [] },
        },
      },
    );
    expect(faults).toEqual([]);
    expect(registration).toMatchObject({
      briefSummary: 'Cooling for BMI > 30.\n\nAsk [e-mail address left out].',
      keywords: ['cold water'],
      conditionMesh: [{ id: 'D018883', term: 'Heat Stroke' }],
      conditionMeshAncestors: [
        { id: 'D018882', term: 'Heat Stress Disorders' },
        { id: null, term: 'No id' },
      ],
      interventionMesh: [{ id: 'D001241', term: 'Aspirin' }],
      interventionMeshAncestors: [],
      sponsors: [{ name: 'Example University', class: 'other', classRaw: 'OTHER', reference: null }],
      collaborators: [
        { name: 'Example Pharma', class: 'industry', classRaw: 'INDUSTRY', reference: null },
        organisation('No class'),
      ],
      funders: [],
      interventionDescriptions: [
        { names: ['Vest'], description: 'Worn < 1 h' },
        { names: [], description: 'Unnamed' },
      ],
      arms: [
        {
          label: 'Cooled',
          type: 'experimental',
          description: 'Ice ~ 10 min',
          interventionNames: ['Device: Vest', 'Drug: Aspirin'],
        },
        { label: 'Control', type: 'no_intervention', description: null, interventionNames: [] },
      ],
    });
  });
});

describe('the long fields of a trial at ISRCTN', () => {
  test('are its plain summary, all sponsors and funders in the order of its parties, and every description', () => {
    const { registration, faults } = readTrial(
      `<interventions><intervention><description>Daily, ask tel. 020 7946 0000</description><interventionType>Drug</interventionType><drugNames>Aspirin, Zinc</drugNames></intervention>
         <intervention><description>Talks</description><interventionType>Other</interventionType></intervention></interventions>
       <parties><sponsorId>s2</sponsorId><sponsorId>s1</sponsorId><funderId>f2</funderId></parties>`,
      `<contact id="c1"><surname>Example</surname></contact>
       <sponsor id="s1"><organisation>Second Hospital</organisation><sponsorType>Hospital/treatment centre</sponsorType></sponsor>
       <sponsor id="s2"><organisation>First University</organisation><sponsorType/><rorId>https://ror.org/0524sp257</rorId><commercialStatus>Non-commercial</commercialStatus></sponsor>
       <funder id="f1"><name>A charity</name></funder>
       <funder id="f2"><name>Medical Research Council</name><fundRef>http://dx.doi.org/10.13039/501100000265</fundRef></funder>
       <funder id="f3"><name>Not provided</name></funder>`,
      '<plainEnglishSummary>Background\nWalking helps.\n\nWho is the main contact?\nDr Example</plainEnglishSummary>',
    );
    expect(faults).toEqual([]);
    expect(registration).toMatchObject({
      briefSummary: 'Background\nWalking helps.',
      sponsorName: 'First University',
      sponsors: [
        {
          name: 'First University',
          class: 'other',
          classRaw: 'Non-commercial',
          reference: 'https://ror.org/0524sp257',
        },
        { name: 'Second Hospital', class: 'other', classRaw: 'Hospital/treatment centre', reference: null },
      ],
      collaborators: [],
      funders: [
        { ...organisation('Medical Research Council'), reference: 'http://dx.doi.org/10.13039/501100000265' },
        organisation('A charity'),
      ],
      interventionDescriptions: [
        { names: ['Aspirin', 'Zinc'], description: 'Daily, ask [telephone number left out]' },
        { names: [], description: 'Talks' },
      ],
      arms: [],
    });
    expect(JSON.stringify(registration)).not.toContain('Dr Example');
  });

  test('each line of a condition is a condition, without its list mark', () => {
    const { registration } = readTrial(
      `<conditions><condition><description>1. Asthma\n2) COPD\n\n - 5-HT deficiency\n1.5 % burns\nN/A</description></condition>
       <condition><description>Asthma</description></condition></conditions>`,
    );
    expect(registration.conditions).toEqual(['Asthma', 'COPD', '5-HT deficiency', '1.5 % burns']);
  });
});
