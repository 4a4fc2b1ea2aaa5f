import type { Day } from './calendar.ts';
import { Random } from './random.ts';
import { STREAM, type Trial } from './trial.ts';

/** The second day: what changes in a background record between two daily runs. */
export type ChangeKind = 'status' | 'enrolment' | 'dates';

const CHANGED = 0.005;
const KINDS: readonly ChangeKind[] = ['status', 'enrolment', 'dates'];

/** The change of a record on the second day, or null for the 199 in 200 that stay as they were, byte for byte. */
export function changeOf(seed: number, registry: 'clinicaltrials_gov' | 'isrctn', index: number): ChangeKind | null {
  const random = new Random(seed, STREAM.day, registry === 'isrctn' ? index + 0x40000000 : index);
  return random.chance(CHANGED) ? random.pick(KINDS) : null;
}

/** How many records the second day adds: 0.04 % of each registry, at least one. */
export function newRecords(counts: { ctgov: number; isrctn: number }): { ctgov: number; isrctn: number } {
  const share = (count: number): number => Math.max(1, Math.round(count * 0.0004));
  return { ctgov: share(counts.ctgov), isrctn: share(counts.isrctn) };
}

/** The trial after its change, updated on `today`. A changed status is always another one, in either registry's terms. */
export function changedTrial(trial: Trial, kind: ChangeKind, today: Day): Trial {
  switch (kind) {
    case 'status':
      return { ...trial, lastUpdated: today, status: trial.status === 'TERMINATED' ? 'COMPLETED' : 'TERMINATED' };
    case 'enrolment':
      return { ...trial, lastUpdated: today, enrolment: trial.enrolment + 60 };
    case 'dates':
      return { ...trial, lastUpdated: today, completion: trial.completion + 120 };
  }
}
