import type { MindRecord, TrendsRecord } from '../../../contract/schemas/trials/signals.ts';
import { dayChart } from '../../charts/days.ts';
import { pathWith } from '../kit/address.ts';
import { column, type DrawnPicture, type Own } from '../kit/picture.ts';
import { count } from '../kit/words.ts';

/** What the feeds published by day: attention, never a count of trials. */

const CAPITAL_COLUMNS = [
  column('day', 'Day', 'in UTC', 'date'),
  column('capital', 'Kind', 'for programs'),
  column('title', 'In words', 'the kind of means that the items are about'),
  column('items', 'Items', 'of that day that match its word list', 'integer'),
];

/** Items a day, by capital. */
export function capitalsPicture(data: MindRecord, own: Own): DrawnPicture {
  const { capitals, sparkline, window } = data;
  const busiest = sparkline.reduce((most, day) => (day.items > most.items ? day : most), sparkline[0]!);
  const label = `Items a day from ${window.from} to ${window.to} by capital. The most on one day: ${count(busiest.items)} on ${busiest.day}.`;
  const drawn = {
    days: sparkline.map(({ day }) => day),
    lines: capitals.map(({ capital, name }) => ({ name, values: sparkline.map((day) => day[capital]) })),
    unit: 'items',
  };
  return {
    ...{ name: 'attention-kinds', own, title: 'Items a day, by capital' },
    definition:
      'Items that the feeds published on a day, by the published word list that they match. An item that matches none is in no line. Attention, no evidence, and never a count of trials.',
    page: pathWith('/signals', own),
    columns: CAPITAL_COLUMNS,
    rows: sparkline.flatMap((day) =>
      capitals.map(({ capital, name }) => ({ day: day.day, capital, title: name, items: day[capital] })),
    ),
    draw: (width) => dayChart(drawn, { width, height: 280, label }),
  };
}

const ITEM_COLUMNS = [
  column('day', 'Day', 'in UTC', 'date'),
  column('items', 'Items', 'published on that day', 'integer'),
];

/** Items of all feeds by day. */
export function attentionPicture(data: TrendsRecord, own: Own): DrawnPicture {
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
    columns: ITEM_COLUMNS,
    rows: series.map(({ day, items }) => ({ day, items })),
    draw: series.length === 0 ? null : (width) => dayChart(days, { width, height: 220, label }),
  };
}
