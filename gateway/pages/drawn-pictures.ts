import { Html } from './html.ts';

/** A picture takes about 10 ms to draw and about 10 kB to keep. */
const KEPT = 256;

/** Keeps the pictures drawn last. The key must contain everything that a picture shows, its snapshot first. */
export class DrawnPictures {
  readonly #kept = new Map<string, Html>();

  /** The picture of this key, drawn unless it is kept. */
  draw(key: string, svg: () => string): Html {
    const known = this.#kept.get(key);
    if (known !== undefined) {
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known;
    }
    const drawn = new Html(svg());
    this.#kept.set(key, drawn);
    if (this.#kept.size > KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    return drawn;
  }
}
