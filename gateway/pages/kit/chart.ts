import { NARROW_PX, WIDE_PX } from '../../charts/svg.ts';
import { Html, html } from '../html.ts';
import { type DrawnPicture, pictureAddress } from './picture.ts';

interface Chart {
  picture: DrawnPicture;
  /** What the picture shows, in a line; default its title. */
  caption?: Html | string;
  /** What exactly is counted and what is not; default in the words of its files. */
  definition?: Html | string;
  /** The numbers of the picture, each leading to its trials where there are any. */
  table: Html;
}

/**
 * A picture drawn for a wide and for a narrow column, so that its text is readable in both; the style sheet shows the one
 * that fits the column. A picture that has one size is drawn once.
 */
function drawnForWidths(draw: NonNullable<DrawnPicture['draw']>): Html {
  const [wide, narrow] = [draw(WIDE_PX), draw(NARROW_PX)];
  return wide === narrow
    ? html`<div class="drawn">${new Html(narrow)}</div>`
    : html`<div class="drawn"><div class="wide">${new Html(wide)}</div><div class="narrow">${new Html(narrow)}</div></div>`;
}

/** A picture with its definition, its numbers and its files below it. */
export function chart({ picture, table, ...words }: Chart): Html {
  const { title, draw } = picture;
  const { caption = title, definition = picture.definition } = words;
  return html`<figure class="chart">
<figcaption>${caption}</figcaption>
${draw !== null && drawnForWidths(draw)}
<p class="definition">${definition}</p>
<details><summary>The numbers as a table</summary>
${table}</details>
${pictureFiles(picture)}
</figure>`;
}

const FILES = [
  ['svg', 'SVG', 'the picture with its source'],
  ['csv', 'CSV', 'the numbers, with snapshot, query and licence'],
] as const;

/** The files of a picture; what it shows is said for those who hear the links alone. */
function pictureFiles(picture: Pick<DrawnPicture, 'name' | 'own' | 'title'>): Html {
  return html`<ul class="inline-links">${FILES.map(
    ([ending, name, hint]) =>
      html`<li><a href="${pictureAddress(picture, ending)}" title="${hint}">${name}<span class="unseen">: ${picture.title}</span></a></li>`,
  )}</ul>`;
}

interface OneSize {
  picture: DrawnPicture;
  caption: Html | string;
}

/** A picture of one size, which fits a phone, with its caption and files, whose numbers stand elsewhere on the page. */
export function smallChart({ picture, caption }: OneSize): Html {
  const { draw } = picture;
  if (draw === null) return html``;
  return html`<figure>${new Html(draw(NARROW_PX))}<figcaption>${caption}</figcaption>
${pictureFiles(picture)}</figure>`;
}
