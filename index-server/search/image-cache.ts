import { LRUCache } from 'lru-cache';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';

/**
 * Finished answers of an image while it is served. The key must name everything else that an answer depends on; no answer
 * may be a view into the image. Above `maxCost` in all, the least recently used are dropped.
 */
export class ImageCache<Value extends object | string> {
  readonly #maxCost: number;
  readonly #costOf: (value: Value) => number;
  readonly #byImage = new WeakMap<SnapshotImage, LRUCache<string, Value>>();

  constructor(maxCost: number, costOf: (value: Value) => number = () => 1) {
    this.#maxCost = maxCost;
    this.#costOf = costOf;
  }

  get(image: SnapshotImage, key: string): Value | undefined {
    return this.#byImage.get(image)?.get(key);
  }

  set(image: SnapshotImage, key: string, value: Value): void {
    let kept = this.#byImage.get(image);
    if (kept === undefined) {
      kept = new LRUCache({ maxSize: this.#maxCost, sizeCalculation: this.#costOf });
      this.#byImage.set(image, kept);
    }
    kept.set(key, value);
  }
}

/** Makes a value for each image at its first use. */
export function madeOnce<Image extends object, Value>(make: (image: Image) => Value): (image: Image) => Value {
  const made = new WeakMap<Image, { value: Value }>();
  return (image) => {
    const known = made.get(image) ?? { value: make(image) };
    made.set(image, known);
    return known.value;
  };
}
