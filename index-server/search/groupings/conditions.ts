import { trialFilterParameters } from '../../../contract/trial-filters.ts';
import { foldTerm, POSTING } from '../../../snapshot/format/serving-columns.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { placesWith } from '../field-values.ts';
import { readListItem, readTrial } from '../hints/held-trial.ts';
import { madeOnce } from '../image-cache.ts';
import { Sliced } from '../in-slices.ts';
import { intersect, pageOf, rowsOf } from '../row-set.ts';
import type { Grouping } from './grouping.ts';

/** Keys read in a step. */
const STEP_KEYS = 1024;

interface RowConditions {
  /** Row n has the values from offsets[n] to offsets[n + 1]. */
  offsets: Uint32Array;
  values: Uint32Array;
  names: Map<number, string>;
}

/**
 * The conditions of each row, as numbers of their posting keys: registries write hundreds of thousands of conditions, most of
 * them once, so that to hold each one's rows against a set would take a second. Some 12 bytes a trial.
 */
export const rowConditionsOf = madeOnce((image: SnapshotImage) => new Sliced(() => rowConditions(image)));

/** First counts the values of each row, then fills them in from the last to the first. */
function* rowConditions(image: SnapshotImage): Generator<void, RowConditions> {
  const { from, to } = image.keysWith(POSTING.condition);
  const offsets = new Uint32Array(image.trials + 1);
  for (let place = from; place < to; place++) {
    for (const row of rowsAt(image, place)) offsets[row] = (offsets[row] as number) + 1;
    if (place % STEP_KEYS === 0) yield;
  }
  let sum = 0;
  for (let row = 0; row < offsets.length; row++) {
    sum += offsets[row] as number;
    offsets[row] = sum;
  }
  const values = new Uint32Array(sum);
  for (let place = from; place < to; place++) {
    for (const row of rowsAt(image, place)) {
      const at = (offsets[row] as number) - 1;
      offsets[row] = at;
      values[at] = place - from;
    }
    if (place % STEP_KEYS === 0) yield;
  }
  return { offsets, values, names: new Map() };
}

function rowsAt(image: SnapshotImage, place: number): Uint32Array {
  const posting = image.postingAt(place);
  return posting.form === 'list' ? posting.words : rowsOf(posting);
}

/** Conditions as registries write them, in any case. By concepts, one is asked for as a whole term by a parameter of its own. */
export async function byCondition(image: SnapshotImage, byConcepts: boolean): Promise<Grouping> {
  const { offsets, values, names } = await rowConditionsOf(image).result();
  const { from, to } = image.keysWith(POSTING.condition);
  const exact: Record<string, string> = byConcepts ? { conditionMatch: 'exact' } : {};
  return {
    own: ['condition', 'conditionMatch'],
    exclusive: false,
    order: 'count',
    count: (set) => {
      const counts = new Uint32Array(to - from);
      for (const row of rowsOf(set)) {
        const end = offsets[row + 1] as number;
        for (let at = offsets[row] as number; at < end; at++) {
          const value = values[at] as number;
          counts[value] = (counts[value] as number) + 1;
        }
      }
      return counts;
    },
    rowsWith: (rows, numbers) => numbers.map((number) => intersect([rows, image.postingAt(from + number)])),
    group: (number) => {
      const name = names.get(number) ?? nameAt(image, from + number);
      names.set(number, name);
      const { success } = trialFilterParameters.condition.safeParse(name);
      return { value: name, title: name, query: success ? { condition: name, ...exact } : null };
    },
    withText: (text) => placesWith(image, POSTING.condition, foldTerm(text)).map((place) => place - from),
  };
}

/**
 * The condition of a key as the first trial that has it writes it. A trial of both registries may list the conditions of one: those
 * of the other are in its own registration.
 */
function nameAt(image: SnapshotImage, place: number): string {
  const { bytes, offsets } = image.keys;
  const start = (offsets[place] as number) + Buffer.byteLength(POSTING.condition);
  const folded = bytes.toString('utf8', start, offsets[place + 1]);
  const row = pageOf(image.postingAt(place), 0, 1)[0] as number;
  const isIt = (name: string): boolean => foldTerm(name) === folded;
  const listed = readListItem(image, row).conditions.find(isIt);
  if (listed !== undefined) return listed;
  const { registrations } = readTrial(image, row);
  return registrations.flatMap(({ fields }) => fields.conditions).find(isIt) ?? folded;
}
