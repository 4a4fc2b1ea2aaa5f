import { trialFilterParameters } from '../../../contract/trial-filters.ts';
import { foldTerm, POSTING } from '../../../snapshot/format/serving-columns.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { placesWith } from '../field-values.ts';
import { readListItem, readTrial } from '../hints/held-trial.ts';
import type { Stepwise } from '../in-slices.ts';
import { intersect, pageOf, type RowSet, rowsOf } from '../row-set.ts';
import { Counts, type Group, type Grouping } from './grouping.ts';

/** Keys read between two looks at the clock. */
const STEP_KEYS = 1024;

/**
 * The conditions of each row, as numbers of their posting keys: registries write hundreds of thousands of conditions, most of
 * them once, so that to hold each one's rows against a set would take a second. Some 12 bytes a trial.
 */
export class RowConditions implements Stepwise {
  readonly #image: SnapshotImage;
  /** Place of the first key, and how many there are. */
  readonly from: number;
  readonly size: number;
  /** Row n has the values from offsets[n] to offsets[n + 1]. */
  readonly offsets: Uint32Array;
  values = new Uint32Array(0);
  readonly names = new Map<number, string>();
  #counted = 0;
  #filled = 0;

  constructor(image: SnapshotImage) {
    this.#image = image;
    const { from, to } = image.keysWith(POSTING.condition);
    this.from = from;
    this.size = to - from;
    this.offsets = new Uint32Array(image.trials + 1);
  }

  get isComplete(): boolean {
    return this.#filled === this.size && this.#counted === this.size;
  }

  /** First counts the values of each row, then fills them in from the last to the first. */
  step(): void {
    const { offsets } = this;
    if (this.#counted < this.size) {
      const end = Math.min(this.size, this.#counted + STEP_KEYS);
      for (; this.#counted < end; this.#counted++) {
        for (const row of this.#rowsAt(this.#counted)) offsets[row] = (offsets[row] as number) + 1;
      }
      if (this.#counted === this.size) this.#sum();
      return;
    }
    const end = Math.min(this.size, this.#filled + STEP_KEYS);
    for (; this.#filled < end; this.#filled++) {
      for (const row of this.#rowsAt(this.#filled)) {
        const at = (offsets[row] as number) - 1;
        offsets[row] = at;
        this.values[at] = this.#filled;
      }
    }
  }

  #rowsAt(number: number): Uint32Array {
    const posting = this.#image.postingAt(this.from + number);
    return posting.form === 'list' ? posting.words : rowsOf(posting);
  }

  #sum(): void {
    const { offsets } = this;
    let sum = 0;
    for (let row = 0; row < offsets.length; row++) {
      sum += offsets[row] as number;
      offsets[row] = sum;
    }
    this.values = new Uint32Array(sum);
  }
}

const known = new WeakMap<SnapshotImage, RowConditions>();

export function rowConditionsOf(image: SnapshotImage): RowConditions {
  const made = known.get(image) ?? new RowConditions(image);
  known.set(image, made);
  return made;
}

/** Conditions as registries write them, in any case. `values` must be complete. */
export class ConditionGrouping implements Grouping {
  readonly own = ['condition', 'conditionMatch'] as const;
  readonly exclusive = false;
  readonly ordered = false;
  readonly #image: SnapshotImage;
  readonly #values: RowConditions;
  readonly #exact: Record<string, string>;

  /** By concepts, a condition is asked for as a whole term by a parameter of its own. */
  constructor(image: SnapshotImage, values: RowConditions, byConcepts: boolean) {
    this.#image = image;
    this.#values = values;
    this.#exact = byConcepts ? { conditionMatch: 'exact' } : {};
  }

  get size(): number {
    return this.#values.size;
  }

  count(rows: RowSet): Counts {
    return Counts.ofValues(this.#valuesOf(rowsOf(rows)), this.size);
  }

  /** The values of each of the rows, one after the other. */
  #valuesOf(rows: Uint32Array): Uint32Array {
    const { offsets, values } = this.#values;
    let sum = 0;
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] as number;
      sum += (offsets[row + 1] as number) - (offsets[row] as number);
    }
    const found = new Uint32Array(sum);
    let next = 0;
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] as number;
      const end = offsets[row + 1] as number;
      for (let place = offsets[row] as number; place < end; place++) found[next++] = values[place] as number;
    }
    return found;
  }

  rowsWith(rows: RowSet, numbers: readonly number[]): RowSet[] {
    return numbers.map((number) => intersect([rows, this.#image.postingAt(this.#values.from + number)]));
  }

  group(number: number): Group {
    const name = this.#nameOf(number);
    const { success } = trialFilterParameters.condition.safeParse(name);
    return { value: name, title: name, query: success ? { condition: name, ...this.#exact } : null };
  }

  withText(text: string): number[] {
    return placesWith(this.#image, POSTING.condition, foldTerm(text)).map((place) => place - this.#values.from);
  }

  /** As the first trial that has it writes it. */
  #nameOf(number: number): string {
    const { names, from } = this.#values;
    const kept = names.get(number);
    if (kept !== undefined) return kept;
    const { bytes, offsets } = this.#image.keys;
    const place = from + number;
    const start = (offsets[place] as number) + Buffer.byteLength(POSTING.condition);
    const folded = bytes.toString('utf8', start, offsets[place + 1]);
    const [row] = pageOf(this.#image.postingAt(place), 0, 1);
    const name = writtenBy(this.#image, row as number, folded);
    names.set(number, name);
    return name;
  }
}

/** A trial of both registries may show the conditions of one: those of the other stand in its own registration. */
function writtenBy(image: SnapshotImage, row: number, folded: string): string {
  const isIt = (name: string): boolean => foldTerm(name) === folded;
  const shown = readListItem(image, row).conditions.find(isIt);
  if (shown !== undefined) return shown;
  const { registrations } = readTrial(image, row);
  return registrations.flatMap(({ fields }) => fields.conditions).find(isIt) ?? folded;
}
