import { getMind, getTrends } from '../../../contract/operations/signals.ts';
import { pageOf } from '../../../contract/pages.ts';
import type { MindRecord } from '../../../contract/schemas/signals.ts';
import { failedPart } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { apiCall } from '../kit/address.ts';
import { table } from '../kit/parts.ts';
import { code, count, instant } from '../kit/words.ts';
import type { Page } from '../page.ts';
import { type Answered, FailedRead } from '../reads.ts';
import { mindPart } from './mind-part.ts';
import { DAYS_FIELD, givenFor, KEYWORD_FIELD, refusalsOf, signalForm } from './signal-form.ts';
import { trendsPart } from './trends-part.ts';

const FIELDS = [DAYS_FIELD, KEYWORD_FIELD];

/** What feeds published: attention, never a count of trials. */
export const signalsPage: Page = {
  id: 'page-signals',
  async respond({ reads, pictures, query }) {
    const asked = givenFor(query, ['days', 'disease']);
    const { days, disease } = asked;
    const [mind, trends] = await Promise.all([
      reads.attempt(getMind, { days, disease }),
      reads.attempt(getTrends, { disease }),
    ]);
    const refused = refusalsOf([mind, trends]);
    const content = {
      title: pageOf('page-signals').title,
      calls: [apiCall(getMind, { days, disease }), apiCall(getTrends, { disease })],
    };
    const beginning = html`<p>Announcements of registries, regulators, funders, preprint servers, journals and news, sorted by published word lists and never by a model. They show what gets attention and money. They are not evidence, and not a count of trials.</p>
<p><a href="/signals/research">Curated research, and running trials beside the index</a></p>
${signalForm('page-signals', FIELDS, asked, refused)}`;
    if (refused.length > 0) return { ...content, status: 400, main: beginning };
    return {
      ...content,
      main: html`${beginning}
<section aria-labelledby="mind">
<h2 id="mind">What research gets, in four kinds</h2>
${mind instanceof FailedRead ? failedPart('What research gets', mind) : mindPart(mind, pictures)}
</section>
<section aria-labelledby="trends">
<h2 id="trends">How much is published</h2>
${trends instanceof FailedRead ? failedPart('How much is published', trends) : trendsPart(trends, pictures)}
</section>
${!(mind instanceof FailedRead) && feedsPart(mind)}`,
    };
  },
};

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
function feedsPart({ meta }: Answered<MindRecord>): Html {
  const feeds = (meta.freshness ?? []) as unknown as Feed[];
  const silent = feeds.filter(({ state }) => state === 'unanswered').map(({ feed }) => feed);
  const old = feeds.filter(({ state, stale }) => state === 'answered' && stale).map(({ feed }) => feed);
  return html`<section aria-labelledby="feeds">
<h2 id="feeds">The feeds</h2>
${silent.length > 0 && html`<p class="notice"><strong>No answer from ${silent.join(', ')}.</strong> Their items are unknown and in no count above.</p>`}
${old.length > 0 && html`<p class="notice"><strong>Out of date: ${old.join(', ')}.</strong> Their last good items are counted.</p>`}
<details><summary>${count(feeds.length)} feeds and their state</summary>
${table('Feeds and their state', feeds, [
  ['Feed', ({ feed }) => code(feed)],
  ['Standing', standing],
  ['Items held', ({ items }) => count(items), 'number'],
  ['Read last', ({ lastSuccessAt }) => instant(lastSuccessAt)],
  ['Hours since', ({ ageHours }) => count(ageHours), 'number'],
])}</details>
</section>`;
}

function standing({ state, stale, reason }: Feed): string {
  const words = state === 'unanswered' ? 'no answer' : stale ? 'answered, out of date' : 'answered';
  return reason === undefined ? words : `${words} (${reason})`;
}
