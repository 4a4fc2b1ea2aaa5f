import { decodeHTMLAttribute } from 'entities/decode';

/** A no-break space only keeps a line from breaking; it reads as a blank. */
const NO_BREAK_SPACE = /&(?:nbsp|#0*160|#x0*a0);/gi;
/** ClinicalTrials.gov writes a backslash before the sign of a reference too. */
const ESCAPE_OF_REFERENCE = /(?<!\\)\\(?=&(?:#\d|#x[\da-f]|[a-z]+\d*;))/gi;

/**
 * The text with the HTML character references that sponsors paste from web pages read as what they stand for, once:
 * `&amp;gt;` is `&gt;`. It is for a text of either registry after its JSON or XML was parsed. A reference without its
 * semicolon counts where no letter, digit or equals sign follows, so that addresses with `&lang=` or `&copy=` stay.
 */
export function withoutEntities(text: string): string {
  if (!text.includes('&')) return text;
  return decodeHTMLAttribute(text.replace(ESCAPE_OF_REFERENCE, '').replace(NO_BREAK_SPACE, ' '));
}

/** The registry's markup escapes: a backslash before ASCII punctuation, as CommonMark has it. */
const ESCAPED = /\\([!-/:-@[-`{-~])/g;

/** ClinicalTrials.gov's prose as a reader sees it: `BMI \> 30` is `BMI > 30`. Line breaks and list marks stay. */
export function withoutEscapes(text: string): string {
  return text.includes('\\') ? text.replace(ESCAPED, '$1') : text;
}

const MAIL = /[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
const TELEPHONE = /\b(?:tel(?:ephone)?|phone|mobile|fax)\b(?: (?:no|number))?[ .:]*\+?\(?\d[\d\s().-]{5,}\d/gi;
const NO_TELEPHONE = '[telephone number left out]';
const MAY_HAVE_TELEPHONE = /tel|phone|mobile|fax/i;

/** Numbers that no other kind of text has: `+44 20 7946 0000`, `1-555-555-0100`, `(555) 555-0100`, `1-877-LETTERS`. */
const DIALLED =
  /(?<![\w.+-])(?:\+\d{1,3}(?:[ ().-]{0,2}\d){8,12}|(?:1[-.])?(?:\(\d{3}\) ?|\d{3}[-.])\d{3}[-.]\d{4}|1-8\d\d-[A-Z]{4,10})(?![\w-])/g;

/** The text with e-mail addresses and telephone numbers replaced: who answers for a study is not part of this index. */
export function withoutContacts(text: string): string {
  const plain = text.includes('@') ? text.replace(MAIL, '[e-mail address left out]') : text;
  const named = MAY_HAVE_TELEPHONE.test(plain) ? plain.replace(TELEPHONE, NO_TELEPHONE) : plain;
  return named.replace(DIALLED, NO_TELEPHONE);
}

/** ISRCTN's plain English summaries end with this question and the names and addresses that answer it. */
const CONTACT_SECTION = /\s*\bwho is the main contact\b[\s\S]*$/i;

/** A plain English summary up to its section on the main contact; null where nothing else is said. */
export function withoutContactSection(text: string): string | null {
  const summary = withoutContacts(text.replace(CONTACT_SECTION, '')).trim();
  return summary === '' ? null : summary;
}
