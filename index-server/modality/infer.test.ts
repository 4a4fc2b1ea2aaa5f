import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MODALITY_IDS } from '../../contract/declared/modality.ts';
import { given, inference, labels, ofName, trialOf } from '../../test/support/modality.ts';

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
