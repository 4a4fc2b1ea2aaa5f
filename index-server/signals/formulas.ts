import { z } from 'zod';
import texts from '../../data/declared/signals.json' with { type: 'json' };

/** The arithmetic of the signals, each with its wording in the replies; docs/signals.md lists them. */

/** With fewer classified items, evenness reflects chance more than the four capitals. */
export const CONSCIENCE_MINIMUM_ITEMS = 10;

const text = z.string();
export const SIGNAL_TEXTS = z
  .strictObject({
    formulas: z.strictObject({
      share: text,
      direction: text,
      conscience: text,
      cure: text,
      momentum: text,
      concentration: text,
      access: text,
    }),
    census: text,
    world: text,
  })
  .parse(texts);
export const FORMULAS = SIGNAL_TEXTS.formulas;

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

/** Concentration of items by the name of their group; in a tie the first by name leads. */
export function concentration(names: readonly string[]) {
  const items = names.length;
  const groups = Array.from(
    Map.groupBy(names, (name) => name),
    ([name, { length }]) => ({ name, items: length }),
  );
  const [top] = groups.sort((a, b) => b.items - a.items || (a.name < b.name ? -1 : 1));
  if (top === undefined) return { groups: 0, hhi: null, gini: null, top: null };
  const shares = groups.map((group) => group.items / items).sort((a, b) => a - b);
  const n = shares.length;
  return {
    groups: n,
    hhi: rounded(sum(shares.map((share) => share * share))),
    gini: rounded(sum(shares.map((share, index) => (2 * (index + 1) - n - 1) * share)) / n),
    top: { ...top, share: rounded(top.items / items) },
  };
}

export function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
