import { getFreshness } from '../../../contract/operations/trials/registries.ts';
import { getMind, getTrends } from '../../../contract/operations/trials/signals.ts';
import type { MindRecord, SignalItem, TrendsRecord } from '../../../contract/schemas/trials/signals.ts';
import { readSection } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { apiCall } from '../kit/address.ts';
import { agentLink } from '../kit/agent-text.ts';
import { chart } from '../kit/chart.ts';
import { type Column, figures, record, section, table } from '../kit/parts.ts';
import { code, count, instant, joined } from '../kit/words.ts';
import type { Page } from '../page.ts';
import { attentionPicture, capitalsPicture } from '../pictures/attention.ts';
import { type Answered, FailedRead, type Reads } from '../reads.ts';
import { named } from '../words/trials.ts';
import {
  changeWords,
  DAYS_FIELD,
  givenFor,
  honestyNotes,
  indexWords,
  KEYWORD_FIELD,
  refusalsOf,
  shareWords,
  signalForm,
} from './signal-form.ts';

const FIELDS = [DAYS_FIELD, KEYWORD_FIELD];

/** What feeds published: attention, never a count of trials. */
export const signalsPage: Page = {
  id: 'page-signals',
  async respond({ reads, query }) {
    const asked = givenFor(query, ['days', 'disease']);
    const { days, disease } = asked;
    const [mind, trends] = await Promise.all([
      reads.attempt(getMind, { days, disease }),
      reads.attempt(getTrends, { disease }),
    ]);
    const refused = refusalsOf([mind, trends]);
    const content = {
      calls: [apiCall(getMind, { days, disease }), apiCall(getTrends, { disease })],
    };
    const introduction = html`<p>Announcements of registries, regulators, funders, preprint servers, journals and news, sorted by published word lists and never by a model. They show what gets attention and money. They are not evidence, and not a count of trials.</p>
<p><a href="/signals/research">Curated research, and running trials beside the index</a></p>`;
    const beginning = html`${introduction}
${signalForm('page-signals', FIELDS, asked, refused)}`;
    if (refused.length > 0) return { ...content, status: 400, main: beginning };
    if (mind instanceof FailedRead && trends instanceof FailedRead && (await readsNoFeed(reads)))
      return { ...content, main: html`${introduction}${NO_FEED}` };
    return {
      ...content,
      main: html`${beginning}
${readSection(['mind', 'What research gets, in four kinds', 'What research gets'], mind, (_, answer) => mindPart(answer))}
${readSection(['trends', 'How much is published', 'How much is published'], trends, (_, answer) => trendsPart(answer))}
${!(mind instanceof FailedRead) && feedsPart(mind)}`,
    };
  },
};

const NO_FEED = html`<p class="notice"><strong>No announcements are read here.</strong> This deployment has never asked a feed, so that nothing is known here of what was announced; that is not the same as nothing.</p>`;

/** Whether the snapshot was made without asking any feed. */
async function readsNoFeed(reads: Reads): Promise<boolean> {
  const age = await reads.attempt(getFreshness);
  if (age instanceof FailedRead) return false;
  return age.data.layers.every(({ kind, note }) => kind !== 'feed' || note === 'not asked');
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
  return section(
    'feeds',
    'The feeds',
    html`${silent.length > 0 && html`<p class="notice"><strong>No answer from ${silent.join(', ')}.</strong> Their items are unknown and in no count above.</p>`}
${old.length > 0 && html`<p class="notice"><strong>Out of date: ${old.join(', ')}.</strong> Their last good items are counted.</p>`}
<details><summary>${count(feeds.length)} feeds and their state</summary>
${table('Feeds and their state', feeds, [
  ['Feed', ({ feed }) => code(feed)],
  ['Standing', standing],
  ['Items held', ({ items }) => count(items), 'number'],
  ['Read last', ({ lastSuccessAt }) => instant(lastSuccessAt)],
  ['Hours since', ({ ageHours }) => count(ageHours), 'number'],
])}</details>`,
  );
}

function standing({ state, stale, reason }: Feed): string {
  const words = state === 'unanswered' ? 'no answer' : stale ? 'answered, out of date' : 'answered';
  return reason === undefined ? words : `${words} (${reason})`;
}

type Trends = Answered<TrendsRecord>;
type Signal = NonNullable<TrendsRecord['signal']>;
type Crypto = NonNullable<TrendsRecord['crypto']>;

/** This week against the last, the days of the window, and the concentration of attention. */
function trendsPart(trends: Trends): Html {
  const { signal, crypto } = trends.data;
  return html`${signal && signalPart(signal, trends)}
${crypto && cryptoPart(crypto)}`;
}

function signalPart(signal: Signal, trends: Trends): Html {
  const { window, volume, momentum, concentration, series = [] } = signal;
  return html`${figures([
    [`items in ${window.days} days`, count(volume.inWindow)],
    ['items a day', volume.perDay.toFixed(1)],
    ['in the last week', count(momentum.recent.items)],
    ['in the week before', count(momentum.before.items)],
  ])}
<p>This week against the week before: <strong>${changeWords(momentum.change)}</strong>.</p>
${drawn(series, trends)}
${table(
  'Concentration of attention',
  [
    { by: 'kind of feed', ...concentration.byCategory },
    { by: 'web domain', ...concentration.byDomain },
  ],
  [
    ['By', ({ by }) => by],
    ['Groups', ({ groups }) => count(groups), 'number'],
    ['Herfindahl index', ({ hhi }) => hhi?.toFixed(3) ?? 'not known', 'number'],
    ['Gini', ({ gini }) => gini?.toFixed(3) ?? 'not known', 'number'],
    ['Largest', ({ top }) => (top === null ? 'none' : html`<bdi>${top.name}</bdi>, ${shareWords(top.share)}`)],
  ],
)}
<details><summary>Formulas</summary>${record([
    ['Momentum', momentum.formula],
    ['Concentration', concentration.formula],
  ])}</details>`;
}

