import { barChart } from '../../../charts/bars.ts';
import { GAP_GROUPS, type GapGroup } from '../../../contract/schemas/trial-results-gap.ts';
import { type Html, html } from '../html.ts';
import { addressWith } from '../kit/address.ts';
import { chart, type DrawnPictures } from '../kit/chart.ts';
import { counted } from '../kit/counted.ts';
import { pager } from '../kit/pager.ts';
import { table } from '../kit/table.ts';
import { chartFiles } from '../kit/take-away.ts';
import { count } from '../kit/words.ts';
import type { Answered } from '../reads.ts';
import { type Gap, PATH, shareOf, trialsOf } from './gap.ts';

/** Numerator, denominator and share by disease, sponsor and more, as a chart and as a table. */

export const GROUP_TITLES: Readonly<Record<GapGroup, string>> = {
  disease: 'Disease',
  condition: 'Condition',
  sponsor: 'Sponsor',
  sponsorClass: 'Class of sponsor',
  year: 'Year due',
  phase: 'Phase',
  country: 'Country',
};

type Groups = NonNullable<Gap['groups']>;
type Group = Groups['values'][number];

const DRAWN = 12;
const BAR_PX = 34;
const AXES_PX = 110;

export function groupsPart(
  { data, meta }: Answered<Gap>,
  query: URLSearchParams,
  pictures: DrawnPictures,
): Html | false {
  const { groups } = data;
  if (groups === null) return false;
  const title = GROUP_TITLES[groups.by];
  const links = GAP_GROUPS.map((by) => {
    const address = addressWith(PATH, query, { by: by === 'disease' ? '' : by, page: '' });
    return html`<li><a href="${address}#groups"${by === groups.by && html` aria-current="true"`}>${GROUP_TITLES[by]}</a></li>`;
  });
  return html`<h2 id="groups">By ${title.toLowerCase()}</h2>
<nav aria-label="Ways to group"><ul class="chips">${links}</ul></nav>
${groups.values.length === 0 ? html`<p>No group has a trial whose results were due.</p>` : html`${drawn(data, { groups, snapshot: meta.snapshot ?? '', query, pictures })}${groupTable(groups, query)}`}
${pager({
  path: PATH,
  query,
  paging: meta.pagination ?? { hasMore: false },
  shown: `${count(groups.values.length)} of ${count(groups.total)} groups; ${groups.exclusive ? 'each trial is in one' : 'a trial may be in several, so never add them'}`,
  fragment: '#groups',
})}`;
}

function groupTable(groups: Groups, query: URLSearchParams): Html {
  const list = (filters: Record<string, string>, { query: own }: Group): string | null =>
    own === null ? null : trialsOf({ ...filters, ...own });
  const isUnlisted = groups.values.some(({ query: own }) => own === null);
  return html`${table(
    `By ${GROUP_TITLES[groups.by].toLowerCase()}: numbers in their order, no ranking of merit`,
    groups.values,
    [
      {
        head: GROUP_TITLES[groups.by],
        cell: ({ title, query: own }) =>
          own === null
            ? html`<bdi>${title}</bdi>`
            : html`<a href="${addressWith(PATH, query, { ...own, by: '', page: '' })}"><bdi>${title}</bdi></a>`,
      },
      {
        head: 'Without results',
        number: true,
        cell: (one) => counted(one.numerator, list(groups.queries.numerator, one)),
      },
      {
        head: 'Results due',
        number: true,
        cell: (one) => counted(one.denominator, list(groups.queries.denominator, one)),
      },
      { head: 'Share', number: true, cell: shareOf },
      {
        head: 'Median days overdue',
        number: true,
        cell: ({ daysOverdue }) => (daysOverdue === null ? '–' : count(daysOverdue.median)),
      },
    ],
  )}
${isUnlisted && html`<p class="soft">A group without links has no list: the search has no filter for it.</p>`}`;
}

interface Drawn {
  groups: Groups;
  snapshot: string;
  query: URLSearchParams;
  pictures: DrawnPictures;
}

/** Numerator and the rest of the denominator, one above the other, so that no share stands without its whole. */
function drawn(data: Gap, { groups, snapshot, query, pictures }: Drawn): Html {
  const bars = groups.values.slice(0, DRAWN);
  const { page: _page, ...filters } = Object.fromEntries(query);
  const title = GROUP_TITLES[groups.by].toLowerCase();
  const without = bars.map(({ numerator }) => numerator ?? 0);
  const posted = bars.map(({ numerator, denominator }) => (denominator ?? 0) - (numerator ?? 0));
  const label = `Completed trials whose results were due, by ${title}. ${bars.map((bar) => `${bar.title}: ${count(bar.numerator)} of ${count(bar.denominator)} without posted results`).join('; ')}.`;
  const key = [
    snapshot,
    'gap-groups',
    data.clock,
    data.months,
    groups.by,
    ...bars.map(({ value }) => value),
    ...without,
    ...posted,
  ].join(' ');
  return chart(pictures, {
    key,
    draw: (width, id) =>
      barChart(
        {
          categories: bars.map((bar) => bar.title),
          series: [
            { name: 'No results posted', values: without },
            { name: 'Results posted', values: posted },
          ],
          unit: 'trials',
          stacked: true,
          lying: true,
        },
        { id, width, height: bars.length * BAR_PX + AXES_PX, label },
      ),
    caption: `Trials whose results were due, by ${title}${groups.total > bars.length ? `: ${count(bars.length)} of ${count(groups.total)} groups` : ''}`,
    definition: html`${data.definition} ${groups.definition}`,
    table: table(`Numbers of the picture, by ${title}`, bars, [
      { head: GROUP_TITLES[groups.by], cell: (bar) => bar.title },
      { head: 'No results posted', number: true, cell: ({ numerator }) => count(numerator) },
      { head: 'Results due', number: true, cell: ({ denominator }) => count(denominator) },
    ]),
    takeAway: chartFiles('results-gap', 'Shares', { ...filters, by: groups.by }),
  });
}
