import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { NARROW_PX, WIDE_PX } from '../../../charts/svg.ts';
import { Html, html } from '../html.ts';
import type { TakeAwayItem } from './take-away.ts';

interface Chart {
  /** Everything that the picture shows, its snapshot first: equal keys show equal pictures. */
  key: string;
  /** SVG of this width in pixels; every id in it begins with `id`, which differs between the two widths. */
  draw: (width: number, id: string) => string;
  /** What the picture shows, in a line. */
  caption: Html | string;
  /** What exactly is counted and what is not, in words. */
  definition: Html | string;
  /** The numbers of the picture. */
  table: Html;
  /** Its CSV, SVG and address for embedding. */
  takeAway?: readonly TakeAwayItem[];
}

/**
 * A picture drawn twice, for a wide and for a narrow column, so that its text is readable in both; the style sheet shows
 * the one that fits the column. Its definition and its numbers stand below.
 */
export function chart(pictures: DrawnPictures, { key, draw, caption, definition, table, takeAway = [] }: Chart): Html {
  const id = idOf(key);
  const drawn = (name: string, width: number) =>
    html`<div class="${name}">${pictures.draw(`${key} at ${width}`, () => draw(width, `${id}-${name}`))}</div>`;
  return html`<figure class="chart">
<figcaption>${caption}</figcaption>
<div class="drawn">${drawn('wide', WIDE_PX)}${drawn('narrow', NARROW_PX)}</div>
<p class="definition">${definition}</p>
<details><summary>The numbers as a table</summary>
${table}</details>
${takeAway.length > 0 && html`<ul class="inline-links">${takeAway.map(({ title, href, hint }) => html`<li><a href="${href}" title="${hint}">${title}</a></li>`)}</ul>`}
</figure>`;
}

/** Letters, digits and hyphens of a key, short enough for an id. */
function idOf(key: string): string {
  return `chart-${hash('sha256', key, 'hex').slice(0, 12)}`;
}

/** A picture of one size with its caption, beside its numbers. */
export function picture(svg: Html, caption: Html | string): Html {
  return html`<figure>${svg}<figcaption>${caption}</figcaption></figure>`;
}

/** Characters of the pictures that are kept: some thousand charts of about 10 kB, each of which takes about 5 ms to draw, and maps of up to 60 kB. */
const KEPT_CHARACTERS = 32_000_000;

/** Keeps the pictures drawn last. The key must contain everything that a picture shows, its snapshot first. */
export class DrawnPictures {
  readonly #kept = new LRUCache<string, Html>({
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: ({ text }, key) => text.length + key.length,
  });

  /** The picture of this key, drawn unless it is kept. */
  draw(key: string, svg: () => string): Html {
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const drawn = new Html(svg());
    this.#kept.set(key, drawn);
    return drawn;
  }
}
