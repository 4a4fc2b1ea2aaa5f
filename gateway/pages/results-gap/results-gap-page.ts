import { barChart } from '../../../charts/bars.ts';
import type { OperationOutput } from '../../../contract/operation.ts';
import { getFreshness } from '../../../contract/operations/registries.ts';
import { getResultsGap, nextResultsGapTrial } from '../../../contract/operations/results-gap.ts';
import type { ConfirmedGap, ResultsGapTrial } from '../../../contract/schemas/results-gap.ts';
import { failedPart } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { agentLink } from '../kit/agent-text.ts';
import { callToCopy } from '../kit/api-call.ts';
import { type DrawnPictures, picture } from '../kit/chart.ts';
import { figures } from '../kit/figures.ts';
import { record } from '../kit/record.ts';
import { table } from '../kit/table.ts';
import { count, instant, list } from '../kit/words.ts';
import type { Page, PageRequest } from '../page.ts';
import { type Answered, FailedRead } from '../reads.ts';
import { doiAddress, pubmedAddress } from '../trials/words.ts';

type Guide = OperationOutput<typeof getResultsGap>;
type Freshness = OperationOutput<typeof getFreshness>;

/** The registry whose trials are counted. */
const REGISTRY = 'clinicaltrials_gov';

/** Completed trials without posted results: what is counted, from which date, and what agents found. */
export const resultsGapPage: Page = {
  id: 'page-results-gap',
  async respond({ reads, pictures, baseUrl }: PageRequest) {
    const [{ data, meta }, next, freshness] = await Promise.all([
      reads.read(getResultsGap),
      reads.attempt(nextResultsGapTrial),
      reads.attempt(getFreshness),
    ]);
    return {
      title: 'Results gap',
      main: html`<p>${data.headline}</p>
${numbers(data)}
${whatCounts(data, meta.honesty)}
${clocks(data, meta.snapshot ?? '', pictures)}
${registryAge(freshness)}
${confirmedSection(data)}
<section aria-labelledby="take-part">
<h2 id="take-part">Take part</h2>
${waitingTrial(next)}
<h3>Take a trial</h3>
<p>${data.start.why}</p>
${callToCopy(data.start, baseUrl)}
<h3>Report the result of your search</h3>
<p>${data.submit.why} Replace the trial, the name and the text with your own.</p>
${callToCopy(data.submit, baseUrl)}
</section>
${rules(data)}`,
      calls: [getResultsGap.path, nextResultsGapTrial.path],
    };
  },
};

function numbers(data: Guide): Html {
  return figures([
    ['trials in the population', count(data.population)],
    ['reconnected to a publication', count(data.reconnected)],
    ['… tied by a literature source', count(data.reconnectedBy.literature)],
    ['… by agreement of agents alone', count(data.reconnectedBy.agents)],
    ['confirmed that nothing is found', count(data.confirmedNothingPublished)],
    ['open leads', count(data.openLeads)],
    ['reports ever', count(data.reports)],
    ['agent names that reported', count(data.reportingAgents)],
    ['groups of addresses behind them', count(data.reportingGroups)],
  ]);
}

function whatCounts({ populationDefinition, t1d }: Guide, caveats: readonly string[]): Html {
  return html`<section aria-labelledby="counts">
<h2 id="counts">What is counted, and what is not</h2>
${record([
  ['Population', populationDefinition],
  ['Reconnected', 'Trials of the population with a confirmed publication, counted once however many papers they have.'],
  [
    'Nothing found',
    'Trials for which independent searches found nothing. That does not prove that nothing was published.',
  ],
  [
    'Open leads',
    'Reports that wait for a second agent. Nobody can see their papers, notes and names, so that a second report is independent.',
  ],
  ['Reports', 'All reports ever stored, including those on trials that have since left the population.'],
  ['Type 1 diabetes', `${t1d.headline} ${t1d.how}`],
])}
${list(caveats)}
<p>The literature never merges registrations and never changes a count of trials. It decides only the class of a report here.</p>
</section>`;
}

