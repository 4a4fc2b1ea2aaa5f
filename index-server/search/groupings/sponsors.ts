import { trialFilterParameters } from '../../../contract/trial-filters.ts';
import { NO_SPONSOR } from '../../../snapshot/format/serving-columns.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { type RowSet, rowsOf } from '../row-set.ts';
import { Counts, type Group, type Grouping, split } from './grouping.ts';
import { beginsAWord } from './sets.ts';

/** Lead sponsors by their whole names; case and white space tell no two apart. The number is that of the image. */
export class SponsorGrouping implements Grouping {
  readonly own = ['sponsor', 'sponsorMatch'] as const;
  readonly exclusive = true;
  readonly ordered = false;
  readonly #image: SnapshotImage;

  constructor(image: SnapshotImage) {
    this.#image = image;
  }

  get size(): number {
    return this.#image.sponsorCount;
  }

  count(rows: RowSet): Counts {
    const { sponsor } = this.#image.columns;
    const numbers = rowsOf(rows);
    let stated = 0;
    for (let at = 0; at < numbers.length; at++) {
      const number = sponsor[numbers[at] as number] as number;
      if (number !== NO_SPONSOR) numbers[stated++] = number;
    }
    return Counts.ofValues(numbers.subarray(0, stated), this.size);
  }

  rowsWith(rows: RowSet, numbers: readonly number[]): RowSet[] {
    const { sponsor } = this.#image.columns;
    return split(rowsOf(rows), (row) => sponsor[row] as number, numbers);
  }

  group(number: number): Group {
    const name = this.#image.sponsorName(number);
    const { success } = trialFilterParameters.sponsor.safeParse(name);
    return { value: name, title: name, query: success ? { sponsor: name, sponsorMatch: 'exact' } : null };
  }

  withText(text: string, { numbers }: Counts): number[] {
    return [...numbers].filter((number) => beginsAWord(this.#image.sponsorName(number), text));
  }
}
