/** The registry's markup escapes: a backslash before ASCII punctuation, as CommonMark has it. */
const ESCAPED = /\\([!-/:-@[-`{-~])/g;
/** Named and numbered characters that sponsors paste from web pages. */
const ENTITIES = /&(?:amp|lt|gt|quot|nbsp|#34|#39|#160);/g;
const CHARACTERS: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#34;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
  '&#160;': ' ',
};

/** ClinicalTrials.gov's prose as a reader sees it: `BMI \> 30` is `BMI > 30`. Line breaks and list marks stay. */
export function withoutEscapes(text: string): string {
  const plain = text.includes('\\') ? text.replace(ESCAPED, '$1') : text;
  return plain.includes('&') ? plain.replace(ENTITIES, (entity) => CHARACTERS[entity] as string) : plain;
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
