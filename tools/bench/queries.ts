import type { TrialListItem } from '../../contract/schemas/trials/trial.ts';
import { documents } from '../../index-server/search/documents.ts';
import type { SnapshotImage } from '../../index-server/snapshot/snapshot-image.ts';
import { POSTING } from '../../snapshot/format/serving-columns.ts';
import { tokenKey } from '../../snapshot/format/words/tokens.ts';

export const QUERY_KINDS = ['rare', 'common', 'mixed'] as const;
export type QueryKind = (typeof QUERY_KINDS)[number];
export type Queries = Record<QueryKind, string[]>;

/** Trials whose titles the words are taken from, spread evenly over the corpus. */
const TITLES = 1000;
const QUERIES = 200;
const IDS = 200;
/** A word is rare up to the first share of the trials and common from the second on. */
const RARE_SHARE = 0.001;
const COMMON_SHARE = 0.05;

/** Draws queries from words of titles, sorted by how many trials have them; equal corpora give equal queries. */
export function drawQueries(image: SnapshotImage): Queries {
  const words = wordsOfTitles(image);
  const holders = (word: string): number => image.posting(POSTING.text + tokenKey(word))?.count ?? 0;
  const counted = words.map((word) => ({ word, trials: holders(word) })).filter(({ trials }) => trials > 0);
  const rare = counted.filter(({ trials }) => trials <= Math.max(3, image.trials * RARE_SHARE)).map(({ word }) => word);
  const common = counted.filter(({ trials }) => trials >= image.trials * COMMON_SHARE).map(({ word }) => word);
  const pick = (from: string[], place: number): string => from[place % Math.max(1, from.length)] ?? 'trial';
  const numbers = Array.from({ length: QUERIES }, (_, place) => place);
  return {
    rare: numbers.map((place) => pick(rare, place)),
    common: numbers.map((place) => pick(common, place)),
    // One word, two words, three words, a phrase, in turn; a prime stride keeps the pairs apart.
    mixed: numbers.map((place) => {
      const [a, b, c] = [pick(words, place * 31), pick(common, place * 17 + 5), pick(common, place * 13 + 7)];
      return [a, `${a} ${b}`, `${b} ${c}`, `"${b} ${c}"`][place % 4] as string;
    }),
  };
}

type Spread = Pick<TrialListItem, 'canonicalId' | 'title' | 'sponsor' | 'conditions' | 'countries'>;

/** Trials spread evenly over the corpus. */
function spreadTrials(image: SnapshotImage, most: number): Spread[] {
  const step = Math.max(1, Math.floor(image.trials / most));
  const rows = Array.from({ length: Math.min(most, image.trials) }, (_, place) => place * step);
  return JSON.parse(documents(image, rows, { detail: 'brief', eligibility: false }).toString('utf8'));
}

/** Canonical ids of at most 200 trials, spread evenly over the corpus. */
export function spreadIds(image: SnapshotImage): string[] {
  return spreadTrials(image, IDS).map(({ canonicalId }) => canonicalId);
}

export function searchPaths(queries: readonly string[]): string[] {
  return queries.map((q) => `/api/v1/trials/search?q=${encodeURIComponent(q)}`);
}

function wordsOfTitles(image: SnapshotImage): string[] {
  const words = spreadTrials(image, TITLES).flatMap(({ title }) => title?.match(/[A-Za-z]{4,}/g) ?? []);
  return [...new Set(words.map((word) => word.toLowerCase()))].sort();
}
