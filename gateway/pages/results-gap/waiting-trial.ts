import type { OperationOutput } from '../../../contract/operation.ts';
import type { nextResultsGapTrial } from '../../../contract/operations/results-gap.ts';
import type { ResultsGapTrial } from '../../../contract/schemas/results-gap.ts';
import { failedPart } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { facts } from '../parts.ts';
import { type Answered, FailedRead } from '../reads.ts';

type Next = OperationOutput<typeof nextResultsGapTrial>;

const STATES: Record<ResultsGapTrial['resultsState'], string> = {
  none: 'none handed in',
  submitted_qc: 'handed in, in quality control',
  delayed_certificate: 'a delay is certified',
};
const BASES: Record<ResultsGapTrial['completionBasis'], string> = {
  primary_completion: 'primary completion',
  completion: 'completion',
  none: 'no completion stated',
};

/** An example: the trial that a call without a name is given now. */
export function waitingTrial(next: Answered<Next> | FailedRead): Html {
  if (next instanceof FailedRead) {
    // No trial is left, which is an answer and not a failure.
    if (next.error.code === 'NO_CANDIDATES') return html`<p>${next.error.message}</p>`;
    return failedPart('A trial to look into', next);
  }
  const { trial, howToSearch } = next.data;
  return html`<h3>A trial that nobody reported on yet</h3>
<p><a href="/trials/${encodeURIComponent(trial.nctId)}">${trial.nctId}</a> <bdi>${trial.title}</bdi></p>
${facts([
  ['Completed', `${trial.completionDate ?? 'not stated'} (${BASES[trial.completionBasis]})`],
  ...[trial.clocks.short, trial.clocks.long].map(
    (clock) => [`${clock.months}-month clock`, clockWords(clock)] as const,
  ),
  ['Results on the record', STATES[trial.resultsState]],
  ['Registry record', html`<a href="${trial.url}">${trial.url}</a>`],
])}
<h3>How to search</h3>
<ul>${howToSearch.map((step) => html`<li>${step}</li>`)}</ul>`;
}

function clockWords({ since, passed }: ResultsGapTrial['clocks']['long']): string {
  if (since === null) return 'does not run';
  return passed ? `passed on ${since}` : `passes on ${since}`;
}
