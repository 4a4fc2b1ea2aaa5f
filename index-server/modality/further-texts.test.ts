import { describe, expect, it } from 'vitest';
import { MODALITY_IDS } from '../../contract/declared/modality.ts';
import { given, inference, trialOf } from '../../test/support/modality.ts';
import type { FurtherTexts, Intervention } from './trial-texts.ts';

describe('what tells a drug whose name does not', () => {
  const drug = [given('VLT-4012', 'drug')];
  const told = (further: Partial<FurtherTexts>, interventions = drug) =>
    inference
      .labels(trialOf(interventions, further))
      .map(({ id, matchedTerms }) => [id, ...new Set(matchedTerms.map(({ field }) => field))]);
  const descriptions = [{ names: ['VLT-4012'], description: 'VLT-4012 is a monoclonal antibody against IL-6' }];
  const arm = { label: 'VLT-4012, plasmid', type: null, description: null, interventionNames: ['Drug: VLT-4012'] };

  it('is read in order: its description, its own arms, the titles', () => {
    const titles = ['A Cell Therapy, VLT-4012'];
    expect(told({ descriptions, arms: [arm], titles })).toEqual([['antibody', 'description']]);
    expect(told({ arms: [arm], titles })).toEqual([['gene-therapy', 'arm']]);
    expect(told({ titles })).toEqual([['cell-therapy', 'title']]);
  });

  it('is not read of other interventions and arms, nor of a title after the words for whom', () => {
    const others = [{ names: ['Other'], description: 'A monoclonal antibody' }];
    const arms = [{ ...arm, interventionNames: ['Drug: Other'] }];
    const titles = ['VLT-4012 in Patients After Stem Cell Transplantation'];
    expect(told({ descriptions: others, arms, titles })).toEqual([['unclassified-drug', 'type']]);
  });

  it('is then a form or a code, and last the MeSH terms of the record', () => {
    const oral = [{ names: ['VLT-4012'], description: '10 mg tablets once daily' }];
    expect(told({ descriptions: oral, mesh: ['Peptides'] })).toEqual([['small-molecule', 'description']]);
    expect(told({}, [given('AZD4831', 'drug')])).toEqual([['small-molecule', 'name']]);
    expect(told({ mesh: ['Peptides'] })).toEqual([['protein-peptide', 'mesh']]);
  });

  it('is each drug that the description of a regimen or a block lists, but not one that it mentions as an option', () => {
    const of = (name: string, description: string, type = 'other') =>
      told({ descriptions: [{ names: [name], description }] }, [given(name, type)]);
    expect(of('Exercise and drug therapy', 'Aspirin daily')).toEqual([
      ['behavioural', 'name'],
      ['small-molecule', 'description'],
    ]);
    expect(of('Exercise', 'After aspirin')).toEqual([['behavioural', 'name']]);
    expect(of('Exercise and drug therapy', 'They may receive aspirin')).toEqual([['behavioural', 'name']]);
    expect(of('Scalp block', 'Bupivacaine 0.5 %', 'procedure').map(([id]) => id)).toEqual([
      'procedure',
      'small-molecule',
    ]);
    expect(of('Chemotherapy regimen', 'Pegaspargase, vincristine', 'drug').map(([id]) => id)).toEqual([
      'protein-peptide',
      'small-molecule',
    ]);
  });

  it('is not read where the name tells it, nor for a placebo', () => {
    expect(told({ descriptions }, [given('Carvedilol', 'drug')])).toEqual([['small-molecule', 'name']]);
    expect(told({ mesh: ['Peptides'] }, [given('Placebo', 'drug')])).toEqual([]);
  });

  it('is read for what is done too: surer phrases of a description, and of the titles of a device', () => {
    const program = [{ names: ['TH-001'], description: 'Cognitive behavioral therapy by software. Assessed by MRI.' }];
    expect(told({ descriptions: program }, [given('TH-001', 'device')])).toEqual([
      ['device', 'description', 'type'],
      ['behavioural', 'description'],
    ]);
    expect(told({ titles: ['A digital therapeutic'] }, [given('TH-001', 'device')])).toEqual([
      ['device', 'title', 'type'],
      ['behavioural', 'title'],
    ]);
  });
});

describe('what the arms of a trial tell', () => {
  const armOf = (label: string, type: string | null, ...names: string[]) => ({
    label,
    type,
    description: null,
    interventionNames: names,
  });
  const told = (interventions: Intervention[], further: Partial<FurtherTexts>) => {
    const trial = trialOf(interventions, further);
    const found = inference.labels(trial);
    const places = found.map(({ id }) => MODALITY_IDS.indexOf(id));
    expect(inference.mask(trial)).toBe(places.reduce((mask, place) => mask | (1 << place), 0));
    return found.map(({ id, matchedTerms }) => [id, ...new Set(matchedTerms.map(({ field }) => field))]);
  };
  const denervation = given('Renal denervation');
  const angiography = given('Renal angiography');
  const treated = armOf('Treated', 'experimental', 'Procedure: Renal denervation');

  it('is that only a sham arm gets something, which then counts for nothing', () => {
    const masked = armOf('Masked procedure', 'sham_comparator', 'Procedure: Renal angiography');
    expect(told([denervation, angiography], { arms: [treated, masked] })).toEqual([['procedure', 'name']]);
  });

  it('is that other arms get it too, that these get nothing else, or that it is a drug, and then it counts', () => {
    const arms = [treated, armOf('Masked', 'active_comparator', 'Procedure: Renal angiography')];
    const withTest = [
      ['procedure', 'name'],
      ['diagnostic', 'name'],
    ];
    expect(told([denervation, angiography], { arms })).toEqual(withTest);
    expect(told([angiography], { arms: [armOf('All', 'sham_comparator', 'Procedure: Renal angiography')] })).toEqual([
      ['diagnostic', 'name'],
    ]);
    const drug = armOf('Comparator', 'placebo_comparator', 'Drug: Aspirin');
    expect(told([denervation, given('Aspirin', 'drug')], { arms: [treated, drug] })).toEqual([
      ['procedure', 'name'],
      ['small-molecule', 'name'],
    ]);
  });

  it('is what is compared, where the interventions tell nothing but tests', () => {
    const questionnaire = given('Questionnaire');
    const arms = [armOf('Catheter ablation', null, 'Questionnaire'), armOf('Defibrillator', null, 'Questionnaire')];
    const compared = [
      ['device', 'arm'],
      ['procedure', 'arm'],
    ];
    expect(told([questionnaire], { arms })).toEqual(compared);
    expect(told([questionnaire, given('MRI')], { arms })).toEqual([...compared, ['diagnostic', 'name']]);
    expect(told([given('Yoga')], { arms })).toEqual([['behavioural', 'name']]);
    expect(told([questionnaire], { arms: arms.slice(0, 1) })).toEqual([]);
    expect(told([questionnaire], { titles: ['Ablation in Patients With a Defibrillator'] })).toEqual([]);
    expect(
      told([questionnaire], { titles: ['Catheter Ablation Versus Yoga in Patients With a Defibrillator'] }),
    ).toEqual([
      ['procedure', 'title'],
      ['behavioural', 'title'],
    ]);
  });
});
