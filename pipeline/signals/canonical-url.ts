/** Longer addresses are trackers' or mistakes; the item then counts as one without a link. */
const MAX_URL_LENGTH = 2000;
/** Query parameters that say where a reader came from, not what is read. */
const TRACKING =
  /^(?:utm_[a-z_]+|fbclid|gclid|dclid|gbraid|wbraid|msclkid|yclid|twclid|igshid|mc_cid|mc_eid|_ga|_gl|_hsenc|_hsmi)$/i;

export interface CanonicalUrl {
  /** Lower-case host, no credentials, no fragment, no tracking parameters. */
  url: string;
  /** The same for http and https: what makes two items one. */
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

/** `rss=1` is what preprint servers append to the links of their feeds. */
function isTracking(pair: string): boolean {
  return pair === 'rss=1' || TRACKING.test(pair.split('=', 1)[0] ?? '');
}
