/**
 * Texts of agents and registries stand in lines that the service writes: neither a line of their own nor a further field of a
 * line may come of them, however a reader splits lines.
 */

/** Line breaks, other controls, and signs that turn the direction of writing. */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Blanks around a line break. It begins at the first blank of a run only: from each of thousands it would be tried anew. */
const BREAK = /(?<![\r\n\t ])[\r\n\t ]*[\r\n\t][\r\n\t ]*/g;

/** One line, whatever it holds: line feeds become blanks, and what cannot be seen its number. */
export function oneLine(text: string): string {
  return text
    .replaceAll(BREAK, ' ')
    .replaceAll(UNSEEN, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A text between bars; one that has a bar itself is quoted. */
export function asField(text: string): string {
  return text.includes('|') ? JSON.stringify(text) : text;
}
