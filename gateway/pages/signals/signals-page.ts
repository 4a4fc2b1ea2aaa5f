import { getHope, getMind, getTrends } from '../../../contract/operations/signals.ts';
import { pageOf } from '../../../contract/pages.ts';
import { jsonSchemaOf } from '../../../contract/parameters.ts';
import type { MindRecord } from '../../../contract/schemas/signals.ts';
import { failedPart } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { apiCall } from '../kit/api-call.ts';
import { table } from '../kit/table.ts';
import { code, count, instant } from '../kit/words.ts';
import type { Page } from '../page.ts';
import { type Answered, FailedRead } from '../reads.ts';
import { hopePart, researchPart } from './hope-part.ts';
import { mindPart } from './mind-part.ts';
import { trendsPart } from './trends-part.ts';

/** Publications of feeds, and curated research: attention, never a count of trials. */
export const signalsPage: Page = {
  id: 'page-signals',
  async respond({ reads, pictures, query }) {
    const asked = askedFor(query);
    const { days, disease, cursor } = asked;
    const questions = { mind: { days, disease }, trends: { disease }, hope: { disease, cursor } };
    const [mind, trends, hope] = await Promise.all([
      reads.attempt(getMind, questions.mind),
      reads.attempt(getTrends, questions.trends),
      reads.attempt(getHope, questions.hope),
    ]);
    const refused = [mind, trends, hope].filter(
      (answer): answer is FailedRead => answer instanceof FailedRead && answer.status === 400,
    );
    const calls = [
      apiCall(getMind, questions.mind),
      apiCall(getTrends, questions.trends),
      apiCall(getHope, questions.hope),
    ];
    const content = { title: pageOf('page-signals').title, calls };
    const beginning = html`<p>Announcements of registries, regulators, funders, preprint servers, journals and news, sorted by published word lists and never by a model. They show what gets attention and money. They are not evidence, and not a count of trials.</p>
${signalForm(asked, refused)}`;
    if (refused.length > 0) return { ...content, status: 400, main: beginning };
    const part = <Data>(name: string, answer: Answered<Data> | FailedRead, show: (answer: Answered<Data>) => Html) =>
      answer instanceof FailedRead ? failedPart(name, answer) : show(answer);
    return {
      ...content,
      main: html`${beginning}
<section aria-labelledby="mind">
<h2 id="mind">Four capitals</h2>
${part('The mind signal', mind, (answer) => mindPart(answer, pictures))}
</section>
<section aria-labelledby="trends">
<h2 id="trends">Volume and momentum</h2>
${part('The trends signal', trends, (answer) => trendsPart(answer, pictures))}
</section>
<section aria-labelledby="hope">
<h2 id="hope">Running trials, beside the index</h2>
${part('The hope signal', hope, hopePart)}
</section>
${!(hope instanceof FailedRead) && researchPart(hope, cursor, query)}
${!(mind instanceof FailedRead) && feedsPart(mind)}`,
    };
  },
};

/** The request in the address, as typed; undefined if absent. */
interface Asked {
  days: string | undefined;
  disease: string | undefined;
  /** Page of the research items. */
  cursor: string | undefined;
}

function askedFor(query: URLSearchParams): Asked {
  const given = (name: string): string | undefined => query.get(name)?.trim() || undefined;
  return { days: given('days'), disease: given('disease'), cursor: given('cursor') };
}

/** The parameters of the signals as a form, with each refusal at its field. */
function signalForm({ days, disease, cursor }: Asked, refused: readonly FailedRead[]): Html {
  const { minimum, maximum, default: fallback } = jsonSchemaOf(getMind.query.days) as Record<string, number>;
  const { maxLength } = jsonSchemaOf(getMind.query.disease) as Record<string, number>;
  const faults = new Map(refused.map(({ error }) => [error.parameter ?? '', error.message]));
  const [elsewhere] = [...faults].filter(([name]) => name !== 'days' && name !== 'disease');
  return html`${elsewhere && html`<p class="fault" role="alert">${elsewhere[1]}${cursor !== undefined && ' Begin with the first page of the list.'}</p>`}
<form class="fields" action="${pageOf('page-signals').path}" method="get" aria-label="Signals">
<div><label for="days">Days</label>
<input id="days" name="days" inputmode="numeric" value="${days ?? fallback}"${described('days', faults)}>
<p class="bounds" id="days-bounds">Window of the four capitals: ${minimum} to ${maximum}, ending with the day of the snapshot</p>
${fault('days', faults)}</div>
<div><label for="disease">Keyword</label>
<input id="disease" name="disease" type="search" maxlength="${maxLength}" value="${disease}"${described('disease', faults)}>
<p class="bounds" id="disease-bounds">Items and trials that contain every word; empty for all</p>
${fault('disease', faults)}</div>
<div><button type="submit">Show</button></div>
</form>`;
}

function described(name: string, faults: ReadonlyMap<string, string>): Html {
  return faults.has(name)
    ? html` aria-invalid="true" aria-describedby="${name}-fault ${name}-bounds"`
    : html` aria-describedby="${name}-bounds"`;
}

function fault(name: string, faults: ReadonlyMap<string, string>): Html | false {
  return faults.has(name) && html`<p class="fault" id="${name}-fault">${faults.get(name)}</p>`;
}

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
${table('Feeds and their state', feeds, [
  { head: 'Feed', cell: ({ feed }) => code(feed) },
  { head: 'Standing', cell: standing },
  { head: 'Items held', cell: ({ items }) => count(items), number: true },
  { head: 'Read last', cell: ({ lastSuccessAt }) => instant(lastSuccessAt) },
  { head: 'Hours since', cell: ({ ageHours }) => count(ageHours), number: true },
])}
</section>`;
}

function standing({ state, stale, reason }: Feed): string {
  const words = state === 'unanswered' ? 'no answer' : stale ? 'answered, out of date' : 'answered';
  return reason === undefined ? words : `${words} (${reason})`;
}
