import { diffWordsWithSpace } from 'diff';
import { Html, html } from '../html.ts';

/** Comparing is quadratic at worst: two texts that differ in more words than this are shown whole, one after the other. */
const EDITS_MAX = 2000;

export interface Marked {
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
