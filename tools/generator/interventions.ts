import { type Random, weightedTable, type ZipfTable, zipfTable } from './random.ts';

/** Interventions over every modality of the vocabulary, with made-up substance names on the stems that INN uses. */
export interface Intervention {
  /** ClinicalTrials.gov type. */
  type: string;
  name: string;
  otherNames: string[];
  /** ISRCTN interventionType. */
  isrctnType:
    | 'Drug'
    | 'Device'
    | 'Biological/Vaccine'
    | 'Behavioural'
    | 'Procedure/Surgery'
    | 'Supplement'
    | 'Genetic'
    | 'Other'
    | 'Mixed';
  modality: string;
}

const HEADS =
  'ab al be bro ca ce cor da del do el en fa fe gal go ha im jo ka ki la lu me mo na ne o pa pi ra ri sa so ta te u va vi xa ze zo'.split(
    ' ',
  );
const MIDDLES = 'ba ce di fo gra lu mi ne pro ra ri si sti ta te tro va vo xi za'.split(' ');
/** Ranks of the made-up substances: each stem has this many, the first ones drawn most often. */
const SUBSTANCES: ZipfTable = zipfTable(400, 3);

/** A made-up name for a rank: the same rank and stem always give the same name. */
function substance(random: Random, stem: string): string {
  const rank = random.zipf(SUBSTANCES) + stem.length * 37;
  const head = HEADS[rank % HEADS.length] as string;
  const middle = MIDDLES[Math.floor(rank / HEADS.length + rank * 7) % MIDDLES.length] as string;
  const second = MIDDLES[(rank * 3 + 5) % MIDDLES.length] as string;
  return head[0]?.toUpperCase() + head.slice(1) + middle + second + stem;
}

interface Modality {
  id: string;
  type: string;
  isrctnType: Intervention['isrctnType'];
  name: (random: Random) => string;
}

const SMALL_MOLECULES = [
  'tinib',
  'ciclib',
  'parib',
  'gliptin',
  'gliflozin',
  'statin',
  'sartan',
  'pril',
  'olol',
  'azole',
];
const ANTIBODIES = ['mab', 'tug', 'bart', 'ment'];
const CODES = ['VLT', 'ORX', 'QRV', 'NBX', 'TSX', 'ZYM'];

function entry(
  weight: number,
  id: string,
  type: string,
  isrctnType: Intervention['isrctnType'],
  name: Modality['name'],
) {
  return [{ id, type, isrctnType, name }, weight] as const;
}
const among =
  (...names: string[]) =>
  (random: Random): string =>
    random.pick(names);

