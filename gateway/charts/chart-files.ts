import { barChart } from '../../charts/bars.ts';
import { WIDE_PX } from '../../charts/svg.ts';
import { escapeMarkup } from '../../contract/markup.ts';
import type { ChartName } from '../../contract/take-away.ts';
import type { FileColumn } from '../../server-kit/csv.ts';
import { csvHead, csvRow, type FileAbout } from '../../server-kit/file-about.ts';
import { fileNameOf } from '../../server-kit/file-name.ts';
import { aboutOfReads, csvHeaders } from '../exports/about-reads.ts';
import type { Taken, TakenAnswer } from '../exports/taken.ts';
import { STYLE_PATH } from '../pages/assets.ts';
import { Html, html } from '../pages/html.ts';
import { CHARTS, type ChartBar, type ReadChart } from './chart-list.ts';

const BAR_PX = 26;
const AXES_PX = 90;
const SOURCE_PX = 44;
const WHITE = '#ffffff';
/** The page is made to stand in pages of others; it has no script. */
const EMBED_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors *";

interface Shown {
  chart: ReadChart;
  about: FileAbout;
  /** Address of the page with the same query. */
  page: string;
}

export const chartFile: Taken = {
  id: 'chart',
  async answer(request) {
    const { params, applied, reads, baseUrl } = request;
    const [name, ending] = params.file!.split('.') as [ChartName, 'svg' | 'csv' | 'html'];
    const { header = 'words', ...given } = applied;
    const chart = await CHARTS[name](reads, given);
    const query = new URLSearchParams(applied);
    const location = `/charts/${params.file}${query.size === 0 ? '' : `?${query}`}`;
    const about = await aboutOfReads(request, {
      title: chart.title,
      rows: { count: chart.bars.length, what: 'values', each: 'one a row' },
      readAs: [chart.definition],
      address: `${baseUrl}${location}`,
    });
    const own = new URLSearchParams(given);
    const shown = { chart, about, page: `${baseUrl}${chart.page}${own.size === 0 ? '' : `?${own}`}` };
    if (ending === 'svg') return asPicture(shown);
    if (ending === 'html') return asEmbed(shown);
    const columns = COLUMNS.filter(({ name: one }) => chart.isShare || SHARES.every((share) => share !== one));
    return {
      body:
        csvHead(columns, about, header === 'names' ? 'names' : 'words') +
        chart.bars.map((bar) => csvRow(columns, bar)).join(''),
      headers: csvHeaders(fileNameOf(name, Object.values(given), about.snapshot, 'csv'), location),
    };
  },
};

const SHARES = ['among', 'share'];
const COLUMNS: readonly FileColumn<ChartBar>[] = [
  { name: 'value', heading: 'Value', meaning: 'for programs', type: 'text', cell: ({ value }) => value },
  { name: 'title', heading: 'In words', meaning: 'the value in words', type: 'text', cell: ({ title }) => title },
  { name: 'trials', heading: 'Trials', meaning: 'that the bar counts', type: 'integer', cell: ({ trials }) => trials },
  {
    name: 'among',
    heading: 'Among',
    meaning: 'trials among which these are',
    type: 'integer',
    cell: ({ among }) => among,
  },
  { name: 'share', heading: 'Share', meaning: 'the trials by those among which', type: 'number', cell: shareOf },
];

function shareOf({ trials, among }: ChartBar): number | null {
  return among === null || among === 0 ? null : trials / among;
}

/** The bars as SVG text of this width; every id in it begins with `id`. */
export function drawBars({ title, bars, isShare }: ReadChart, width: number, id: string): string {
  const drawn = isShare ? bars.filter((bar) => shareOf(bar) !== null) : bars;
  const numbers = drawn.map((bar) => (isShare ? Math.round((shareOf(bar) ?? 0) * 1000) / 10 : bar.trials));
  const unit = isShare ? 'per cent' : 'trials';
  return barChart(
    { categories: drawn.map((bar) => bar.title), series: [{ name: title, values: numbers }], unit, lying: true },
    {
      ...{ id, width, height: AXES_PX + BAR_PX * drawn.length },
      label: `${title}: ${drawn.map((bar, at) => `${bar.title} ${numbers[at]} ${unit}`).join(', ')}`,
    },
  );
}

/** A whole picture: its title and definition for readers who do not see it, and its source in a line below the bars. */
function asPicture({ chart, about, page }: Shown): TakenAnswer {
  const height = AXES_PX + BAR_PX * chart.bars.length;
  // Programs that draw SVG know no variables of a style sheet.
  const bars = drawBars(chart, WIDE_PX, 'chart').replaceAll(/var\(--[a-z0-9-]+, ([^)]+)\)/g, '$1');
  const query = wordsOf(about);
  const source = `Trial Board, snapshot ${about.snapshot}, data as of ${about.asOf}${query.length > 0 ? `; ${query.join(', ')}` : ''}`;
  const line = (y: number, text: string) =>
    `<text x="8" y="${y}" font-size="12" font-family="sans-serif" fill="#57606a">${escapeMarkup(text)}</text>`;
  const body = `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${WIDE_PX}" height="${height + SOURCE_PX}" viewBox="0 0 ${WIDE_PX} ${height + SOURCE_PX}">
<title>${escapeMarkup(chart.title)}</title>
<desc>${escapeMarkup(`${chart.definition} ${source}. ${page}`)}</desc>
<rect width="100%" height="100%" fill="${WHITE}"/>
${bars}
${line(height + 16, source)}
${line(height + 34, page)}
</svg>
`;
  return {
    body,
    headers: { 'content-type': 'image/svg+xml; charset=utf-8', 'cross-origin-resource-policy': 'cross-origin' },
  };
}

/** What was asked for, so that nobody takes the part for the whole. */
function wordsOf({ query }: Shown['about']): string[] {
  return Object.entries(query).map(([name, value]) => `${name} = ${value}`);
}

function asEmbed({ chart, about, page }: Shown): TakenAnswer {
  const query = wordsOf(about);
  const numbers = chart.bars.map((bar) => {
    const share = shareOf(bar);
    const words = bar.among === null ? '' : ` of ${bar.among.toLocaleString('en-GB')}`;
    return html`<li>${bar.title}: ${bar.trials.toLocaleString('en-GB')}${words}${share !== null && ` (${(share * 100).toFixed(1)} %)`}</li>`;
  });
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${chart.title} · Trial Board</title>
<link rel="canonical" href="${page}">
<link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body>
<main>
${about.corpus === 'sample' && html`<p class="notice"><strong>Synthetic sample corpus.</strong> No record in it is a real trial.</p>`}
<h1>${chart.title}</h1>
${query.length > 0 && html`<p>Only for ${query.join(', ')}</p>`}
<figure class="chart"><div class="drawn">${new Html(drawBars(chart, WIDE_PX, 'chart'))}</div>
<figcaption>${chart.definition}</figcaption>
<details><summary>The numbers</summary><ul>${numbers}</ul></details></figure>
<p><a href="${page}" target="_top">Trial Board</a>, snapshot ${about.snapshot}, data as of ${about.asOf}. Sources: ${about.sources.map(({ name }) => name).join(', ')}.</p>
</main>
</body>
</html>
`.text;
  return {
    body: document,
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': EMBED_POLICY },
  };
}
