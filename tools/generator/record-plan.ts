import type { Random } from './random.ts';

/** What the second day changes in a record. */
export type Change = 'status' | 'enrolment' | 'dates';

/** One record to make: its place decides everything about it that the template leaves open. */
export interface RecordPlan {
  random: Random;
  /** The record's own number. */
  id: string;
  /** Numbers of the other registry, or of both, by which it names the same trial. */
  link: { other?: string; eudract?: string };
  /** Null: as the template states. */
  change: Change | null;
  /** First posted on the second day. */
  isNew: boolean;
  real: boolean;
  sentences: readonly string[];
}
