import { httpInput } from '../../../contract/arguments.ts';
import type { Operation, OperationOutput } from '../../../contract/operation.ts';
import {
  getTrialCoverage,
  getTrialLandscape,
  getTrialRegistrations,
  getTrialStats,
  searchTrials,
  TRIAL_SORTS,
  trialFilterParameters,
} from '../../../contract/operations/trials.ts';
import type { TrialListItem } from '../../../contract/schemas/trial.ts';
import { type Html, html } from '../html.ts';
import { addressWith } from '../kit/address.ts';
import { pager } from '../kit/pager.ts';
import { count, joined } from '../kit/words.ts';
import type { Page, PageContent, PageRequest } from '../page.ts';
import { type Answered, FailedRead, type Pagination, type ReadMeta, type Reads } from '../reads.ts';
import { mixPicture } from './mix-picture.ts';
import { facets } from './search-facets.ts';
import { type Given, otherFaults, type SearchFormInput, searchForm } from './search-form.ts';
import { grounds, matchingNote, matchMeta, trials as trialsInWords, unheldNote, wayOut } from './search-matching.ts';
import {
  type AppliedFilters,
  cut,
  FILTER_TITLES,
  firstOf,
  listOf,
  named,
  REGISTRY_NAMES,
  registeredAs,
  registryDate,
  SORT_TITLES,
  type TrialFilter,
  type TrialSort,
  titleOfField,
  trialAddress,
} from './words.ts';

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
  const order = orderOf(asked);
  const address = new URLSearchParams({ ...(applied as Record<string, string>), ...order });
  const paging = meta.pagination ?? { returned: data.trials.length, hasMore: null };
  const total = paging.totalItems ?? data.trials.length;
  const matched = matchMeta(meta);
  const list =
    total === 0
      ? nothing(applied, html`${byIdNote(byId)}${byId === null && unheldNote(matched)}${wayOut(matched, address)}`)
      : html`${wayOut(matched, address)}${trialList(data.trials)}
${listPager(address, paging)}`;
  return {
    title: 'Trials',
    main: html`<p>Every trial of the registries once, however often it is registered; ${SORT_TITLES[order.sort ?? 'updated'].toLowerCase()}.</p>
${searchForm({ values: { ...applied, ...order }, topics })}
${ignoredNotice([...(meta.ignored ?? []), ...asked.dropped])}
${appliedChips(applied, address)}
<div class="columns"><section aria-labelledby="found">
<h2 id="found">${trialsInWords(total)} found</h2>
${standing(meta)}
${applied.q !== undefined && html`<p class="soft">${HOW_MATCHED[applied.match === 'concepts' ? 'concepts' : 'words']}</p>`}
${matchingNote(matched, address)}
${list}
</section>
<aside aria-labelledby="narrow"><h2 id="narrow">Narrow by</h2>${total === 0 ? html`<p>There is nothing to narrow.</p>` : facets({ applied, address, landscape, coverage })}</aside></div>
${!(landscape instanceof FailedRead) && mixPicture(landscape.data, landscape.meta.snapshot ?? '', pictures)}`,
    calls: [
      httpInput(searchTrials, {
        ...applied,
        ...order,
        ...(paging.page !== undefined && paging.page > 1 && { page: paging.page }),
      }).path,
      httpInput(getTrialLandscape, applied).path,
      httpInput(getTrialCoverage, applied).path,
    ],
  };
}

const HOW_MATCHED = {
  words:
    'Each trial has every word in its title, conditions, interventions or sponsor, in any spelling (British or American), number and case; “a phrase” matches exactly.',
  concepts:
    'Each trial is about what the words mean, by any of its names or as a narrower kind, or has the words side by side; “a phrase” matches exactly, and OR, -word and parentheses are understood.',
};

