import { decodeHTMLStrict, decodeXML } from 'entities/decode';
import { FeedFault } from './feeds.ts';

/**
 * The text of a feed: by byte order mark, else the charset of the Content-Type header, else the XML declaration, else
 * UTF-8 (RFC 7303, section 3). `replaced` counts the places where the bytes do not fit the charset. Throws FeedFault
 * `charset` for an unknown charset.
 */
export function decodeText(body: Buffer, contentType: string | null): { text: string; replaced: number } {
  const label = byOrderMark(body) ?? byHeader(contentType) ?? byDeclaration(body) ?? 'utf-8';
  let text: string;
  try {
    text = new TextDecoder(label).decode(body);
  } catch (cause) {
    throw new FeedFault('charset', `the charset ${JSON.stringify(label.slice(0, 40))} is not known`, { cause });
  }
  return { text, replaced: text.split('\ufffd').length - 1 };
}

function byOrderMark(body: Buffer): string | null {
  const mark = body.toString('latin1', 0, 3);
  if (mark === '\xef\xbb\xbf') return 'utf-8';
  if (mark.startsWith('\xfe\xff')) return 'utf-16be';
  return mark.startsWith('\xff\xfe') ? 'utf-16le' : null;
}

function byHeader(contentType: string | null): string | null {
  return /;\s*charset\s*=\s*["']?([A-Za-z0-9_.:-]{1,60})/i.exec(contentType ?? '')?.[1] ?? null;
}

/** A declaration readable byte by byte cannot be in UTF-16, whatever charset it names. */
function byDeclaration(body: Buffer): string | null {
  const head = body.toString('latin1', 0, 256);
  const stated = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z0-9_.:-]{1,60})["']/.exec(head)?.[1] ?? null;
  return stated !== null && /^(?:utf-?16|ucs-?2|iso-10646-ucs-2)/i.test(stated) ? null : stated;
}

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
  for (let open = markup.indexOf('<'); open !== -1; open = markup.indexOf('<', at)) {
    parts.push(markup.slice(at, open));
    if (!/[A-Za-z/!?]/.test(markup[open + 1] ?? '')) {
      // This sign does not open a tag: "p < 0.05".
      parts.push('<');
      at = open + 1;
      continue;
    }
    const isComment = markup.startsWith('<!--', open);
    const close = isComment ? markup.indexOf('-->', open + 4) : markup.indexOf('>', open);
    if (close === -1) return parts.join('');
    at = close + (isComment ? 3 : 1);
    if (isComment) continue;
    const [, slash, name = ''] = /^<(\/?)([A-Za-z][A-Za-z0-9]{0,15})?/.exec(markup.slice(open, open + 20))!;
    const element = name.toLowerCase();
    if (!INLINE.has(element)) parts.push(' ');
    if (slash === '' && UNREAD.has(element)) at = endOfElement(markup, element, at);
  }
  return parts.join('') + markup.slice(at);
}

/** Where the end tag of an element begins; the end of the text where there is none. */
function endOfElement(markup: string, name: string, from: number): number {
  const pattern = new RegExp(`</${name}`, 'gi');
  pattern.lastIndex = from;
  return pattern.exec(markup)?.index ?? markup.length;
}

/** A longer address is a tracker's or a mistake; the item then counts as one without a link. */
const MAX_URL_LENGTH = 2000;
/** Query parameters that name the reader's origin, not the document; preprint servers append `rss=1` to their links. */
const TRACKING =
  /^(?:rss=1$|(?:utm_[a-z_]+|fbclid|gclid|dclid|gbraid|wbraid|msclkid|yclid|twclid|igshid|mc_cid|mc_eid|_ga|_gl|_hsenc|_hsmi)(?:=|$))/i;

export interface CanonicalUrl {
  /** Lower-case host, no credentials, no fragment, no tracking parameters. */
  url: string;
  /** Identity of an item: equal for http and https. */
  key: string;
  domain: string;
}

/** An http or https address, relative ones against `base`; null for anything else. */
export function canonicalUrl(stated: string, base: string): CanonicalUrl | null {
  const text = stated.trim();
  if (text === '' || text.length > MAX_URL_LENGTH) return null;
  const url = URL.parse(text, base);
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') return null;
  url.username = '';
  url.password = '';
  url.hash = '';
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !TRACKING.test(pair));
  url.search = kept.join('&');
  if (url.href.length > MAX_URL_LENGTH) return null;
  return { url: url.href, key: url.href.replace(/^http:/, 'https:'), domain: url.hostname };
}

/** Zone names of RFC 822 and of British and European feeds, as minutes east of UTC. */
const ZONES: Readonly<Record<string, number>> = {
  ...{ Z: 0, UT: 0, UTC: 0, GMT: 0, WET: 0, BST: 60, IST: 60, CET: 60, WEST: 60, CEST: 120, EET: 120, EEST: 180 },
  ...{ EST: -300, EDT: -240, CST: -360, CDT: -300, MST: -420, MDT: -360, PST: -480, PDT: -420 },
};
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const TIME =
  /(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d{1,9}))?)?\s*(?:(?<sign>[+-])(?<zoneHours>\d{2}):?(?<zoneMinutes>\d{2})?|(?<zone>[A-Za-z]{1,5}))?/;
const RFC_822 = new RegExp(
  `^(?:[A-Za-z]{3,9}\\.?,?\\s+)?(?<day>\\d{1,2})[\\s-](?<monthName>[A-Za-z]{3,9})\\.?[\\s-](?<year>\\d{4}|\\d{2})(?:,?\\s+${TIME.source})?$`,
);
const ISO_8601 = new RegExp(`^(?<year>\\d{4})-(?<month>\\d{2})-(?<day>\\d{2})(?:[Tt ]${TIME.source})?$`);
const MAX_DATE_LENGTH = 64;

/**
 * The instant of a date in RFC 822 (also with two-digit years and zone names) or ISO 8601; null for anything else. A day
 * alone means its first instant; a time without a zone, or with an unknown zone name, is in UTC.
 */
export function feedDate(stated: string): Date | null {
  const text = stated.trim().replace(/\s+/g, ' ');
  const parts = text.length > MAX_DATE_LENGTH ? undefined : (ISO_8601.exec(text) ?? RFC_822.exec(text))?.groups;
  if (parts === undefined) return null;
  const number = (name: string): number => Number(parts[name] ?? 0);
  const { year: yearText = '', monthName, sign, zone = 'UTC' } = parts;
  const century = yearText.length === 4 ? 0 : Number(yearText) < 50 ? 2000 : 1900;
  const year = Number(yearText) + century;
  const month = monthName === undefined ? number('month') : MONTHS.indexOf(monthName.slice(0, 3).toLowerCase()) + 1;
  const [day, hour, minute, second] = [number('day'), number('hour'), number('minute'), number('second')];
  const inRange = year >= 1970 && month >= 1 && month <= 12 && hour < 24 && minute < 60 && second <= 60;
  if (!inRange || day < 1 || day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return null;
  const stepped = (sign === '-' ? -1 : 1) * (number('zoneHours') * 60 + number('zoneMinutes'));
  const zoneMinutes = sign === undefined ? (ZONES[zone.toUpperCase()] ?? 0) : stepped;
  if (Math.abs(zoneMinutes) > 14 * 60) return null;
  const milliseconds = Number((parts.fraction ?? '').padEnd(3, '0').slice(0, 3));
  // A leap second becomes the second before it.
  const local = Date.UTC(year, month - 1, day, hour, minute, Math.min(second, 59), milliseconds);
  return new Date(local - zoneMinutes * 60_000);
}
