import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MODALITY_IDS } from '../../contract/declared/modality.ts';
import { given, inference, labels, ofName, trialOf } from '../../test/support/modality.ts';

describe('a modality is inferred from the name of an intervention', () => {
  it.each([
    ['Enhertu (trastuzumab deruxtecan)', ['antibody-drug-conjugate', 'antibody']],
    ['Chimeric Antigen Receptor T cells', ['engineered-cell', 'cell-therapy', 'gene-therapy']],
    ['CD3 BiTE', ['antibody']],
    ['Laparoscopic cholecystectomy', ['procedure']],
    ['Vitamin D supplementation', ['dietary']],
    ['Recombinant human BNP', ['protein-peptide']],
    ['IBI362', ['protein-peptide']],
    ['CD19CART', ['engineered-cell', 'cell-therapy', 'gene-therapy']],
    ['Six minute walk', ['diagnostic']],
    ['NK cell engager antibody', ['antibody']],
    ['PegIFN alpha-2a', ['protein-peptide']],
    ['Percutaneous discectomies', ['procedure']],
    ['Low sodium oxybate', ['small-molecule']],
    ['Autologous CD 133+ cell implantation', ['cell-therapy']],
    ['Early mobilisation', ['behavioural']],
    ['Adductor canal block', ['procedure']],
    ['Clinical decision support', ['device']],
    ['Wearable sensor', ['device', 'diagnostic']],
    ['Feedback letters', ['behavioural']],
    ['Blood flow restriction training', ['behavioural']],
  ])('%s', (name, expected) => expect(ofName(name)).toEqual(expected));

  it.each([
    ...['Treatment', 'Standard care', 'Management', 'testament'],
    ...['Phase 2', 'Increase of dose', 'Lung disease', 'Database', 'Release', 'Kinase activity'],
    ...['parcel', 'Excel sheet', 'Cancel', 'Aquacel Ag', 'avec', 'Bart', 'Barts', 'tug', 'nib', 'mabs'],
    ...['sickle cell', 'Red blood cells of autologous sickle cell patients', 'Gene expression', 'oncogene'],
    ...['pet therapy', 'a bite', 'The car junction', 'proton pump', 'Placebo', 'Sham TMS'],
    ...['Matching placebo', 'Placebo insulin pen', 'adjuvant', 'mRNA expression', 'concept', 'nucleotide'],
    ...['NK cell activity', 'Insulin resistance', 'platelet-rich plasma'],
    ...['Pain questionnaire', 'Telephone survey', 'Quality of life assessment'],
    ...['TEA', 'Sugar pill', 'RT-250', 'CT-250', 'Bed rest', 'Muscle fibre'],
  ])('and not from "%s"', (name) => expect(ofName(name)).toEqual([]));

  it('keeps what stands beside a placebo in the same name', () => {
    expect(ofName('Placebo or semaglutide')).toEqual(['protein-peptide']);
    expect(ofName('active and sham rTMS')).toEqual([]);
    expect(ofName('rTMS versus sham')).toEqual(['device']);
  });

  it('reads nothing off a placebo, neither its type nor what it is also called', () => {
    expect(labels(given('Placebo', 'drug', { otherNames: ['Insulin'] }))).toEqual([]);
    expect(labels(given('Sham', 'device'), given('Placebo', 'biological'))).toEqual([]);
  });
});

describe('the fields of an intervention', () => {
  it('have the type of a drug stand in only where nothing matched, and the others beside what did', () => {
    expect(ofName('VLT-4012', 'drug')).toEqual(['unclassified-drug']);
    expect(ofName('Semaglutide', 'drug')).toEqual(['protein-peptide']);
    expect(ofName('Freedom device X', 'device')).toEqual(['device']);
    expect(ofName('Supervised yoga', 'device')).toEqual(['device', 'behavioural']);
    expect(ofName('MRI', 'procedure')).toEqual(['diagnostic']);
    expect(ofName('VLT-4012', 'biological')).toEqual([]);
    expect(ofName('Radiation therapy', 'device')).toEqual(['radiation']);
    expect(ofName('Grape seed extract', 'drug')).toEqual(['dietary']);
    expect(ofName('Milkvetch extract', 'drug')).toEqual(['unclassified-drug']);
  });

  it('have the type of a device yield to a test, exercise or dialysis whose equipment it is, but not to a placed device', () => {
    expect(ofName('Breast tomosynthesis', 'device')).toEqual(['diagnostic']);
    expect(ofName('Haemodialysis', 'device')).toEqual(['procedure']);
    expect(ofName('Exercise on a bicycle', 'device')).toEqual(['behavioural']);
    expect(ofName('Spinal fusion', 'device')).toEqual(['device', 'procedure']);
    expect(ofName('Oxygen application', 'procedure')).toEqual(['small-molecule']);
    expect(ofName('Probiotic', 'dietary_supplement')).toEqual(['microbiome']);
  });

  it('are told with each matched term, as the vocabulary and as the record have it', () => {
    const found = inference.labels(
      trialOf([
        given('Keytruda', 'biological', { otherNames: ['Pembrolizumab', 'MK-3475 antibodies'] }),
        given('VLT-4012', 'drug'),
      ]),
    );
    expect(found).toEqual([
      {
        id: 'antibody',
        matchedTerms: [
          { term: 'Keytruda', text: 'Keytruda', field: 'name' },
          { term: '-mab', text: 'Pembrolizumab', field: 'otherNames' },
          { term: 'MK-3475', text: 'MK 3475', field: 'otherNames' },
          { term: 'antibody', text: 'antibodies', field: 'otherNames' },
        ],
      },
      { id: 'unclassified-drug', matchedTerms: [{ term: 'type drug', text: 'drug', field: 'type' }] },
    ]);
  });

  it('give most stems and everyday words to names alone', () => {
    const prose = (description: string, type = 'other') => labels(given(null, type, { description }));
    expect(prose('Patients get alteplasum, xalokinase and an MRI scan after training')).toEqual([]);
    expect(prose('Participants get insulin. The control group gets placebo insulin.')).toEqual(['protein-peptide']);
    expect(prose('Placebo insulin', 'drug')).toEqual([]);
    expect(prose('Weekly sessions with a coach', 'behavioural')).toEqual(['behavioural']);
  });

  it('survive text of any kind', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 60 });
    fc.assert(
      fc.property(text, text, text, (name, other, description) => {
        const all = [given(name, null, { otherNames: [other], description })];
        const ids = inference.labels(trialOf(all)).map(({ id }) => MODALITY_IDS.indexOf(id));
        expect(inference.mask(trialOf(all))).toBe(ids.reduce((mask, group) => mask | (1 << group), 0));
      }),
    );
  });
});
