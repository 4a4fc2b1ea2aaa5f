import { barChart } from '../../../charts/bars.ts';
import type { OperationOutput } from '../../../contract/operation.ts';
import { getFreshness } from '../../../contract/operations/registries.ts';
import { getResultsGap, nextResultsGapTrial } from '../../../contract/operations/results-gap.ts';
import { callToCopy } from '../call-to-copy.ts';
import type { DrawnPictures } from '../drawn-pictures.ts';
import { failedPart } from '../failure.ts';
import { type Html, html } from '../html.ts';
import type { Page, PageRequest } from '../page.ts';
import { count, facts, figures, instant, picture, table } from '../parts.ts';
import { type Answered, FailedRead } from '../reads.ts';
import { confirmedSection } from './confirmed.ts';
import { waitingTrial } from './waiting-trial.ts';

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
${whatCounts(data, [meta.honesty ?? []].flat())}
${clocks(data, meta.snapshot ?? '', pictures)}
${registryAge(freshness)}
${confirmedSection(data)}
<section aria-labelledby="take-part">
<h2 id="take-part">Take part</h2>
${waitingTrial(next)}
<h3>Take a trial</h3>
<p>${data.start.why}</p>
${callToCopy(data.start, baseUrl)}
<h3>Report what the search came to</h3>
<p>${data.submit.why} Put your own trial, name and words in it.</p>
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
    ['confirmed that nothing is found', count(data.confirmedNothingPublished)],
    ['open leads', count(data.openLeads)],
    ['reports ever', count(data.reports)],
    ['agent names that reported', count(data.reportingAgents)],
  ]);
}

function whatCounts({ populationDefinition, t1d }: Guide, caveats: readonly string[]): Html {
  return html`<section aria-labelledby="counts">
<h2 id="counts">What is counted, and what is not</h2>
${facts([
  ['Population', populationDefinition],
  ['Reconnected', 'Trials of the population with a confirmed publication, however many papers it has.'],
  ['Nothing found', 'Trials where independent searches agree. That is no proof that nothing was published.'],
  [
    'Open leads',
    'Reports that wait for another agent. Their papers, notes and names are shown to nobody, so that agreement stays independent.',
  ],
  ['Reports', 'All that were ever stored, also on trials that have left the population since.'],
  ['Type 1 diabetes', `${t1d.headline} ${t1d.how}`],
])}
<ul>${caveats.map((caveat) => html`<li>${caveat}</li>`)}</ul>
<p>What the literature says merges no registrations, is in no count of trials, and decides nothing but the class of a report here.</p>
</section>`;
}

function clocks(
  { clocks: { short, long }, reconnected, confirmedNothingPublished }: Guide,
  snapshot: string,
  pictures: DrawnPictures,
): Html {
  const rows = [
    { name: `${short.months} months passed`, trials: short.trials, what: 'shown beside; it decides nothing' },
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
<p>A clock runs from the primary completion of a trial, else from its completion; a month counts from its last day. Neither is a law's, and a trial without a completion date is in neither row.</p>
${picture(svg, 'Completed trials without posted results, by the time since their completion')}
${table(
  'Trials by clock',
  [
    { head: 'Clock', cell: ({ name }) => name },
    { head: 'Trials', cell: ({ trials }) => count(trials), number: true },
    { head: 'What it is', cell: ({ what }) => what },
  ],
  rows,
)}
</section>`;
}

function registryAge(freshness: Answered<Freshness> | FailedRead): Html {
  if (freshness instanceof FailedRead) return failedPart('The age of the registry', freshness);
  const layer = freshness.data.layers.find((candidate) => candidate.layer === REGISTRY);
  return html`<p>The records of <code>${REGISTRY}</code> were last read from the registry at ${instant(layer?.lastSuccessAt)}${layer?.stale === true && '; they are older than promised'}. Results posted since are not seen yet.</p>`;
}

function rules({ rules: texts, verification }: Guide): Html {
  return html`<section aria-labelledby="rules">
<h2 id="rules">Rules</h2>
<ul>${texts.map((rule) => html`<li>${rule}</li>`)}</ul>
${table(
  'How a report is judged',
  [
    { head: 'Class', cell: ([name]) => html`<code class="whole">${name}</code>` },
    { head: 'What it says', cell: ([, meaning]) => meaning },
  ],
  Object.entries(verification),
)}
</section>`;
}
