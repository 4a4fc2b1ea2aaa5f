import { existsSync, readFileSync } from 'node:fs';
import type { Checked, Row, Share } from './measure.ts';

/** What two readers wrote down of one trial; `b` is left out where both wrote the same. */
interface LabelledTrial {
  a: string[];
  b?: string[];
  /** The labels that count where the readers differ, or where what both wrote goes against the guideline, and why. */
  settled?: string[];
  why?: string;
}

export interface LabelSet {
  checked: Checked;
  /** Ids by how they were drawn. */
  strata: Record<string, string[]>;
  trials: Record<string, LabelledTrial>;
}

function fileOf(name: string): URL {
  return new URL(`./sets/${name}.json`, import.meta.url);
}

export function hasLabels(name: string): boolean {
  return existsSync(fileOf(name));
}

export function loadLabels(name: string): LabelSet {
  return JSON.parse(readFileSync(fileOf(name), 'utf8'));
}

export function rightLabels({ trials }: LabelSet): Map<string, Set<string>> {
  return new Map(Object.entries(trials).map(([id, { a, settled = a }]) => [id, new Set(settled)]));
}

/** Counts found labels against the right ones; `of` limits both to some labels. */
export function labelRow(
  what: string,
  right: ReadonlyMap<string, ReadonlySet<string>>,
  found: ReadonlyMap<string, ReadonlySet<string>>,
  { ids = [...right.keys()], of }: { ids?: readonly string[]; of?: readonly string[] } = {},
): Row {
  const taken = (labels: ReadonlySet<string> | undefined) =>
    [...(labels ?? [])].filter((label) => of === undefined || of.includes(label));
  const precision: Share = { hits: 0, of: 0 };
  const recall: Share = { hits: 0, of: 0 };
  const misses: Row['misses'] = [];
  for (const id of ids) {
    const [rightHere, foundHere] = [taken(right.get(id)), taken(found.get(id))];
    const hits = foundHere.filter((label) => rightHere.includes(label)).length;
    precision.hits += hits;
    precision.of += foundHere.length;
    recall.hits += hits;
    recall.of += rightHere.length;
    misses.push(
      ...foundHere.filter((label) => !rightHere.includes(label)).map(() => ({ id, why: 'wrong' })),
      ...rightHere.filter((label) => !foundHere.includes(label)).map(() => ({ id, why: 'missed' })),
    );
  }
  return { what, n: ids.length, precision, recall, misses };
}

/** Cohen's kappa of two readers who decide on each trial and each label. */
export function kappa({ trials }: LabelSet, labels: readonly string[]): number {
  const counts = { both: 0, onlyA: 0, onlyB: 0, none: 0 };
  for (const { a, b = a } of Object.values(trials)) {
    for (const label of labels) {
      const [inA, inB] = [a.includes(label), b.includes(label)];
      counts[inA ? (inB ? 'both' : 'onlyA') : inB ? 'onlyB' : 'none']++;
    }
  }
  const all = counts.both + counts.onlyA + counts.onlyB + counts.none;
  const byA = (counts.both + counts.onlyA) / all;
  const byB = (counts.both + counts.onlyB) / all;
  const chance = byA * byB + (1 - byA) * (1 - byB);
  return ((counts.both + counts.none) / all - chance) / (1 - chance);
}

/** Remarks on how far two readers agree, with every trial that a third settled. */
export function agreement(set: LabelSet, labels: readonly string[]): string[] {
  const trials = Object.entries(set.trials);
  const differing = trials.filter(([, { b }]) => b !== undefined);
  const overruled = trials.filter(([, { b, settled }]) => b === undefined && settled !== undefined);
  const remarks = [
    `The readers agree on all labels of ${trials.length - differing.length} of ${trials.length} trials; Cohen’s kappa over each trial and label is ${kappa(set, labels).toFixed(3)}. Readers of one kind share their mistakes, so this is no proof that they are right.`,
    `Settled: ${differing.map(settlement).join('; ')}.`,
  ];
  if (overruled.length > 0) {
    remarks.push(`Settled against both readers, by the guideline: ${overruled.map(settlement).join('; ')}.`);
  }
  return remarks;
}

/** The labels that were in doubt, each with whether it counts, and why. */
function settlement([id, { a, b = a, settled = [], why }]: [string, LabelledTrial]): string {
  const lists = [a, b, settled];
  const inDoubt = [...new Set(lists.flat())].filter((label) => lists.some((list) => !list.includes(label)));
  const shown = inDoubt.map((label) => `${settled.includes(label) ? '' : 'not '}${label}`);
  return `${id} ${shown.join(', ')} (${why})`;
}
