import type { Day } from './calendar.ts';
import { CONDITIONS, type Condition } from './conditions.ts';
import { drawIntervention, type Intervention } from './interventions.ts';
import { COUNTRIES, type Country, drawOrganisation, ISRCTN_COUNTRIES, type Organisation } from './organisations.ts';
import { Random, weightedTable, zipfTable } from './random.ts';
import { british } from './spelling.ts';

/**
 * What a trial is, before either registry words it: two registrations of one trial are rendered from the same value and
 * so agree on what they are about, while each adds its own slips.
 */
export interface Trial {
  conditions: Condition[];
  interventions: Intervention[];
  sponsor: Organisation;
  collaborators: Organisation[];
  countries: Country[];
  studyType: 'INTERVENTIONAL' | 'OBSERVATIONAL' | 'EXPANDED_ACCESS';
  /** ClinicalTrials.gov phases; empty unless interventional. */
  phases: string[];
  status: string;
  start: Day;
  primaryCompletion: Day;
  completion: Day;
  firstPosted: Day;
  lastUpdated: Day;
  /** People; what was planned, or what was reached once the study ended. */
  enrolment: number;
  acronym: string | null;
  design: { randomised: boolean; blinded: boolean; placebo: boolean };
  hasResults: boolean;
  briefSeed: number;
}

export const STREAM = { trial: 1, ctgov: 2, isrctn: 3, ctgovBody: 4, isrctnBody: 5, day: 6, overlap: 7 } as const;

/** Shares of the whole registry (605,599 studies, 462,154 interventional). */
const STUDY_TYPES = weightedTable<Trial['studyType']>([
  ['INTERVENTIONAL', 763],
  ['OBSERVATIONAL', 234],
  ['EXPANDED_ACCESS', 3],
]);

const PHASES = weightedTable<string[]>([
  [['NA'], 1316],
  [['PHASE2'], 514],
  [['PHASE3'], 345],
  [['PHASE4'], 315],
  [['PHASE1'], 171],
  [['PHASE1', 'PHASE2'], 117],
  [['PHASE2', 'PHASE3'], 70],
  [['EARLY_PHASE1'], 35],
]);

const STATUSES = weightedTable<string>([
  ['COMPLETED', 1336],
  ['RECRUITING', 663],
  ['UNKNOWN', 392],
  ['TERMINATED', 243],
  ['NOT_YET_RECRUITING', 224],
  ['ACTIVE_NOT_RECRUITING', 132],
  ['WITHDRAWN', 82],
  ['ENROLLING_BY_INVITATION', 36],
  ['SUSPENDED', 7],
]);
const EXPANDED_STATUSES = weightedTable<string>([
  ['AVAILABLE', 4],
  ['NO_LONGER_AVAILABLE', 3],
  ['APPROVED_FOR_MARKETING', 3],
  ['TEMPORARILY_NOT_AVAILABLE', 1],
]);

const CONDITION_RANKS = zipfTable(CONDITIONS.length, 6);

/** Evenly spaced quantiles of enrolment and, in days, of how long a study runs and how long ago a closed one was touched. */
const ENROLMENT = [1, 8, 15, 20, 28, 36, 44, 56, 70, 94, 120, 180, 260, 420, 900, 25_000];
const DURATION = [30, 150, 260, 365, 480, 640, 730, 900, 1095, 1400, 1900, 3600];
const SINCE_CLOSED = [0, 200, 600, 1200, 2000, 2900, 3700, 4600, 5700, 7800];
const UPDATE_LAG = [5, 40, 120, 250, 400, 700, 1100, 2600];

const ACRONYM_HEADS = ['CARE', 'STEP', 'PRO', 'OPTI', 'SAFE', 'INTER', 'REGA', 'BRID', 'NOVA', 'HORI', 'ELE', 'TRANS'];
const ACRONYM_TAILS = ['-1', '-2', 'LINK', 'PATH', 'ZON', 'VATE', 'GE', ' II', 'MED', '-HF', '-KIDS', 'TRIAL'];

