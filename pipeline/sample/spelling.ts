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
  color: 'colour',
  fiber: 'fibre',
  enrollment: 'enrolment',
  standardized: 'standardised',
  personalized: 'personalised',
  gynecolog: 'gynaecolog',
};

const PATTERN = new RegExp(Object.keys(STEMS).join('|'), 'gi');

/** The same text in British spelling; the case of each word's first letter is kept. */
export function british(text: string): string {
  return text.replace(PATTERN, (found) => {
    const replaced = STEMS[found.toLowerCase()] as string;
    return found[0] === found[0]?.toLowerCase() ? replaced : (replaced[0] as string).toUpperCase() + replaced.slice(1);
  });
}
