import { setImmediate, setTimeout } from 'node:timers/promises';
import { MODALITY_IDS, type ModalityId } from '../../contract/modality.ts';
import type { ModalityMixRecord } from '../../contract/schemas/modality.ts';
import type { RowSet } from '../search/row-set.ts';
import { union } from '../search/row-set.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import type { Intervention, ModalityInference } from './infer.ts';

/** The labels of every trial of one image: a bit for each group and row, and the rows of each group. */
export class ModalityRows {
  readonly #masks: Uint32Array;
  readonly #rows: readonly RowSet[];

  constructor(masks: Uint32Array) {
    this.#masks = masks;
    const lists: number[][] = MODALITY_IDS.map(() => []);
    for (let row = 0; row < masks.length; row++) {
      for (const group of groupsOf(masks[row] as number)) lists[group]?.push(row);
    }
    this.#rows = lists.map((list) => ({ form: 'list', count: list.length, words: Uint32Array.from(list) }));
  }

  /** Rows with a label of any of the groups. */
  rowsOf(ids: readonly ModalityId[]): RowSet {
    const sets = ids.map((id) => this.#rows[MODALITY_IDS.indexOf(id)] as RowSet);
    return union(sets, this.#masks.length);
  }

  /** How many of the rows have a label of each group, of none, and of several. */
  mix(rows: Uint32Array): Pick<ModalityMixRecord, 'groups' | 'withoutLabel' | 'severalLabels'> {
    const counts = new Uint32Array(MODALITY_IDS.length);
    let withoutLabel = 0;
    let severalLabels = 0;
    for (let at = 0; at < rows.length; at++) {
      const mask = this.#masks[rows[at] as number] as number;
      if (mask === 0) withoutLabel += 1;
      else if ((mask & (mask - 1)) !== 0) severalLabels += 1;
      for (const group of groupsOf(mask)) counts[group] = (counts[group] as number) + 1;
    }
    const share = (trials: number): number | null => (rows.length === 0 ? null : trials / rows.length);
    const groups = MODALITY_IDS.map((id, group) => {
      const trials = counts[group] as number;
      return { id, trials, share: share(trials) };
    });
    return { groups, withoutLabel, severalLabels };
  }
}

/** Places of the bits that are set. */
function groupsOf(mask: number): number[] {
  const groups: number[] = [];
  for (let left = mask; left !== 0; left &= left - 1) groups.push(31 - Math.clz32(left & -left));
  return groups;
}

/** Longest time for which a build keeps other requests waiting, but for the one record it is at. */
const SLICE_MS = 4;
/** Pause after each slice while nobody waits for the labels: a build then takes a fifth of the process at most. */
const PAUSE_MS = 16;

/** After so many trials their pages, some 100 MB, are let go of: the build reads each of them once. */
const LET_GO_ROWS = 20_000;

/** How a build goes on; read between slices. */
export interface BuildPace {
  /** Somebody waits for the labels: no pauses. */
  urgent: boolean;
  /** Whether labels of this image may still be asked for; a build that is not urgent ends without them. */
  isWanted: () => boolean;
}

/** A build that nobody waited for was given up, as its image is no longer served. */
export class BuildGivenUp extends Error {
  constructor() {
    super('the snapshot is no longer served');
    this.name = 'BuildGivenUp';
  }
}

/**
 * Infers the labels of every trial, giving way to other work between slices. Keeps a hold on the image until done.
 * Rejects with BuildGivenUp.
 */
export async function buildModalityRows(
  image: SnapshotImage,
  inference: ModalityInference,
  pace: BuildPace = { urgent: true, isWanted: () => true },
): Promise<ModalityRows> {
  image.retain();
  try {
    const masks = new Uint32Array(image.trials);
    let sliceEnd = performance.now() + SLICE_MS;
    for (let row = 0; row < image.trials; row++) {
      masks[row] = inference.mask(interventionsAt(image, row));
      if (row % LET_GO_ROWS === LET_GO_ROWS - 1) image.letGoOfPages();
      if (performance.now() < sliceEnd) continue;
      await (pace.urgent ? setImmediate() : setTimeout(PAUSE_MS, undefined, { ref: false }));
      if (!pace.urgent && !pace.isWanted()) throw new BuildGivenUp();
      sliceEnd = performance.now() + SLICE_MS;
    }
    return new ModalityRows(masks);
  } finally {
    image.letGoOfPages();
    image.release();
  }
}

const BEGIN = Buffer.from('"interventions":[');
const END = Buffer.from(',"primaryEndpoints":[');

/**
 * The interventions that a trial shows, out of its finished JSON without reading the rest of it. Quotation marks within
 * a text are escaped there, so that neither mark can stand in one.
 */
export function interventionsAt(image: SnapshotImage, row: number): Intervention[] {
  const slice = image.slice(row, 'head');
  const head = Buffer.from(slice.buffer, slice.byteOffset, slice.byteLength);
  const begin = head.indexOf(BEGIN);
  const end = head.indexOf(END, begin);
  if (begin < 0 || end < 0) throw new Error(`${image.directory}: trial ${row} shows no interventions`);
  return JSON.parse(head.toString('utf8', begin + BEGIN.length - 1, end)) as Intervention[];
}
