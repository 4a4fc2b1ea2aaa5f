import type { TrendsRecord } from '../../../contract/schemas/signals.ts';
import { type Html, html } from '../html.ts';
import { agentLink } from '../kit/agent-text.ts';
import { chart, type DrawnPictures } from '../kit/chart.ts';
import { figures, record, table } from '../kit/parts.ts';
import { count, instant } from '../kit/words.ts';
import { attentionPicture } from '../pictures/attention.ts';
import type { Answered } from '../reads.ts';
import { named } from '../trials/words.ts';
import { changeWords, shareWords } from './words.ts';

type Trends = Answered<TrendsRecord>;
type Signal = NonNullable<TrendsRecord['signal']>;
type Crypto = NonNullable<TrendsRecord['crypto']>;

/** This week against the last, the days of the window, and the concentration of attention. */
export function trendsPart(trends: Trends, pictures: DrawnPictures): Html {
  const { signal, crypto } = trends.data;
  return html`${signal && signalPart(signal, trends, pictures)}
${crypto && cryptoPart(crypto)}`;
}

function signalPart(signal: Signal, trends: Trends, pictures: DrawnPictures): Html {
  const { window, volume, momentum, concentration, series = [] } = signal;
  return html`${figures([
    [`items in ${window.days} days`, count(volume.inWindow)],
    ['items a day', volume.perDay.toFixed(1)],
    ['in the last week', count(momentum.recent.items)],
    ['in the week before', count(momentum.before.items)],
  ])}
<p>This week against the week before: <strong>${changeWords(momentum.change)}</strong>.</p>
${drawn(series, trends, pictures)}
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

function drawn(series: NonNullable<Signal['series']>, trends: Trends, pictures: DrawnPictures): Html | false {
  const { meta } = trends;
  if (series.length === 0) return false;
  const disease = meta.filters?.disease;
  return chart(pictures, {
    key: `${JSON.stringify([meta.snapshot, meta.filters])} trends days`,
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
