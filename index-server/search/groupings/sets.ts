import { intersect, type RowSet } from '../row-set.ts';
import type { Group, Grouping } from './grouping.ts';

export interface GroupSet extends Group {
  rows: RowSet;
}

/** Values that have a set of rows each: some ten to some hundred of them. */
export class SetGrouping implements Grouping {
  readonly own: readonly string[];
  readonly exclusive: boolean;
  readonly ordered: boolean;
  readonly #groups: readonly GroupSet[];

  constructor(
    groups: readonly GroupSet[],
    { own, exclusive, ordered }: Pick<Grouping, 'own' | 'exclusive' | 'ordered'>,
  ) {
    this.#groups = groups;
    this.own = own;
    this.exclusive = exclusive;
    this.ordered = ordered;
  }

  count(rows: RowSet): Uint32Array {
    return Uint32Array.from(this.#groups, (group) => intersect([rows, group.rows]).count);
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
