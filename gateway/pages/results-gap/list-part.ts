import type { OperationOutput } from '../../../contract/operation.ts';
import type { getTrialResultsGap } from '../../../contract/operations/trials/trial-results-gap.ts';
import type { searchTrials } from '../../../contract/operations/trials/trials.ts';
import type { TrialListItem } from '../../../contract/schemas/trials/trial.ts';
import { failedPart } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { type Column, table } from '../kit/parts.ts';
import { count, monthOrDay, share } from '../kit/words.ts';
import { type Asked, FailedRead } from '../reads.ts';
import { searchAddress } from '../trials/search-asked.ts';
import { DUE_AFTER_DATA, isDueAfterData } from '../words/results-state.ts';
import { trialAddress } from '../words/trials.ts';

const LISTED = 20;
/** Longer lists stand folded, so that a phone shows the page on a few screens. */
const UNFOLDED = 3;

/** The trials behind the numerator, longest overdue first. */
export function listArguments({ queries }: Gap): Record<string, string | number> {
  return { ...queries.numerator, sort: 'daysOverdue', pageSize: LISTED };
}

export function listed(list: Asked<typeof searchTrials>, data: Gap): Html {
  const heading = html`<h2 id="list">The trials without posted results, longest overdue first</h2>`;
  if (list instanceof FailedRead) return html`${heading}${failedPart('The list', list)}`;
  const { trials } = list.data;
  if (trials.length === 0) return html`${heading}<p>There are none.</p>`;
  const whole = trialsOf({ ...data.queries.numerator, sort: 'daysOverdue' });
  const columns: Column<TrialListItem>[] = [
    [
      'Trial',
      (trial) => html`<a href="${trialAddress(numberOf(trial))}">${numberOf(trial)}</a> <bdi>${trial.title}</bdi>`,
    ],
    ['Lead sponsor', ({ sponsor }) => (sponsor === null ? 'not stated' : html`<bdi>${sponsor.name}</bdi>`)],
    [data.clock === 'completion' ? 'Completed' : 'Primary completion', (trial) => completedOn(trial, data)],
    [
      'Days overdue',
      ({ daysOverdue }) =>
        html`${count(daysOverdue)}${isDueAfterData(daysOverdue, data) && html`<br><span class="soft">${DUE_AFTER_DATA}</span>`}`,
      'number',
    ],
  ];
  const rest = trials.slice(UNFOLDED);
  const part = (caption: string, rows: readonly TrialListItem[]): Html => table(caption, rows, columns);
  return html`${heading}
${part(`The first ${count(Math.min(UNFOLDED, trials.length))} of ${count(data.numerator)}`, trials.slice(0, UNFOLDED))}
${rest.length > 0 && html`<details><summary>The next ${count(rest.length)}</summary>${part(`From ${count(UNFOLDED + 1)} to ${count(trials.length)}`, rest)}</details>`}
<p><a href="${whole}">All ${count(data.numerator)} trials without posted results</a></p>`;
}

function numberOf({ registrations, canonicalId }: TrialListItem): string {
  return registrations.find(({ registry }) => registry === 'clinicaltrials_gov')?.id ?? canonicalId;
}

/** Of two registrations a list does not tell which of them states the dates. */
function completedOn({ dates, registrations }: TrialListItem, { clock }: Gap): string {
  const date = (clock === 'completion' ? null : dates.primaryCompletion) ?? dates.completion;
  return date && registrations.length === 1 ? monthOrDay(date.date) : 'see the trial';
}

export type Gap = OperationOutput<typeof getTrialResultsGap>;

export const PATH = '/results-gap';

/** The list of exactly the trials of a number. */
export const trialsOf = (filters: Record<string, string>): string => searchAddress(filters);

/** The share of a group or clock. */
export function shareOf({ numerator, denominator }: { numerator: number | null; denominator: number | null }): string {
  return numerator === null || denominator === null ? 'not known' : share(numerator, denominator);
}
