import { unseenEscaped } from '../../contract/visible-text.ts';

/**
 * Texts of agents and registries stand in lines that the service writes: neither a line of their own nor a further field of a
 * line may come of them, however a reader splits lines.
 */

/** Blanks around a line break. It begins at the first blank of a run only: from each of thousands it would be tried anew. */
const BREAK = /(?<![\r\n\t ])[\r\n\t ]*[\r\n\t][\r\n\t ]*/g;

/** One line, whatever it holds: line feeds become blanks, and what cannot be seen its number. */
export function oneLine(text: string): string {
  return unseenEscaped(text.replaceAll(BREAK, ' '));
}

/** A text as one field of a line; one that has a mark that ends a field there is quoted. */
export function asField(text: string, ends: RegExp = /\|/): string {
  return ends.test(text) ? JSON.stringify(text) : text;
}