/** The trial of a key; `asOf` is the day that statuses and dates agree with. */
export function trialOf(seed: number, key: number, asOf: Day): Trial {
  const random = new Random(seed, STREAM.trial, key);
  // The largest keys are ISRCTN-only trials (see corpus.ts): their countries follow that registry.
  const countryTable = key >= ISRCTN_KEYS ? ISRCTN_COUNTRIES : COUNTRIES;
  const studyType = random.weighted(STUDY_TYPES);
  const status = random.weighted(studyType === 'EXPANDED_ACCESS' ? EXPANDED_STATUSES : STATUSES);
  const dates = drawDates(random, status, asOf);
  const ended = status === 'COMPLETED' || status === 'TERMINATED';
  return {
    conditions: drawConditions(random),
    interventions: drawInterventions(random, studyType),
    sponsor: drawOrganisation(random),
    collaborators: random.chance(0.368)
      ? Array.from({ length: random.between(1, 2) }, () => drawOrganisation(random))
      : [],
    countries: drawCountries(random, countryTable),
    studyType,
    phases: studyType === 'INTERVENTIONAL' ? random.weighted(PHASES) : [],
    status,
    ...dates,
    enrolment: status === 'WITHDRAWN' ? 0 : random.quantile(ENROLMENT),
    acronym: random.chance(0.445) ? random.pick(ACRONYM_HEADS) + random.pick(ACRONYM_TAILS) : null,
    design: { randomised: random.chance(0.7), blinded: random.chance(0.48), placebo: random.chance(0.3) },
    // About 12.5 % of all studies hold results, nearly all of them ended and interventional.
    hasResults: ended && studyType === 'INTERVENTIONAL' && random.chance(0.32),
    briefSeed: random.next(),
  };
}

/** A copy of the trial with conditions and interventions in British spelling. */
export function inBritish(trial: Trial): Trial {
  return {
    ...trial,
    conditions: trial.conditions.map((condition) => ({ ...condition, name: british(condition.name) })),
    interventions: trial.interventions.map((one) => ({ ...one, name: british(one.name) })),
  };
}

/** Trial keys from here on belong to trials that ISRCTN alone holds. */
export const ISRCTN_KEYS = 0x40000000;

function drawConditions(random: Random): Condition[] {
  const count = random.chance(0.62) ? 1 : random.between(2, 4);
  const drawn = new Set<number>();
  while (drawn.size < count) drawn.add(random.zipf(CONDITION_RANKS));
  return [...drawn].map((rank) => CONDITIONS[rank] as Condition);
}

function drawInterventions(random: Random, studyType: Trial['studyType']): Intervention[] {
  if (studyType === 'OBSERVATIONAL' && random.chance(0.2)) return [];
  const count = random.chance(0.45) ? 1 : random.between(2, 4);
  const drawn = new Map<string, Intervention>();
  for (let tries = 0; drawn.size < count && tries < 12; tries++) {
    const intervention = drawIntervention(random);
    drawn.set(intervention.name, intervention);
  }
  return [...drawn.values()];
}

function drawCountries(random: Random, table: typeof COUNTRIES): Country[] {
  const count = random.chance(0.86) ? 1 : random.between(2, 9);
  const drawn = new Set<Country>();
  for (let tries = 0; drawn.size < count && tries < 30; tries++) drawn.add(random.weighted(table));
  return [...drawn];
}

/** Dates that fit the status: an ended study ended in the past, a planned one starts in the future. */
function drawDates(
  random: Random,
  status: string,
  asOf: Day,
): Pick<Trial, 'start' | 'primaryCompletion' | 'completion' | 'firstPosted' | 'lastUpdated'> {
  const duration = random.quantile(DURATION);
  let start: Day;
  let lastUpdated: Day;
  if (status === 'NOT_YET_RECRUITING') {
    start = asOf + random.between(-60, 400);
    lastUpdated = asOf - random.between(0, 200);
  } else if (['RECRUITING', 'ENROLLING_BY_INVITATION', 'ACTIVE_NOT_RECRUITING', 'SUSPENDED'].includes(status)) {
    // One running study in twenty is past its own completion date, as registries really hold them.
    const elapsed = random.chance(0.05) ? duration + random.between(10, 500) : random.below(duration);
    start = asOf - elapsed;
    lastUpdated = asOf - Math.min(elapsed, random.quantile(UPDATE_LAG));
  } else {
    const sinceClosed = random.quantile(SINCE_CLOSED) + (status === 'UNKNOWN' ? 730 : 0);
    start = asOf - sinceClosed - duration;
    // UNKNOWN is what the registry calls a study past completion that nobody verified for two years.
    lastUpdated = asOf - (status === 'UNKNOWN' ? sinceClosed + random.below(duration) : random.below(sinceClosed + 1));
  }
  const firstPosted = Math.min(start + random.between(-120, 240), lastUpdated - random.below(30));
  const completion = start + duration;
  return { start, primaryCompletion: start + Math.round(duration * 0.85), completion, firstPosted, lastUpdated };
}
