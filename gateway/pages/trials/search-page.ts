import { httpInput } from '../../../contract/interfaces/arguments.ts';
import { searchTrials, TRIAL_SORTS } from '../../../contract/operations/trials/trials.ts';
import { TEXTS_READ } from '../../../contract/trial-filters.ts';
import { type Html, html } from '../html.ts';
import { heldNote } from '../kit/held.ts';
import { chips, pager } from '../kit/list-controls.ts';
import { count, joined, trialsInWords } from '../kit/words.ts';
import type { Page, PageContent } from '../page.ts';
import { type Answer, FailedRead, type Pagination, type ReadMeta, type Reads } from '../reads.ts';
import { redirect } from '../redirect.ts';
import { resultsNote, resultsState } from '../words/results-state.ts';
import {
  type AppliedFilters,
  FILTER_TITLES,
  REGISTRY_NAMES,
  SORT_TITLES,
  type TrialFilter,
  type TrialSort,
  topicNamed,
  trialAddress,
} from '../words/trials.ts';
import { type SilentNotes, silentNotes } from './not-stated.ts';
import {
  type AskedSearch,
  addressOf,
  appliedChips,
  appliedFilters,
  askedSearch,
  cleanAddress,
  orderOf,
  searchWith,
} from './search-asked.ts';
import { type AskedFacets, facetsAside, readFacets, readRecruiting } from './search-facets.ts';
import { otherFaults, searchForm } from './search-form.ts';
import { trialList } from './search-list.ts';
import { identifierNote, matchingNote, matchMeta, textNote, trialAsked, wayOut } from './search-matching.ts';
import { abroadNote, siteNote } from './search-places.ts';
import { countedSuggestion, type NamedFilters, readingFirst, suggestion } from './search-suggestions.ts';
import { fileAddress, trialsTakeAway } from './take-away.ts';

const PATH = '/trials';
/** So many cards stay below the length of a page on a phone. */
const PAGE_SIZE = 10;

/** Search: one box, facets that combine, and everything found to take away. */
export const trialsPage: Page = {
  id: 'page-trials',
  async respond({ query, reads }) {
    const clean = cleanAddress(PATH, query);
    if (clean !== null) return redirect(clean);
    const asked = askedSearch(query);
    const { bare } = reads;
    const [found, facets, recruiting, suggested] = await Promise.all([
      reads.attempt(searchTrials, { ...asked.search, pageSize: PAGE_SIZE }),
      readFacets(bare, asked.filters),
      readRecruiting(bare, asked.filters),
      countedSuggestion(bare, asked.filters),
    ]);
    if (found instanceof FailedRead) {
      if (found.status === 400) return refused(found, asked);
      throw found;
    }
    const straight = trialAsked(matchMeta(found.meta));
    if (straight !== null) return redirect(trialAddress(straight));
    const [named, exampleId, silent] = await Promise.all([
      identifierNote(reads, matchMeta(found.meta)),
      heldNumber(bare, found.data.trials),
      silentNotes(bare, asked.filters, facets),
    ]);
    return answered({ asked, found, facets, recruiting, suggested, named, exampleId, silent });
  },
};

interface Answers {
  asked: AskedSearch;
  found: Answer<typeof searchTrials>;
  facets: AskedFacets;
  recruiting: number | null;
  suggested: (NamedFilters & { trials: number }) | null;
  silent: SilentNotes;
  /** What is known of an identifier in the search box. */
  named: Html | false;
  exampleId: string | undefined;
}

/** A number to try in the search box: of a trial that was found, else of any that is held. */
async function heldNumber(
  reads: Reads,
  found: Answer<typeof searchTrials>['data']['trials'],
): Promise<string | undefined> {
  if (found[0] !== undefined) return found[0].registrations[0]?.id;
  const any = await reads.attempt(searchTrials, { pageSize: 1 });
  return any instanceof FailedRead ? undefined : any.data.trials[0]?.registrations[0]?.id;
}

