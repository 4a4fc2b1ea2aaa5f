import { httpInput } from '../../../contract/arguments.ts';
import type { Operation, OperationOutput } from '../../../contract/operation.ts';
import {
  getTrialCoverage,
  getTrialLandscape,
  getTrialRegistrations,
  getTrialStats,
  searchTrials,
} from '../../../contract/operations/trials.ts';
import { type Html, html } from '../html.ts';
import type { Page, PageContent, PageRequest } from '../page.ts';
import { count } from '../parts.ts';
import { type Answered, FailedRead, type ReadMeta, type Reads } from '../reads.ts';
import { mixPicture } from './mix-picture.ts';
import { appliedChips, filterWords, ignoredNotice } from './search-applied.ts';
import { facets } from './search-facets.ts';
import { otherFaults, type SearchFormInput, searchForm } from './search-form.ts';
import { type AskedSearch, appliedFilters, askedSearch, FILTERS } from './search-query.ts';
import { listPager, trialList } from './search-results.ts';
import { FILTER_TITLES, REGISTRY_NAMES, trialAddress } from './words.ts';

/** Trials shown for an identifier, if words found none. */
const BY_ID_SHOWN = 10;

/** Search with facets and counts. */
export const trialsPage: Page = {
  id: 'page-trials',
  async respond(request) {
    const { reads } = request;
    const asked = askedSearch(request.query);
    const [found, coverage, landscape, stats] = await Promise.all([
      reads.attempt(searchTrials, asked.search),
      reads.attempt(getTrialCoverage, asked.filters),
      reads.attempt(getTrialLandscape, asked.filters),
      reads.attempt(getTrialStats),
    ]);
    const topics = stats instanceof FailedRead ? null : stats.data.topics;
    if (found instanceof FailedRead) {
      if (found.status === 400) return refused(found, asked, topics);
      throw found;
    }
    const byId = found.meta.pagination?.totalItems === 0 ? await idLookup(reads, asked) : null;
    return answered({ ...request, asked, found, coverage, landscape, topics, byId });
  },
};

type Found = Answered<OperationOutput<typeof searchTrials>>;
type Attempted<Options extends Operation> = Answered<OperationOutput<Options>> | FailedRead;

interface Answers extends Pick<PageRequest, 'pictures'> {
  asked: AskedSearch;
  found: Found;
  coverage: Attempted<typeof getTrialCoverage>;
  landscape: Attempted<typeof getTrialLandscape>;
  topics: SearchFormInput['topics'];
  byId: ById | null;
}

function answered({ asked, found, coverage, landscape, topics, byId, pictures }: Answers): PageContent {
  const { meta, data } = found;
  const applied = appliedFilters(meta.filters);
  const address = new URLSearchParams(applied as Record<string, string>);
  const paging = meta.pagination ?? { returned: data.trials.length, hasMore: null };
  const total = paging.totalItems ?? data.trials.length;
  const list =
    total === 0
      ? nothing(applied, byId)
      : html`${trialList(data.trials)}
${listPager(address, paging)}`;
  return {
    title: 'Trials',
    main: html`<p>Every trial of the registries once, however often it was registered. Last update first.</p>
${searchForm({ values: applied, topics })}
${ignoredNotice([...(meta.ignored ?? []), ...asked.dropped])}
${appliedChips(applied)}
<div class="columns"><section aria-labelledby="found">
<h2 id="found">${total === 1 ? '1 trial' : `${count(total)} trials`} found</h2>
${standing(meta)}
${applied.q !== undefined && html`<p class="soft">Each has every word in its title, conditions, interventions or sponsor, whatever the spelling (British or American), number and case; “a phrase” as it stands.</p>`}
${list}
</section>
<aside aria-labelledby="narrow"><h2 id="narrow">Narrow by</h2>${total === 0 ? html`<p>Nothing was found that could be narrowed.</p>` : facets({ applied, landscape, coverage })}</aside></div>
${!(landscape instanceof FailedRead) && mixPicture(landscape.data, landscape.meta.snapshot ?? '', pictures)}`,
    calls: [
      httpInput(searchTrials, {
        ...applied,
        ...(paging.page !== undefined && paging.page > 1 && { page: paging.page }),
      }).path,
      httpInput(getTrialLandscape, applied).path,
      httpInput(getTrialCoverage, applied).path,
    ],
  };
}

/** Whether the number found counts all trials that exist. */
function standing({ provenance, degraded }: ReadMeta): Html {
  const unanswered = (provenance?.unanswered ?? []) as (keyof typeof REGISTRY_NAMES)[];
  if (unanswered.length > 0) {
    return html`<p class="notice" role="note">${unanswered.map((id) => REGISTRY_NAMES[id]).join(', ')} gave no answer: its trials are missing here, which does not mean that there are none.</p>`;
  }
  return html`<p class="soft">An exact count of this snapshot of the two registries${degraded === true && ', one of which is served from an older or incomplete set'}; not a count of all trials in the world.</p>`;
}

interface ById {
  id: string;
  trials: { canonicalId: string; title: string; standing: string }[];
}

/** Readers often paste a registration's number into the search for words. */
async function idLookup(reads: Reads, { filters }: AskedSearch): Promise<ById | null> {
  const { q } = filters;
  if (typeof q !== 'string' || !/\d/.test(q)) return null;
  const resolved = await reads.attempt(getTrialRegistrations, { id: q.trim() });
  if (resolved instanceof FailedRead) return null;
  return {
    id: resolved.data.query,
    trials: resolved.data.matches.slice(0, BY_ID_SHOWN).map(({ canonicalId, standing, trial }) => ({
      canonicalId,
      standing,
      title: trial.title ?? trial.officialTitle ?? canonicalId,
    })),
  };
}

function nothing(applied: ReturnType<typeof appliedFilters>, byId: ById | null): Html {
  const asked = FILTERS.flatMap((name) => {
    const value = applied[name];
    return value === undefined ? [] : [html`<li>${FILTER_TITLES[name]}: <bdi>${filterWords(name, value)}</bdi></li>`];
  });
  return html`${
    byId !== null &&
    html`<div class="notice"><p>But the identifier <bdi>${byId.id}</bdi> leads to:</p>
<ul>${byId.trials.map(({ canonicalId, title, standing }) => html`<li><a href="${trialAddress(canonicalId)}"><bdi>${title}</bdi></a>${standing === 'declared' && ', which states it'}</li>`)}</ul></div>`
  }
<p><strong>No trial of this index matches all of this:</strong></p>
<ul>${asked}</ul>
<p>That is no proof that there is none: the index holds two registries. Take out a filter above, or use fewer words.</p>`;
}

/** The form again, with the expected value at each refused field. */
function refused(failure: FailedRead, asked: AskedSearch, topics: SearchFormInput['topics']): PageContent {
  const { error } = failure;
  const others = otherFaults(error);
  return {
    title: 'Trials',
    status: failure.status,
    main: html`<div class="failure" role="alert"><p><a href="/docs/errors/${error.code}"><code>${error.code}</code></a>: the search was not carried out, as a value is not usable. What was expected stands at its field.</p>
${others.length > 0 && html`<ul>${others.map(({ name, message }) => html`<li><code><bdi>${name}</bdi></code>: ${message}</li>`)}</ul>`}
<p class="soft">Correlation id <code>${error.correlationId}</code></p></div>
${searchForm({ values: asked.filters, topics, error })}`,
  };
}
