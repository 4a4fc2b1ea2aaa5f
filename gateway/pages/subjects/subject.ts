import { httpInput } from '../../../contract/interfaces/arguments.ts';
import { getTrialChanges } from '../../../contract/operations/trials/trial-history.ts';
import { getTrialResultsGap } from '../../../contract/operations/trials/trial-results-gap.ts';
import { getTrialTrend } from '../../../contract/operations/trials/trial-trend.ts';
import type { searchTrials } from '../../../contract/operations/trials/trials.ts';
import type { TrendRecord } from '../../../contract/schemas/trials/trend.ts';
import type { ChangedTrial, TrialChange } from '../../../contract/schemas/trials/trial-change.ts';
import type { Facet } from '../../../contract/schemas/trials/trial-facets.ts';
import { failedPart } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { chart } from '../kit/chart.ts';
import { type Column, cards, counted, section, table } from '../kit/parts.ts';
import { count, instant, share } from '../kit/words.ts';
import type { PageContent, PageRequest } from '../page.ts';
import { PHASE_GROUPS, phasesByYearPicture, type YearRow, yearRows } from '../pictures/by-year.ts';
import { type Answer, type Asked, FailedRead, type Reads } from '../reads.ts';
import { silentNotes } from '../trials/not-stated.ts';
import { type Given, searchAddress } from '../trials/search-asked.ts';
import { facetPart, readFacets } from '../trials/search-facets.ts';
import { card } from '../trials/search-list.ts';
import { fileAddress, trialsTakeAway } from '../trials/take-away.ts';
import { heldWords } from '../words/results-state.ts';
import { cut, trialAddress } from '../words/trials.ts';

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
  /** The share of other trials, to be read beside that of its own. */
  besides?: { share: AskedShare; filters: Given; whose: string } | undefined;
}

export type Found = Answer<typeof searchTrials>;

/** How many trials were found. */
export function totalOf({ meta, data }: Found): number {
  return meta.pagination?.totalItems ?? data.trials.length;
}

/** Trials and changes shown; the search and the feed have all. */
export const SHOWN = 3;

/** `found` are the newest trials of the subject, which its page has read to know that there are any. */
export async function subjectContent(
  { reads: { bare: reads }, baseUrl }: PageRequest,
  { title, filters, counts, facets: more, notes = false, besides }: Subject,
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
  const asOf = typeof found.meta.provenance?.asOf === 'string' ? found.meta.provenance.asOf : undefined;
  return {
    title,
    canonical: `${baseUrl}${canonical}`,
    description: `${total.toLocaleString('en-GB')} trials of ClinicalTrials.gov and ISRCTN: ${title}. Phases over time, statuses, results, newest trials and changes.`,
    feeds: [{ title: `Trials: ${title}`, href: fileAddress('atom', address) }],
    main: html`<p class="lead"><strong>${counted(total, searchAddress(filters))}</strong> ${total === 1 ? 'trial' : 'trials'} ${counts}.</p>
${notes}
${section('results', 'Results', resultsShare(share, filters, besides))}
${section(
  'phases',
  'Phases over time',
  trend instanceof FailedRead
    ? failedPart('The counts by year', trend)
    : (phasesOverTime({ filters, trend: trend.data, of: title, page: canonical }) ??
        html`<p>None of these trials states when it started.</p>`),
)}
${section(
  'kinds',
  'What kinds of trials',
  html`<div class="facet-columns">${
    facets instanceof FailedRead
      ? failedPart('The counts by value', facets)
      : shown.map((name) => facetPart(facets, name, address, { open: name === 'status', silent: silent[name] }))
  }</div>`,
)}
${section(
  'newest',
  'Newest trials',
  html`<p class="hint">By their start; starts in the future are planned.</p>
${cards(found.data.trials.map(({ matchedBy: _, ...trial }) => card(trial, asOf)))}
<p><a href="${searchAddress({ ...filters, sort: 'start' })}">All of them in this order</a></p>`,
)}
${section('changes', 'Newest changes', changedTrials(changes, address))}
${trialsTakeAway(total, address)}`,
    calls: [httpInput(getTrialTrend, { ...filters, split: 'phase' }).path, httpInput(getTrialChanges, filters).path],
  };
}

/** What the served snapshot changed about the trials of a subject. */

const TITLE_MAX_CHARACTERS = 160;

const KINDS: Record<TrialChange['kind'], string> = {
  'trial-added': 'new here',
  'trial-changed': 'changed',
  'trial-merged': 'merged with another trial',
  'trial-removed': 'removed',
  'trial-split': 'split from another trial',
  'registration-added': 'registration added',
  'registration-changed': 'registration changed',
  'registration-removed': 'registration removed',
  'identifier-gained': 'identifier added',
  'identifier-lost': 'identifier removed',
  'link-changed': 'link changed',
  'link-gained': 'link added',
  'link-lost': 'link removed',
  'publication-gained': 'publication added',
  'publication-lost': 'publication removed',
};

type Changes = Asked<typeof getTrialChanges>;

export function changedTrials(changes: Changes, address: URLSearchParams): Html {
  const feed = html`<p><a href="${fileAddress('atom', address)}">Follow these trials by feed</a></p>`;
  if (changes instanceof FailedRead) return html`${failedPart('The changes', changes)}${feed}`;
  const { trials, between } = changes.data;
  if (trials.length === 0) {
    return html`<p>The newest snapshot changed none of these trials${!between.complete && ', as far as its changes are kept'}.</p>${feed}`;
  }
  return html`<ul class="changed">${trials.map(changed)}</ul>
${changes.meta.pagination?.hasMore === true && html`<p class="hint">More of them changed; the feed has every one.</p>`}${feed}`;
}

