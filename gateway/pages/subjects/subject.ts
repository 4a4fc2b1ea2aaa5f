import { httpInput } from '../../../contract/arguments.ts';
import type { OperationOutput } from '../../../contract/operation.ts';
import { getTrialChanges } from '../../../contract/operations/trial-history.ts';
import { getTrialTrend } from '../../../contract/operations/trial-trend.ts';
import type { searchTrials } from '../../../contract/operations/trials.ts';
import type { Facet } from '../../../contract/schemas/trial-facets.ts';
import { failedPart } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { cards, counted } from '../kit/parts.ts';
import type { PageContent, PageRequest } from '../page.ts';
import { type Answered, FailedRead } from '../reads.ts';
import { silentNotes } from '../trials/not-stated.ts';
import { type Given, searchAddress } from '../trials/search-asked.ts';
import { facetPart, readFacets } from '../trials/search-facets.ts';
import { card } from '../trials/search-list.ts';
import { fileAddress, trialsTakeAway } from '../trials/take-away.ts';
import { changedTrials } from './changes-part.ts';
import { phasesOverTime } from './phases-over-time.ts';
import { readResultsShare, resultsShare } from './results-share.ts';

/** A page about the trials of one sponsor, condition or country. All of it is made of answers with the same filters. */

export interface Subject {
  /** Heading of the page. */
  title: string;
  /** Filters of exactly the trials that it is about. */
  filters: Given;
  /** Which trials are counted, as the end of a sentence: "trials whose lead sponsor …". */
  counts: Html | string;
  /** Facets that say more about these trials, after their status. */
  facets: readonly Facet[];
  /** What else is to be known of the name, below the number. */
  notes?: Html | false;
}

export type Found = Answered<OperationOutput<typeof searchTrials>>;

/** How many trials were found. */
export function totalOf({ meta, data }: Found): number {
  return meta.pagination?.totalItems ?? data.trials.length;
}

/** Trials and changes shown; the search and the feed have all. */
export const SHOWN = 4;

/** `found` are the newest trials of the subject, which its page has read to know that there are any. */
export async function subjectContent(
  { reads, pictures, baseUrl }: PageRequest,
  { title, filters, counts, facets: more, notes = false }: Subject,
  { found, canonical }: { found: Found; canonical: string },
): Promise<PageContent> {
  const shown = ['status', ...more] as const;
  const [facets, trend, share, changes] = await Promise.all([
    readFacets(reads, filters, shown),
    reads.attempt(getTrialTrend, { ...filters, split: 'phase' }),
    readResultsShare(reads, filters),
    reads.attempt(getTrialChanges, { ...filters, limit: SHOWN }),
  ]);
  const silent = await silentNotes(reads, filters, facets);
  const total = totalOf(found);
  const address = new URLSearchParams(filters);
  const snapshot = found.meta.snapshot ?? '';
  const asOf = typeof found.meta.provenance?.asOf === 'string' ? found.meta.provenance.asOf : undefined;
  return {
    title,
    canonical: `${baseUrl}${canonical}`,
    description: `${total.toLocaleString('en-GB')} trials of ClinicalTrials.gov and ISRCTN: ${title}. Phases over time, statuses, results, newest trials and changes.`,
    feeds: [{ title: `Trials: ${title}`, href: fileAddress('atom', address) }],
    main: html`<p class="lead"><strong>${counted(total, searchAddress(filters))}</strong> ${total === 1 ? 'trial' : 'trials'} ${counts}.</p>
${notes}
<section aria-labelledby="results"><h2 id="results">Results</h2>${resultsShare(share, filters)}</section>
<section aria-labelledby="phases"><h2 id="phases">Phases over time</h2>
${
  trend instanceof FailedRead
    ? failedPart('The counts by year', trend)
    : (phasesOverTime({
        filters,
        trend: trend.data,
        snapshot,
        pictures,
        of: title,
        page: canonical,
      }) ?? html`<p>None of these trials states when it started.</p>`)
}</section>
<section aria-labelledby="kinds"><h2 id="kinds">What kinds of trials</h2>
<div class="facet-columns">${
      facets instanceof FailedRead
        ? failedPart('The counts by value', facets)
        : shown.map((name) => facetPart(facets, name, address, { open: true, silent: silent[name] }))
    }</div></section>
<section aria-labelledby="newest"><h2 id="newest">Newest trials</h2>
<p class="hint">By their start; starts in the future are planned.</p>
${cards(found.data.trials.map(({ matchedBy: _, ...trial }) => card(trial, asOf)))}
<p><a href="${searchAddress({ ...filters, sort: 'start' })}">All of them in this order</a></p></section>
<section aria-labelledby="changes"><h2 id="changes">Newest changes</h2>${changedTrials(changes, address)}</section>
${trialsTakeAway(total, address)}`,
    calls: [httpInput(getTrialTrend, { ...filters, split: 'phase' }).path, httpInput(getTrialChanges, filters).path],
  };
}
