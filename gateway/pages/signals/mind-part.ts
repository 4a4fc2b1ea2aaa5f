import { dayChart } from '../../../charts/days.ts';
import type { MindRecord, SignalItem } from '../../../contract/schemas/signals.ts';
import { column, type DrawnPicture, pathWith } from '../../pictures/picture.ts';
import { type Html, html } from '../html.ts';
import { agentLink } from '../kit/agent-text.ts';
import { chart, type DrawnPictures } from '../kit/chart.ts';
import { record } from '../kit/record.ts';
import { table } from '../kit/table.ts';
import { code, count, instant, joined } from '../kit/words.ts';
import type { Answered } from '../reads.ts';
import { named } from '../trials/words.ts';
import { changeWords, honestyNotes, indexWords, shareWords } from './words.ts';

type Mind = Answered<MindRecord>;
type Capital = MindRecord['capitals'][number];

/** Count, share and direction of the four capitals over the window, by day, and their newest items. */
export function mindPart(mind: Mind, pictures: DrawnPictures): Html {
  const { data, meta } = mind;
  const { window, items, conscienceIndex, curePulse } = data;
  return html`<p>${count(items.inWindow)} items from ${instant(window.from)} to ${instant(window.to)}, ${window.days} days; ${count(items.classified)} matched the word list of a capital, ${count(items.unclassified)} matched none. A capital is a kind of means that research lives on: ${data.capitals.map(({ name }) => name.toLowerCase()).join(', ')}.</p>
${byDay(mind, pictures)}
${table('The four capitals', data.capitals, [
  { head: 'Capital', cell: ({ name }) => name },
  { head: 'Items', cell: ({ count: held }) => count(held), number: true },
  { head: 'Share of the classified', cell: ({ share }) => shareWords(share), number: true },
  { head: 'Direction', cell: ({ direction }) => named(direction.reading) },
  { head: 'Half by half', cell: ({ direction }) => halves(direction) },
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

/** What the pictures of a window show besides the snapshot. */
function keyOf({ data, meta }: Mind): string {
  return JSON.stringify([meta.snapshot, meta.filters, data.window.from]);
}

function byDay(mind: Mind, pictures: DrawnPictures): Html {
  const { capitals, sparkline, curePulse } = mind.data;
  const asked = mind.meta.filters ?? {};
  const own = Object.fromEntries(Object.entries(asked).map(([name, value]) => [name, String(value)]));
  return chart(pictures, {
    key: `${keyOf(mind)} mind days`,
    picture: capitalsPicture(mind.data, own),
    table: table('Items of each day', sparkline, [
      { head: 'Day', cell: ({ day }) => day },
      { head: 'All', cell: ({ items }) => items, number: true },
      ...capitals.map(({ capital, name }) => ({
        head: name,
        cell: (day: MindRecord['sparkline'][number]) => day[capital],
        number: true as const,
      })),
      {
        head: 'Research or treatment',
        cell: ({ day }) => curePulse.series.find((one) => one.day === day)?.items ?? 'not known',
        number: true,
      },
    ]),
  });
}

const COLUMNS = [
  column('day', 'Day', 'in UTC', 'date'),
  column('capital', 'Kind', 'for programs'),
  column('title', 'In words', 'the kind of means that the items are about'),
  column('items', 'Items', 'of that day that match its word list', 'integer'),
];

/** Items a day, by capital. */
export function capitalsPicture(data: MindRecord, own: Readonly<Record<string, string>>): DrawnPicture {
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
    columns: COLUMNS,
    rows: sparkline.flatMap((day) =>
      capitals.map(({ capital, name }) => ({ day: day.day, capital, title: name, items: day[capital] })),
    ),
    draw: (width, id) => dayChart(drawn, { id, width, height: 280, label }),
  };
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
