/** The arithmetic of the signals, each with its wording in the replies; docs/signals.md lists them. */

/** With fewer classified items, evenness reflects chance more than the four capitals. */
export const CONSCIENCE_MINIMUM_ITEMS = 10;

export const FORMULAS = {
  share: 'count of the capital / classified items of the window',
  direction:
    'items of the last floor(days/2) days against the items of as many days before them; change = (recent - before) / before; rising and falling say which is larger, without a threshold',
  conscience:
    '-sum(p * ln p) / ln 4 over the shares p of the four capitals (normalised Shannon evenness; a share of 0 adds 0)',
  cure: 'items whose lexicon class is research or treatment / all items of the window that meet disease',
  momentum: '(items of the last 7 days - items of the 7 days before) / items of the 7 days before',
  concentration:
    'over the items of the window, s = share of a group with at least one item: hhi = sum(s^2); gini = sum((2 * rank - n - 1) * s) / n with groups ranked by share from the smallest; top = the largest share',
  access:
    'broad: publicShare >= 0.5; insider-weighted: publicShare < 0.5 and insiderShare > publicShare; mixed: any other; not-stated: either share unknown. A reading of who could get the supply, not of worth.',
} as const;

const PLACES = 10_000;

/** Rounds to four places: the figures are no more precise than that. */
export function rounded(value: number): number {
  return Math.round(value * PLACES) / PLACES;
}

export function shareOf(count: number, total: number): number | null {
  return total === 0 ? null : rounded(count / total);
}

export function changeOf(recent: number, before: number): number | null {
  return before === 0 ? null : rounded((recent - before) / before);
}

/** Normalised Shannon evenness of counts, 0 to 1; null if they sum to less than `minimum`. */
export function evenness(counts: readonly number[], minimum: number): number | null {
  const total = sum(counts);
  if (total < minimum || total === 0) return null;
  const entropy = sum(counts.filter((count) => count > 0).map((count) => -(count / total) * Math.log(count / total)));
  return rounded(entropy / Math.log(counts.length));
}

export interface Concentration {
  groups: number;
  hhi: number | null;
  gini: number | null;
  top: { name: string; items: number; share: number } | null;
}

/** Takes groups with at least one item each; in a tie the first by name leads. */
export function concentration(groups: readonly { name: string; items: number }[]): Concentration {
  const total = sum(groups.map(({ items }) => items));
  const [top] = [...groups].sort((a, b) => b.items - a.items || (a.name < b.name ? -1 : 1));
  if (top === undefined || total === 0) return { groups: 0, hhi: null, gini: null, top: null };
  const shares = groups.map(({ items }) => items / total).sort((a, b) => a - b);
  const n = shares.length;
  return {
    groups: n,
    hhi: rounded(sum(shares.map((share) => share * share))),
    gini: rounded(sum(shares.map((share, index) => (2 * (index + 1) - n - 1) * share)) / n),
    top: { ...top, share: rounded(top.items / total) },
  };
}

export function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
