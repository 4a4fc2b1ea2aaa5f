import type { ModalityId } from '../../contract/modality.ts';
import type { ModalityMixRecord, ModalityRecord } from '../../contract/schemas/modality.ts';
import type { RowSet } from '../search/row-set.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { ModalityInference } from './infer.ts';
import { buildModalityRows, interventionsAt, type ModalityRows } from './modality-rows.ts';
import type { ModalityVocabulary } from './vocabulary.ts';

const BASIS = 'derived';

/** Modalities of the trials of an image. The rows of all of them are inferred once an image, when first asked for. */
export class Modalities {
  readonly #inference: ModalityInference;
  readonly #rows = new WeakMap<SnapshotImage, Promise<ModalityRows>>();

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

  #rowsOf(image: SnapshotImage): Promise<ModalityRows> {
    const known = this.#rows.get(image);
    if (known !== undefined) return known;
    const built = buildModalityRows(image, this.#inference);
    this.#rows.set(image, built);
    // A build that failed is tried again by who asks next.
    built.catch(() => this.#rows.delete(image));
    return built;
  }
}
