import type { RunOutcomeCode } from '../../../contract/run-outcomes.ts';
import { type Html, html } from '../html.ts';
import { code } from '../kit/words.ts';

/** An outcome in a few words, for a heading. */
export const OUTCOME_WORDS: Record<RunOutcomeCode, string> = {
  PUBLISHED: 'Published a new version',
  UNCHANGED: 'Checked, nothing new',
  DONE: 'Done',
  PUBLISHED_DEGRADED: 'A registry is missing or kept',
  REFUSED: 'Refused by the publication gate',
  WRONG_USAGE: 'Failed: wrong command line',
  WRONG_SETTINGS: 'Failed: wrong setting',
  LOCKED: 'Failed: another run was at work',
  SOURCE_FAILED: 'Failed: a source could not be read',
  STAGE_FAILED: 'Failed in a stage',
  SNAPSHOT_UNUSABLE: 'Failed: a version on disk could not be used',
  PULL_FAILED: 'Failed: a service could not be pulled from',
  STORE_FAILED: 'Failed: the store that machines share',
  NO_SPACE: 'Failed: disk full',
  DATABASE_SET_ASIDE: 'Failed: the working database was damaged',
  STOPPED: 'Stopped by the operator',
  FAILED: 'Failed: not foreseen',
  KILLED: 'Killed',
  OPEN: 'Under way, or killed',
};

/** What to do next, with its commands set as code. */
export function nextStep(text: string): Html {
  return html`<strong>Next:</strong> ${text.split('`').map((part, place) => (place % 2 === 1 ? code(part) : part))}`;
}

/** A duration in readable form. */
export function duration(seconds: number | null): string {
  if (seconds === null) return 'not known';
  if (seconds < 120) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A figure or limit of a check, to four digits. */
export function figure(value: number | null): string {
  return value === null ? 'nothing to compare' : String(Number(value.toPrecision(4)));
}

/** The page of one run. */
export function runAddress(run: string): string {
  return `/snapshots/runs/${run}`;
}
