import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { bitmapOf, commonCount, intersect, type RowSet } from '../row-set.ts';
import { Counts, type Group, type Grouping } from './grouping.ts';

/** Of more than one in this many trials, a bit each is read faster for hundreds of values than a list is searched. */
const DENSE = 400;

export interface GroupSet extends Group {
  rows: RowSet;
}

/** Values that have a set of rows each: some ten to some hundred of them. */
export class SetGrouping implements Grouping {
  readonly own: readonly string[];
  readonly applied: readonly string[];
  readonly exclusive: boolean;
  readonly ordered: boolean;
  readonly #groups: readonly GroupSet[];
  readonly #trials: number;

  constructor(
    { trials }: Pick<SnapshotImage, 'trials'>,
    groups: readonly GroupSet[],
    {
      own,
      applied = [],
      exclusive,
      ordered,
    }: Pick<Grouping, 'own' | 'exclusive' | 'ordered'> & Partial<Pick<Grouping, 'applied'>>,
  ) {
    this.#trials = trials;
    this.#groups = groups;
    this.own = own;
    this.applied = applied;
    this.exclusive = exclusive;
    this.ordered = ordered;
  }

  get size(): number {
    return this.#groups.length;
  }

  count(rows: RowSet): Counts {
    const held = rows.count * DENSE > this.#trials ? bitmapOf(rows, this.#trials) : rows;
    return Counts.ofEach(Uint32Array.from(this.#groups, (group) => commonCount(held, group.rows)));
  }

  rowsWith(rows: RowSet, numbers: readonly number[]): RowSet[] {
    return numbers.map((number) => intersect([rows, this.#groups[number]!.rows]));
  }

  group(number: number): Group {
    const { value, title, query } = this.#groups[number]!;
    return { value, title, query };
  }

  withText(text: string): number[] {
    return this.#groups.flatMap(({ value, title }, number) =>
      beginsAWord(title, text) || beginsAWord(value, text) ? [number] : [],
    );
  }
}

/** Whether a name has the text at the start of a word, in any case. */
export function beginsAWord(name: string, text: string): boolean {
  const [folded, wanted] = [name.toLowerCase(), text.toLowerCase().trim()];
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(folded[at - 1]!)) return true;
  }
  return false;
}
