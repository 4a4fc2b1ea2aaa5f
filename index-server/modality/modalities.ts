import type { ModalityId } from '../../contract/declared/modality.ts';
import type { ModalityMixRecord, ModalityRecord } from '../../contract/schemas/trials/modality.ts';
import type { RowSet } from '../search/row-set.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { ModalityInference } from './infer.ts';
import { isGivenUp, type LabelJob, labelsByWorker } from './label-thread.ts';
import { LabellingGivenUp, labelRows, ModalityRows } from './modality-rows.ts';
import { textsAt } from './trial-texts.ts';
import type { ModalityVocabulary } from './vocabulary.ts';

const BASIS = 'derived';

/** Labels of fewer trials are inferred on the calling thread, which is faster than starting a worker. */
const THREAD_FROM_TRIALS = 2048;

interface Wish {
  givenUp: LabelJob['givenUp'];
  /** Whether a request waits for it; then another snapshot does not cancel it. */
  isAwaited: boolean;
}

interface Build {
  image: SnapshotImage;
  wish: Wish;
  rows: Promise<ModalityRows>;
  isDone: boolean;
}

/** Kept by the vocabulary, whose terms take 40 ms to arrange. */
const inferences = new WeakMap<ModalityVocabulary, ModalityInference>();

function inferenceBy(vocabulary: ModalityVocabulary): ModalityInference {
  const known = inferences.get(vocabulary) ?? new ModalityInference(vocabulary);
  inferences.set(vocabulary, known);
  return known;
}

export interface ModalitiesOptions {
  threadFromTrials?: number;
}

/** Modalities of the trials of an image. A worker infers those of all trials once per image, one image at a time. */
export class Modalities implements AsyncDisposable {
  readonly #inference: ModalityInference;
  readonly #threadFromTrials: number;
  readonly #builds = new WeakMap<SnapshotImage, Build>();
  readonly #underWay = new Set<Build>();
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(vocabulary: ModalityVocabulary, { threadFromTrials = THREAD_FROM_TRIALS }: ModalitiesOptions = {}) {
    this.#inference = inferenceBy(vocabulary);
    this.#threadFromTrials = threadFromTrials;
  }

  get vocabulary(): string {
    return this.#inference.vocabulary.id;
  }

  /** Whether a request about all trials of the image would not have to wait for a worker. */
  isReady(image: SnapshotImage): boolean {
    return this.#isSmall(image) || this.#builds.get(image)?.isDone === true;
  }

  /** Labels of one trial with their matched terms. */
  labelsOf(image: SnapshotImage, row: number): ModalityRecord {
    const labels = this.#inference.labels(textsAt(image, row));
    return { basis: BASIS, vocabulary: this.vocabulary, labels };
  }

  /** Rows of the image with a label of any of the groups. */
  async rowsWith(image: SnapshotImage, ids: readonly ModalityId[]): Promise<RowSet> {
    return (await this.#rowsOf(image)).rowsOf(ids);
  }

  async mix(image: SnapshotImage, rows: Uint32Array): Promise<ModalityMixRecord> {
    const counts = (await this.#rowsOf(image)).mix(rows);
    return { basis: BASIS, vocabulary: this.vocabulary, ...counts };
  }

  /**
   * Infers the labels of a newly served image in the background, and cancels that of other images unless a request waits
   * for them. Resolves also if this one is cancelled later. Rejects if the image cannot be read.
   */
  async prepare(image: SnapshotImage): Promise<void> {
    for (const build of this.#underWay) if (build.image !== image && !build.wish.isAwaited) giveUp(build);
    try {
      await this.#buildOf(image).rows;
    } catch (error) {
      if (!(error instanceof LabellingGivenUp)) throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    const ending = [...this.#underWay];
    for (const build of ending) giveUp(build);
    await Promise.allSettled(ending.map(({ rows }) => rows));
  }

  #rowsOf(image: SnapshotImage): Promise<ModalityRows> {
    const build = this.#buildOf(image);
    build.wish.isAwaited = true;
    return build.rows;
  }

  #buildOf(image: SnapshotImage): Build {
    const known = this.#builds.get(image);
    return known === undefined || isGivenUp(known.wish) ? this.#begin(image) : known;
  }

  #begin(image: SnapshotImage): Build {
    const givenUp = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const wish: Wish = { givenUp, isAwaited: false };
    const rows = this.#isSmall(image) ? this.#inPlace(image) : this.#onThread(image, wish);
    const build: Build = { image, wish, rows, isDone: false };
    this.#builds.set(image, build);
    this.#underWay.add(build);
    build.rows.then(
      () => {
        this.#underWay.delete(build);
        build.isDone = true;
      },
      () => {
        this.#underWay.delete(build);
        // After a failure the next request tries again.
        if (this.#builds.get(image) === build) this.#builds.delete(image);
      },
    );
    return build;
  }

  #isSmall({ trials }: SnapshotImage): boolean {
    return trials < this.#threadFromTrials;
  }

  async #inPlace(image: SnapshotImage): Promise<ModalityRows> {
    return new ModalityRows(labelRows(image, this.#inference));
  }

  /** Starts after the images that were requested earlier. */
  #onThread({ directory }: SnapshotImage, wish: Wish): Promise<ModalityRows> {
    const { vocabulary } = this.#inference;
    const labels = this.#last.then(() => {
      if (this.#closed) throw new LabellingGivenUp();
      return labelsByWorker({ directory, vocabulary, ...wish });
    });
    this.#last = labels.catch(() => {});
    return labels.then((found) => new ModalityRows(found));
  }
}

function giveUp({ wish: { givenUp } }: Build): void {
  Atomics.store(givenUp, 0, 1);
}
