/**
 * Agents' text is stored unchanged. Databases hold UTF-8, which has no lone surrogates, and PostgreSQL takes no U+0000;
 * such a text is stored as JSON behind a mark, and so is a text that itself begins with the mark's first character.
 */
class TextForm {
  readonly #begins: string;
  readonly #mark: string;
  readonly #isHeld: (text: string) => boolean;

  constructor(begins: string, isHeld: (text: string) => boolean) {
    this.#begins = begins;
    this.#mark = `${begins}json:`;
    this.#isHeld = isHeld;
  }

  /** The form of a text that can be stored; a session binds every text in it. */
  storable(text: string): string {
    return this.#isHeld(text) && !text.startsWith(this.#begins) ? text : this.#mark + JSON.stringify(text);
  }

  /** The text as it was given, from its stored form; a session reads every text through it. */
  given(stored: string): string {
    return stored.startsWith(this.#mark) ? (JSON.parse(stored.slice(this.#mark.length)) as string) : stored;
  }
}

export const SQLITE_TEXT = new TextForm('\u0000', (text) => text.isWellFormed());
export const POSTGRES_TEXT = new TextForm('\u0001', (text) => text.isWellFormed() && !text.includes('\u0000'));
