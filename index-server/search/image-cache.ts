import type { SnapshotImage } from '../snapshot/snapshot-image.ts';

/**
 * Finished answers of an image while it is served. The key must name everything else that an answer depends on; no answer
 * may be a view into the image. Above `maxCost` in all, the least recently used are dropped.
 */
export class ImageCache<Value> {
  readonly #maxCost: number;
  readonly #costOf: (value: Value) => number;
  readonly #byImage = new WeakMap<SnapshotImage, { values: Map<string, Value>; cost: number }>();

  constructor(maxCost: number, costOf: (value: Value) => number = () => 1) {
    this.#maxCost = maxCost;
    this.#costOf = costOf;
  }

  get(image: SnapshotImage, key: string): Value | undefined {
    const values = this.#byImage.get(image)?.values;
    const value = values?.get(key);
    if (values === undefined || value === undefined) return undefined;
    // A map keeps the order of insertion: an answer that is used moves to the end.
    values.delete(key);
    values.set(key, value);
    return value;
  }

  set(image: SnapshotImage, key: string, value: Value): void {
    const held = this.#byImage.get(image) ?? { values: new Map<string, Value>(), cost: 0 };
    this.#byImage.set(image, held);
    this.#drop(held, key);
    held.values.set(key, value);
    held.cost += this.#costOf(value);
    for (const oldest of held.values.keys()) {
      if (held.cost <= this.#maxCost) break;
      this.#drop(held, oldest);
    }
  }

  #drop(held: { values: Map<string, Value>; cost: number }, key: string): void {
    const value = held.values.get(key);
    if (value === undefined) return;
    held.values.delete(key);
    held.cost -= this.#costOf(value);
  }
}

/** Counts over fewer trials are not cached: making them is faster. */
export const KEPT_FROM_TRIALS = 10_000;
export const KEPT_COUNTS = 500;
