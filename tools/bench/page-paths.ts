import { TOPIC_IDS } from '../../contract/declared/topics.ts';
import { FACETS } from '../../contract/schemas/trials/trial-facets.ts';
import { openSnapshotImage, type SnapshotImage } from '../../index-server/snapshot/snapshot-image.ts';
import { drawQueries, spreadIds, spreadSubjects } from './queries.ts';

/** Parts of the benchmark of pages, each of which can be measured alone. */
export const PAGE_PARTS = ['fixed', 'search', 'subjects', 'gap', 'trial'] as const;
export type PagePart = (typeof PAGE_PARTS)[number];

const FIXED_PAGES = [
  '/',
  '/snapshots',
  '/board',
  '/results-gap',
  '/council',
  '/beta-cell',
  '/patient-model',
  '/signals',
  '/snapshots/diff',
  '/docs',
  '/docs/trials',
  '/docs/errors/INVALID_PARAM',
  '/about',
  '/glossary',
  '/findings',
  '/calibration',
  '/sponsors',
  '/conditions',
  '/countries',
];

/** The addresses of each kind of page, by a name for the kind. */
export type KindsOfPages = Record<string, string[]>;

/** The kinds of pages of these parts over a snapshot; equal snapshots give equal addresses. */
export function pagesOf(dir: string, parts: readonly PagePart[]): { trials: number; kinds: KindsOfPages } {
  const image = openSnapshotImage(dir);
  try {
    const kinds = parts.map((part) => KINDS[part](image));
    return { trials: image.trials, kinds: Object.assign({}, ...kinds) as KindsOfPages };
  } finally {
    image.release();
  }
}

const KINDS: Record<PagePart, (image: SnapshotImage) => KindsOfPages> = {
  fixed: ({ version }) => ({
    ...Object.fromEntries(FIXED_PAGES.map((path) => [path, [path]])),
    '/snapshots/{version}': [`/snapshots/${version}`],
  }),
  search: (image) => {
    const { mixed } = drawQueries(image);
    const queries = [...new Set(mixed)].map(encodeURIComponent);
    return {
      '/trials': ['/trials'],
      '/trials, mixed words': queries.map((q) => `/trials?q=${q}`),
      '/trials, two facets and words': queries.map((q) => `/trials?status=completed&phase=2&q=${q}`),
      '/trials/by/{facet}': FACETS.map((facet) => `/trials/by/${facet}`),
    };
  },
  subjects: (image) => {
    const { sponsors, conditions, countries } = spreadSubjects(image);
    const named = (path: string, names: readonly string[]) => names.map((name) => path + encodeURIComponent(name));
    return {
      '/sponsors/{name}': named('/sponsors/', sponsors),
      '/conditions/{name}': named('/conditions/', conditions),
      '/conditions/{topic}': named('/conditions/', TOPIC_IDS),
      '/countries/{name}': named('/countries/', countries),
    };
  },
  gap: () => ({
    '/results-gap, by disease': TOPIC_IDS.map((topic) => `/results-gap?topic=${topic}`),
    '/results-gap, by sponsor': TOPIC_IDS.map((topic) => `/results-gap?topic=${topic}&by=sponsor`),
  }),
  trial: (image) => {
    const ids = spreadIds(image);
    return {
      '/trials/{id}': ids.map((id) => `/trials/${id}`),
      '/trials/{id}/compare': ids.map((id) => `/trials/${id}/compare`),
    };
  },
};
