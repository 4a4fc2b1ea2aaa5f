import type { OperationOutput } from '../../../contract/operation.ts';
import { getTrialResultsGap } from '../../../contract/operations/trial-results-gap.ts';
import { failedPart } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { counted } from '../kit/parts.ts';
import { count, share } from '../kit/words.ts';
import { type Answered, FailedRead, type Reads } from '../reads.ts';
import { type Given, searchAddress } from '../trials/search-asked.ts';

/** The share of completed trials without results, never without its numbers and its definition. */

export type AskedShare = Answered<OperationOutput<typeof getTrialResultsGap>> | FailedRead;

export function readResultsShare(reads: Reads, filters: Given): Promise<AskedShare> {
  return reads.attempt(getTrialResultsGap, filters);
}

export function resultsShare(read: AskedShare, filters: Given): Html {
  if (read instanceof FailedRead) return failedPart('The share without results', read);
  const { numerator, denominator, queries, definition, daysOverdue } = read.data;
  if (numerator === null || denominator === null) {
    return html`<p>Not known: ClinicalTrials.gov, whose trials are counted, never answered.</p>`;
  }
  if (denominator === 0)
    return html`<p>Of none of these trials were results due yet.</p><p class="definition">${definition}</p>`;
  const list = (query: Given) => searchAddress({ ...filters, ...query });
  return html`<p class="lead"><strong>${share(numerator, denominator)}</strong>: ${counted(numerator, numerator === 0 ? null : list(queries.numerator))} of ${counted(denominator, list(queries.denominator))} trials whose results were due have none posted${daysOverdue !== null && `; half of them ${count(Math.round(daysOverdue.median))} days overdue or more, the longest ${count(daysOverdue.longest)}`}.</p>
<p class="definition">${definition}</p>
<p><a href="${gapAddress(filters)}">The same in groups, and by other clocks</a></p>`;
}

/** The page of the results gap takes the filters of the search. */
function gapAddress(filters: Given): string {
  return `/results-gap?${new URLSearchParams(filters)}`;
}
