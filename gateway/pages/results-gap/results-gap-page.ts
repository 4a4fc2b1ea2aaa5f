import { TOPIC_IDS } from '../../../contract/declared/topics.ts';
import { getResultsGap } from '../../../contract/operations/board/results-gap.ts';
import { getTrialResultsGap } from '../../../contract/operations/trials/trial-results-gap.ts';
import { searchTrials } from '../../../contract/operations/trials/trials.ts';
import { trialFilterParameters } from '../../../contract/trial-filters.ts';
import { failedPart, failureNotice } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { addressWith, apiCall, givenOf } from '../kit/address.ts';
import { chips } from '../kit/list-controls.ts';
import { command, counted, record, table, takeAway } from '../kit/parts.ts';
import { count, joined, longDay, share } from '../kit/words.ts';
import type { Page, PageContent, PageRequest } from '../page.ts';
import { GROUP_TITLES } from '../pictures/results-gap.ts';
import { type Answered, FailedRead } from '../reads.ts';
import { redirect } from '../redirect.ts';
import { heldWords } from '../words/results-state.ts';
import { FILTER_TITLES, filterWords, named, REGISTRY_NAMES, type TrialFilter } from '../words/trials.ts';
import { agentsPart } from './agents-part.ts';
import { gapForm } from './gap-form.ts';
import { groupsPart } from './groups-part.ts';
import { type Gap, listArguments, listed, PATH, shareOf, trialsOf } from './list-part.ts';

const TITLE = 'Completed trials without posted results';
/** How the groups are shown unless the address says otherwise. */
const SHOWN = { by: 'disease', pageSize: '5' };
/** What the address of this page takes: the filters of a search, the clock, and one way to group. */
const { resultsGap: _gap, resultsDue: _due, ...filterParameters } = trialFilterParameters;
const FILTERS = Object.keys(filterParameters) as TrialFilter[];
const TAKEN = [...FILTERS, 'by', 'page'] as const;
/** They say how others are read, and are no filters of their own. */
const READINGS: readonly TrialFilter[] = ['match', 'phaseMatch', 'sponsorMatch', 'conditionMatch'];
/** Stands in the sentence anyway. */
const CLOCK: readonly TrialFilter[] = ['gapClock', 'gapMonths'];

/** A share that can be quoted, with its numerator, denominator, definition, list and chart. */
export const resultsGapPage: Page = {
  id: 'page-results-gap',
  async respond(request) {
    const { reads, baseUrl, query: sent } = request;
    const query = cleanQuery(sent);
    // A form sends its empty fields too; an address to quote has none.
    if ([...sent.values()].some((value) => value.trim() === '')) return redirect(addressWith(PATH, query, {}));
    const given = givenOf(query, TAKEN);
    const [gap, agents] = await Promise.all([
      reads.attempt(getTrialResultsGap, { ...SHOWN, ...given }),
      agentsPart(reads, baseUrl),
    ]);
    if (gap instanceof FailedRead) return refused(gap, query, agents);
    const unknown = [...query.keys()].filter((name) => !(TAKEN as readonly string[]).includes(name));
    return shown(request, { gap, query, agents, unknown });
  },
};

/** Without empty fields, which a form sends, and with `disease` under the name of its filter. */
function cleanQuery(sent: URLSearchParams): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of sent) {
    if (value.trim() === '') continue;
    if (name === 'disease') query.set(...diseaseFilter(value.trim()));
    else if (!query.has(name)) query.set(name, value.trim());
  }
  return query;
}

function diseaseFilter(value: string): [name: string, value: string] {
  const topic = value === 't1d' ? 'type-1-diabetes' : value;
  return (TOPIC_IDS as readonly string[]).includes(topic) ? ['topic', topic] : ['condition', value];
}

function refused(failed: FailedRead, query: URLSearchParams, agents: Html): PageContent {
  if (failed.status !== 400) {
    const { retryAfterSeconds } = failed.error;
    return {
      ...{ title: TITLE, status: failed.status },
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds, refreshSeconds: retryAfterSeconds }),
      main: html`${failedPart('The share of trials', failed)}${agents}`,
    };
  }
  const { parameter = '', expected = '' } = failed.error;
  const title = FILTER_TITLES[parameter as TrialFilter] ?? (parameter === 'by' ? 'The way to group' : null);
  const wanted = expected.replace(
    /a topic id that \S+ lists; nearest to the text that was sent:/,
    'a topic of the list, such as',
  );
  return {
    title: TITLE,
    status: 400,
    main: html`${
      title === null
        ? failureNotice(failed.error)
        : html`<div class="failure" role="alert"><p>${title}: nothing is known by “<bdi>${query.get(parameter)}</bdi>”. Please use ${wanted}.</p>
<p><a href="${addressWith(PATH, query, { [parameter]: '' })}">Go on without it</a></p></div>`
    }
${gapForm(query, { open: true })}`,
  };
}

