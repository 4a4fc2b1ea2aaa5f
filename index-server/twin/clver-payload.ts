import { z } from 'zod';
import { BETA_CELL_ARM_OBSERVATIONS } from '../../contract/limits/twin.ts';

/**
 * Reads the visits of the CLVer trial out of the results section of its ClinicalTrials.gov payload (API v2). No value
 * is typed into the code. A value that is missing, stated twice or unlike the published one makes the dataset unavailable.
 */

const text = z.string().default('');
const categorySchema = z.looseObject({
  title: text,
  measurements: z.array(z.looseObject({ groupId: z.string(), value: text })).default([]),
});
const measureSchema = z.looseObject({
  title: text,
  paramType: text,
  unitOfMeasure: text,
  timeFrame: text,
  groups: z.array(z.looseObject({ id: z.string(), title: text })).default([]),
  classes: z.array(z.looseObject({ title: text, categories: z.array(categorySchema).default([]) })).default([]),
});
type Measure = z.output<typeof measureSchema>;

const measuresSchema = z.looseObject({ outcomeMeasures: z.array(measureSchema).optional() });
const payloadSchema = z.looseObject({
  resultsSection: z.looseObject({ outcomeMeasuresModule: measuresSchema.optional() }).optional(),
});

export interface ClverVisits {
  reportedUnit: string;
  statistic: 'mean' | 'geometric-mean';
  /** Verapamil is the comparator, placebo the control; by week. */
  control: { week: number; value: number }[];
  comparator: { week: number; value: number }[];
}

/** The value, or why the payload cannot be used. */
export type Read<Value> = { value: Value; reason: null } | { value: null; reason: string };

/** Published in the abstract of the trial's paper (PMID 36826844): mean C-peptide AUC at baseline and at 52 weeks. */
const PUBLISHED = [
  { arm: 'comparator', week: 0, value: 0.66 },
  { arm: 'comparator', week: 52, value: 0.65 },
  { arm: 'control', week: 0, value: 0.6 },
  { arm: 'control', week: 52, value: 0.44 },
] as const;
/** Half a unit of the last digit that the paper prints, plus the rounding of a double. */
const PUBLISHED_TOLERANCE = 0.005 + 1e-9;

const STATISTICS = new Map<string, ClverVisits['statistic']>([
  ['MEAN', 'mean'],
  ['GEOMETRIC_MEAN', 'geometric-mean'],
]);

/** Values of both arms, by week. */
type Visits = Map<number, { control: number; comparator: number }>;

class Unusable extends Error {}

function refuse(reason: string): never {
  throw new Unusable(reason);
}

/** The visits, or why there are none. `payload` is the record as the registry sent it. */
export function readClver(payload: string): Read<ClverVisits> {
  try {
    return { value: clverVisits(payload), reason: null };
  } catch (error) {
    if (error instanceof Unusable) return { value: null, reason: error.message };
    throw error;
  }
}

