import type { ModalityId } from '../../contract/modality.ts';
import type { ModalityMixRecord, ModalityRecord } from '../../contract/schemas/modality.ts';
import type { RowSet } from '../search/row-set.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { ModalityInference } from './infer.ts';
import {
  BuildGivenUp,
  type BuildPace,
  buildModalityRows,
  interventionsAt,
  type ModalityRows,
} from './modality-rows.ts';
import type { ModalityVocabulary } from './vocabulary.ts';

const BASIS = 'derived';

interface Build {
  rows: Promise<ModalityRows>;
  pace: BuildPace;
}

/** Modalities of the trials of an image. The rows of all of them are inferred once an image. */
export class Modalities {
  readonly #inference: ModalityInference;
  readonly #builds = new WeakMap<SnapshotImage, Build>();

  constructor(vocabulary: ModalityVocabulary) {
    this.#inference = new ModalityInference(vocabulary);
  }

  get vocabulary(): string {
    return this.#inference.vocabulary.id;
  }

  /** Labels of one trial with the terms that they rest on. */
  labelsOf(image: SnapshotImage, row: number): ModalityRecord {
    const labels = this.#inference.labels(interventionsAt(image, row));
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
   * Infers the rows of an image before anybody asks, a little at a time; who asks meanwhile waits, and hurries it. Ends
   * when `isWanted` says no and nobody waits. Rejects where the image cannot be read.
   */
  async prepare(image: SnapshotImage, isWanted: () => boolean): Promise<void> {
    try {
      await (this.#builds.get(image) ?? this.#build(image, { urgent: false, isWanted })).rows;
    } catch (error) {
      if (!(error instanceof BuildGivenUp)) throw error;
    }
  }

  #rowsOf(image: SnapshotImage): Promise<ModalityRows> {
    const build = this.#builds.get(image) ?? this.#build(image, { urgent: true, isWanted: () => true });
    build.pace.urgent = true;
    return build.rows;
  }

  #build(image: SnapshotImage, pace: BuildPace): Build {
    const build = { rows: buildModalityRows(image, this.#inference, pace), pace };
    this.#builds.set(image, build);
    // A build that failed is tried again by who asks next.
    build.rows.catch(() => this.#builds.delete(image));
    return build;
  }
}
