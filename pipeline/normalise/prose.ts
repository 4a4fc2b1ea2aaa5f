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
const MAY_HAVE_TELEPHONE = /tel|phone|mobile|fax/i;

/** The text with e-mail addresses and telephone numbers replaced: who answers for a study is not part of this index. */
export function withoutContacts(text: string): string {
  const plain = text.includes('@') ? text.replace(MAIL, '[e-mail address left out]') : text;
  return MAY_HAVE_TELEPHONE.test(plain) ? plain.replace(TELEPHONE, '[telephone number left out]') : plain;
}

/** ISRCTN's plain English summaries end with this question and the names and addresses that answer it. */
const CONTACT_SECTION = /\s*\bwho is the main contact\b[\s\S]*$/i;

/** A plain English summary up to its section on the main contact; null where nothing else is said. */
export function withoutContactSection(text: string): string | null {
  const summary = withoutContacts(text.replace(CONTACT_SECTION, '')).trim();
  return summary === '' ? null : summary;
}
