import { MODALITY_IDS, type ModalityId } from '../../contract/declared/modality.ts';
import type { ModalityMixRecord } from '../../contract/schemas/trials/modality.ts';
import type { RowSet } from '../search/row-set.ts';
import { union } from '../search/row-set.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import type { ModalityInference } from './infer.ts';
import { textsAt } from './trial-texts.ts';

/** The labels of every trial of one image, in the form sent between threads. */
export interface RowLabels {
  /** For each row, one bit per group. */
  masks: Uint32Array<ArrayBuffer>;
  /** For each group, its rows in ascending order. */
  rows: Uint32Array<ArrayBuffer>[];
}

/** The labels of every trial of one image. */
export class ModalityRows {
  readonly #masks: Uint32Array;
  readonly #rows: readonly RowSet[];

  constructor({ masks, rows }: RowLabels) {
    this.#masks = masks;
    this.#rows = rows.map((words) => ({ form: 'list', count: words.length, words }));
  }

  /** Rows with a label of any of the groups. */
  rowsOf(ids: readonly ModalityId[]): RowSet {
    const sets = ids.map((id) => this.#rows[MODALITY_IDS.indexOf(id)] as RowSet);
    return union(sets, this.#masks.length);
  }

  /** Counts the rows with a label of each group, without a label, and with several. */
  mix(rows: Uint32Array): Pick<ModalityMixRecord, 'groups' | 'withoutLabel' | 'severalLabels'> {
    const counts = new Uint32Array(MODALITY_IDS.length);
    let withoutLabel = 0;
    let severalLabels = 0;
    for (let at = 0; at < rows.length; at++) {
      const mask = this.#masks[rows[at] as number] as number;
      if (mask === 0) withoutLabel += 1;
      else if ((mask & (mask - 1)) !== 0) severalLabels += 1;
      countGroups(mask, counts);
    }
    const share = (trials: number): number | null => (rows.length === 0 ? null : trials / rows.length);
    const groups = MODALITY_IDS.map((id, group) => {
      const trials = counts[group] as number;
      return { id, trials, share: share(trials) };
    });
    return { groups, withoutLabel, severalLabels };
  }
}

function countGroups(mask: number, counts: Uint32Array): void {
  for (let left = mask; left !== 0; left &= left - 1) {
    const group = 31 - Math.clz32(left & -left);
    counts[group] = (counts[group] as number) + 1;
  }
}

/** After this many trials their memory pages, some 100 MB, are released: each is read only once. */
const LET_GO_ROWS = 20_000;

/** The labels are no longer wanted. */
export class LabellingGivenUp extends Error {
  constructor() {
    super('the labels of modalities are no longer wanted');
    this.name = 'LabellingGivenUp';
  }
}

/** Infers the labels of every trial without a pause. Throws LabellingGivenUp once `isGivenUp` is true. */
export function labelRows(
  image: SnapshotImage,
  inference: ModalityInference,
  isGivenUp: () => boolean = () => false,
): RowLabels {
  const masks = new Uint32Array(image.trials);
  const counts = new Uint32Array(MODALITY_IDS.length);
  for (let row = 0; row < image.trials; row++) {
    const mask = inference.mask(textsAt(image, row));
    masks[row] = mask;
    countGroups(mask, counts);
    if (row % LET_GO_ROWS === LET_GO_ROWS - 1) image.letGoOfPages();
    if (isGivenUp()) throw new LabellingGivenUp();
  }
  return { masks, rows: rowsByGroup(masks, counts) };
}

function rowsByGroup(masks: Uint32Array, counts: Uint32Array): Uint32Array<ArrayBuffer>[] {
  return MODALITY_IDS.map((_, group) => {
    const rows = new Uint32Array(counts[group] as number);
    let found = 0;
    for (let row = 0; row < masks.length; row++) {
      if ((((masks[row] as number) >>> group) & 1) === 1) rows[found++] = row;
    }
    return rows;
  });
}