function clverVisits(payload: string): ClverVisits {
  const { data } = payloadSchema.safeParse(parsedJson(payload));
  if (data === undefined) refuse('the registry payload does not have the shape of API v2');
  if (data.resultsSection === undefined) refuse('the registry record has no results section');
  const measures = (data.resultsSection.outcomeMeasuresModule?.outcomeMeasures ?? []).filter(isCpeptideArea);
  if (measures.length === 0) refuse('the results hold no outcome measure of the C-peptide area under the curve');
  const found = measures.map((measure) => ({ ...measure, visits: visitsOf(measure) })).filter(hasVisits);
  const visits: Visits = new Map();
  for (const [week, visit] of found.flatMap((measure) => [...measure.visits])) {
    const known = visits.get(week) ?? visit;
    const isSame = known.control === visit.control && known.comparator === visit.comparator;
    if (!isSame) refuse(`two outcome measures disagree on week ${week}`);
    visits.set(week, visit);
  }
  const [unit = '', otherUnit] = new Set(found.map(({ unitOfMeasure }) => unitOfMeasure));
  const [parameter = '', otherParameter] = new Set(found.map(({ paramType }) => paramType));
  if (otherUnit !== undefined) refuse('its outcome measures are in different units');
  if (otherParameter !== undefined) refuse('its outcome measures are different statistics');
  const { min, max } = BETA_CELL_ARM_OBSERVATIONS;
  const statistic = STATISTICS.get(parameter);
  if (visits.size > 0 && unit.trim() === '') refuse('its outcome measures name no unit');
  if (visits.size > 0 && statistic === undefined) refuse('its statistic is neither a mean nor a geometric mean');
  if (statistic === undefined || visits.size < min || visits.size > max) {
    refuse(`the results name ${visits.size} visits with values of both arms, and ${min} to ${max} are needed`);
  }
  for (const { arm, week, value } of PUBLISHED) {
    const difference = (visits.get(week)?.[arm] ?? Number.POSITIVE_INFINITY) - value;
    if (Math.abs(difference) > PUBLISHED_TOLERANCE)
      refuse(`the self-check failed: week ${week} of the ${arm} is not the published value`);
  }
  const inOrder = [...visits].sort(([one], [other]) => one - other);
  return {
    reportedUnit: unit,
    statistic,
    control: inOrder.map(([week, { control }]) => ({ week, value: control })),
    comparator: inOrder.map(([week, { comparator }]) => ({ week, value: comparator })),
  };
}

function parsedJson(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return null;
  }
}

function isCpeptideArea({ title }: Measure): boolean {
  return /c-?\s?peptide/i.test(title) && /\bauc\b|area under/i.test(title) && !/\bchange\b|\bratio\b/i.test(title);
}

function hasVisits({ visits }: { visits: Visits }): boolean {
  return visits.size > 0;
}

/** Visits of one measure by week; empty if it does not compare verapamil with placebo. */
function visitsOf({ groups, classes, timeFrame }: Measure): Visits {
  const [placebo, otherPlacebo] = groups.filter(({ title }) => /\bplacebo\b/i.test(title));
  const [verapamil, otherVerapamil] = groups.filter(({ title }) => isVerapamil(title));
  const visits: Visits = new Map();
  if (placebo === undefined || verapamil === undefined) return visits;
  if (otherPlacebo !== undefined || otherVerapamil !== undefined)
    refuse('an outcome measure has more than one group of an arm');
  const categories = classes.flatMap(({ title, categories: own }) => own.map((one) => ({ ...one, of: title })));
  for (const { of, title, measurements } of categories) {
    const week = weekOf(categories.length === 1 && classes.length === 1 ? [of, title, timeFrame] : [of, title]);
    if (week === null) continue;
    const valueIn = (id: string): number | null => {
      const [found, other] = measurements.filter(({ groupId }) => groupId === id);
      return other === undefined ? numberOf(found?.value ?? '') : null;
    };
    const [control, comparator] = [valueIn(placebo.id), valueIn(verapamil.id)];
    if (control === null || comparator === null) refuse(`week ${week} has no single value of both arms`);
    if (visits.has(week)) refuse(`an outcome measure names week ${week} twice`);
    visits.set(week, { control, comparator });
  }
  return visits;
}

function isVerapamil(title: string): boolean {
  return /\bverapamil\b/i.test(title) && !/\bplacebo\b|\b(no|non|without)[\s-]+verapamil\b/i.test(title);
}

/** The week in the first label that names any; null if no label names one, or if that label names several or a span. */
function weekOf(labels: readonly string[]): number | null {
  for (const label of labels) {
    const named = [...label.matchAll(/\b(?:weeks?|wks?)[\s-]*(\d{1,3})\b|\b(\d{1,3})[\s-]*(?:weeks?|wks?)\b/gi)];
    const weeks = named.map(([, behind, before]) => Number(behind ?? before));
    if (/\bbaseline\b/i.test(label)) weeks.push(0);
    const distinct = new Set(weeks);
    if (distinct.size === 1 && !/\bchange\b|\bto\b/i.test(label)) return weeks[0]!;
    if (distinct.size > 0) return null;
  }
  return null;
}

function numberOf(value: string): number | null {
  return /^\d{1,6}(\.\d{1,9})?$/.test(value.trim()) && Number(value) > 0 ? Number(value) : null;
}
