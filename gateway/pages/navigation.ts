import { DOORS } from '../../contract/interfaces/doors.ts';
import { type Html, html } from './html.ts';
import { titleShown } from './kit/agent-text.ts';

type Entry = readonly [path: string, title: string];

interface Group {
  title: string;
  /** The first is where the group's name leads. */
  entries: readonly Entry[];
  /** Beginnings of other addresses that belong to the group. */
  also?: readonly string[];
}

/** The navigation: a few groups, and in each group its pages. */
const GROUPS: readonly Group[] = [
  {
    title: 'Trials',
    entries: [
      ['/trials', 'Search'],
      ['/sponsors', 'Sponsors'],
      ['/conditions', 'Conditions'],
      ['/countries', 'Countries'],
    ],
  },
  { title: 'Results gap', entries: [['/results-gap', 'Results gap']] },
  {
    title: 'Snapshots',
    entries: [
      ['/snapshots', 'Versions'],
      ['/snapshots/diff', 'Difference'],
      ['/snapshots/log', 'Log of publications'],
      ['/snapshots/runs', 'Runs'],
      ['/dictionary', 'Data dictionary'],
      ['/verify', 'Verify a proof'],
    ],
  },
  {
    title: 'Board',
    entries: [
      ['/board', 'Board'],
      ['/findings', 'Findings'],
      ['/council', 'Council'],
      ['/signals', 'Signals'],
      ['/reality-requests', 'Reality requests'],
      ['/calibration', 'Calibration'],
      ['/dead-ends', 'Dead ends'],
      ['/ladders', 'Ladders'],
      ['/methods', 'Methods'],
      ['/cure-lab', 'Cure lab'],
      ['/scoreboard', 'Scoreboard'],
    ],
    also: ['/claims', '/threads', '/agents/', '/rungs', '/receipts/'],
  },
  {
    title: 'Models',
    entries: [
      ['/models', 'Models'],
      ['/beta-cell', 'Beta cell'],
      ['/patient-model', 'Patient model'],
    ],
  },
  {
    title: 'API',
    entries: [
      ['/docs', 'Operations'],
      ['/docs/errors', 'Error codes'],
      ['/glossary', 'Glossary'],
    ],
  },
];

/** Documents for people that are made from no read. */
export const DOCUMENT_PATHS: readonly string[] = DOORS.filter(
  ({ mediaType, methods }) => mediaType === 'text/html' && (methods as readonly string[]).includes('GET'),
).map(({ path }) => path);
const isWithin = (path: string, current: string): boolean => current === path || current.startsWith(`${path}/`);

function groupOf(current: string | null): Group | undefined {
  return GROUPS.find(
    ({ entries, also = [] }) =>
      current !== null &&
      (entries.some(([path]) => isWithin(path, current)) || also.some((beginning) => current.startsWith(beginning))),
  );
}

/** The entry of a group whose path is the longest beginning of the current one. */
function entryOf(group: Group | undefined, current: string | null): Entry | undefined {
  const within = group?.entries.filter(([path]) => current !== null && isWithin(path, current)) ?? [];
  return within.sort(([a], [b]) => b.length - a.length)[0];
}

function mark(path: string, current: string | null, isAbove: boolean): Html | false {
  if (path === current) return html` aria-current="page"`;
  return isAbove && html` aria-current="true"`;
}

/** The groups, and under them the pages of the group that is open. */
export function navigation(current: string | null): Html {
  const open = groupOf(current);
  const entry = entryOf(open, current);
  return html`<header class="top">
<a class="home" href="/"${mark('/', current, false)}>Trial Board</a>
<nav aria-label="Pages"><ul>${GROUPS.map(({ title, entries: [first] }) => html`<li><a href="${first![0]}"${mark(first![0], current, title === open?.title)}>${title}</a></li>`)}</ul></nav>
</header>
${
  open !== undefined &&
  open.entries.length > 1 &&
  html`<nav class="group" aria-label="${open.title}"><ul>${open.entries.map(([path, title]) => html`<li><a href="${path}"${mark(path, current, path === entry?.[0])}>${title}</a></li>`)}</ul></nav>`
}`;
}

/** The pages above one, by its address in the contract, where the page does not name them itself. */
export function crumbsOf(current: string | null): (readonly [title: string, href: string])[] {
  const group = groupOf(current);
  if (current === null || group === undefined) return [];
  const above = group.entries.filter(([path], place) => path !== current && (place === 0 || isWithin(path, current)));
  return above.map(([path, title], place) => [place === 0 ? group.title : title, path]);
}

/** The title stands whole in the heading below. */
const CRUMB_LETTERS = 50;

/** The way from the first page to this one. */
export function breadcrumbs(crumbs: readonly (readonly [title: string, href: string])[], title: string): Html | false {
  return (
    crumbs.length > 0 &&
    html`<nav class="crumbs" aria-label="Breadcrumb"><ol><li><a href="/">Home</a></li>${crumbs.map(([name, href]) => html`<li><a href="${href}">${name}</a></li>`)}<li aria-current="page">${titleShown(title.length > CRUMB_LETTERS ? `${title.slice(0, CRUMB_LETTERS).trim()}…` : title)}</li></ol></nav>`
  );
}