/** Weights follow the type counts of registry-formats.md; within a type the shares are a guess. */
const MODALITIES = weightedTable<Modality>([
  entry(2000, 'small-molecule', 'DRUG', 'Drug', (random) => substance(random, random.pick(SMALL_MOLECULES))),
  entry(260, 'small-molecule', 'DRUG', 'Drug', (random) => `${random.pick(CODES)}-${random.between(100, 9999)}`),
  entry(240, 'placebo', 'DRUG', 'Drug', among('Placebo', 'Matching placebo', 'Saline placebo')),
  entry(90, 'protein', 'DRUG', 'Drug', among('Insulin', 'Insulin glargine', 'Glucagon', 'Growth hormone')),
  entry(120, 'protein', 'DRUG', 'Drug', (random) => substance(random, random.pick(['tide', 'cept']))),
  entry(40, 'oligonucleotide', 'DRUG', 'Drug', (random) => substance(random, random.pick(['siran', 'rsen', 'nersen']))),
  entry(
    30,
    'adc',
    'DRUG',
    'Drug',
    (random) => `${substance(random, 'mab')} ${random.pick(['vedotin', 'deruxtecan', 'govitecan'])}`,
  ),
  entry(100, 'antibody', 'BIOLOGICAL', 'Biological/Vaccine', (random) => substance(random, random.pick(ANTIBODIES))),
  entry(14, 'bispecific', 'BIOLOGICAL', 'Biological/Vaccine', (random) => substance(random, 'mig')),
  entry(
    46,
    'vaccine',
    'BIOLOGICAL',
    'Biological/Vaccine',
    among(
      'Influenza vaccine',
      'BCG vaccine',
      'Tetanus toxoid',
      'Pneumococcal conjugate vaccine',
      'Inactivated rabies vaccine',
    ),
  ),
  entry(
    10,
    'mrna',
    'BIOLOGICAL',
    'Biological/Vaccine',
    (random) => `${random.pick(CODES)}-${random.between(10, 99)} mRNA in lipid nanoparticles`,
  ),
  entry(
    14,
    'engineered-cell',
    'BIOLOGICAL',
    'Biological/Vaccine',
    (random) => `${substance(random, 'cabtagene')} ${random.pick(['autoleucel', 'alloleucel'])}`,
  ),
  entry(
    26,
    'cell-therapy',
    'BIOLOGICAL',
    'Biological/Vaccine',
    among(
      'Mesenchymal stem cells',
      'Autologous bone marrow mononuclear cells',
      'Allogeneic islet cell infusion',
      'Donor NK cells',
      'Cord blood cells',
      'Limbal stem cell graft',
    ),
  ),
  entry(
    10,
    'microbiome',
    'BIOLOGICAL',
    'Biological/Vaccine',
    among('Fecal microbiota transplantation', 'Live biotherapeutic capsules'),
  ),
  entry(13, 'gene-therapy', 'GENETIC', 'Genetic', (random) =>
    random.chance(0.5)
      ? `${substance(random, 'gene')} ${random.pick(['elaparvovec', 'rixaparvovec'])}`
      : random.pick([
          'AAV8 vector',
          'CRISPR-Cas9 edited CD34+ cells',
          'Lentiviral vector',
          'Base editing of hepatocytes',
        ]),
  ),
  entry(
    560,
    'device',
    'DEVICE',
    'Device',
    among(
      'Continuous glucose monitor',
      'Closed loop insulin pump',
      'Drug-eluting stent',
      'Leadless pacemaker',
      'Knee prosthesis',
      'Hydrogel contact lens',
      'CPAP mask',
      'Compression stocking',
      'Spinal cord stimulator',
      'Hearing aid',
    ),
  ),
  entry(
    140,
    'digital',
    'DEVICE',
    'Device',
    among('Smartphone app', 'Web-based self-management program', 'Text message reminders', 'Virtual reality headset'),
  ),
  entry(
    86,
    'device',
    'DEVICE',
    'Device',
    among('Repetitive transcranial magnetic stimulation', 'Low-level laser', 'Transcranial direct current stimulation'),
  ),
  entry(
    413,
    'procedure',
    'PROCEDURE',
    'Procedure/Surgery',
    among(
      'Catheter ablation',
      'Laparoscopic cholecystectomy',
      'Total knee arthroplasty',
      'Kidney transplantation',
      'Nerve block',
      'Colonoscopy',
      'Sleeve gastrectomy',
      'Acupuncture',
      'Cesarean delivery',
    ),
  ),
  entry(
    363,
    'behavioral',
    'BEHAVIORAL',
    'Behavioural',
    among(
      'Cognitive behavioral therapy',
      'Supervised exercise training',
      'Mindfulness-based stress reduction',
      'Diabetes education program',
      'Lifestyle counseling',
      'Motivational interviewing',
      'Peer coaching',
      'Sleep hygiene training',
    ),
  ),
  entry(
    173,
    'diagnostic',
    'DIAGNOSTIC_TEST',
    'Other',
    among('PET-CT', 'Cardiac MRI', 'Rapid antigen test', 'Biomarker panel', 'Lung ultrasound', 'Retinal screening'),
  ),
  entry(
    105,
    'dietary',
    'DIETARY_SUPPLEMENT',
    'Supplement',
    among(
      'Vitamin D3',
      'Omega-3 fatty acids',
      'Probiotic sachets',
      'Iron tablets',
      'High-fiber diet',
      'Zinc',
      'Herbal extract',
    ),
  ),
  entry(
    44,
    'radiation',
    'RADIATION',
    'Other',
    among('Stereotactic body radiotherapy', 'Proton therapy', 'Brachytherapy', 'Hypofractionated radiotherapy'),
  ),
  entry(
    21,
    'combination',
    'COMBINATION_PRODUCT',
    'Mixed',
    among('Drug-coated balloon', 'Prefilled autoinjector', 'Antibiotic-loaded bone cement'),
  ),
  entry(
    772,
    'other',
    'OTHER',
    'Other',
    among(
      'Usual care',
      'Questionnaire',
      'Standard of care',
      'Blood sampling',
      'Telephone follow-up',
      'Waiting list',
      'Physiotherapy',
      'Sham procedure',
      'Nurse-led clinic',
      'Data collection',
    ),
  ),
]);

const ROUTES = ['oral', 'subcutaneous', 'intravenous', 'topical', 'inhaled'];

export function drawIntervention(random: Random): Intervention {
  const modality = random.weighted(MODALITIES);
  const name = modality.name(random);
  const otherNames = random.chance(0.33)
    ? [
        modality.type === 'DRUG'
          ? `${random.pick(CODES)}-${random.between(1000, 9999)}`
          : `${name} (${random.pick(ROUTES)})`,
      ]
    : [];
  return { type: modality.type, name, otherNames, isrctnType: modality.isrctnType, modality: modality.id };
}