interface Shown {
  gap: Answered<Gap>;
  query: URLSearchParams;
  agents: Html;
  /** Names in the address that stand for nothing. */
  unknown: readonly string[];
}

async function shown(request: PageRequest, { gap, query, agents, unknown }: Shown): Promise<PageContent> {
  const { data, meta } = gap;
  const isKnown = data.denominator !== null && data.numerator !== null;
  const list = isKnown ? await request.reads.attempt(searchTrials, listArguments(data)) : null;
  const address = addressWith(PATH, onlyTaken(query), { page: '' });
  const sentence = sentenceOf(data, query, meta.provenance?.corpus === 'sample');
  const main = html`${isKnown ? quotable(data, sentence, { address: request.baseUrl + address, version: meta.snapshot }) : unknownNumber(data)}
${unknown.length > 0 && html`<p class="notice">Not used, because nothing here has this name: ${joined(unknown.map((name) => html`<bdi>${name}</bdi>`))}.</p>`}
${chips('Only', applied(query))}
${gapForm(query, { open: false })}
${isKnown && html`${clocks(data, query)}${groupsPart(gap, query)}`}
${list !== null && listed(list, data)}
${whatCounts(data)}
${agents}
${takeAway(files(data, query))}`;
  return {
    title: TITLE,
    main,
    description: sentence,
    jsonLd: datasetOf(data, { sentence, url: request.baseUrl + address, version: meta.snapshot }),
    calls: [apiCall(getTrialResultsGap, { ...SHOWN, ...givenOf(query, TAKEN) }), apiCall(getResultsGap)],
  };
}

function onlyTaken(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams(Object.entries(givenOf(query, TAKEN)));
}

function sentenceOf(data: Gap, query: URLSearchParams, isSample: boolean): string {
  const { numerator, denominator, months, dataDay, asOf } = data;
  const scope = applied(query).flatMap(({ name, words }) => (CLOCK.includes(name) ? [] : words));
  const of = scope.length === 0 ? '' : ` (${scope.join('; ')})`;
  const source = isSample
    ? 'the synthetic sample, made in the form of ClinicalTrials.gov,'
    : "ClinicalTrials.gov's data";
  const inData = `In ${source} of ${longDay(dataDay ?? asOf)} (${heldWords(data)})`;
  if (numerator === null || denominator === null) return `${TITLE}: not known.`;
  if (denominator === 0) return `${inData}, no completed interventional trial${of} had results due.`;
  return `${inData}, ${count(numerator)} of ${count(denominator)} completed interventional trials${of} (${share(numerator, denominator)}) had no results posted, ${months} months or more after their ${clockWords(data)}, counted to ${longDay(asOf)}.`;
}

function clockWords({ clock }: Pick<Gap, 'clock'>): string {
  return clock === 'completion'
    ? 'completion'
    : 'primary completion (or completion, where no primary completion is stated)';
}

function quotable(
  data: Gap,
  sentence: string,
  { address, version }: { address: string; version: string | undefined },
): Html {
  const { numerator, denominator, queries, daysOverdue } = data;
  return html`<p class="lead"><strong>${sentence}</strong></p>
<ul class="facts">
<li><b>${counted(numerator, trialsOf(queries.numerator))}</b> without posted results</li>
<li><b>${counted(denominator, trialsOf(queries.denominator))}</b> whose results were due</li>
<li><b>${share(numerator!, denominator!)}</b> the first as a share of the second</li>
${
  daysOverdue !== null &&
  html`<li><b>${count(daysOverdue.median)}</b> days overdue, the median</li>
<li><b>${count(daysOverdue.longest)}</b> days overdue, the longest</li>`
}
</ul>
<details open><summary>Quote it</summary>
${command(`${sentence} Source: Trial Board${version === undefined ? '' : `, snapshot ${version}`}, ${address}`)}
</details>
<p>Posting is not a legal duty for every trial. “Overdue” counts days from the end of the ${data.months} months, whatever the law asks of a trial.${data.dataDay !== null && data.dataDay < data.asOf && ` What was posted after ${longDay(data.dataDay)} is not in this data: a trial whose results fell due since then counts as without results.`} ISRCTN is not covered: it does not post results in the same sense.</p>`;
}

