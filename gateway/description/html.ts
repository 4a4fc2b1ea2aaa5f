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

function rendered(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(rendered).join('');
  return String(part).replaceAll(/[&<>"']/g, (character) => ESCAPES[character]!);
}

/** A template whose values are escaped, in text and in quoted attributes alike. */
export function html(literals: TemplateStringsArray, ...parts: Part[]): Html {
  const [first = '', ...rest] = literals;
  return new Html(rest.reduce((text, literal, place) => text + rendered(parts[place]) + literal, first));
}
