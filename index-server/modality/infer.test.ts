import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MODALITY_IDS } from '../../contract/modality.ts';
import { asciiFold, unifyText } from '../../snapshot-format/ascii.ts';
import { tokenKey } from '../../snapshot-format/tokens.ts';
import { ModalityInference } from './infer.ts';
import { writtenWords } from './pattern.ts';
import type { FurtherTexts, Intervention, TrialTexts } from './trial-texts.ts';
import { loadModalityVocabulary, type ModalityVocabulary } from './vocabulary.ts';

const vocabulary = loadModalityVocabulary();
const inference = new ModalityInference(vocabulary);

const given = (name: string | null, type: string | null = 'other', more: Partial<Intervention> = {}): Intervention => ({
  type,
  name,
  otherNames: [],
  description: null,
  ...more,
});
const trialOf = (interventions: Intervention[], further: Partial<FurtherTexts> = {}): TrialTexts => ({
  interventions,
  further: () => ({ titles: [], descriptions: [], arms: [], mesh: [], ...further }),
});
const labels = (...interventions: Intervention[]): string[] =>
  inference.labels(trialOf(interventions)).map(({ id }) => id);
const ofName = (name: string, type = 'other'): string[] => labels(given(name, type));

type Group = ModalityVocabulary['groups'][number];
/** With one known substance in forty, so that simple code reads it in time. */
const fewer: ModalityVocabulary = {
  ...vocabulary,
  groups: vocabulary.groups.map((group) => ({
    ...group,
    substances: group.substances.filter((_, at) => at % 40 === 0),
  })),
};
const byFewer = new ModalityInference(fewer);

