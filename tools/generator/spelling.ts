/** American stems that the sample's own word lists use, with their British form. */
const STEMS: Readonly<Record<string, string>> = {
  hemorrh: 'haemorrh',
  hemoglobin: 'haemoglobin',
  hemophilia: 'haemophilia',
  hemochromatosis: 'haemochromatosis',
  leukemia: 'leukaemia',
  anemia: 'anaemia',
  ischemi: 'ischaemi',
  glycemi: 'glycaemi',
  cholesterolemia: 'cholesterolaemia',
  lipidemia: 'lipidaemia',
  kalemia: 'kalaemia',
  thalassemia: 'thalassaemia',
  edema: 'oedema',
  diarrhea: 'diarrhoea',
  gastroesophag: 'gastro-oesophag',
  esophag: 'oesophag',
  celiac: 'coeliac',
  tumor: 'tumour',
  fetal: 'foetal',
  cesarean: 'caesarean',
  labor: 'labour',
  anesthe: 'anaesthe',
  apnea: 'apnoea',
  orthopedic: 'orthopaedic',
  pediatric: 'paediatric',
  randomized: 'randomised',
  randomize: 'randomise',
  randomization: 'randomisation',
  hospitalized: 'hospitalised',
  hospitalization: 'hospitalisation',
  behavior: 'behaviour',
  counseling: 'counselling',
  program: 'programme',
  center: 'centre',
  fiber: 'fibre',
  enrollment: 'enrolment',
  standardized: 'standardised',
  personalized: 'personalised',
  gynecolog: 'gynaecolog',
};

/** Laboratories are spelled alike on both sides; British words that hold an American stem (oedema, programme) stay. */
const PATTERN = new RegExp(`(?<!o)(?!laborat|programme)(?:${Object.keys(STEMS).join('|')})`, 'gi');

/** The text in British spelling; the case of each word's first letter is kept. British text stays as it is. */
export function british(text: string): string {
  return text.replace(PATTERN, (found) => {
    const replaced = STEMS[found.toLowerCase()] as string;
    return found[0] === found[0]?.toLowerCase() ? replaced : (replaced[0] as string).toUpperCase() + replaced.slice(1);
  });
}