function drawn(series: NonNullable<Signal['series']>, trends: Trends): Html | false {
  const { meta } = trends;
  if (series.length === 0) return false;
  const disease = meta.filters?.disease;
  return chart({
    picture: attentionPicture(trends.data, typeof disease === 'string' ? { disease } : {}),
    table: table('Items of each day of the window', series, [
      ['Day', ({ day }) => day],
      ['Items', ({ items }) => items, 'number'],
    ]),
  });
}

function cryptoPart({ events, note, formula }: Crypto): Html {
  return html`<details><summary>Token-generation events: ${count(events.length)}</summary>
<p>${note}</p>
${
  events.length === 0
    ? html`<p>None is known.</p>`
    : table('Token-generation events, newest first', events, [
        ['Project', ({ project, synthetic }) => html`${project}${synthetic && ' (synthetic)'}`],
        ['Purpose', ({ purpose }) => purpose],
        ['Date', ({ date }) => instant(date)],
        ['Public share', ({ publicShare }) => shareWords(publicShare), 'number'],
        ['Insider share', ({ insiderShare }) => shareWords(insiderShare), 'number'],
        ['Access reading', ({ accessReading }) => named(accessReading)],
        ['Sources', ({ sources }) => html`${sources.map((source) => html`${agentLink(source)} `)}`],
      ])
}
<p class="soft">How access is read: ${formula}</p></details>`;
}

type Mind = Answered<MindRecord>;
type Capital = MindRecord['capitals'][number];

/** Count, share and direction of the four capitals over the window, by day, and their newest items. */
function mindPart(mind: Mind): Html {
  const { data, meta } = mind;
  const { window, items, conscienceIndex, curePulse } = data;
  return html`<p>${count(items.inWindow)} items from ${instant(window.from)} to ${instant(window.to)}, ${window.days} days; ${count(items.classified)} matched the word list of a capital, ${count(items.unclassified)} matched none. A capital is a kind of means that research lives on: ${data.capitals.map(({ name }) => name.toLowerCase()).join(', ')}.</p>
${byDay(mind)}
${table('The four capitals', data.capitals, [
  ['Capital', ({ name }) => name],
  ['Items', ({ count: held }) => count(held), 'number'],
  ['Share of the classified', ({ share }) => shareWords(share), 'number'],
  ['Direction', ({ direction }) => named(direction.reading)],
  ['Half by half', ({ direction }) => halves(direction)],
])}
${record([
  [
    'Balance of the four',
    indexWords(
      conscienceIndex.value,
      `${count(conscienceIndex.classifiedItems)} classified items, fewer than ${conscienceIndex.minimumItems}`,
    ),
  ],
  [
    'Research or treatment',
    `${shareWords(curePulse.value)}: ${count(curePulse.items)} of ${count(curePulse.of)} items`,
  ],
])}
<details><summary>Formulas</summary>${record([
    ['Share', data.formulas.share],
    ['Direction', data.formulas.direction],
    ['How even', conscienceIndex.formula],
    ['Research or treatment', curePulse.formula],
  ])}</details>
<details><summary>The newest items of each</summary>
${data.capitals.map(newest)}</details>
${honestyNotes(meta.honesty)}`;
}

function halves({ recent, before, change }: Capital['direction']): string {
  if (recent === null || before === null) return 'cannot be told from one day';
  return `${changeWords(change)}: ${count(before.items)}, then ${count(recent.items)}`;
}

function byDay(mind: Mind): Html {
  const { capitals, sparkline, curePulse } = mind.data;
  const asked = mind.meta.filters ?? {};
  const own = Object.fromEntries(Object.entries(asked).map(([name, value]) => [name, String(value)]));
  return chart({
    picture: capitalsPicture(mind.data, own),
    table: table('Items of each day', sparkline, [
      ['Day', ({ day }) => day],
      ['All', ({ items }) => items, 'number'],
      ...capitals.map(
        ({ capital, name }): Column<MindRecord['sparkline'][number]> => [name, (day) => day[capital], 'number'],
      ),
      [
        'Research or treatment',
        ({ day }) => curePulse.series.find((one) => one.day === day)?.items ?? 'not known',
        'number',
      ],
    ]),
  });
}

function newest({ name, topItems }: Capital): Html {
  return html`<h3>${name}</h3>
${topItems.length === 0 ? html`<p>None in the window.</p>` : html`<ul>${topItems.map(itemLine)}</ul>`}
`;
}

function itemLine({ title, url, publisher, source, day, dateBasis, capitalTerms }: SignalItem): Html {
  return html`<li><bdi>${title}</bdi>, ${publisher ?? source}, ${instant(day)}${dateBasis !== 'published' && ` (${named(dateBasis).toLowerCase()})`}; matched ${joined(capitalTerms.map(code))}${url !== null && html`<br>${agentLink(url)}`}</li>
`;
}
