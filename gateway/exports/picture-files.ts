import { BOARD_CHARTS, CHARTS, type ChartName } from '../../contract/interfaces/charts.ts';
import { escapeMarkup } from '../../contract/markup.ts';
import type { ParameterShape } from '../../contract/operation.ts';
import { csvHead, csvRow, type FileAbout } from '../../server-kit/answer/file-about.ts';
import { fileNameOf } from '../../server-kit/answer/file-name.ts';
import { unknownNamed } from '../../server-kit/parameters.ts';
import { Problem } from '../../server-kit/problem.ts';
import { WIDE_PX } from '../charts/svg.ts';
import { AGENT_RIGHTS } from '../feeds/rights.ts';
import type { DrawnPicture } from '../pages/kit/picture.ts';
import { filterSaid } from '../pages/words/trials.ts';
import { aboutOfReads, csvHeaders } from './about-reads.ts';
import { PICTURES } from './picture-list.ts';
import { PERMANENT, type Taken, type TakenAnswer, type TakenRequest } from './taken.ts';

/** The files of a picture: SVG and CSV. */

const TITLE_PX = 32;
const SOURCE_PX = 44;
const NOTHING_PX = 60;
const WHITE = '#ffffff';
/** A version that is removed later leaves the pictures over all versions, so that a cache may not keep them for ever. */
const SPANNING: readonly ChartName[] = ['versions-trials', 'versions-bytes'];

interface Shown {
  picture: DrawnPicture;
  about: FileAbout;
  /** Whole address of the page that shows the same. */
  page: string;
}

export const pictureFile: Taken = {
  id: 'chart',
  async answer(request) {
    const { params, applied, reads, baseUrl, snapshot } = request;
    const [name, ending] = params.file!.split('.') as [ChartName, 'svg' | 'csv'];
    const { header = 'words', ...own } = applied;
    refuseOthers(name, own, snapshot);
    const picture = await PICTURES[name]({ reads, served: reads.at(undefined), snapshot }, own);
    const about = await aboutOf(request, picture);
    const { pathname, search } = new URL(about.address);
    const location = `${pathname}${search}`;
    const shown = { picture, about, page: `${baseUrl}${picture.page}` };
    const answered = ending === 'svg' ? asPicture(shown) : asTable(shown, header, location);
    return {
      ...answered,
      headers: {
        ...answered.headers,
        'content-location': location,
        ...(snapshot === undefined || SPANNING.includes(name) ? {} : PERMANENT),
      },
    };
  },
};

/** A picture cannot say that a parameter was left out, so that one that it does not take is refused. */
function refuseOthers(name: ChartName, own: Readonly<Record<string, string>>, snapshot: string | undefined): void {
  const { query, needs }: { query: ParameterShape; needs?: string } = CHARTS[name];
  const ofSnapshots = !BOARD_CHARTS.includes(name);
  const known = [...Object.keys(query), ...(ofSnapshots ? ['snapshot'] : []), 'header'];
  const given = [...Object.keys(own), ...(snapshot === undefined ? [] : ['snapshot'])];
  const other = given.find((one) => !known.includes(one));
  if (other !== undefined) throw unknownNamed(other, known);
  if (needs === undefined || own[needs] !== undefined) return;
  const expected = `the parameter ${needs}, as in the address that its page names`;
  throw new Problem('INVALID_PARAM', {
    message: `There is nothing to draw: expected ${expected}.`,
    ...{ parameter: needs, expected, issues: [{ path: needs, message: `expected ${expected}` }] },
  });
}

async function aboutOf(request: TakenRequest, picture: DrawnPicture): Promise<FileAbout> {
  const { params, applied, baseUrl } = request;
  const ofBoard = BOARD_CHARTS.includes(picture.name);
  const about = await aboutOfReads(
    request,
    {
      title: picture.title.replace(/\.$/, ''),
      rows: { count: picture.rows.length, what: 'rows', each: 'the numbers of the picture' },
      readAs: [picture.definition],
      address: '',
      ...(ofBoard && { sources: [], honesty: AGENT_RIGHTS }),
    },
    picture.counts,
  );
  const query = new URLSearchParams({ ...applied, ...(!ofBoard && { snapshot: about.snapshot }) });
  return { ...about, address: `${baseUrl}/charts/${params.file}${query.size === 0 ? '' : `?${query}`}` };
}

function asTable({ picture, about }: Shown, header: string, location: string): TakenAnswer {
  const { columns, rows, name, own } = picture;
  return {
    body:
      csvHead(columns, about, header === 'names' ? 'names' : 'words') +
      rows.map((row) => csvRow(columns, row)).join(''),
    headers: csvHeaders(fileNameOf(name, Object.values(own), about.snapshot, 'csv'), location),
  };
}

/** A whole picture: its title and definition for readers who do not see it, and its source in a line below it. */
function asPicture({ picture, about, page }: Shown): TakenAnswer {
  const { title, definition, draw } = picture;
  // Programs that draw SVG know no variables of a style sheet; the paper of this one is white.
  const drawn = (draw?.(WIDE_PX) ?? '')
    .replaceAll('var(--paper, #fff)', WHITE)
    .replaceAll(/var\(--[a-z0-9-]+, ([^)]+)\)/g, '$1');
  const height = Number(/<svg [^>]*?height="(\d+)"/.exec(drawn)?.[1] ?? NOTHING_PX);
  const query = wordsOf(about);
  const source = `${sourceOf(about, picture)}${query.length > 0 ? `; ${query.join(', ')}` : ''}`;
  const line = (y: number, text: string) =>
    `<text x="8" y="${y}" font-size="12" font-family="sans-serif" fill="#57606a">${escapeMarkup(cutAt(text, LINE_MAX_CHARACTERS))}</text>`;
  const end = TITLE_PX + height;
  const whole = end + SOURCE_PX;
  const body = `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${WIDE_PX}" height="${whole}" viewBox="0 0 ${WIDE_PX} ${whole}">
<title>${escapeMarkup(title)}</title>
<desc>${escapeMarkup(`${definition} ${source}. ${page}`)}</desc>
<rect width="100%" height="100%" fill="${WHITE}"/>
<text x="8" y="20" font-size="15" font-weight="bold" font-family="sans-serif" fill="#1f2328">${escapeMarkup(cutAt(title, TITLE_MAX_CHARACTERS))}</text>
${drawn === '' ? line(TITLE_PX + NOTHING_PX / 2, 'There is nothing to draw.') : drawn.replace('<svg ', `<svg y="${TITLE_PX}" `)}
${line(end + 16, source)}
${line(end + 34, page)}
</svg>
`;
  return {
    body,
    headers: { 'content-type': 'image/svg+xml; charset=utf-8', 'cross-origin-resource-policy': 'cross-origin' },
  };
}

/** What fits beside each other in a picture; its description has all of it. */
const LINE_MAX_CHARACTERS = 110;
const TITLE_MAX_CHARACTERS = 84;

function cutAt(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

function sourceOf({ snapshot, asOf }: FileAbout, { name }: DrawnPicture): string {
  return BOARD_CHARTS.includes(name)
    ? 'Trial Board, written by agents, not verified'
    : `Trial Board, snapshot ${snapshot}, data as of ${asOf}`;
}

/** How a picture is laid out, which its title says. */
const LAID_OUT: readonly string[] = ['by', 'page', 'pageSize'];

/** What was asked for, so that nobody takes the part for the whole. */
function wordsOf({ query }: Shown['about']): string[] {
  return Object.entries(query).flatMap(([name, value]) => (LAID_OUT.includes(name) ? [] : filterSaid(name, value)));
}
