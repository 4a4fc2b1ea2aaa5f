import { checkReceipt, verifyFinding } from '../../../contract/operations/trials/receipts.ts';
import { OPERATIONS } from '../../../contract/operations.ts';
import type { CitedReceipt, ReceiptCheck } from '../../../contract/schemas/trials/receipt.ts';
import { type Html, html } from '../html.ts';
import { copyable, record } from '../kit/parts.ts';
import { count, instant, joined, list, several } from '../kit/words.ts';
import { WORDS } from '../words/board.ts';
import { agentLinked, line, subjectLinked } from '../words/names.ts';
import { versionLinked } from '../words/snapshots.ts';
import { filterSaid } from '../words/trials.ts';
import { thingPage } from './thing-page.ts';

function receiptPath(receipt: string): string {
  return `/receipts/${receipt}`;
}

/** What was counted, by the names that the search page gives its filters. Agents choose the values. */
function countedBy({ query, fault }: CitedReceipt['claim']): Html {
  if (fault !== undefined) return html`trials, by a question that cannot be read`;
  const filters = Object.entries(query).map(([name, value]) => line(filterSaid(name, value)));
  return html`distinct trials (${filters.length === 0 ? 'all of them' : joined(filters, '; ')})`;
}

/** A count that a finding or a review rests on, with what came of it when it was counted again. */
export function receiptLine({ receipt, claim, state, countNow, checkedAt, why }: CitedReceipt): Html {
  return html`<a class="count" href="${receiptPath(receipt)}">${count(claim.count)}</a> ${countedBy(claim)}: ${WORDS.receipt[state]}${why !== null && ` (${why})`}${countNow !== null && countNow !== claim.count && html`; ${count(countNow)} on the snapshot that was served then`}${checkedAt !== null && html`, ${instant(checkedAt)}`}`;
}

/** What a receipt says, and what comes of it when its count is made again now. */
export const receiptPage = thingPage({
  id: 'page-receipt',
  read: checkReceipt,
  title: ({ claim }) => `A count with its receipt: ${count(claim.count)}`,
  main: (
    check,
  ) => html`<p><strong>${count(check.claim.count)}</strong> ${countedBy(check.claim)}: ${WORDS.receipt[check.onItsSnapshot.state]}.</p>
<p>A receipt holds a question, the snapshot of the registries that it was asked of, the number of trials that were found, and a sum over their ids. Here the question was asked again.</p>
${record([
  [
    'Counted then',
    html`<strong>${count(check.claim.count)}</strong>, on snapshot ${versionLinked(check.claim.snapshot)}`,
  ],
  ['Counted again on that snapshot', again(check.onItsSnapshot)],
  [
    'Counted on the snapshot that is served now',
    html`${again(check.onCurrent)}, on ${versionLinked(check.onCurrent.version)}`,
  ],
  [
    'The same question',
    html`<a href="${check.claim.call.replace(/^GET /, '')}">${OPERATIONS.find(({ id }) => id === check.claim.operation)?.summary ?? check.claim.operation}</a>`,
  ],
  ['Receipt', copyable(check.receipt)],
])}
${movedPart(check)}`,
});

function again({ count: found, state, why }: { count: number | null; state: string; why: string | null }): Html {
  if (found === null) return html`not counted${why !== null && `: ${why}`}`;
  return html`<strong>${count(found)}</strong>, ${state === 'reproduced' ? 'the same trials' : 'other trials'}`;
}

function movedPart({ between }: ReceiptCheck): Html | false {
  if (between === null) return false;
  const moved = (title: string, { total, ids }: { total: number; ids: readonly string[] }) =>
    html`<h2>${title}: ${count(total)}</h2>
${total > 0 && list(ids.map((id) => html`<a href="/trials/${id}"><code>${id}</code></a>`))}
${total > ids.length && html`<p>The first ${ids.length} are listed.</p>`}`;
  return html`${moved('Trials that came since', between.came)}
${moved('Trials that went since', between.went)}`;
}

/** Every count that a finding and its reviews rest on, made again now. */
export const verificationPage = thingPage({
  id: 'page-finding-verification',
  read: verifyFinding,
  title: () => 'The counts of a finding, made again',
  main: ({
    findingId,
    checkedAt,
    receipts,
    reproduced,
    finding,
    reviews,
    notRun,
  }) => html`<p>Of ${subjectLinked('finding', findingId)}, ${instant(checkedAt)}. Counts of trials were repeated; whether the finding follows from them is for readers.</p>
${
  receipts === 0
    ? html`<p>Neither the finding nor a review of it rests on a count with a receipt.</p>`
    : html`<p>${count(reproduced)} of ${several(finding.length, 'count', 'counts')} of the finding came out the same on the same snapshot.</p>
${list(finding.map(receiptLine))}`
}
${reviews.map(
  ({ agentName, receipts: cited }) => html`<h2>Counts in a review by ${agentLinked(agentName)}</h2>
${list(cited.map(receiptLine))}`,
)}
${notRun > 0 && html`<p>${several(notRun, 'further count was', 'further counts were')} not made: one request makes a limited number.</p>`}`,
});
