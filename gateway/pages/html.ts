import { escapeMarkup } from '../../contract/markup.ts';

/** HTML templates that escape every part that is not HTML itself. */

/** Text that is HTML; made only by `html`. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Part = string | number | Html | null | undefined | false | readonly Part[];

/** Control characters that no document may contain. */
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

const SPECIAL = new RegExp(`[&<>"']|${CONTROL.source}`);

/** A visible symbol for a control character, so that a reader sees it; U+FFFD if it has no symbol. */
function controlPicture(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '\u2421' : '\ufffd';
}

function rendered(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(rendered).join('');
  const text = String(part);
  // Most texts have nothing to escape.
  return SPECIAL.test(text) ? escapeMarkup(text).replaceAll(CONTROL, controlPicture) : text;
}

/** A template that escapes its values, in text and in quoted attributes. */
export function html(literals: TemplateStringsArray, ...parts: Part[]): Html {
  const [first = '', ...rest] = literals;
  return new Html(rest.reduce((text, literal, place) => text + rendered(parts[place]) + literal, first));
}
