import type { CtgovPlant } from './planted.ts';
import type { Trial } from './trial.ts';

/**
 * The one record of the sample with a real number: the beta-cell model takes its built-in dataset from this
 * registration. Only the values that the trial's paper published (weeks 0 and 52) are real; the rest is invented, and
 * the record says so.
 */

type Json = Record<string, unknown>;

const CLVER_NCT = 'NCT04233034';
export const CLVER_PLANT: CtgovPlant = { nctId: CLVER_NCT, clver: true };

/** A study that can stand for it without changing what a search for its condition finds. */
export function canStandForClver({ conditions, status, hasResults }: Trial): boolean {
  return status === 'COMPLETED' && hasResults && conditions.some(({ name }) => name === 'Type 1 Diabetes');
}

const UNIT = '(pmol/ml)*minutes';
const GROUPS = [
  { id: 'OG000', title: 'Hybrid Closed Loop' },
  { id: 'OG001', title: 'Usual Care' },
  { id: 'OG002', title: 'Verapamil' },
  { id: 'OG003', title: 'Placebo' },
];

/** Values by group; verapamil and placebo at baseline and 52 weeks as published, all others invented. */
const VISITS: readonly (readonly [title: string, values: readonly string[]])[] = [
  ['Baseline', ['0.57', '0.60', '0.66', '0.60']],
  ['13 weeks', ['0.63', '0.69', '0.74', '0.65']],
  ['26 weeks', ['0.58', '0.62', '0.73', '0.59']],
  ['39 weeks', ['0.51', '0.56', '0.69', '0.51']],
  ['52 weeks', ['0.45', '0.50', '0.65', '0.44']],
];

function measure(type: string, title: string, visits: typeof VISITS): Json {
  return {
    type,
    title,
    description: 'SYNTHETIC: invented values in the place of the posted ones.',
    reportingStatus: 'POSTED',
    paramType: 'GEOMETRIC_MEAN',
    dispersionType: '95% Confidence Interval',
    unitOfMeasure: UNIT,
    timeFrame: 'Baseline to 52 weeks',
    groups: GROUPS,
    classes: visits.map(([visit, values]) => ({
      title: visit,
      categories: [{ measurements: values.map((value, place) => ({ groupId: GROUPS[place]!.id, value })) }],
    })),
  };
}

/** The study with the outcome measures that the dataset is read from; `study` is one of the API v2 with results. */
export function asClver(study: Json): Json {
  const protocol = study.protocolSection as { identificationModule: Json };
  const identificationModule = {
    ...protocol.identificationModule,
    briefTitle: `SYNTHETIC stand-in for the CLVer trial: ${protocol.identificationModule.briefTitle}`,
  };
  const outcomeMeasures = [
    measure('PRIMARY', 'C-peptide Area Under the Curve (AUC)', [VISITS[0]!, VISITS.at(-1)!]),
    measure('SECONDARY', 'C-peptide AUC', VISITS),
  ];
  return {
    ...study,
    protocolSection: { ...protocol, identificationModule },
    resultsSection: { ...(study.resultsSection as Json), outcomeMeasuresModule: { outcomeMeasures } },
  };
}