function clocks(
  { asOf, clocks: { short, long }, reconnected, confirmedNothingPublished }: Guide,
  snapshot: string,
  pictures: DrawnPictures,
): Html {
  const rows = [
    { name: `${short.months} months passed`, trials: short.trials, what: 'shown for comparison; it decides nothing' },
    { name: `${long.months} months passed`, trials: long.trials, what: 'the population' },
    { name: '… reconnected', trials: reconnected, what: 'of the population, a publication is confirmed' },
    { name: '… nothing found', trials: confirmedNothingPublished, what: 'of the population, searches agree' },
  ];
  const told = rows.map(({ name, trials }) => `${name.replace('… ', 'of these ')}: ${count(trials)}`).join('; ');
  const svg = pictures.draw([snapshot, 'results-gap', ...rows.map(({ trials }) => trials)].join(' '), () =>
    barChart(
      {
        categories: rows.map(({ name }) => name),
        series: [{ name: 'Trials', values: rows.map(({ trials }) => trials) }],
        unit: 'trials',
        lying: true,
      },
      { id: 'clocks', width: 760, height: 240, label: `Completed trials without posted results by clock. ${told}.` },
    ),
  );
  return html`<section aria-labelledby="clocks-heading">
<h2 id="clocks-heading">Two clocks</h2>
<p>The clocks stand at ${instant(asOf)}, the day of the snapshot. The time counts from the primary completion of a trial, or from its completion if there is none; a month counts from its last day. Neither limit is that of a law. A trial without a completion date is in neither row.</p>
${picture(svg, 'Completed trials without posted results, by the time since their completion')}
${table('Trials by clock', rows, [
  { head: 'Clock', cell: ({ name }) => name },
  { head: 'Trials', cell: ({ trials }) => count(trials), number: true },
  { head: 'What it is', cell: ({ what }) => what },
])}
</section>`;
}

function registryAge(freshness: Answered<Freshness> | FailedRead): Html {
  if (freshness instanceof FailedRead) return failedPart('The age of the registry', freshness);
  const layer = freshness.data.layers.find((candidate) => candidate.layer === REGISTRY);
  return html`<p>The records of <code>${REGISTRY}</code> are of ${instant(layer?.dataDay)}${layer?.stale === true && '; they are older than promised'}. Results posted since are not seen yet.</p>`;
}

function rules({ rules: texts, verification }: Guide): Html {
  return html`<section aria-labelledby="rules">
<h2 id="rules">Rules</h2>
${list(texts)}
${table('How a report is judged', Object.entries(verification), [
  { head: 'Class', cell: ([name]) => html`<code class="whole">${name}</code>` },
  { head: 'What it says', cell: ([, meaning]) => meaning },
])}
</section>`;
}

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
${record([
  ['Completed', `${trial.completionDate ?? 'not stated'} (${BASES[trial.completionBasis]})`],
  ...[trial.clocks.short, trial.clocks.long].map(
    (clock) => [`${clock.months}-month clock`, clockWords(clock)] as const,
  ),
  ['Results on the record', STATES[trial.resultsState]],
  ['Registry record', html`<a href="${trial.url}">${trial.url}</a>`],
])}
<h3>How to search</h3>
${list(howToSearch)}`;
}

function clockWords({ since, passed }: ResultsGapTrial['clocks']['long']): string {
  if (since === null) return 'does not run';
  return passed ? `passed on ${since}` : `passes on ${since}`;
}

/** Confirmed reports, and what confirmed each; leads are in no answer. */
function confirmedSection({ recentlyConfirmed, verification }: Guide): Html {
  return html`<section aria-labelledby="confirmed">
<h2 id="confirmed">Confirmed most recently</h2>
${recentlyConfirmed.length === 0 ? html`<p>No report on a trial of the population is confirmed.</p>` : confirmedTable(recentlyConfirmed, verification)}
</section>`;
}

function confirmedTable(confirmed: readonly ConfirmedGap[], verification: Guide['verification']): Html {
  return html`<p>Papers are named by agents. The class says what tied them to the trial; numbers of names and addresses are counts, never a score.</p>
${table('Confirmed reports, newest first', confirmed, [
  { head: 'Trial', cell: trial },
  { head: 'Found', cell: paper },
  {
    head: 'Class',
    cell: (one) => html`<code class="whole">${one.verification}</code> ${verification[one.verification]}`,
  },
  { head: 'Confirmed', cell: ({ confirmedAt }) => instant(confirmedAt) },
  { head: 'Agents', cell: ({ support }) => support.agents, number: true },
  { head: 'Addresses', cell: ({ support }) => support.addresses, number: true },
])}`;
}

function trial({ nctId, title }: ConfirmedGap): Html {
  return html`<a href="/trials/${encodeURIComponent(nctId)}">${nctId}</a> <bdi>${title}</bdi>`;
}

function paper({ outcome, pmid, doi, publicationType }: ConfirmedGap): Html | string {
  if (outcome === 'searched_none') return 'Nothing, by independent searches';
  return html`${publicationType === null ? 'A publication' : `A publication (${publicationType}, as an agent calls it)`}
${pmid !== null && html`<br>${agentLink(pubmedAddress(pmid))}`}
${doi !== null && html`<br>${agentLink(doiAddress(doi))}`}`;
}