function answered({ asked, found, facets, recruiting, suggested, named, exampleId, silent }: Answers): PageContent {
  const { meta, data } = found;
  const applied = appliedFilters(meta.filters);
  const [sort, view] = [orderOf(asked), asked.view];
  const address = addressOf(applied, { sort, view });
  const paging = meta.pagination ?? { returned: data.trials.length, hasMore: null };
  const total = paging.totalItems ?? data.trials.length;
  const matched = matchMeta(meta);
  const reading = total > 0 ? null : suggested;
  const help = html`${named}${total > 0 && suggested !== null && suggestion(suggested, address)}${wayOut(matched, address, suggested !== null || reading !== null)}`;
  const asOf = typeof meta.provenance?.asOf === 'string' ? meta.provenance.asOf : undefined;
  return {
    title: 'Trials',
    description: `${trialsInWords(total)} of ClinicalTrials.gov and ISRCTN${applied.q === undefined ? '' : ` for “${applied.q}”`}, each once, with facets and counts.`,
    feeds: [{ title: 'Trials of this search', href: fileAddress('atom', address) }],
    main: html`${searchForm({ values: applied, sort, view, exampleId })}
${ignoredNotice([...(meta.ignored ?? []), ...asked.dropped])}
${chips('Showing only', appliedChips(applied, address))}
<div class="columns with-filters">${facetsAside(facets, { applied, address, recruiting, silent })}
<section aria-labelledby="found">
${reading === null ? html`<h2 id="found">${trialsInWords(total)} found</h2>` : readingFirst(reading, address)}
${standing(meta)}
${abroadNote(matched)}
${siteNote(matched, address)}
${textNote(matched)}
${matchingNote(matched, address)}
${waysLink(applied.q)}
${total === 0 && nothing(reading !== null, applied)}
${help}
${
  total > 0 &&
  html`${orderAndView(address, sort)}
${trialList({ trials: data.trials, address, asOf, dataDay: countedDataDay(meta) })}
${listPager(address, paging)}
${data.trials.some((trial) => resultsState(trial, asOf)?.includes('overdue')) && html`<p class="hint">${resultsNote(applied)}</p>`}`
}
</section></div>
${trialsTakeAway(total, address)}`,
    calls: [
      httpInput(searchTrials, {
        ...applied,
        ...(sort !== 'updated' && { sort }),
        pageSize: PAGE_SIZE,
        ...(paging.page !== undefined && paging.page > 1 && { page: paging.page }),
      }).path,
    ],
  };
}

/** Day of the data of the registry whose results are counted. */
function countedDataDay({ provenance }: ReadMeta): string | null {
  const registries = (provenance?.registries ?? []) as { registry: string; dataDay: string | null }[];
  return registries.find(({ registry }) => registry === 'clinicaltrials_gov')?.dataDay ?? null;
}

/** Words that are the name of a topic can be counted in other ways too. */
function waysLink(q: string | undefined): Html | false {
  const topic = q === undefined ? null : topicNamed(q);
  return (
    topic !== null &&
    html`<p class="hint"><a href="/conditions/${topic}#ways">“<bdi>${q}</bdi>” as words, as a condition or as a topic: which number to use</a></p>`
  );
}

/** Whether the number found counts all trials that exist. */
function standing({ provenance, degraded }: ReadMeta): Html {
  const unanswered = (provenance?.unanswered ?? []) as (keyof typeof REGISTRY_NAMES)[];
  if (unanswered.length > 0) {
    return html`<p class="notice" role="note">${unanswered.map((id) => REGISTRY_NAMES[id]).join(', ')} did not answer: its trials are missing here, but they may exist.</p>`;
  }
  const registries = (provenance?.registries ?? []) as {
    registry: keyof typeof REGISTRY_NAMES;
    state: string;
    dataDay: string;
  }[];
  const kept = registries
    .filter(({ state }) => state === 'kept')
    .map(
      ({ registry, dataDay }) => `${REGISTRY_NAMES[registry]} did not answer last: its data of ${dataDay} are kept. `,
    );
  return html`<p class="hint">${kept}Each trial counts once, however often it is registered. An exact count of the two registries as held here${degraded === true && ', one of them from an older or incomplete set'}; not of all trials in the world.</p>${heldNote(provenance)}`;
}

