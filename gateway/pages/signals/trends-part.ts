import { dayChart } from '../../../charts/days.ts';
import type { TrendsRecord } from '../../../contract/schemas/signals.ts';
import { column, type DrawnPicture, pathWith } from '../../pictures/picture.ts';
import { type Html, html } from '../html.ts';
import { agentLink } from '../kit/agent-text.ts';
import { chart, type DrawnPictures } from '../kit/chart.ts';
import { figures } from '../kit/figures.ts';
import { record } from '../kit/record.ts';
import { table } from '../kit/table.ts';
import { count, instant } from '../kit/words.ts';
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
    { head: 'By', cell: ({ by }) => by },
    { head: 'Groups', cell: ({ groups }) => count(groups), number: true },
    { head: 'Herfindahl index', cell: ({ hhi }) => hhi?.toFixed(3) ?? 'not known', number: true },
    { head: 'Gini', cell: ({ gini }) => gini?.toFixed(3) ?? 'not known', number: true },
    {
      head: 'Largest',
      cell: ({ top }) => (top === null ? 'none' : html`<bdi>${top.name}</bdi>, ${shareWords(top.share)}`),
    },
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
      { head: 'Day', cell: ({ day }) => day },
      { head: 'Items', cell: ({ items }) => items, number: true },
    ]),
  });
}

const COLUMNS = [column('day', 'Day', 'in UTC', 'date'), column('items', 'Items', 'published on that day', 'integer')];

/** Items of all feeds by day. */
export function attentionPicture(data: TrendsRecord, own: Readonly<Record<string, string>>): DrawnPicture {
  const series = data.signal?.series ?? [];
  const total = series.reduce((sum, { items }) => sum + items, 0);
  const label = `Items a day from ${series[0]?.day} to ${series.at(-1)?.day}, ${count(total)} in all.`;
  const days = {
    days: series.map(({ day }) => day),
    lines: [{ name: 'Items', values: series.map(({ items }) => items) }],
    unit: 'items',
  };
  return {
    ...{ name: 'attention-items', own, title: 'Items of all feeds by day' },
    definition:
      'Items that the feeds published on a day, whatever they are about. Attention, no evidence, and never a count of trials.',
    page: pathWith('/signals', own),
    columns: COLUMNS,
    rows: series.map(({ day, items }) => ({ day, items })),
    draw: series.length === 0 ? null : (width, id) => dayChart(days, { id, width, height: 220, label }),
  };
}

function cryptoPart({ events, note, formula }: Crypto): Html {
  return html`<details><summary>Token-generation events: ${count(events.length)}</summary>
<p>${note}</p>
${
  events.length === 0
    ? html`<p>None is known.</p>`
    : table('Token-generation events, newest first', events, [
        { head: 'Project', cell: ({ project, synthetic }) => html`${project}${synthetic && ' (synthetic)'}` },
        { head: 'Purpose', cell: ({ purpose }) => purpose },
        { head: 'Date', cell: ({ date }) => instant(date) },
        { head: 'Public share', cell: ({ publicShare }) => shareWords(publicShare), number: true },
        { head: 'Insider share', cell: ({ insiderShare }) => shareWords(insiderShare), number: true },
        { head: 'Access reading', cell: ({ accessReading }) => named(accessReading) },
        { head: 'Sources', cell: ({ sources }) => html`${sources.map((source) => html`${agentLink(source)} `)}` },
      ])
}
<p class="soft">How access is read: ${formula}</p></details>`;
}
