import { MODALITY_IDS, type ModalityId } from '../../contract/declared/modality.ts';
import type { ModalityMixRecord, ModalityRecord } from '../../contract/schemas/trials/modality.ts';
import { Moved, WorkerPool } from '../../server-kit/threads/worker-pool.ts';
import type { RowSet } from '../search/row-set.ts';
import { openSnapshotImage, type SnapshotImage } from '../snapshot/snapshot-image.ts';
import { ModalityInference } from './infer.ts';
import { textsAt } from './trial-texts.ts';
import { loadModalityVocabulary } from './vocabulary.ts';

const BASIS = 'derived';
/** Labels of fewer trials are inferred on the calling thread, which is faster than starting a worker. */
const THREAD_FROM_TRIALS = 2048;
/** At this priority, the thread of requests gets three times as much of a busy processor. */
const LOW_PRIORITY = 5;

/** For each row, one bit per group. */
type Masks = Uint32Array<ArrayBuffer>;

/** Made at the first use in a thread: to arrange the terms of the vocabulary takes 40 ms. */
let inference: ModalityInference | undefined;

function inferenceOfThread(): ModalityInference {
  inference ??= new ModalityInference(loadModalityVocabulary());
  return inference;
}

/** Modalities of the trials of an image. A worker infers those of all trials once per image, one image at a time. */
export class Modalities implements AsyncDisposable {
  readonly vocabulary = loadModalityVocabulary().id;
  readonly #threadFromTrials: number;
  readonly #masks = new WeakMap<SnapshotImage, Promise<Masks>>();
  readonly #ready = new WeakSet<SnapshotImage>();
  readonly #worker: WorkerPool<string, Masks>;

  constructor({ threadFromTrials = THREAD_FROM_TRIALS }: { threadFromTrials?: number } = {}) {
    this.#threadFromTrials = threadFromTrials;
    this.#worker = new WorkerPool(new URL(import.meta.url), 'masksIn', { priority: LOW_PRIORITY, idleMs: 0 });
  }

  /** Whether a request about all trials of the image would not have to wait for a worker. */
  isReady(image: SnapshotImage): boolean {
    return image.trials < this.#threadFromTrials || this.#ready.has(image);
  }

  /** Labels of one trial with their matched terms. */
  labelsOf(image: SnapshotImage, row: number): ModalityRecord {
    const labels = inferenceOfThread().labels(textsAt(image, row));
    return { basis: BASIS, vocabulary: this.vocabulary, labels };
  }

  /** Rows of the image with a label of any of the groups. */
  async rowsWith(image: SnapshotImage, ids: readonly ModalityId[]): Promise<RowSet> {
    const masks = await this.prepare(image);
    const wanted = ids.reduce((bits, id) => bits | (1 << MODALITY_IDS.indexOf(id)), 0);
    const words = new Uint32Array(Math.ceil(masks.length / 32));
    let count = 0;
    for (let row = 0; row < masks.length; row++) {
      if (((masks[row] as number) & wanted) === 0) continue;
      words[row >>> 5] = (words[row >>> 5] as number) | (1 << (row & 31));
      count += 1;
    }
    return { form: 'bitmap', count, words };
  }

  /** Counts the rows with a label of each group, without a label, and with several. */
  async mix(image: SnapshotImage, rows: Uint32Array): Promise<ModalityMixRecord> {
    const masks = await this.prepare(image);
    const counts = MODALITY_IDS.map(() => 0);
    let withoutLabel = 0;
    let severalLabels = 0;
    for (const row of rows) {
      const mask = masks[row] as number;
      if (mask === 0) withoutLabel += 1;
      else if ((mask & (mask - 1)) !== 0) severalLabels += 1;
      for (let left = mask; left !== 0; left &= left - 1) {
        const group = 31 - Math.clz32(left & -left);
        counts[group] = (counts[group] as number) + 1;
      }
    }
    const groups = MODALITY_IDS.map((id, group) => {
      const trials = counts[group] as number;
      return { id, trials, share: rows.length === 0 ? null : trials / rows.length };
    });
    return { basis: BASIS, vocabulary: this.vocabulary, groups, withoutLabel, severalLabels };
  }

  /** Infers the labels of all trials of an image, so that a later request need not wait. Rejects if the image cannot be read. */
  prepare(image: SnapshotImage): Promise<Masks> {
    const known = this.#masks.get(image);
    if (known !== undefined) return known;
    const isSmall = image.trials < this.#threadFromTrials;
    const masks = isSmall ? Promise.resolve(masksOf(image)) : this.#worker.run(image.directory);
    this.#masks.set(image, masks);
    masks.then(
      () => this.#ready.add(image),
      // After a failure the next request tries again.
      () => this.#masks.delete(image),
    );
    return masks;
  }

  /** Ends the worker; whoever waits for labels is refused. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker[Symbol.asyncDispose]();
  }
}

/** Runs in the worker, which maps the snapshot for itself. */
export function masksIn(directory: string): Moved<Masks> {
  const image = openSnapshotImage(directory);
  try {
    const masks = masksOf(image);
    return new Moved(masks, [masks.buffer]);
  } finally {
    image.release();
  }
}

function masksOf(image: SnapshotImage): Masks {
  const masks = new Uint32Array(image.trials);
  for (let row = 0; row < image.trials; row++) masks[row] = inferenceOfThread().mask(textsAt(image, row));
  return masks;
}
