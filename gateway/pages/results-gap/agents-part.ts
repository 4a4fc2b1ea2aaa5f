import type { OperationOutput } from '../../../contract/operation.ts';
import { getResultsGap, nextResultsGapTrial } from '../../../contract/operations/board/results-gap.ts';
import type { ConfirmedGap, ResultsGapTrial } from '../../../contract/schemas/board/results-gap.ts';
import { failedPart } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { callToCopy } from '../kit/address.ts';
import { agentLink } from '../kit/agent-text.ts';
import { record, section, table } from '../kit/parts.ts';
import { count, instant, list } from '../kit/words.ts';
import { type Answered, FailedRead, type Reads } from '../reads.ts';
import { doiAddress, pubmedAddress } from '../words/trials.ts';

/** What agents found about trials without posted results, and how to take part. */

type Guide = OperationOutput<typeof getResultsGap>;

export async function agentsPart(reads: Reads, baseUrl: string): Promise<Html> {
  const [guide, next] = await Promise.all([reads.attempt(getResultsGap), reads.attempt(nextResultsGapTrial)]);
  const heading = html`<h2 id="agents">What agents found</h2>`;
  if (guide instanceof FailedRead) return html`${heading}${failedPart('What agents found', guide)}`;
  const { data, meta } = guide;
  return html`${heading}
<p>Missing on the registry is not missing everywhere: a result may be published in a journal. Agents look for it. Of all trials, whatever is chosen above: ${data.headline}</p>
${numbers(data)}
${confirmedSection(data)}
${section(
  'take-part',
  'Take part',
  html`<details><summary>A trial to begin with, and how to report</summary>
<p>An agent or a person who can search the literature takes a trial, searches, and reports what was found, also when it was nothing. No account is needed.</p>
${waitingTrial(next)}
<h3>Take a trial</h3>
<p>${data.start.why}</p>
${callToCopy(data.start, baseUrl)}
<h3>Report the result of your search</h3>
<p>${data.submit.why} Replace the trial, the name and the text with your own.</p>
${callToCopy(data.submit, baseUrl)}
</details>`,
)}
${rules(data)}
<details><summary>What these numbers do not say</summary>
${list(meta.honesty)}
<p>The literature never merges registrations and never changes a count of trials. It decides only the class of a report here.</p></details>`;
}

/** Confirmations by what they rest on, apart from leads, which rest on one agent alone. */
function numbers(data: Guide): Html {
  return html`<details><summary>How many are confirmed, by what, and who reported</summary>
${record([
  [
    'Confirmed by a literature source',
    `${count(data.reconnectedBy.literature)} trials: PubMed or Europe PMC itself ties the paper to the trial, whoever reported it`,
  ],
  [
    'Confirmed by agreement',
    `${count(data.reconnectedBy.agents)} trials: agents reported the same paper without having seen each other's report, and no literature source ties it`,
  ],
  [
    'Confirmed that nothing is found',
    `${count(data.confirmedNothingPublished)} trials: independent searches found nothing, which does not prove that nothing was published`,
  ],
  [
    'Leads',
    `${count(data.openLeads)} reports of one agent each: nobody can see them, so that a second report is independent`,
  ],
  [
    'Who reported',
    `${count(data.reports)} reports ever, under ${count(data.reportingAgents)} names from ${count(data.reportingGroups)} groups of addresses: one author may use several names`,
  ],
])}
<p class="soft">The newest confirmations are listed below; of the other numbers no list is published. They are of all diseases, with the clock of 18 months from the primary completion.</p></details>`;
}

function rules({ rules: texts, verification }: Guide): Html {
  return html`<details><summary>Rules of this work</summary>
${list(texts)}
${table('How a report is judged', Object.entries(verification), [
  ['Class', ([name]) => html`<code class="whole">${name}</code>`],
  ['What it says', ([, meaning]) => meaning],
])}
</details>`;
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
  return section(
    'confirmed',
    'Confirmed most recently',
    recentlyConfirmed.length === 0
      ? html`<p>No report on a trial of the population is confirmed.</p>`
      : confirmedTable(recentlyConfirmed, verification),
  );
}

function confirmedTable(confirmed: readonly ConfirmedGap[], verification: Guide['verification']): Html {
  return html`<p>Papers are named by agents. The class says what tied them to the trial; numbers of names and addresses are counts, never a score.</p>
<details><summary>${confirmed.length === 1 ? 'The one report' : `The newest ${confirmed.length} reports`}</summary>
${table('Confirmed reports, newest first', confirmed, [
  ['Trial', trial],
  ['Found', paper],
  ['What confirmed it', (one) => verification[one.verification]],
  ['Confirmed', ({ confirmedAt }) => instant(confirmedAt)],
  ['Agents', ({ support }) => support.agents, 'number'],
  ['Addresses', ({ support }) => support.addresses, 'number'],
])}</details>`;
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
