import { type Html, html } from '../html.ts';
import type { Extent } from './extent.ts';

/** Prose of a registry with its paragraphs, headings and lists; not one of its words is added, left out or moved. */

type Block = { kind: 'paragraph' | 'heading'; text: string } | { kind: 'list'; items: string[] };

/** A line that begins as an item of a list does. The sign is drawn by the list, a number stays. */
const BULLET = /^\s*(?:[*•·–-]\s+|(?=(?:\d{1,2}|[a-z])[.)]\s))/;
const HEADING_MAX_CHARACTERS = 80;
/** ClinicalTrials.gov writes its prose as Markdown, in which a sign that means itself has a backslash before it. */
const ESCAPED = /\\([<>*_~^[\]#+-])/g;

/** The beginning of a long prose; the rest is folded away. */
export function foldedProse(text: string, extent: Extent): Html {
  const end = !extent.isAlone && text.length > FOLDED_FROM_CHARACTERS ? beginningOf(text) : null;
  if (end === null) return prose(text, extent);
  return html`${prose(text.slice(0, end), extent)}<details><summary>The rest of it</summary>${prose(text.slice(end), extent)}</details>`;
}

const FOLDED_FROM_CHARACTERS = 600;
const BEGINNING_CHARACTERS = 400;

/** Where the first paragraphs, sentences or else words end, near so many characters; null where they have no such end. */
function beginningOf(text: string): number | null {
  const end = ['\n', '. ', ' ']
    .map((mark) => text.lastIndexOf(mark, BEGINNING_CHARACTERS) + mark.length - 1)
    .find((place) => place > BEGINNING_CHARACTERS / 3);
  return end ?? null;
}

export function prose(text: string, extent: Extent): Html {
  const blocks = blocksOf(extent.text(text));
  const [only] = blocks;
  if (blocks.length === 1 && only?.kind === 'paragraph') return html`<p class="prose"><bdi>${only.text}</bdi></p>`;
  return html`<div class="prose">${blocks.map((block) => {
    if (block.kind === 'list') return html`<ul>${block.items.map((item) => html`<li><bdi>${item}</bdi></li>`)}</ul>`;
    return block.kind === 'heading'
      ? html`<p><strong><bdi>${block.text}</bdi></strong></p>`
      : html`<p><bdi>${block.text}</bdi></p>`;
  })}</div>`;
}

export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let isAfterBlank = true;
  for (const line of text.replaceAll(ESCAPED, '$1').split(/\r?\n/)) {
    const last = blocks.at(-1);
    const words = line.trim();
    if (words === '') {
      isAfterBlank = true;
      continue;
    }
    if (BULLET.test(line)) {
      const item = line.replace(BULLET, '').trim();
      if (last?.kind === 'list') last.items.push(item);
      else blocks.push({ kind: 'list', items: [item] });
    } else if (words.endsWith(':') && words.length <= HEADING_MAX_CHARACTERS) {
      blocks.push({ kind: 'heading', text: words });
    } else if (!isAfterBlank && last?.kind === 'paragraph') {
      last.text += ` ${words}`;
    } else if (!isAfterBlank && last?.kind === 'list') {
      last.items[last.items.length - 1] += ` ${words}`;
    } else {
      blocks.push({ kind: 'paragraph', text: words });
    }
    isAfterBlank = false;
  }
  return blocks;
}
