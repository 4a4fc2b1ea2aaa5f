/** What the numbers of the contract are held against when their modules are loaded. */

/** An inclusive range with the value that is used when none is given. */
export interface Range {
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

/** A relation that must hold, with the sentence that says what is broken when it does not. */
export type LimitRelation = readonly [holds: boolean, broken: string];

/** Throws one Error that lists every broken relation; returns quietly when all hold. */
export function assertLimitRelations(relations: readonly LimitRelation[]): void {
  const broken = relations.filter(([holds]) => !holds).map(([, sentence]) => sentence);
  if (broken.length > 0) throw new Error(`the limits of the contract contradict themselves: ${broken.join('; ')}`);
}

export function isOrdered(range: { min: number; max: number; default?: number }): boolean {
  const middle = range.default ?? range.min;
  return range.min <= middle && middle <= range.max;
}

/** One relation for each range: its ends and its default are in order. */
export function orderedRanges(ranges: Record<string, { min: number; max: number; default?: number }>): LimitRelation[] {
  return Object.entries(ranges).map(([name, range]) => [isOrdered(range), `${name} is not in order`]);
}