/** Never a bare zero: what follows are links that find something. */
function nothing(isRead: boolean, { q, match }: AppliedFilters): Html {
  const texts = TEXTS_READ[match === 'concepts' ? 'concepts' : 'words'].q;
  return html`<p><strong>No trial held here ${isRead ? `has all of these words in ${texts}` : 'matches all of this'}.</strong> That does not prove that there is none: the index holds only two registries.${!isRead && q !== undefined && ` Words are looked for in ${texts}.`}${!isRead && ' Take away a filter above, or use fewer words.'}</p>`;
}

/** The order and the look of the list, as links. */
function orderAndView(address: URLSearchParams, current: TrialSort): Html {
  const sorts = TRIAL_SORTS.filter((sort) => sort !== 'relevance' || address.has('q'));
  const isTable = address.get('view') === 'table';
  return html`<div class="toolbar"><details class="menu"><summary>${SORT_TITLES[current]}</summary><ul>${sorts.map((sort) => html`<li><a href="${searchWith(address, { sort })}"${sort === current && html` aria-current="true"`}>${SORT_TITLES[sort]}</a></li>`)}</ul></details>
<p><a href="${searchWith(address, { view: '' })}"${!isTable && html` aria-current="true"`}>List</a> <a href="${searchWith(address, { view: 'table' })}"${isTable && html` aria-current="true"`}>Table</a></p></div>
${current === 'relevance' && html`<p class="hint">The best match counts text alone and says nothing of how promising a trial is: words in a title count most, then those in conditions, interventions and other text.</p>`}`;
}

/** The form again, with what was expected at each refused field. */
function refused({ error, status }: FailedRead, asked: AskedSearch): PageContent {
  const others = otherFaults(error);
  const address = new URLSearchParams(asked.search);
  return {
    title: 'Trials',
    status,
    main: html`<div class="failure" role="alert"><p><strong>The search did not run, because a value cannot be used.</strong> ${others.length === 0 && 'The field says what to write instead.'}</p>
${others.length > 0 && html`<ul>${others.map(({ name, message }) => html`<li><bdi>${FILTER_TITLES[name as TrialFilter] ?? name}</bdi>: ${message} <a href="${searchWith(address, { [name]: '' })}">Search without it</a></li>`)}</ul>`}</div>
${searchForm({ values: asked.search, sort: orderOf(asked), view: asked.view, error })}`,
  };
}

/** Names the parameters that had no effect. */
function ignoredNotice(ignored: readonly string[]): Html | false {
  if (ignored.length === 0) return false;
  return html`<p class="notice" role="note"><strong>Ignored:</strong> ${joined(ignored.map((name) => html`<code><bdi>${name}</bdi></code>`))}. This page does not know ${ignored.length === 1 ? 'this parameter' : 'these parameters'}, which had no effect.</p>`;
}

/** The part of all trials found that is shown, with links to the other parts. */
function listPager(query: URLSearchParams, paging: Pagination): Html {
  const { page = 1, pageSize = 1, totalItems = 0, returned } = paging;
  const first = (page - 1) * pageSize + 1;
  const last = Math.max(1, Math.ceil(totalItems / pageSize));
  const shown =
    returned === 0
      ? `Page ${count(page)} is beyond the last, which is ${count(last)}`
      : `${count(first)} to ${count(first + returned - 1)} of ${count(totalItems)}`;
  return pager({ path: PATH, query, paging, shown });
}
