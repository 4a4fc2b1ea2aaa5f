import { diffWordsWithSpace } from 'diff';
import { Html, html } from '../html.ts';

/** Comparing is quadratic at worst: two texts that differ in more words than this are shown whole, one after the other. */
const EDITS_MAX = 2000;

interface Marked {
  /** The text before, with what is gone in `<del>`. */
  before: Html;
  /** The text after, with what is new in `<ins>`. */
  after: Html;
  /** Both in one, as it is read in an edited text. */
  together: Html;
}

/** Two versions of a text with the words that differ marked. */
export function marked(before: string, after: string): Marked {
  const changes = diffWordsWithSpace(before, after, { maxEditLength: EDITS_MAX }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  const parts = changes.map(({ value, removed, added }) => ({
    removed,
    added,
    markup: removed ? html`<del>${value}</del>` : added ? html`<ins>${value}</ins>` : html`${value}`,
  }));
  const joined = (kept: typeof parts): Html => new Html(kept.map(({ markup }) => markup.text).join(''));
  return {
    before: joined(parts.filter(({ added }) => !added)),
    after: joined(parts.filter(({ removed }) => !removed)),
    together: joined(parts),
  };
}

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
