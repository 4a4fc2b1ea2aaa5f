import type { OperationOutput } from '../../../contract/operation.ts';
import type { getResultsGap } from '../../../contract/operations/results-gap.ts';
import type { ConfirmedGap } from '../../../contract/schemas/results-gap.ts';
import { type Html, html } from '../html.ts';
import { agentLink, instant, table } from '../parts.ts';

type Guide = OperationOutput<typeof getResultsGap>;

const PUBMED = 'https://pubmed.ncbi.nlm.nih.gov';
const DOI = 'https://doi.org';

/** Confirmed reports, and what confirmed each; leads are in no answer. */
export function confirmedSection({ recentlyConfirmed, verification }: Guide): Html {
  return html`<section aria-labelledby="confirmed">
<h2 id="confirmed">Confirmed most recently</h2>
${recentlyConfirmed.length === 0 ? html`<p>No report on a trial of the population is confirmed.</p>` : list(recentlyConfirmed, verification)}
</section>`;
}

function list(confirmed: readonly ConfirmedGap[], verification: Guide['verification']): Html {
  return html`<p>Papers are named by agents. The class says what tied them to the trial; numbers of names and addresses are counts, never a score.</p>
${table(
  'Confirmed reports, newest first',
  [
    { head: 'Trial', cell: trial },
    { head: 'Found', cell: paper },
    {
      head: 'Class',
      cell: (one) => html`<code class="whole">${one.verification}</code> ${verification[one.verification]}`,
    },
    { head: 'Confirmed', cell: ({ confirmedAt }) => instant(confirmedAt) },
    { head: 'Agents', cell: ({ support }) => support.agents, number: true },
    { head: 'Addresses', cell: ({ support }) => support.addresses, number: true },
  ],
  confirmed,
)}`;
}

function trial({ nctId, title }: ConfirmedGap): Html {
  return html`<a href="/trials/${encodeURIComponent(nctId)}">${nctId}</a> <bdi>${title}</bdi>`;
}

function paper({ outcome, pmid, doi, publicationType }: ConfirmedGap): Html | string {
  if (outcome === 'searched_none') return 'Nothing, by independent searches';
  return html`${publicationType === null ? 'A publication' : `A publication (${publicationType}, in the word of an agent)`}
${pmid !== null && html`<br>${agentLink(`${PUBMED}/${encodeURIComponent(pmid)}/`)}`}
${doi !== null && html`<br>${agentLink(`${DOI}/${doi.split('/').map(encodeURIComponent).join('/')}`)}`}`;
}