/** Whether the number found counts all trials that exist. */
function standing({ provenance, degraded }: ReadMeta): Html {
  const unanswered = (provenance?.unanswered ?? []) as (keyof typeof REGISTRY_NAMES)[];
  if (unanswered.length > 0) {
    return html`<p class="notice" role="note">${unanswered.map((id) => REGISTRY_NAMES[id]).join(', ')} did not answer: its trials are missing here, but they may exist.</p>`;
  }
  const kept = (
    (provenance?.registries ?? []) as { registry: keyof typeof REGISTRY_NAMES; state: string; dataDay: string }[]
  )
    .filter(({ state }) => state === 'kept')
    .map(
      ({ registry, dataDay }) => `${REGISTRY_NAMES[registry]} did not answer last: its data of ${dataDay} are kept.`,
    );
  return html`<p class="soft">${kept.map((words) => `${words} `)}An exact count of this snapshot of the two registries${degraded === true && ', one of which is served from an older or incomplete set'}; not a count of all trials in the world.</p>`;
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

function byIdNote(byId: ById | null): Html | false {
  return (
    byId !== null &&
    html`<div class="notice"><p>But the identifier <bdi>${byId.id}</bdi> leads to:</p>
<ul>${byId.trials.map(({ canonicalId, title, standing }) => html`<li><a href="${trialAddress(canonicalId)}"><bdi>${title}</bdi></a>${standing === 'declared' && ', which states it'}${standing === 'sponsor-code' && ', whose sponsor gave it as a code'}</li>`)}</ul></div>`
  );
}

/** What was asked where nothing was found, and what finds something. */
function nothing(applied: AppliedFilters, help: Html): Html {
  const asked = FILTERS.flatMap((name) => {
    const value = applied[name];
    return value === undefined ? [] : [html`<li>${FILTER_TITLES[name]}: <bdi>${filterWords(name, value)}</bdi></li>`];
  });
  return html`<p><strong>No trial of this index matches all of this:</strong></p>
<ul>${asked}</ul>
${help}
<p>That does not prove that there is none: the index holds only two registries. Remove a filter above, or use fewer words.</p>`;
}

/** The form again, with the expected value at each refused field. */
function refused(failure: FailedRead, asked: AskedSearch, topics: SearchFormInput['topics']): PageContent {
  const { error } = failure;
  const others = otherFaults(error);
  return {
    title: 'Trials',
    status: failure.status,
    main: html`<div class="failure" role="alert"><p><a href="/docs/errors/${error.code}"><code>${error.code}</code></a>: the search did not run, because a value is not usable. Each field says what it expects.</p>
${others.length > 0 && html`<ul>${others.map(({ name, message }) => html`<li><code><bdi>${name}</bdi></code>: ${message}</li>`)}</ul>`}
<p class="soft">Correlation id <code>${error.correlationId}</code></p></div>
${searchForm({ values: asked.search, topics, error })}`,
  };
}

const FILTERS = Object.keys(trialFilterParameters) as TrialFilter[];

/** Parameters that the page sets itself, to bound its size. */
const OWN_PARAMETERS = ['pageSize', 'include'];

interface AskedSearch {
  /** Arguments of the search, including unknown names, so that its answer lists them as ignored. */
  search: Given;
  /** Only the filters, for coverage and landscape. */
  filters: Given;
  /** Parameters of the operation that the page does not accept. */
  dropped: string[];
}

/** Parses the address: an empty field does not filter, and a list may be given as repeated parameters. */
function askedSearch(query: URLSearchParams): AskedSearch {
  const given = [...new Set(query.keys())].flatMap((name): [string, string | string[]][] => {
    const values = query.getAll(name).filter((value) => value.trim() !== '');
    const [first, ...others] = values;
    if (first === undefined) return [];
    return [[name, others.length === 0 ? first : values]];
  });
  const isFilter = (name: string): boolean => (FILTERS as readonly string[]).includes(name);
  const isOwn = (name: string): boolean => OWN_PARAMETERS.includes(name);
  return {
    search: Object.fromEntries(given.filter(([name]) => !isOwn(name))),
    filters: Object.fromEntries(given.filter(([name]) => isFilter(name))),
    dropped: given.map(([name]) => name).filter(isOwn),
  };
}

/** The filters that an answer reports as applied. */
function appliedFilters(filters: Record<string, unknown> | undefined): AppliedFilters {
  return Object.fromEntries(
    FILTERS.flatMap((name) => {
      const value = filters?.[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

/** The order that was asked for and served; without one it is that of updates. */
function orderOf({ search: { sort } }: AskedSearch): { sort?: TrialSort } {
  const asked = TRIAL_SORTS.find((one) => one === sort);
  return asked === undefined ? {} : { sort: asked };
}

/** Filters that take free text, shown as given. */
const TEXTS: readonly TrialFilter[] = ['q', 'condition', 'intervention', 'sponsor', 'country', 'topic'];

/** One filter in words. */
function filterWords(name: TrialFilter, value: string): string {
  if (TEXTS.includes(name)) return value;
  return listOf(value)
    .map(name === 'conflictsOn' ? titleOfField : named)
    .join(' or ');
}

/** The applied filters; each is a link that removes it. */
function appliedChips(applied: AppliedFilters, address: URLSearchParams): Html | false {
  const names = FILTERS.filter((name) => applied[name] !== undefined);
  if (names.length === 0) return false;
  return html`<h2 id="applied">Applied filters</h2>
<ul class="chips" aria-labelledby="applied">${names.map((name) => {
    const value = filterWords(name, applied[name]!);
    return html`<li><a href="${addressWith('/trials', address, { [name]: '' })}" aria-label="Remove the filter ${FILTER_TITLES[name]}: ${value}">${FILTER_TITLES[name]}: <bdi>${value}</bdi> ×</a></li>`;
  })}</ul>`;
}

/** Names the parameters that had no effect. */
function ignoredNotice(ignored: readonly string[]): Html | false {
  if (ignored.length === 0) return false;
  return html`<p class="notice" role="note"><strong>Ignored:</strong> ${joined(ignored.map((name) => html`<code><bdi>${name}</bdi></code>`))}. This page does not know ${ignored.length === 1 ? 'this parameter' : 'these parameters'}, which had no effect.</p>`;
}

const TITLE_MAX_CHARACTERS = 300;
const TERMS_SHOWN = 4;

function trialList(trials: readonly TrialListItem[]): Html {
  return html`<ol class="cards">${trials.map(listed)}</ol>`;
}

function listed(trial: TrialListItem): Html {
  const { canonicalId, dates, enrollment, sponsor, conflicts } = trial;
  const title = trial.title ?? trial.officialTitle ?? canonicalId;
  const facts = [
    named(trial.recruitmentStatus),
    phaseWords(trial.phase),
    named(trial.studyType),
    ...(enrollment.count === null ? [] : [enrolled(enrollment)]),
    ...(trial.resultsAvailable ? ['Results posted'] : []),
  ];
  return html`<li><h3><a href="${trialAddress(canonicalId)}"><bdi>${cut(title, TITLE_MAX_CHARACTERS)}</bdi></a></h3>
<p>${facts.join(' · ')}</p>
<p>Sponsor: <bdi>${sponsor.name === null ? 'not stated' : cut(sponsor.name, TITLE_MAX_CHARACTERS)}</bdi>${sponsor.class !== 'unknown' && ` (${named(sponsor.class)})`}</p>
${terms('Conditions', trial.conditions)}
${terms(
  'Interventions',
  trial.interventions.flatMap(({ name }) => name ?? []),
)}
${grounds(trial.matchedBy)}
${labels(trial)}
<p class="soft">Registered as ${registeredAs(trial)}. Started ${registryDate(dates.start)}, last updated ${registryDate(dates.lastUpdated)}.${
    conflicts.length > 0 &&
    html` <strong>${conflicts.length === 1 ? '1 field differs' : `${count(conflicts.length)} fields differ`}</strong> between its registrations.`
  }</p></li>
`;
}

function terms(name: string, values: readonly string[]): Html | false {
  const shown = firstOf(values, TERMS_SHOWN);
  return shown !== null && html`<p>${name}: <bdi>${shown}</bdi></p>`;
}

/** A phase, for a place where no label says so. */
function phaseWords(phase: TrialListItem['phase']): string {
  const name = named(phase);
  return ['not-stated', 'not-applicable'].includes(phase) ? `Phase ${name.toLowerCase()}` : name;
}

/** Number of people, and whether planned or counted. */
export function enrolled({ count: people, type }: TrialListItem['enrollment']): string {
  if (people === null) return 'not stated';
  return `${count(people)} people${type === null ? '' : type === 'actual' ? ' (actual)' : ' (planned)'}`;
}

/** The terms that an inferred modality rests on. */
export function labels({ modality }: Pick<TrialListItem, 'modality'>): Html | false {
  if (modality === undefined) return false;
  const inferred = modality.labels.map(({ id, matchedTerms }) => {
    const words = firstOf(
      matchedTerms.map(({ text, field }) => `“${text}” in ${field}`),
      TERMS_SHOWN,
    );
    return `${named(id)} by ${words ?? 'no term'}`;
  });
  return html`<p>Modality, inferred by ${modality.vocabulary}: <bdi>${inferred.length === 0 ? 'none recognised' : inferred.join('; ')}</bdi></p>`;
}

/** The part of all trials found that is shown, with links to the parts beside it. */
function listPager(query: URLSearchParams, paging: Pagination): Html {
  const { page = 1, pageSize = 1, totalItems = 0, returned } = paging;
  const first = (page - 1) * pageSize + 1;
  const last = Math.max(1, Math.ceil(totalItems / pageSize));
  return pager({
    path: '/trials',
    query,
    paging,
    shown:
      returned === 0
        ? `Page ${count(page)} is beyond the last, which is ${count(last)}`
        : `${count(first)} to ${count(first + returned - 1)} of ${count(totalItems)}`,
  });
}
