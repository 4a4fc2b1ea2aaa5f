import type { OperationOutput } from '../../../contract/operation.ts';
import type { getTrialResultsGap } from '../../../contract/operations/trial-results-gap.ts';
import { share } from '../kit/words.ts';

export type Gap = OperationOutput<typeof getTrialResultsGap>;

export const PATH = '/results-gap';

/** The list of exactly the trials of a number. */
export function trialsOf(filters: Record<string, string>): string {
  return `/trials?${new URLSearchParams(filters)}`;
}

/** The share of a group or clock. */
export function shareOf({ numerator, denominator }: { numerator: number | null; denominator: number | null }): string {
  return numerator === null || denominator === null ? 'not known' : share(numerator, denominator);
}
