/** A longer address is a tracker's or a mistake; the item then counts as one without a link. */
const MAX_URL_LENGTH = 2000;
/** Query parameters that name the reader's origin, not the document. */
const TRACKING =
  /^(?:utm_[a-z_]+|fbclid|gclid|dclid|gbraid|wbraid|msclkid|yclid|twclid|igshid|mc_cid|mc_eid|_ga|_gl|_hsenc|_hsmi)$/i;

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
  const url = URL.parse(text, base) ?? null;
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') return null;
  url.username = '';
  url.password = '';
  url.hash = '';
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !isTracking(pair));
  url.search = kept.join('&');
  if (url.href.length > MAX_URL_LENGTH) return null;
  return { url: url.href, key: url.href.replace(/^http:/, 'https:'), domain: url.hostname };
}

/** Preprint servers append `rss=1` to the links of their feeds. */
function isTracking(pair: string): boolean {
  return pair === 'rss=1' || TRACKING.test(pair.split('=', 1)[0] ?? '');
}
