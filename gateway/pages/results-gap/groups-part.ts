import { CHARTS } from '../../../contract/interfaces/charts.ts';
import { GAP_GROUPS } from '../../../contract/schemas/trials/trial-results-gap.ts';
import { type Html, html } from '../html.ts';
import { addressWith } from '../kit/address.ts';
import { chart } from '../kit/chart.ts';
import { choices, pager } from '../kit/list-controls.ts';
import { counted, table } from '../kit/parts.ts';
import { count } from '../kit/words.ts';
import { GROUP_TITLES, gapPicture } from '../pictures/results-gap.ts';
import type { Answered } from '../reads.ts';
import { type Gap, PATH, shareOf, trialsOf } from './list-part.ts';

/** Numerator, denominator and share by disease, sponsor and more, as a chart and as a table. */

type Groups = NonNullable<Gap['groups']>;
type Group = Groups['values'][number];

export function groupsPart({ data, meta }: Answered<Gap>, query: URLSearchParams): Html | false {
  const { groups } = data;
  if (groups === null) return false;
  const title = GROUP_TITLES[groups.by];
  const links = GAP_GROUPS.map((by) => ({
    title: GROUP_TITLES[by],
    href: `${addressWith(PATH, query, { by: by === 'disease' ? '' : by, page: '' })}#groups`,
    chosen: by === groups.by,
  }));
  return html`<h2 id="groups">By ${title.toLowerCase()}</h2>
${choices('Ways to group', links)}
${groups.values.length === 0 ? html`<p>No group has a trial whose results were due.</p>` : html`${drawn(data, { groups, query, pageSize: String(meta.pagination?.pageSize ?? '') })}${groupTable(groups, query)}`}
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
      [
        GROUP_TITLES[groups.by],
        ({ title, query: own }) =>
          own === null
            ? html`<bdi>${title}</bdi>`
            : html`<a href="${addressWith(PATH, query, { ...own, by: '', page: '' })}"><bdi>${title}</bdi></a>`,
      ],
      ['Without results', (one) => counted(one.numerator, list(groups.queries.numerator, one)), 'number'],
      ['Results due', (one) => counted(one.denominator, list(groups.queries.denominator, one)), 'number'],
      ['Share', shareOf, 'number'],
      ['Median days overdue', ({ daysOverdue }) => (daysOverdue === null ? '–' : count(daysOverdue.median)), 'number'],
    ],
  )}
${isUnlisted && html`<p class="soft">A group without links has no list: the search has no filter for it.</p>`}`;
}

interface Drawn {
  groups: Groups;
  query: URLSearchParams;
  /** Groups on the page. */
  pageSize: string;
}

/** The first groups of the page as a picture. */
function drawn(data: Gap, { groups, query, pageSize }: Drawn): Html {
  const taken = [...query].filter(([name]) => Object.hasOwn(CHARTS['results-gap'].query, name));
  const picture = gapPicture(data, { ...Object.fromEntries(taken), by: groups.by, pageSize });
  return chart({
    picture,
    table: table(`Numbers of the picture, by ${GROUP_TITLES[groups.by].toLowerCase()}`, picture.rows, [
      [GROUP_TITLES[groups.by], ({ title }) => String(title)],
      ['No results posted', ({ trials }) => count(trials as number | null), 'number'],
      ['Results due', ({ among }) => count(among as number | null), 'number'],
    ]),
  });
}