describe('a modality is inferred from the name of an intervention', () => {
  it.each([
    ['Enhertu (trastuzumab deruxtecan)', ['antibody-drug-conjugate', 'antibody']],
    ['Brentuximab vedotin', ['antibody-drug-conjugate', 'antibody']],
    ['CD19 CAR-T cells', ['engineered-cell', 'cell-therapy', 'gene-therapy']],
    ['Chimeric Antigen Receptor T cells', ['engineered-cell', 'cell-therapy', 'gene-therapy']],
    ['axicabtagene ciloleucel', ['engineered-cell', 'cell-therapy', 'gene-therapy']],
    ['TILs', ['engineered-cell', 'cell-therapy']],
    ['Donor NK cells', ['engineered-cell', 'cell-therapy']],
    ['Mesenchymal stromal cells', ['cell-therapy']],
    ['Allogeneic pseudo-islets', ['cell-therapy']],
    ['Autologous bone marrow derived mononuclear cells', ['cell-therapy']],
    ['Rexlemestrocel-L', ['cell-therapy']],
    ['onasemnogene abeparvovec', ['gene-therapy']],
    ['AAV8-hFIX', ['gene-therapy']],
    ['lentiviral vector', ['gene-therapy']],
    ['CRISPR-Cas9 edited product', ['gene-therapy']],
    ['Influenza vaccines', ['vaccine']],
    ['Childhood immunisation', ['vaccine']],
    ['BCG', ['vaccine']],
    ['COVID-19 mRNA vaccine', ['vaccine', 'mrna']],
    ['Adenovirus vector vaccine', ['vaccine']],
    ['tozinameran', ['mrna']],
    ['inclisiran', ['oligonucleotide']],
    ['nusinersen', ['oligonucleotide']],
    ['pegaptanib sodium', ['oligonucleotide']],
    ['Pembrolizumab', ['antibody']],
    ['maridebart', ['antibody']],
    ['obrixtamig', ['antibody']],
    ['CD3 BiTE', ['antibody']],
    ['abatacept', ['protein-peptide']],
    ['Semaglutide', ['protein-peptide']],
    ['alteplase', ['protein-peptide']],
    ['Insulin glargine', ['protein-peptide']],
    ['Faecal microbiota transplantation', ['microbiome']],
    ['Stereotactic body radiotherapy', ['radiation']],
    ['177Lu-PSMA-617', ['radiation']],
    ['Drug-eluting stents', ['device']],
    ['Kidney transplantation', ['procedure']],
    ['Laparoscopic cholecystectomy', ['procedure']],
    ['Haematopoietic stem cell transplantation', ['cell-therapy', 'procedure']],
    ['Cognitive behavioural therapy', ['behavioural']],
    ['Vitamin D supplementation', ['dietary']],
    ['FDG PET', ['diagnostic']],
    ['imatinib', ['small-molecule']],
    ['empagliflozin', ['small-molecule']],
    ['Gleevec', ['small-molecule']],
    ['CellCept', ['small-molecule']],
    ['antibody test', ['diagnostic']],
    ['Recombinant human BNP', ['protein-peptide']],
    ['Natrecor', ['protein-peptide']],
    ['PEG G-CSF', ['protein-peptide']],
    ['IBI362', ['protein-peptide']],
    ['SOM230', ['protein-peptide']],
    ['JK07', ['antibody', 'protein-peptide']],
    ['eptacog', ['protein-peptide']],
    ['CD19CART', ['engineered-cell', 'cell-therapy', 'gene-therapy']],
    ['Anti-CD19 CAR-T', ['engineered-cell', 'cell-therapy', 'gene-therapy']],
    ['Sotorasib', ['small-molecule']],
    ['Six minute walk', ['diagnostic']],
    ['Right heart catheterization', ['diagnostic']],
    ['Selenium', ['dietary']],
    ['Anti-CD22 scFv CART22', ['engineered-cell', 'cell-therapy', 'gene-therapy']],
    ['NK cell engager antibody', ['antibody']],
    ['Tc99m-maraciclatide', ['diagnostic']],
    ['90-yttrium-labelled monoclonal antibody', ['antibody', 'radiation']],
    ['PegIFN alpha-2a', ['protein-peptide']],
    ['EGFR mutation status', ['diagnostic']],
    ['Valsalva manoeuvre', ['diagnostic']],
    ['Percutaneous discectomies', ['procedure']],
    ['Kinesio taping', ['device']],
    ['Atrial ablation by an ablation catheter', ['procedure']],
    ['Ketogenic dietary manipulation', ['dietary']],
    ['Low sodium oxybate', ['small-molecule']],
    ['Intralipid infusion', ['dietary']],
    ['Coenzyme Q10', ['dietary']],
    ['Nicotinic acid', ['dietary']],
    ['Text message reminders', ['device', 'behavioural']],
    ['Pacemaker implantation', ['device', 'procedure']],
    ['Autologous CD 133+ cell implantation', ['cell-therapy']],
    ['Umbilical allograft', ['device']],
    ['89Zr-bevacizumab', ['diagnostic']],
    ['lutetium Lu 177 dotatate', ['radiation']],
    ['Besponsa', ['antibody-drug-conjugate', 'antibody']],
    ['House dust mite sublingual immunotherapy', ['vaccine']],
    ['Inspiratory muscle training', ['behavioural']],
    ['Early mobilisation', ['behavioural']],
    ['Ferrous sulfate', ['dietary']],
    ['Intravenous iron', ['small-molecule']],
    ['Adductor canal block', ['procedure']],
    ['Cardiopulmonary resuscitation', ['procedure']],
    ['Colonoscopy', ['diagnostic']],
    ['Telehealth programme', ['device']],
    ['Clinical decision support', ['device']],
    ['Macrolides', ['small-molecule']],
    ['Gene panel', ['diagnostic']],
    ['Wearable sensor', ['device', 'diagnostic']],
    ['Coronally advanced flap', ['procedure']],
    ['TURBT', ['procedure']],
    ['Myofunctional therapy', ['behavioural']],
    ['Feedback letters', ['behavioural']],
    ['ShotBlocker', ['device']],
    ['Dental sealant', ['device']],
    ['Bronchoalveolar lavage', ['diagnostic']],
    ['Eye tracking', ['diagnostic']],
    ['L-cysteine', ['dietary']],
    ['Quercetin', ['dietary']],
    ['Limosilactobacillus reuteri', ['microbiome']],
    ['Cardioplegia', ['small-molecule']],
    ['Gelofusine', ['protein-peptide']],
    ['Electron beam', ['radiation']],
    ['Pacemaker implant', ['device', 'procedure']],
    ['Imaging guided LV lead positioning', ['device', 'procedure', 'diagnostic']],
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

  it('count no group in a type that the group is not of', () => {
    expect(ofName('Insulin pump X', 'device')).toEqual(['device']);
    expect(ofName('Insulin dose app', 'behavioral')).toEqual(['device', 'behavioural']);
    expect(ofName('Oxygen uptake', 'diagnostic_test')).toEqual(['diagnostic']);
    expect(ofName('Herbal tea', 'dietary_supplement')).toEqual(['dietary']);
    expect(ofName('Herbal decoction', 'drug')).toEqual(['unclassified-drug']);
  });

  it('count a term all the same that counts in any type', () => {
    expect(ofName('Autonomous AI eye exam', 'diagnostic_test')).toEqual(['device', 'diagnostic']);
    expect(ofName('Digital eye exam', 'diagnostic_test')).toEqual(['diagnostic']);
    expect(ofName('Adenosine stress echocardiography', 'diagnostic_test')).toEqual(['diagnostic', 'small-molecule']);
  });

  it('give nothing to a name that says only what is usual', () => {
    expect(
      ['Usual care', 'Control', 'Normal saline', 'Standard of care'].flatMap((name) => ofName(name, 'drug')),
    ).toEqual([]);
    expect(ofName('Standard therapy plus carvedilol', 'drug')).toEqual(['small-molecule']);
    expect(ofName('Usual care', 'behavioral')).toEqual([]);
    expect(ofName('Pain questionnaire', 'behavioral')).toEqual([]);
  });

  it('have the type of a device yield to a test, exercise or dialysis whose equipment it is, but not to a placed device', () => {
    expect(ofName('Breast tomosynthesis', 'device')).toEqual(['diagnostic']);
    expect(ofName('Haemodialysis', 'device')).toEqual(['procedure']);
    expect(ofName('Exercise on a bicycle', 'device')).toEqual(['behavioural']);
    expect(ofName('Spinal fusion', 'device')).toEqual(['device', 'procedure']);
    expect(ofName('Oxygen application', 'procedure')).toEqual(['small-molecule']);
    expect(ofName('Probiotic', 'dietary_supplement')).toEqual(['microbiome']);
  });

  it('have a type yield to what the name tells, and keep it where only the description tells more', () => {
    expect(ofName('Portable sensor', 'procedure')).toEqual(['device']);
    expect(ofName('Low level laser therapy', 'radiation')).toEqual(['device']);
    expect(ofName('Mental stress test', 'behavioral')).toEqual(['diagnostic']);
    const interventions = [given('Study A', 'procedure')];
    const descriptions = [{ names: ['Study A'], description: 'Pacing by a wearable.' }];
    expect(inference.labels(trialOf(interventions, { descriptions })).map(({ id }) => id)).toEqual([
      'device',
      'procedure',
    ]);
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

  it('is what the description of usual care names, but not its type nor what it mentions as an option', () => {
    const ofCare = (description: string, type = 'drug') =>
      told({ descriptions: [{ names: ['Medical therapy'], description }] }, [given('Medical therapy', type)]);
    expect(ofCare('Amiodarone by the guidelines')).toEqual([['small-molecule', 'description']]);
    expect(ofCare('Supervised exercise and psychotherapy', 'other')).toEqual([['behavioural', 'description']]);
    expect(ofCare('Their physician decides; it may include chemotherapy')).toEqual([]);
    expect(ofCare('As at the site', 'procedure')).toEqual([]);
  });

  it('is also the block by which a local anaesthetic is given, where an arm or a title names it', () => {
    const block = {
      label: 'Parasternal block',
      type: null,
      description: null,
      interventionNames: ['Drug: Ropivacaine'],
    };
    const ropivacaine = [given('Ropivacaine', 'drug')];
    expect(told({ arms: [block] }, ropivacaine)).toEqual([
      ['procedure', 'arm'],
      ['small-molecule', 'name'],
    ]);
    expect(told({ titles: ['Pecs Block for Mastectomy'] }, ropivacaine)[0]).toEqual(['procedure', 'title']);
    expect(told({ titles: ['Pecs Block for Mastectomy'] }, [given('Carvedilol', 'drug')])).toEqual([
      ['small-molecule', 'name'],
    ]);
  });

  it('is each part of a combination that the description lists, and of a combination product what is done', () => {
    const parts = [{ names: ['SunnyD', 'Kit'], description: 'Vitamin D3 tablets; an epicardial patch' }];
    expect(told({ descriptions: parts }, [given('SunnyD', 'drug')]).map(([id]) => id)).toEqual(['dietary']);
    expect(told({ descriptions: parts }, [given('Kit', 'combination_product')]).map(([id]) => id)).toContain('device');
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

  it('is no form, code or MeSH term where the name told a nutrient or a tracer', () => {
    const tablets = [{ names: ['Vitamin D3', '68Ga-FAPI'], description: 'An inhibitor in tablets' }];
    const mesh = ['Polycyclic Compounds'];
    expect(told({ descriptions: tablets, mesh }, [given('Vitamin D3', 'drug')])).toEqual([['dietary', 'name']]);
    expect(told({ descriptions: tablets, mesh }, [given('68Ga-FAPI', 'drug')])).toEqual([['diagnostic', 'name']]);
  });

  it('is no peptide where a title speaks of its level', () => {
    const titles = ['VLT-4012 and Natriuretic Peptide Levels', 'Levels of B-type Natriuretic Peptide'];
    expect(told({ titles })).toEqual([['unclassified-drug', 'type']]);
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

  it('is the first sentence of a description where the name of what is done tells nothing, but for procedures', () => {
    const of = (description: string, name = 'Group A') =>
      told({ descriptions: [{ names: [name], description }] }, [given(name)]);
    expect(of('Pacing with a long delay. A biopsy follows.')).toEqual([['device', 'description']]);
    expect(of('Patients before a resection.')).toEqual([]);
    expect(of('Pacing with a long delay.', 'Yoga')).toEqual([['behavioural', 'name']]);
  });

  it('is no device that the description of an exercise mentions, which is its equipment', () => {
    const of = (name: string) =>
      told({ descriptions: [{ names: [name], description: 'With a smartphone app' }] }, [given(name, 'behavioral')]);
    expect(of('Counseling').map(([id]) => id)).toEqual(['device', 'behavioural']);
    expect(of('Walking three times a day')).toEqual([['behavioural', 'name', 'type']]);
  });

  it('is read off the titles of a combination product too', () => {
    expect(
      told({ titles: ['A Digital Therapeutic'] }, [given('LTQ', 'combination_product')]).map(([id]) => id),
    ).toEqual(['device', 'behavioural']);
  });

  it('is a test too where the description, an arm or a title says that the drug is a challenge', () => {
    const titles = ['Acute Hemodynamic Response to Dobutamine'];
    const dobutamine = [given('Dobutamine', 'drug')];
    const exam = [{ names: ['Dobutamine'], description: 'For a low-dose stress exam' }];
    const both = ['diagnostic', 'small-molecule'];
    expect(told({ titles }, dobutamine).map(([id]) => id)).toEqual(both);
    expect(told({ descriptions: exam }, dobutamine).map(([id]) => id)).toEqual(both);
    expect(told({ titles }, [given('Aspirin', 'drug')])).toEqual([['small-molecule', 'name']]);
  });

  it('is no substance in a title beside a nutrient in the name', () => {
    const titles = ['Quercetin and Estrogen Deficiency'];
    expect(told({ titles }, [given('Quercetin', 'drug')])).toEqual([['dietary', 'name']]);
  });

  it('has a diet take the place of the type behavioural', () => {
    expect(told({}, [given('Low salt diet', 'behavioral')])).toEqual([['dietary', 'name']]);
    expect(told({}, [given('Diet and exercise', 'behavioral')])).toEqual([
      ['behavioural', 'name'],
      ['dietary', 'name'],
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

/**
 * The rules in the vocabulary's note as simple code, which tries each term at each word. It covers names only, and no
 * placebos.
 */
function plainly(text: string): string[] {
  const words = unifyText(text).match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? [];
  const places = (term: string): number[][] => {
    const pieces = term.split(' ').flatMap((chunk) => {
      if (chunk === '…' || chunk.startsWith('=') || chunk.endsWith('#')) return [chunk];
      const parts = chunk.match(/[\p{L}\p{N}]+\*?/gu) ?? [];
      return parts as string[];
    });
    const from = (at: number, rest: string[]): number => {
      const [piece, ...more] = rest;
      if (piece === undefined) return at;
      if (piece === '…') {
        const ends = [0, 1, 2, 3, 4].map((skip) => from(at + skip, more)).filter((end) => end >= 0);
        return ends[0] ?? -1;
      }
      const word = words[at];
      if (word === undefined) return -1;
      const exact = piece.slice(1);
      const holds = piece.startsWith('=')
        ? word === exact || word === `${exact}s`
        : piece.endsWith('#')
          ? asciiFold(word).startsWith(asciiFold(piece.slice(0, -1))) &&
            /^\d{3,}[a-z]?$/.test(asciiFold(word).slice(piece.length - 1))
          : piece.endsWith('*')
            ? asciiFold(word).startsWith(asciiFold(piece.slice(0, -1)))
            : tokenKey(word) === tokenKey(piece);
      return holds ? from(at + 1, more) : -1;
    };
    return words.flatMap((_, at) => {
      const end = from(at, pieces);
      return end < 0 ? [] : [Array.from({ length: end - at }, (__, step) => at + step)];
    });
  };
  const holds = ({ terms, nameTerms, substances, traps, stems, notInTypes }: Group): boolean => {
    if (notInTypes.includes('other')) return false;
    const trapped = new Set(traps.flatMap(places).flat());
    const byTerm = [...terms, ...nameTerms, ...substances]
      .flatMap(places)
      .some((place) => !place.some((at) => trapped.has(at)));
    return (
      byTerm ||
      words.some((word, at) => {
        const folded = asciiFold(word);
        return stems.some(
          ({ ending, minimumLetters, stop }) =>
            folded.endsWith(ending) && folded.length >= minimumLetters && !stop.includes(folded) && !trapped.has(at),
        );
      })
    );
  };
  const isTracer = fewer.tracers.some((term) => places(term).length > 0);
  const held = fewer.groups.filter((group) => !(isTracer && group.kind === 'substance') && holds(group));
  const ids = held.map(({ id }) => id);
  return held.filter(({ yieldsTo }) => !yieldsTo.some((id) => ids.includes(id))).map(({ id }) => id);
}

describe('the vocabulary', () => {
  it('is read as its note says, whatever words stand side by side', () => {
    const pieces = fewer.groups.flatMap(({ terms, nameTerms, substances, traps, stems }) => [
      ...[...terms, ...nameTerms, ...substances, ...traps].flatMap((term) =>
        term.replaceAll('=', '').replaceAll('*', 'al').replaceAll('#', '250').split(' … '),
      ),
      ...stems.flatMap(({ ending, stop }) => [`xalo${ending}`, ...stop.slice(0, 3)]),
    ]);
    const word = fc.oneof(
      fc.constantFrom(...pieces),
      fc.constantFrom('the', 'of', 'human', 'cells', 'T', 'Zell', 'GENE'),
      fc.constantFrom(...pieces).map((piece) => piece.toUpperCase()),
    );
    const text = fc
      .array(fc.tuple(word, fc.constantFrom(' ', '-', ', ')), { minLength: 1, maxLength: 7 })
      .map((pairs) => pairs.map((pair) => pair.join('')).join(''));
    let found = 0;
    fc.assert(
      fc.property(text, (name) => {
        const expected = plainly(name);
        found += expected.length;
        expect([name, byFewer.labels(trialOf([given(name)])).map(({ id }) => id)]).toEqual([name, expected]);
      }),
      { numRuns: 300, seed: 20261123 },
    );
    expect(found).toBeGreaterThan(300);
  });

  it('has no term with a word of a placebo, since a part of a name with one is not read', () => {
    const inert = new Set(vocabulary.inert.map(tokenKey));
    const terms = vocabulary.groups.flatMap(({ terms, nameTerms, proseTerms, substances, weak, traps }) => [
      ...terms,
      ...nameTerms,
      ...proseTerms,
      ...substances,
      ...weak,
      ...traps,
    ]);
    expect(terms.filter((term) => writtenWords(term).some((word) => inert.has(tokenKey(word))))).toEqual([]);
  });

  it('recognises each of its own terms and stems, but for one that yields', () => {
    const missed = vocabulary.groups.flatMap(({ id, terms, nameTerms, substances, stems, yieldsTo, notInTypes }) =>
      [
        ...[...terms, ...nameTerms, ...substances].map((term) =>
          term.replaceAll('=', '').replaceAll(' …', '').replaceAll('*', ''),
        ),
        ...stems.map(({ ending }) => `xalomero${ending}`),
      ]
        .filter((text) => {
          const found = ofName(text, notInTypes.includes('other') ? 'drug' : 'other');
          return !found.includes(id) && !yieldsTo.some((other) => found.includes(other));
        })
        .map((text) => `${id}: ${text}`),
    );
    expect(missed).toEqual([]);
  });
});
