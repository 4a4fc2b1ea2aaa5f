import type { MindRecord } from '../../../contract/schemas/signals.ts';
import { type Html, html } from '../html.ts';
import { count, instant, table } from '../parts.ts';
import type { Answered } from '../reads.ts';

/** A feed from `_meta.freshness`; null items are unknown, not zero. */
interface Feed {
  feed: string;
  state: 'answered' | 'unanswered';
  items: number | null;
  lastSuccessAt: string | null;
  ageHours: number | null;
  stale: boolean;
  reason?: string;
}

/** The sources of the items, and which feeds did not answer. */
export function feedsPart({ meta }: Answered<MindRecord>): Html {
  const feeds = (meta.freshness ?? []) as unknown as Feed[];
  const silent = feeds.filter(({ state }) => state === 'unanswered').map(({ feed }) => feed);
  const old = feeds.filter(({ state, stale }) => state === 'answered' && stale).map(({ feed }) => feed);
  return html`<section aria-labelledby="feeds">
<h2 id="feeds">The feeds</h2>
${silent.length > 0 && html`<p class="notice"><strong>No answer from ${silent.join(', ')}.</strong> What they published is not known and is in no count above.</p>`}
${old.length > 0 && html`<p class="notice"><strong>Out of date: ${old.join(', ')}.</strong> Their last good items are counted.</p>`}
${table(
  'Feeds and how they stand',
  [
    { head: 'Feed', cell: ({ feed }) => html`<code>${feed}</code>` },
    { head: 'Standing', cell: standing },
    { head: 'Items held', cell: ({ items }) => count(items), number: true },
    { head: 'Read last', cell: ({ lastSuccessAt }) => instant(lastSuccessAt) },
    {
      head: 'Hours since',
      cell: ({ ageHours }) => (ageHours === null ? 'not known' : ageHours.toLocaleString('en-GB')),
      number: true,
    },
  ],
  feeds,
)}
</section>`;
}

function standing({ state, stale, reason }: Feed): string {
  const words = state === 'unanswered' ? 'no answer' : stale ? 'answered, out of date' : 'answered';
  return reason === undefined ? words : `${words} (${reason})`;
}
