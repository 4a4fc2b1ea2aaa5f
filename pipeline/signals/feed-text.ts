import { decodeHTMLStrict } from 'entities/decode';
import { isRealDate } from '../../snapshot/format/words/dates.ts';
import { FeedFault } from './feeds.ts';

/**
 * The text of a feed: by byte order mark, else the charset of the Content-Type header, else the XML declaration, else
 * UTF-8 (RFC 7303, section 3). `replaced` counts the places where the bytes do not fit the charset. Throws FeedFault
 * `charset` for an unknown charset.
 */
export function decodeText(body: Buffer, contentType: string | null): { text: string; replaced: number } {
  const head = body.toString('latin1', 0, 256);
  const mark = /^(?:\xef\xbb\xbf|\xfe\xff|\xff\xfe)/.exec(head)?.[0];
  const marked = mark && { '\xef\xbb\xbf': 'utf-8', '\xfe\xff': 'utf-16be', '\xff\xfe': 'utf-16le' }[mark];
  const stated = /;\s*charset\s*=\s*["']?([\w.:-]{1,60})/i.exec(contentType ?? '')?.[1];
  // A declaration readable byte by byte cannot be in UTF-16, whatever charset it names.
  const declared = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["'](?!utf-?16)([\w.:-]{1,60})["']/i.exec(head)?.[1];
  const label = marked ?? stated ?? declared ?? 'utf-8';
  let text: string;
  try {
    text = new TextDecoder(label).decode(body);
  } catch (cause) {
    throw new FeedFault('charset', `the charset ${JSON.stringify(label.slice(0, 40))} is not known`, { cause });
  }
  return { text, replaced: text.split('\ufffd').length - 1 };
}

const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
/** Elements whose content is no text. */
const UNREAD = /<(script|style|template|noscript)\b[\s\S]*?(?=<\/\1|$)/gi;
/** Elements inside a word or a line; every other tag separates words. */
const INLINE = /<\/?(?:a|abbr|b|bdi|bdo|cite|code|em|font|i|ins|mark|q|s|small|span|strong|sub|sup|u)\b[^>]*(?:>|$)/gi;
/** A sign that opens no tag is text: "p < 0.05". */
const TAG = /<[a-z/!?][^>]*(?:>|$)/gi;
/** Controls other than white space, and marks that turn or hide the text around them. */
const UNSHOWN = /[^\P{Cc}\t\n\v\f\r]|[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** Plain text of HTML or text: without tags, comments and scripts, references decoded, one blank between words. */
export function plainText(markup: string): string {
  const stripped = markup.replace(COMMENT, '').replace(UNREAD, ' ').replace(INLINE, '').replace(TAG, ' ');
  return decodeHTMLStrict(stripped).replace(UNSHOWN, '').replace(/\s+/g, ' ').trim().toWellFormed();
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
  const url = stated === '' ? null : URL.parse(stated, base);
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') return null;
  url.username = '';
  url.password = '';
  url.hash = '';
  const kept = url.search.slice(1).split('&');
  url.search = kept.filter((pair) => !TRACKING.test(pair)).join('&');
  if (url.href.length > MAX_URL_LENGTH) return null;
  return { url: url.href, key: url.href.replace(/^http:/, 'https:'), domain: url.hostname };
}

/** A day of ISO 8601 or RFC 822, the latter also with a two-digit year; a time; a zone. */
const DATE =
  /^(?:\d{4}-\d{2}-\d{2}|(?:[a-z]{3,9},? )?\d{1,2}[ -][a-z]{3,9}[ -](?:\d{4}|\d{2}))(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)? ?([+-]\d{2}:?\d{2}|[a-z]{1,5})?$/i;
/** Zones that Date.parse knows. */
const KNOWN_ZONE = /^(?:[+-].*|Z|UTC?|GMT|[ECMP][SD]T)$/i;
/** Zones of British and European feeds. */
const ZONES: Readonly<Record<string, string>> = {
  BST: '+0100',
  IST: '+0100',
  WEST: '+0100',
  CET: '+0100',
  CEST: '+0200',
  EET: '+0200',
  EEST: '+0300',
};

/**
 * The instant of a date in RFC 822 or ISO 8601; null for anything else and before 1970. A day alone means its first
 * instant; a time without a zone, or with an unknown zone name, is in UTC.
 */
export function feedDate(stated: string): Date | null {
  const text = stated.trim().replace(/\s+/g, ' ');
  const found = DATE.exec(text);
  if (found === null) return null;
  const zone = found[1] ?? '';
  const offset = KNOWN_ZONE.test(zone) ? zone : (ZONES[zone.toUpperCase()] ?? 'Z');
  const time = Date.parse(text.slice(0, text.length - zone.length) + offset);
  // Date.parse takes the 30th of February for a day of March.
  const isReal = !/^\d{4}-/.test(text) || isRealDate(text.slice(0, 10));
  return time >= 0 && isReal ? new Date(time) : null;
}
