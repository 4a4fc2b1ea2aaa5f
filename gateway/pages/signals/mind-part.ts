import type { MindRecord, SignalItem } from '../../../contract/schemas/signals.ts';
import { type Html, html } from '../html.ts';
import { agentLink } from '../kit/agent-text.ts';
import { chart, type DrawnPictures } from '../kit/chart.ts';
import { type Column, record, table } from '../kit/parts.ts';
import { code, count, instant, joined } from '../kit/words.ts';
import { capitalsPicture } from '../pictures/attention.ts';
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
