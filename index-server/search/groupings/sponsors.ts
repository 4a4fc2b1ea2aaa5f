import { trialFilterParameters } from '../../../contract/operations/trials.ts';
import { NO_SPONSOR } from '../../../snapshot-format/serving-columns.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { type RowSet, rowsOf } from '../row-set.ts';
import { type Group, type Grouping, split } from './grouping.ts';
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

  count(rows: RowSet): Uint32Array {
    const { sponsor } = this.#image.columns;
    const counts = new Uint32Array(this.#image.sponsorCount);
    const list = rowsOf(rows);
    for (let at = 0; at < list.length; at++) {
      const number = sponsor[list[at] as number] as number;
      if (number !== NO_SPONSOR) counts[number] = (counts[number] as number) + 1;
    }
    return counts;
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

  withText(text: string, among: Uint32Array): number[] {
    const found: number[] = [];
    for (let number = 0; number < among.length; number++) {
      if (among[number] !== 0 && beginsAWord(this.#image.sponsorName(number), text)) found.push(number);
    }
    return found;
  }
}
