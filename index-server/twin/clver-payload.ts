import { z } from 'zod';
import { BETA_CELL_ARM_OBSERVATIONS } from '../../contract/limits/twin.ts';

/**
 * Reads the visits of the CLVer trial out of the results section of its ClinicalTrials.gov payload (API v2). No value
 * is typed into the code. A value that is missing, stated twice or unlike the published one makes the dataset unavailable.
 */

const measurementSchema = z.looseObject({ groupId: z.string(), value: z.string().optional() });
const classSchema = z.looseObject({
  title: z.string().optional(),
  categories: z
    .array(z.looseObject({ title: z.string().optional(), measurements: z.array(measurementSchema).optional() }))
    .optional(),
});
const measureSchema = z.looseObject({
  title: z.string().optional(),
  paramType: z.string().optional(),
  unitOfMeasure: z.string().optional(),
  timeFrame: z.string().optional(),
  groups: z.array(z.looseObject({ id: z.string(), title: z.string().optional() })).optional(),
  classes: z.array(classSchema).optional(),
});
type Measure = z.output<typeof measureSchema>;

const payloadSchema = z.looseObject({
  resultsSection: z
    .looseObject({
      outcomeMeasuresModule: z.looseObject({ outcomeMeasures: z.array(measureSchema).optional() }).optional(),
    })
    .optional(),
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

const no = (reason: string): { value: null; reason: string } => ({ value: null, reason });

/** Published in the abstract of the trial's paper (PMID 36826844): mean C-peptide AUC at baseline and at 52 weeks. */
const PUBLISHED = [
  { arm: 'comparator', week: 0, value: 0.66 },
  { arm: 'comparator', week: 52, value: 0.65 },
  { arm: 'control', week: 0, value: 0.6 },
  { arm: 'control', week: 52, value: 0.44 },
] as const;
/** Half a unit of the last digit that the paper prints, plus the rounding of a double. */
const PUBLISHED_TOLERANCE = 0.005 + 1e-9;

const STATISTICS: Readonly<Record<string, ClverVisits['statistic']>> = {
  MEAN: 'mean',
  GEOMETRIC_MEAN: 'geometric-mean',
};

interface Visit {
  control: number;
  comparator: number;
}

/** The visits, or why there are none. `payload` is the record as the registry sent it. */
export function readClver(payload: string): Read<ClverVisits> {
  const parsed = payloadSchema.safeParse(parsedJson(payload));
  if (!parsed.success) return no('the registry payload does not have the shape of API v2');
  const { resultsSection } = parsed.data;
  if (resultsSection === undefined) return no('the registry record has no results section');
  const measures = (resultsSection.outcomeMeasuresModule?.outcomeMeasures ?? []).filter(isCpeptideArea);
  if (measures.length === 0) return no('the results hold no outcome measure of the C-peptide area under the curve');
  return joined(measures);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isCpeptideArea({ title = '' }: Measure): boolean {
  return /c-?\s?peptide/i.test(title) && /\bauc\b|area under/i.test(title) && !/\bchange\b|\bratio\b/i.test(title);
}

/** Visits of all measures that compare the two arms; the same visit in two of them must have the same values. */
function joined(measures: readonly Measure[]): Read<ClverVisits> {
  const visits = new Map<number, Visit>();
  const units = new Set<string>();
  const statistics = new Set<string>();
  for (const measure of measures) {
    const found = visitsOf(measure);
    if (found.value === null) return found;
    if (found.value.size === 0) continue;
    units.add(measure.unitOfMeasure ?? '');
    statistics.add(measure.paramType ?? '');
    for (const [week, visit] of found.value) {
      const known = visits.get(week);
      if (known && (known.control !== visit.control || known.comparator !== visit.comparator)) {
        return no(`two outcome measures disagree on week ${week}`);
      }
      visits.set(week, visit);
    }
  }
  const [unit = '', otherUnit] = units;
  const [parameter = '', otherParameter] = statistics;
  const statistic = Object.hasOwn(STATISTICS, parameter) ? STATISTICS[parameter] : undefined;
  if (otherUnit !== undefined) return no('its outcome measures are in different units');
  if (otherParameter !== undefined) return no('its outcome measures are different statistics');
  if (visits.size > 0 && unit.trim() === '') return no('its outcome measures name no unit');
  if (visits.size > 0 && statistic === undefined) return no('its statistic is neither a mean nor a geometric mean');
  return checked(visits, unit, statistic ?? 'mean');
}

function checked(visits: Map<number, Visit>, unit: string, statistic: ClverVisits['statistic']): Read<ClverVisits> {
  const { min, max } = BETA_CELL_ARM_OBSERVATIONS;
  if (visits.size < min || visits.size > max) {
    return no(`the results name ${visits.size} visits with values of both arms, and ${min} to ${max} are needed`);
  }
  const weeks = [...visits.keys()].sort((a, b) => a - b);
  const armOf = (arm: keyof Visit) => weeks.map((week) => ({ week, value: visits.get(week)![arm] }));
  const value: ClverVisits = {
    reportedUnit: unit,
    statistic,
    control: armOf('control'),
    comparator: armOf('comparator'),
  };
  for (const published of PUBLISHED) {
    const found = visits.get(published.week)?.[published.arm];
    if (found === undefined || Math.abs(found - published.value) > PUBLISHED_TOLERANCE) {
      return no(`the self-check failed: week ${published.week} of the ${published.arm} is not the published value`);
    }
  }
  return { value, reason: null };
}

/** Visits of one measure by week; empty if it does not compare verapamil with placebo. */
function visitsOf(measure: Measure): Read<Map<number, Visit>> {
  const groups = measure.groups ?? [];
  const placebo = groups.filter(({ title = '' }) => /\bplacebo\b/i.test(title));
  const verapamil = groups.filter(({ title = '' }) => isVerapamil(title));
  const visits = new Map<number, Visit>();
  if (placebo.length === 0 || verapamil.length === 0) return { value: visits, reason: null };
  if (placebo.length > 1 || verapamil.length > 1) return no('an outcome measure has more than one group of an arm');
  const classes = measure.classes ?? [];
  const single = classes.length === 1 && (classes[0]!.categories ?? []).length === 1;
  for (const { title = '', categories = [] } of classes) {
    for (const category of categories) {
      const week = weekOf(
        single ? [title, category.title ?? '', measure.timeFrame ?? ''] : [title, category.title ?? ''],
      );
      if (week === null) continue;
      const valueIn = (id: string): number | null => {
        const [found, other] = (category.measurements ?? []).filter(({ groupId }) => groupId === id);
        return other === undefined ? numberOf(found?.value) : null;
      };
      const [control, comparator] = [valueIn(placebo[0]!.id), valueIn(verapamil[0]!.id)];
      if (control === null || comparator === null) return no(`week ${week} has no single value of both arms`);
      if (visits.has(week)) return no(`an outcome measure names week ${week} twice`);
      visits.set(week, { control, comparator });
    }
  }
  return { value: visits, reason: null };
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

function numberOf(text: string | undefined): number | null {
  if (text === undefined || !/^\d{1,6}(\.\d{1,9})?$/.test(text.trim())) return null;
  const value = Number(text);
  return value > 0 ? value : null;
}
