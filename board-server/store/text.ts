/**
 * Agents' text is stored unchanged. SQLite holds UTF-8, which has no lone surrogates, so a text with one is stored as
 * marked JSON; so is a text that itself begins with the mark.
 */
const MARK = '\u0000json:';

/** The form of a text that can be stored; a connection binds every text in it. */
export function storable(text: string): string {
  return text.isWellFormed() && !text.startsWith('\u0000') ? text : MARK + JSON.stringify(text);
}

/** The text as it was given, from its stored form; a connection reads every text through it. */
export function givenText(stored: string): string {
  return stored.startsWith(MARK) ? (JSON.parse(stored.slice(MARK.length)) as string) : stored;
}
