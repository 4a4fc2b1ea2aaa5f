/** HTML whose parts are escaped unless they are HTML themselves. */

/** Text that is HTML already; made by `html` only. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | null | undefined | false | readonly Part[];

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
/** What HTML reads as markup, and the control characters that no document may hold. */
const UNSAFE = /[&<>"'\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** A control character by its picture, so that a reader sees that there is one; of the others there are no pictures. */
function controlPicture(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '\u2421' : '\ufffd';
}

function rendered(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(rendered).join('');
  return String(part).replaceAll(UNSAFE, (character) => ESCAPES[character] ?? controlPicture(character));
}

/** A template whose values are escaped, in text and in quoted attributes alike. */
export function html(literals: TemplateStringsArray, ...parts: Part[]): Html {
  const [first = '', ...rest] = literals;
  return new Html(rest.reduce((text, literal, place) => text + rendered(parts[place]) + literal, first));
}
