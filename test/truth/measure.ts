import type { Served } from './served.ts';

/** What every measure of docs/truth.md is made of. */

export interface Share {
  hits: number;
  of: number;
}

export interface Miss {
  /** Id of the record, or the text or case. */
  id: string;
  /** What is wrong; misses with the same reason are shown together. */
  why: string;
}

/** One line of the table. A share is null where the line does not measure it; `note` then says why. */
export interface Row {
  what: string;
  /** Items that were looked at: pairs, texts, values, labels. */
  n: number;
  precision: Share | null;
  recall: Share | null;
  /** Known misses; a line that counts a part of another leaves them to that one. */
  misses: Miss[];
  note?: string;
}

/** Who checked a set, how and on which day; kept beside the labels in `sets/`. */
export interface Checked {
  by: string;
  how: string;
  on: string;
}

export interface Measured {
  rows: Row[];
  /** What the counts cannot say of themselves: remarks and defects, each a sentence or two. */
  remarks: string[];
}

/** The real registry records, as the measures share them. */
export interface RealRecords {
  /** Folder with `ctgov`, `isrctn` and `pairs`. */
  data: string;
  /** The held ClinicalTrials.gov records in a snapshot behind the gateway; made once. */
  served(): Promise<Served>;
  /** The held records of both registries, likewise. */
  servedOfBoth(): Promise<Served>;
}

/** One file in `measures/`: what is compared with which checked sample, and the code that counts. */
export interface Measure {
  title: string;
  sample: string;
  method: string;
  checked: Checked;
  /** True where everything held is compared and nothing was drawn, so that a share has no interval. */
  isWhole?: true;
  measure(records: RealRecords): Promise<Measured>;
}

/** Two-sided 95 % of the normal distribution. */
const Z = 1.96;

/** Wilson's score interval of a share; null where nothing was counted. */
export function wilson({ hits, of }: Share): { low: number; high: number } | null {
  if (of === 0) return null;
  const middle = hits / of + (Z * Z) / (2 * of);
  const half = Z * Math.sqrt((hits * (of - hits)) / of ** 3 + (Z * Z) / (4 * of * of));
  const scale = 1 + (Z * Z) / of;
  // Rounding leaves a low end of 0 just below it.
  return { low: Math.max(0, (middle - half) / scale), high: Math.min(1, (middle + half) / scale) };
}

/** Precision and recall of what was found against what is right, both as keys; misses name each difference. */
export function compared(
  found: ReadonlySet<string>,
  right: ReadonlySet<string>,
): { precision: Share; recall: Share; misses: Miss[] } {
  const hits = [...found].filter((key) => right.has(key)).length;
  return {
    precision: { hits, of: found.size },
    recall: { hits, of: right.size },
    misses: [
      ...[...found].filter((key) => !right.has(key)).map((id) => ({ id, why: 'wrong' })),
      ...[...right].filter((key) => !found.has(key)).map((id) => ({ id, why: 'missed' })),
    ],
  };
}