function unknownNumber({ state }: Gap): Html {
  return html`<p class="notice"><strong>Not known.</strong> ClinicalTrials.gov gave no answer when this snapshot was made (${named(state)}), so nothing can be counted. That is not zero.</p>`;
}

interface Applied {
  name: TrialFilter;
  title: Html;
  words: string;
  removeHref: string;
}

function applied(query: URLSearchParams): Applied[] {
  return FILTERS.filter((name) => query.has(name) && !READINGS.includes(name)).map((name) => {
    const shownValue = filterWords(name, query.get(name)!);
    return {
      name,
      title: html`${FILTER_TITLES[name]}: <bdi>${shownValue}</bdi>`,
      words: `${FILTER_TITLES[name].toLowerCase()}: ${shownValue}`,
      removeHref: addressWith(PATH, query, { [name]: '', page: '' }),
    };
  });
}

function clocks({ clocks: all, clock, months }: Gap, query: URLSearchParams): Html {
  const address = (one: Gap['clocks'][number]) =>
    addressWith(PATH, query, {
      gapClock: one.clock === 'primaryCompletion' ? '' : one.clock,
      gapMonths: one.months === 18 ? '' : String(one.months),
      page: '',
    });
  const words = (one: Gap['clocks'][number]) =>
    `${one.months} months after ${one.clock === 'completion' ? 'completion' : 'primary completion'}`;
  return html`<details><summary>The same trials by each clock</summary>
${table('A number is only comparable with one of the same clock', all, [
  [
    'Clock',
    (one) =>
      one.clock === clock && one.months === months
        ? html`<strong>${words(one)}</strong> (shown)`
        : html`<a href="${address(one)}">${words(one)}</a>`,
  ],
  ['Without results', (one) => counted(one.numerator, trialsOf(one.queries.numerator)), 'number'],
  ['Results due', (one) => counted(one.denominator, trialsOf(one.queries.denominator)), 'number'],
  ['Share', (one) => shareOf(one), 'number'],
])}</details>`;
}

function whatCounts(data: Gap): Html {
  const { population, withoutDate, notYetDue, dataDay, asOf, notCovered } = data;
  return html`<h2 id="counts">What is counted, and what is not</h2>
<details><summary>Definition, what is left out, and registries that are not covered</summary><p>${data.definition}</p>
${record([
  ['Completed interventional trials', `${count(population)} on ClinicalTrials.gov among those that match`],
  ['… not yet due', `${count(notYetDue)}: their ${data.months} months have not passed`],
  ['… without the date', `${count(withoutDate)}: no clock can run, so they are in neither number`],
  ['Data of ClinicalTrials.gov', dataDay === null ? null : longDay(dataDay)],
  ['Clocks stand at', `${longDay(asOf)}, the day of the snapshot; results posted since are not seen yet`],
  ...notCovered.map(
    ({ registry, trials, why }) =>
      [
        `Not covered: ${REGISTRY_NAMES[registry]}`,
        `${why} ${count(trials)} matching trials are not on ClinicalTrials.gov.`,
      ] as const,
  ),
])}
<p class="soft">The search has no list for the first three numbers: they say what was left out.</p></details>`;
}

function files(data: Gap, query: URLSearchParams) {
  const own = addressWith('/results-gap.csv', onlyTaken(query), { page: '' });
  const by = GROUP_TITLES[data.groups?.by ?? 'disease'].toLowerCase();
  return [
    { title: 'Shares as CSV', href: own, hint: `every group by ${by}, with numerator, denominator and definition` },
    {
      title: 'Trials as CSV',
      href: `/trials.csv?${new URLSearchParams({ ...data.queries.numerator, sort: 'daysOverdue' })}`,
      hint: `the ${count(data.numerator)} trials without posted results, with the day due and days overdue, longest first`,
    },
  ];
}

function datasetOf(
  data: Gap,
  { sentence, url, version }: { sentence: string; url: string; version: string | undefined },
) {
  return {
    '@type': 'Dataset',
    name: TITLE,
    description: `${sentence} ${data.definition}`,
    url,
    ...(version === undefined ? {} : { version }),
    dateModified: data.asOf,
    measurementTechnique: data.definition,
    variableMeasured: ['trials without posted results', 'trials whose results were due', 'share', 'days overdue'],
  };
}
