import { decodeHTMLStrict, decodeXML } from 'entities/decode';

/** Elements inside a word or a line; every other tag separates words. */
const INLINE = new Set('a abbr b bdi bdo cite code em font i ins mark q s small span strong sub sup u'.split(' '));
/** Elements whose content is no text. */
const UNREAD = new Set(['script', 'style', 'template', 'noscript']);
/** Controls other than white space, and marks that turn or hide the text around them. */
const UNSHOWN = /[^\P{Cc}\t\n\v\f\r]|[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** Character references of XML text; the five names of XML alone, as a feed's own entities are never read. */
export function decodeXml(text: string): string {
  return text.includes('&') ? decodeXML(text) : text;
}

/** Plain text of HTML or text: without tags, comments and scripts, references decoded, one blank between words. */
export function plainText(markup: string): string {
  const stripped = markup.includes('<') ? withoutTags(markup) : markup;
  const decoded = stripped.includes('&') ? decodeHTMLStrict(stripped) : stripped;
  return decoded.replace(UNSHOWN, '').replace(/\s+/g, ' ').trim().toWellFormed();
}

/** At most `limit` UTF-16 units, cut at a blank where one is near, with an ellipsis as its last. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = text.slice(0, limit - 1);
  const blank = head.lastIndexOf(' ');
  const cut = blank > limit - 40 ? head.slice(0, blank) : head;
  // Half of a surrogate pair may be left at the end.
  return `${cut.replace(/[\ud800-\udbff]$/, '').trimEnd()}…`;
}

/** Each search either advances or ends, so the time is linear in the length even for unclosed markup. */
function withoutTags(markup: string): string {
  const parts: string[] = [];
  let at = 0;
  while (at < markup.length) {
    const open = markup.indexOf('<', at);
    if (open === -1) break;
    parts.push(markup.slice(at, open));
    if (markup.startsWith('<!--', open)) {
      const end = markup.indexOf('-->', open + 4);
      if (end === -1) return parts.join('');
      at = end + 3;
      continue;
    }
    // This sign does not open a tag: "p < 0.05".
    if (!/[A-Za-z/!?]/.test(markup[open + 1] ?? '')) {
      parts.push('<');
      at = open + 1;
      continue;
    }
    const close = markup.indexOf('>', open);
    if (close === -1) return parts.join('');
    const name = /^<\/?([A-Za-z][A-Za-z0-9]{0,15})/.exec(markup.slice(open, open + 20))?.[1]?.toLowerCase() ?? '';
    if (!INLINE.has(name)) parts.push(' ');
    at = UNREAD.has(name) && markup[open + 1] !== '/' ? endOfElement(markup, name, close + 1) : close + 1;
  }
  parts.push(markup.slice(at));
  return parts.join('');
}

/** Where the end tag of an element begins; the end of the text where there is none. */
function endOfElement(markup: string, name: string, from: number): number {
  const pattern = new RegExp(`</${name}`, 'gi');
  pattern.lastIndex = from;
  return pattern.exec(markup)?.index ?? markup.length;
}
