import { type Html, html } from '../html.ts';

export interface Card {
  /** Keeps its place and focus when a live page renews itself. */
  id?: string;
  title: Html | string;
  href: string;
  /** What is said below the title, a line each. */
  lines: readonly (Html | string)[];
  /** Short states that stand beside the title, such as "Recruiting". */
  tags?: readonly string[];
}

/** Entries of a list, each with a title that leads to its page. */
export function cards(items: readonly Card[]): Html {
  return html`<ul class="cards">${items.map(cardItem)}</ul>`;
}

/** One entry, for a list that has entries of other forms too. */
export function cardItem({ id, title, href, lines, tags = [] }: Card): Html {
  return html`<li${id !== undefined && html` id="${id}"`}>
<h3><a href="${href}">${title}</a></h3>
${tags.length > 0 && html`<p class="tags">${tags.map((tag) => html`<span class="tag">${tag}</span> `)}</p>`}
${lines.map((line) => html`<p>${line}</p>`)}
</li>
`;
}
