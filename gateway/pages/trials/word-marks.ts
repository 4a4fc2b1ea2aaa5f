import { type Html, html } from '../html.ts';
import { marked } from '../kit/marked.ts';

/** Comparing takes longer than a page may where both texts are longer than this. */
const COMPARED_MAX_CHARACTERS = 6000;

const WHOLE_MAX_CHARACTERS = 24;

/** What one registration says, with the words marked that the other does not have. */
export function besideOther(own: string, other: string | null): Html {
  if (other === null || own.length + other.length > 2 * COMPARED_MAX_CHARACTERS) return html`<bdi>${own}</bdi>`;
  // Marks within a date or a number would say less than the whole.
  if (own.length <= WHOLE_MAX_CHARACTERS && own !== other) return html`<bdi><ins>${own}</ins></bdi>`;
  return html`<bdi>${marked(other, own).after}</bdi>`;
}
