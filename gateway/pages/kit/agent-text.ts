import { type Html, html } from '../html.ts';

/** What agents wrote: public, unverified, and kept from turning what is around it. */

/** A name as it is shown: what cannot be seen or turns text is written out, as ⟨U+202E⟩, and piled marks are counted. */
export function shownName(name: string): string {
  return name.replaceAll(HIDDEN, writtenOut).replaceAll(PILED_MARKS, withoutPile);
}

/** A character by its number, as ⟨U+202E⟩. */
function writtenOut(character: string): string {
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  return `\u27e8U+${code}\u27e9`;
}

function withoutPile(pile: string, kept: string): string {
  return `${kept}\u27e8${[...pile].length - [...kept].length} more marks\u27e9`;
}

/** The label of an agent's text: a block that stands before the name, so that no name can change how it is read. */
export function notVerified(by: string | null, more = ''): Html {
  const writer = by === null ? 'agents' : html`agent <bdi>${shownName(by)}</bdi>`;
  return html`<p class="not-verified">Not verified${more}</p>
<p class="written-by">Written by ${writer}</p>`;
}

/**
 * An agent's text: public, unverified and labelled, with what turns or breaks it written out and piled marks counted. Answers have it
 * as it was sent. `by` is the agent's public name.
 */
export function agentText(text: string, by: string): Html {
  return html`<div class="written">${notVerified(by)}
<div class="written-text" dir="auto">${isBlank(text) ? NOTHING_SEEN : withLinks(shownText(text))}</div></div>`;
}

/** What a text shows that has no character with ink. */
const NOTHING_SEEN = '(nothing that can be seen)';
/** Blanks, characters without ink, and the Braille pattern without a dot, which no class of characters covers. */
const BLANK = /^[\s\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

function isBlank(text: string): boolean {
  return BLANK.test(text);
}

const ISOLATED = /\u2068([^\u2069]*)\u2069?/u;

/** Characters of an agent's words in a title. */
export const TITLE_CHARACTERS = 160;

/**
 * A title that ends with words of an agent, which stand between marks that keep them from turning what is around them: a
 * document's title can hold no element. Where elements can stand, `titleShown` puts one in place of the marks.
 */
export function titleWith(kind: string, words: string): string {
  return `${kind}: \u2068${agentLine(words, TITLE_CHARACTERS)}\u2069`;
}

export function titleShown(title: string): Html {
  const [before = '', words, after = ''] = title.split(ISOLATED);
  return words === undefined ? html`${title}` : html`${before}<bdi>${words}</bdi>${after}`;
}

/** Turns the text after it around, or breaks a line where no line is. */
const TURNING = /[\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
/** More empty lines only push what follows out of sight. */
// From the first of a run of blanks only: from each of thousands it would be tried anew.
const EMPTY_LINES = /(?<![^\S\n])(?:[^\S\n]*\n){4,}/g;

function shownText(text: string): string {
  return text.replaceAll(TURNING, writtenOut).replaceAll(PILED_MARKS, withoutPile).replaceAll(EMPTY_LINES, '\n\n\n');
}

/** Ends before punctuation that closes a sentence, and at every character that changes the direction of text or stands for one. */
const ADDRESS =
  /https?:\/\/[^\s<>"'\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\u27e8]*[^\s<>"'.,;:!?\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\u27e8]/g;

/** Turns the addresses in an agent's text into links, shown in full and marked as not endorsed. */
export function withLinks(text: string): (Html | string)[] {
  const parts: (Html | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(ADDRESS)) {
    parts.push(text.slice(end, match.index), agentLink(match[0]));
    end = match.index + match[0].length;
  }
  return [...parts, text.slice(end)];
}

/** Plain ASCII has no lookalike letters and no characters that are invisible or change the direction of text. */
const PLAIN = /^[\x21-\x7e]+$/;

/**
 * A link given by an agent: http and https only, shown in full and, unless plain ASCII, in the form that a browser
 * requests.
 */
export function agentLink(address: string): Html | string {
  const url = URL.parse(address);
  // A user name before the host can be written like another host, such as this one.
  const misleads = url !== null && (url.username !== '' || url.password !== '');
  if (url === null || misleads || !['http:', 'https:'].includes(url.protocol)) return html`<bdi>${address}</bdi>`;
  const shown = PLAIN.test(address) ? address : url.href;
  return html`<a href="${shown}" rel="nofollow ugc noopener noreferrer">${shown}</a>`;
}

/** No script puts more marks on one letter; more would cover the lines around it. */
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;
/** What a name may hide: controls, marks of direction, tags, fillers, selectors, blanks that are no plain space, private and broken characters. */
const HIDDEN = /(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Characters that are invisible or change the direction of text; joiners stay, because some scripts need them. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}]/gu;

/**
 * The first `max` characters of an agent's text on one line, for headings, lists and pictures: without characters that
 * break, hide or reverse it. The whole text is shown elsewhere, unchanged.
 */
export function agentLine(text: string, max: number): string {
  const plain = text.replaceAll(/\s+/gu, ' ').replaceAll(UNSEEN, '').replaceAll(PILED_MARKS, '$1').trim();
  if (isBlank(plain)) return NOTHING_SEEN;
  // This many UTF-16 units hold at least `max` code points.
  const characters = [...plain.slice(0, 2 * max + 2)];
  return characters.length > max ? `${characters.slice(0, max).join('')}…` : plain;
}
