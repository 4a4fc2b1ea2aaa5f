import type { SnapshotImage } from '../snapshot/snapshot-image.ts';

/**
 * Finished answers of one image, for as long as it is served: the key must say everything else that they depend on, and
 * none may be a view into the image. Beyond `maxCost` in all, those that were asked for longest ago go.
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
    // A map keeps the order of insertion: what is asked for again goes to the end.
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

/** Counts over fewer trials are quicker made than looked up and kept. */
export const KEPT_FROM_TRIALS = 10_000;
export const KEPT_COUNTS = 500;
