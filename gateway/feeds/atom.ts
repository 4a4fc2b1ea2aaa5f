/** Atom (RFC 4287), written as text: a feed is a few fixed elements around escaped texts. */

export interface AtomEntry {
  /** Permanent: an address, or a tag of RFC 4151. */
  id: string;
  title: string;
  updated: string;
  /** Address of what the entry is about. */
  href: string;
  author?: string;
  /** Plain text; readers show it as it is. */
  text: string;
}

export interface AtomFeed {
  /** Address of the feed itself, which is its id too. */
  self: string;
  title: string;
  subtitle: string;
  /** Address of the page that shows the same. */
  page: string;
  /** For a feed without entries: when what it tells of was last known. */
  updated: string;
  rights: string;
  entries: readonly AtomEntry[];
}

export const ATOM_HEADERS = { 'content-type': 'application/atom+xml; charset=utf-8' } as const;
const AUTHOR = 'Trial Board';

export function atomOf({ self, title, subtitle, page, updated, rights, entries }: AtomFeed): string {
  const newest = entries
    .map((entry) => entry.updated)
    .sort()
    .at(-1);
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${escaped(self)}</id>
<title>${escaped(title)}</title>
<subtitle>${escaped(subtitle)}</subtitle>
<updated>${escaped(newest ?? updated)}</updated>
<author><name>${AUTHOR}</name></author>
<rights>${escaped(rights)}</rights>
<link rel="self" type="application/atom+xml" href="${escaped(self)}"/>
<link rel="alternate" type="text/html" href="${escaped(page)}"/>
${entries.map(entryOf).join('')}</feed>
`;
}

function entryOf({ id, title, updated, href, author, text }: AtomEntry): string {
  return `<entry>
<id>${escaped(id)}</id>
<title>${escaped(title)}</title>
<updated>${escaped(updated)}</updated>
${author === undefined ? '' : `<author><name>${escaped(author)}</name></author>\n`}<link rel="alternate" type="text/html" href="${escaped(href)}"/>
<content type="text">${escaped(text)}</content>
</entry>
`;
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
/** What XML 1.0 has no way to write. */
const UNWRITABLE = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function escaped(text: string): string {
  return text.replaceAll(UNWRITABLE, '\ufffd').replaceAll(/[&<>"']/g, (character) => ESCAPES[character]!);
}

/** An id that stays the same for ever, within the name that this service has now. */
export function tagOf(baseUrl: string, ...parts: readonly string[]): string {
  return `tag:${new URL(baseUrl).hostname},2026:${parts.map(encodeURIComponent).join('/')}`;
}
