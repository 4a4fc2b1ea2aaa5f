import type { Random } from './random.ts';
import type { Trial } from './trial.ts';

/** Sentences of the sample, from the sample's own grammar. American spelling; `british()` turns them where needed. */

const AIMS = [
  'improves outcomes',
  'reduces symptoms',
  'is safe and well tolerated',
  'delays progression',
  'is not inferior to usual care',
  'shortens recovery',
  'changes quality of life',
];
const PEOPLE = [
  'adults',
  'children and adolescents',
  'older people',
  'patients',
  'hospitalized patients',
  'women',
  'veterans',
  'people newly diagnosed',
];
const MEASURES = [
  'Change from baseline in symptom score',
  'Overall survival',
  'Progression-free survival',
  'All-cause mortality',
  'HbA1c',
  'Six-minute walk distance',
  'Quality of life by questionnaire',
  'Incidence of adverse events',
  'Time to first hospitalization',
  'Pain on a visual analog scale',
  'Forced expiratory volume in one second',
  'Ejection fraction',
  'Number of relapses',
  'Remission at the end of treatment',
  'Body weight',
  'Systolic blood pressure',
  'Maximum plasma concentration',
  'Adherence to the program',
];
const TIMES = [
  '12 weeks',
  '6 months',
  'Baseline and week 24',
  'Up to 2 years',
  'Day 28',
  '1 year',
  'From enrollment to the end of treatment at 8 weeks',
  '30 days after surgery',
  'Through study completion, an average of 1 year',
];
const FILLERS = [
  'Participants are seen at baseline and at regular visits, and assessors do not know who received which treatment.',
  'Randomization is stratified by center and by severity at entry.',
  'A data monitoring committee looks at the accumulating data after half of the planned participants have been followed.',
  'The sample size was reckoned for a two-sided test at the five percent level with eighty percent power.',
  'Laboratory samples are taken fasting and are analyzed in one central laboratory.',
  'Participants who stop treatment early are asked to stay in follow-up.',
  'Adverse events are graded at each visit and collected until thirty days after the last dose.',
  'The program is delivered by trained staff who follow a written manual.',
  'Questionnaires may be answered on paper, by telephone or on the web.',
  'An economic evaluation compares the costs of both groups from the point of view of the health service.',
  'A subgroup gives additional blood samples for measurements of drug concentration.',
  'All participants give written informed consent before any study procedure.',
] as const;
const INCLUSION = [
  'Age 18 years or older',
  'Able to give informed consent',
  'Diagnosis confirmed by a specialist',
  'Stable treatment for at least 4 weeks',
  'Life expectancy of more than 3 months',
  'Willing to attend all visits',
  'Hemoglobin within the range of the local laboratory',
  'Body mass index of 25 kg/m² or more',
  'Access to a telephone',
];
const ESCAPED = [
  'Hemoglobin \\> 9 g/dL',
  'Creatinine clearance \\< 30 mL/min',
  'ECOG performance status \\<= 2 \\[or Karnofsky \\>= 60\\]',
  'QTc \\> 480 ms \\*',
  'Weight \\~ 50 kg or more',
];
const EXCLUSION = [
  'Pregnancy or breastfeeding',
  'Known allergy to a study product',
  'Taking part in another interventional trial',
  'Severe liver or kidney failure',
  'Uncontrolled high blood pressure',
  'History of alcohol misuse',
  'Unable to understand the questionnaires',
  'Major surgery within the last month',
];
const NON_ASCII = [
  '≥ 65 Years of Age',
  'the β-Cell Programme',
  'TNF-α Response',
  'the Café Cohort',
  '10 µg/kg Dosing',
  'Würzburg Criteria',
];

function lead(trial: Trial): { condition: string; intervention: string } {
  return {
    condition: trial.conditions[0]?.name ?? 'Health',
    intervention: trial.interventions.find((one) => one.modality !== 'placebo')?.name ?? 'Routine Care',
  };
}

/** The trial's public title. Three in a hundred carry a letter outside ASCII. */
export function briefTitle(trial: Trial, random: Random): string {
  const { condition, intervention } = lead(trial);
  const tail = random.chance(0.03) ? ` and ${random.pick(NON_ASCII)}` : '';
  switch (random.below(trial.studyType === 'INTERVENTIONAL' ? 5 : 7)) {
    case 0:
      return `${intervention} for ${condition}${tail}`;
    case 1:
      return `${intervention} in ${random.pick(PEOPLE)} With ${condition}${tail}`;
    case 2:
      return `Study of ${intervention} in ${condition}${tail}`;
    case 3:
      return `${intervention} Versus Usual Care in ${condition}${tail}`;
    case 4:
      return `Efficacy and Safety of ${intervention} in ${condition}${tail}`;
    case 5:
      return `A Registry of ${random.pick(PEOPLE)} With ${condition}${tail}`;
    default:
      return `Natural History of ${condition}${tail}`;
  }
}

export function officialTitle(trial: Trial, random: Random): string {
  const { condition, intervention } = lead(trial);
  const blinding = trial.design.blinded ? 'A Double-Blind' : 'An Open-Label';
  const arm = trial.design.randomised ? 'Randomized' : 'Single-Arm';
  return trial.studyType === 'INTERVENTIONAL'
    ? `${blinding}, ${arm} Trial to Find Out Whether ${intervention} ${random.pick(AIMS)} in ${random.pick(PEOPLE)} With ${condition}`
    : `An Observational Study of ${random.pick(PEOPLE)} With ${condition} Treated With ${intervention}`;
}

export function summary(trial: Trial, random: Random): string {
  const { condition, intervention } = lead(trial);
  return `This synthetic study asks whether ${intervention} ${random.pick(AIMS)} in ${random.pick(PEOPLE)} with ${condition.toLowerCase()}.`;
}

/** `count` sentences; repeats beyond the list, as long protocols do. */
export function paragraphs(random: Random, count: number): string {
  let text = '';
  let start = random.below(FILLERS.length);
  for (let place = 0; place < count; place++) {
    text += (place === 0 ? '' : place % 4 === 0 ? '\n\n' : ' ') + (FILLERS[start % FILLERS.length] as string);
    start += place % FILLERS.length === FILLERS.length - 1 ? 2 : 1;
  }
  return text;
}

export function outcome(random: Random): { measure: string; timeFrame: string } {
  return { measure: random.pick(MEASURES), timeFrame: random.pick(TIMES) };
}

/** Criteria in the registry's markdown: seven in ten carry a backslash escape. */
export function criteria(random: Random, size: number): string {
  const inclusion = random.sample(INCLUSION, 3 + size);
  if (random.chance(0.69)) inclusion.push(random.pick(ESCAPED));
  const lines = (items: readonly string[]): string => items.map((item) => `* ${item}`).join('\n');
  return `Inclusion Criteria:\n\n${lines(inclusion)}\n\nExclusion Criteria:\n\n${lines(random.sample(EXCLUSION, 2 + size))}`;
}

export function numberedLines(random: Random, kind: 'inclusion' | 'exclusion', count: number): string {
  return random
    .sample(kind === 'inclusion' ? INCLUSION : EXCLUSION, count)
    .map((item, place) => `${place + 1}. ${item}`)
    .join('\n');
}

const STOPPED = [
  'Slow recruitment',
  'Funding ended',
  'Sponsor decision, not related to safety',
  'Investigator moved',
  'Futility at the interim analysis',
];

export function whyStopped(random: Random): string {
  return random.pick(STOPPED);
}
