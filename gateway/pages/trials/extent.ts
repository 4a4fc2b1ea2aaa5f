import { type Html, html } from '../html.ts';
import { cut } from '../words/trials.ts';

/**
 * How much of long lists and texts a part of a page shows. The page of a trial shows the beginning of each part; the
 * part on an address of its own shows all, many items a page. It notes what was left out, so that a link can open it.
 */
export class Extent {
  readonly items: number;
  readonly characters: number;
  readonly page: number;
  /** Whether the part is the whole page, so that nothing of it need be folded away. */
  readonly isAlone: boolean;
  #longest = 0;
  #hasCutText = false;
  #openCharacters = 0;

  constructor({ items, characters, page }: { items: number; characters: number; page?: number }) {
    this.items = items;
    this.characters = characters;
    this.page = page ?? 1;
    this.isAlone = page !== undefined;
  }

  /** The items of a list that are shown. */
  of<Item>(all: readonly Item[]): readonly Item[] {
    this.#longest = Math.max(this.#longest, all.length);
    return all.slice((this.page - 1) * this.items, this.page * this.items);
  }

  /** A text, cut where it is longer than what is shown. */
  text(text: string): string {
    if (text.length > this.characters) this.#hasCutText = true;
    return cut(text, this.characters);
  }

  /** Whether a fold with so many characters is open: where its part stands alone, until so much is open that a phone would scroll for long. */
  opens(characters: number): boolean {
    if (!this.isAlone) return false;
    this.#openCharacters += characters;
    return this.#openCharacters <= OPEN_MAX_CHARACTERS;
  }

  /** Items of the longest list. */
  get longest(): number {
    return this.#longest;
  }

  get leavesOut(): boolean {
    return this.#hasCutText || this.#longest > this.items;
  }
}

/** About 6,000 pixels of a phone. */
const OPEN_MAX_CHARACTERS = 8000;

/** Characters that a reader sees. */
export function charactersIn({ text }: Html): number {
  return text.replaceAll(/<[^>]*>/g, '').length;
}

/** What is folded away on the page of the trial is open where it is asked for alone. */
export function openIn({ isAlone }: Extent): Html | false {
  return isAlone && html` open`;
}