function changed({ canonicalId, heldBy, title, publishedAt, kinds }: ChangedTrial): Html {
  const name = html`<bdi>${cut(title ?? canonicalId, TITLE_MAX_CHARACTERS)}</bdi>`;
  return html`<li>${heldBy === null ? name : html`<a href="${trialAddress(heldBy)}">${name}</a>`} <span class="hint">${kinds.map((kind) => KINDS[kind]).join(', ')}, ${instant(publishedAt.slice(0, 10))}</span></li>
`;
}

/** Trials of a subject by the year of their start and by phase. */

interface PhasesInput {
  /** Filters of the trials counted. */
  filters: Given;
  trend: TrendRecord;
  /** Whose trials they are, in words. */
  of: string;
  /** Path of the page. */
  page: string;
}

/** Null where no trial states a start. */
function phasesOverTime({ filters, trend, of, page }: PhasesInput): Html | null {
  const own = filters as Record<string, string>;
  const rows = yearRows(trend, own.registry);
  if (rows.length === 0) return null;
  return chart({
    picture: phasesByYearPicture(trend, own, { page, of }),
    table: table('Trials by year of start and phase', rows, columnsOf(filters)),
  });
}

function columnsOf(filters: Given): Column<YearRow>[] {
  const column = (title: string, more: Given, numberOf: (row: YearRow) => number | null): Column<YearRow> => {
    // There are hundreds of links, and the year alone tells those of a column apart.
    const address = searchAddress({ ...filters, ...more });
    return [
      title,
      (row) => {
        const value = numberOf(row);
        return counted(value, value === null || value === 0 ? null : `${address}&${within(row.year)}`);
      },
      'number',
    ];
  };
  return [
    ['Year', ({ year }) => year],
    ...PHASE_GROUPS.map(({ title, phases }, group) =>
      column(title, { phase: phases.join(','), phaseMatch: 'exact' }, ({ groups }) => groups[group] ?? null),
    ),
    column('All', {}, ({ trials }) => trials),
  ];
}

const within = (year: string): string => `startedAfter=${year}-01-01&startedBefore=${year}-12-31`;

/** The share of completed trials without results, never without its numbers and its definition. */

export type AskedShare = Asked<typeof getTrialResultsGap>;
type GapRecord = Answer<typeof getTrialResultsGap>['data'];

export function readResultsShare(reads: Reads, filters: Given): Promise<AskedShare> {
  return reads.attempt(getTrialResultsGap, filters);
}

function resultsShare(read: AskedShare, filters: Given, besides?: Subject['besides']): Html {
  if (read instanceof FailedRead) return failedPart('The share without results', read);
  const { numerator, denominator, definition } = read.data;
  if (numerator === null || denominator === null) {
    return html`<p>Not known: ClinicalTrials.gov, whose trials are counted, never answered.</p>`;
  }
  const other =
    besides !== undefined &&
    (besides.share instanceof FailedRead
      ? failedPart(besides.whose, besides.share)
      : html`<p class="lead">${besides.whose}: ${shareInWords(besides.share.data, besides.filters)}. <a href="${gapAddress(besides.filters)}">In groups</a></p>`);
  return html`<p class="lead">${besides !== undefined && 'Under this name alone: '}${shareInWords(read.data, filters)}.</p>
${other}
<p class="definition">Of ${heldWords(read.data)}. ${definition}</p>
${denominator > 0 && html`<p><a href="${gapAddress(filters)}">The same in groups, and by other clocks</a></p>`}`;
}

function shareInWords({ numerator, denominator, queries, daysOverdue }: GapRecord, filters: Given): Html {
  if (numerator === null || denominator === null || denominator === 0)
    return html`Of none of these trials were results due yet`;
  const list = (query: Given) => searchAddress({ ...filters, ...query });
  return html`<strong>${share(numerator, denominator)}</strong>: ${counted(numerator, numerator === 0 ? null : list(queries.numerator))} of ${counted(denominator, list(queries.denominator))} trials whose results were due have none posted${daysOverdue !== null && ` (half of them ${count(Math.round(daysOverdue.median))} days overdue or more, the longest ${count(daysOverdue.longest)})`}`;
}

/** The page of the results gap takes the filters of the search. */
const gapAddress = (filters: Given): string => `/results-gap?${new URLSearchParams(filters)}`;

interface NotHeld {
  /** What was asked for, as it stands in the address. */
  name: string;
  /** "sponsor", "condition" or "country". */
  kind: string;
  /** Pages of near names, each a whole line. */
  near: readonly Html[];
  index: { title: string; href: string };
}

/** A page that says that nothing is held under a name, and leads to near ones. */
export function notHeld({ name, kind, near, index }: NotHeld): PageContent {
  return {
    title: `No such ${kind} here`,
    status: 404,
    main: html`<p>No trial of this index has the ${kind} “<bdi>${name}</bdi>”. That does not prove that there is none: the index holds only two registries, as they were on the day of the snapshot.</p>
${near.length > 0 && html`<h2>Near names</h2><ul>${near.map((one) => html`<li>${one}</li>`)}</ul>`}
<p><a href="${index.href}">${index.title}</a> or <a href="/trials?q=${encodeURIComponent(name)}">search all texts for it</a>.</p>`,
  };
}
