import type { CommonFields } from '../../contract/fields/field-shapes.ts';
import type { RegistryId } from '../../contract/ids.ts';
import type { TopicReading } from './serving.ts';
import { addMonths, dayNumber } from './words/dates.ts';

/**
 * results-gap.arrow: every ClinicalTrials.gov registration that is interventional, completed and without posted results,
 * whatever its completion date; one batch, one row each, sorted by nctId.
 *
 * | column | meaning |
 * |---|---|
 * | nctId, canonicalId | text |
 * | title | text, empty where the registry has none |
 * | completionDay | last day that the date covers, since 1970-01-01; NOT_STATED for none |
 * | basis | place in RESULTS_GAP_BASES |
 * | precision | place in RESULTS_GAP_PRECISIONS |
 * | topics | places in the list of topic ids that RESULTS_GAP_TOPICS_KEY holds |
 * | topicsByConcepts | topics by concepts, likewise |
 * | resultsState | place in RESULTS_GAP_STATES |
 */
export const RESULTS_GAP_FILE = 'results-gap.arrow';
/** Schema metadata key: JSON list of topic ids. */
export const RESULTS_GAP_TOPICS_KEY = 'topics';

/** Schema metadata key: JSON of TopicConceptsStatement, beside the column topicsByConcepts. */
export const RESULTS_GAP_CONCEPTS_KEY = 'concepts';

/** By what topicsByConcepts was found. */
export interface TopicConceptsStatement {
  /** By topic id. */
  readings: Record<string, TopicReading>;
  sources: { id: 'mesh' | 'disease-ontology' | 'reviewed'; name: string; year: string; licence: string }[];
}

/** The date that the clock runs from: the primary completion, else the completion, else none. */
export const RESULTS_GAP_BASES = ['none', 'primary_completion', 'completion'] as const;
export type ResultsGapBasis = (typeof RESULTS_GAP_BASES)[number];

export const RESULTS_GAP_PRECISIONS = ['none', 'day', 'month'] as const;
export type ResultsGapPrecision = (typeof RESULTS_GAP_PRECISIONS)[number];

/**
 * What the registry states about results that it has not posted. `submitted_qc`: its annotations list a submission that
 * is in quality control. `delayed_certificate`: the sponsor certified a delay (dispFirstSubmitDate). With both, the
 * submission counts.
 */
export const RESULTS_GAP_STATES = ['none', 'submitted_qc', 'delayed_certificate'] as const;
export type ResultsGapState = (typeof RESULTS_GAP_STATES)[number];

/** Whether `months` have passed from the completion to `day`; never where no completion is stated. */
export function hasPassed(completionDay: number | null, months: number, day: number): boolean {
  return completionDay !== null && addMonths(completionDay, months) <= day;
}

/**
 * The latest completion day from which `months` have passed on `day`. Months differ in length, so counting back only
 * comes near it; it is the last day for which `hasPassed` holds.
 */
export function latestCompletion(day: number, months: number): number {
  let latest = addMonths(day, -months) + 3;
  while (!hasPassed(latest, months, day)) latest -= 1;
  return latest;
}

/** Whether a registration belongs to the results gap as soon as its clock has run out. */
export function isInGap(registry: RegistryId, fields: Pick<CommonFields, 'studyType' | 'status' | 'resultsAvailable'>) {
  const { studyType, status, resultsAvailable } = fields;
  return (
    registry === 'clinicaltrials_gov' && studyType === 'interventional' && status === 'completed' && !resultsAvailable
  );
}

/** The clock runs from the primary completion, else from the completion; a month counts as its last day. */
export function gapClock({
  primaryCompletion,
  completion,
}: Pick<CommonFields['dates'], 'primaryCompletion' | 'completion'>): {
  completionDay: number | null;
  basis: ResultsGapBasis;
  precision: ResultsGapPrecision;
} {
  const date = primaryCompletion ?? completion;
  if (date === null) return { completionDay: null, basis: 'none', precision: 'none' };
  const basis = primaryCompletion === null ? 'completion' : 'primary_completion';
  return { completionDay: dayNumber(date).last, basis, precision: date.precision };
}
