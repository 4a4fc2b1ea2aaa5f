import { createHash } from 'node:crypto';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { DATE_BASES } from '../../contract/vocabularies.ts';
import { canonicalUrl, cutText, decodeText, decodeXml, feedDate, plainText } from './feed-text.ts';
import { FeedFault } from './feeds.ts';

/** Raise this when equal bytes are read differently: all feeds are then fetched again. */
export const READER_VERSION = 1;

const TITLE_CHARACTERS_MAX = 300;
const SUMMARY_CHARACTERS_MAX = 400;
const MS_PER_DAY = 86_400_000;

export interface FeedItem {
  /** 16 hex digits of the SHA-256 of the canonical address, else of the feed and its own identifier. */
  id: string;
  /** Null for an item with an identifier but no valid link. */
  url: string | null;
  domain: string | null;
  title: string;
  summary: string | null;
  /** ISO 8601, UTC; null if the feed gives no date, an invalid one, or one more than a day in the future. */
  publishedAt: string | null;
  dateBasis: (typeof DATE_BASES)[number];
}

export interface FeedReading {
  /** Distinct items, each with the best of its dates. */
  items: FeedItem[];
  /** Items without link and identifier, or without title and text. */
  refused: number;
  /** Items whose date is missing or invalid. */
  undated: number;
  /** Items dated more than a day in the future. */
  future: number;
  /** Repeated items in the feed. */
  repeated: number;
  /** Characters with a broken encoding. */
  replaced: number;
}

export interface FeedBytes {
  feed: string;
  body: Buffer;
  contentType: string | null;
  /** Address of the feed, against which relative links are resolved. */
  address: string;
  /** The present; dates more than a day later are not believed. */
  today: Date;
}

/** An item as the feed gives it: texts may hold markup; dates and links are not parsed. Missing values are empty. */
interface RawItem {
  title: string;
  summary: string;
  link: string;
  /** The feed's own identifier of the item. */
  guid: string;
  /** Base of relative links. */
  base: string;
  published: string;
  updated: string;
}

/** Reads the bytes of a feed in RSS 2.0 (or 0.9x), RSS 1.0, Atom 1.0 or JSON Feed 1. Throws FeedFault and nothing else. */
export function readFeed(source: FeedBytes): FeedReading {
  const { text, replaced } = decodeText(source.body, source.contentType);
  const first = /[^\s\ufeff]/.exec(text)?.[0];
  if (first === undefined) throw new FeedFault('not-a-feed', 'it is empty');
  const isJson = first === '{' || first === '[';
  const raws = isJson ? jsonItems(text.trim(), source.address) : xmlItems(text, source.address);
  const items = new Map<string, FeedItem>();
  const counts = { refused: 0, undated: 0, future: 0, repeated: 0 };
  for (const raw of raws) {
    const item = itemOf(raw, source);
    const known = items.get(item?.id ?? '');
    if (item === null) counts.refused += 1;
    else if (known === undefined) {
      items.set(item.id, item);
      // Only a date that is not believed is stated and not kept.
      if (item.publishedAt === null)
        counts[(feedDate(raw.published) ?? feedDate(raw.updated)) ? 'future' : 'undated'] += 1;
    } else {
      counts.repeated += 1;
      const { publishedAt, dateBasis } = item;
      if (dateRank(item) < dateRank(known)) items.set(item.id, { ...known, publishedAt, dateBasis });
    }
  }
  return { items: [...items.values()], ...counts, replaced };
}

function itemOf(raw: RawItem, { feed, today }: FeedBytes): FeedItem | null {
  const link = canonicalUrl(raw.link, raw.base);
  const guid = raw.guid.trim();
  const summary = plainText(raw.summary);
  const title = plainText(raw.title) || summary;
  if ((link === null && guid === '') || title === '') return null;
  const identity = link === null ? `${feed}\n${guid}` : link.key;
  const published = feedDate(raw.published);
  const stated = published ?? feedDate(raw.updated);
  const isBelieved = stated !== null && stated.getTime() <= today.getTime() + MS_PER_DAY;
  const basis = published === null ? 'updated' : 'published';
  return {
    id: createHash('sha256').update(identity).digest('hex').slice(0, 16),
    url: link?.url ?? null,
    domain: link?.domain ?? null,
    title: cutText(title, TITLE_CHARACTERS_MAX),
    summary: summary === '' ? null : cutText(summary, SUMMARY_CHARACTERS_MAX),
    publishedAt: isBelieved ? stated.toISOString() : null,
    dateBasis: isBelieved ? basis : 'first_seen',
  };
}

/** Sort key of a date, better ones first: published, updated, none; then the earlier. */
export function dateRank({ publishedAt, dateBasis }: Pick<FeedItem, 'publishedAt' | 'dateBasis'>): string {
  return `${DATE_BASES.indexOf(dateBasis)}${publishedAt ?? ''}`;
}

function jsonItems(text: string, base: string): RawItem[] {
  let feed: unknown;
  try {
    feed = JSON.parse(text);
  } catch (cause) {
    throw new FeedFault('malformed', 'it is not complete JSON', { cause });
  }
  if (!/^https?:\/\/jsonfeed\.org\/version\/1/.test(memberText(feed, 'version'))) {
    throw new FeedFault('not-a-feed', 'it is JSON, but not a JSON Feed of version 1');
  }
  const { items } = feed as { items?: unknown };
  if (!Array.isArray(items)) throw new FeedFault('malformed', 'its items are not a list');
  return items.map((item: unknown) => ({
    title: memberText(item, 'title'),
    summary: memberText(item, 'summary') || memberText(item, 'content_text') || memberText(item, 'content_html'),
    link: memberText(item, 'url') || memberText(item, 'external_url'),
    guid: memberText(item, 'id'),
    base,
    published: memberText(item, 'date_published'),
    updated: memberText(item, 'date_modified'),
  }));
}

/** JSON Feed lets an id be a number. */
function memberText(object: unknown, key: string): string {
  const value = (object as Record<string, unknown> | null)?.[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** An element with its namespace resolved: `name` is `<namespace>:<local name>`, with the short names below. */
interface XmlElement {
  name: string;
  /** By local name; references decoded. */
  attributes: Readonly<Record<string, string>>;
  /** Resolved `xml:base` of this element; the address of the feed if none is given. */
  base: string;
  children: readonly (XmlElement | string)[];
}

/** Short names of the namespaces that are read; others keep their URI. */
const NAMESPACES: ReadonlyMap<string, string> = new Map([
  ['', 'rss'],
  ['http://purl.org/rss/1.0/', 'rss'],
  ['http://my.netscape.com/rdf/simple/0.9/', 'rss'],
  ['http://backend.userland.com/rss2', 'rss'],
  ['http://www.w3.org/1999/02/22-rdf-syntax-ns#', 'rdf'],
  ['http://www.w3.org/2005/Atom', 'atom'],
  ['http://purl.org/dc/elements/1.1/', 'dc'],
  ['http://purl.org/dc/terms/', 'dcterms'],
  ['http://purl.org/rss/1.0/modules/content/', 'content'],
]);

/** Feeds nest about ten levels; XHTML inside them some more. */
const MAX_NESTING = 64;
/** A feed of 500 items has about 10,000 elements. A file of only tags would take a hundred times its size in memory. */
const MAX_ELEMENTS = 200_000;

const TEXT = '#text';
const CDATA = '#cdata';
const ATTRIBUTES = ':@';

/** The parser leaves entities as written: decodeXml decodes XML's five and numeric ones, never a document's own. */
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  textNodeName: TEXT,
  cdataPropName: CDATA,
  ignoreDeclaration: true,
  ignorePiTags: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: false,
  htmlEntities: false,
  maxNestedTags: MAX_NESTING,
});

type OrderedNode = Record<string, unknown>;

function xmlItems(text: string, address: string): RawItem[] {
  assertFeedLike(text);
  const node = orderedNodes(text).find((one) => elementName(one) !== undefined);
  if (node === undefined) throw new FeedFault('malformed', 'there is no root element');
  const root = elementOf(node, new Map(), address);
  if (root.name === 'rdf:RDF') return childrenOf(root, 'rss:item').map(rssItem);
  if (root.name === 'atom:feed') return childrenOf(root, 'atom:entry').map(atomEntry);
  if (root.name !== 'rss:rss') throw new FeedFault('not-a-feed', `its root element is ${root.name.slice(0, 80)}`);
  const channels = childrenOf(root, 'rss:channel');
  return channels.flatMap((channel) => childrenOf(channel, 'rss:item')).map(rssItem);
}

function rssItem(item: XmlElement): RawItem {
  const guid = childrenOf(item, 'rss:guid')[0];
  const id = guid === undefined ? (item.attributes.about ?? '') : textOf(guid).trim();
  const isLink = guid !== undefined && guid.attributes.isPermaLink !== 'false' && /^https?:\/\//i.test(id);
  return {
    title: firstText(item, 'rss:title', 'dc:title'),
    summary: firstText(item, 'rss:description', 'content:encoded', 'dc:description'),
    link: firstText(item, 'rss:link') || alternateLink(item) || (isLink ? id : ''),
    guid: id,
    base: item.base,
    published: firstText(item, 'rss:pubDate', 'dc:date', 'dcterms:issued', 'dcterms:created'),
    updated: firstText(item, 'atom:updated', 'dcterms:modified'),
  };
}

function atomEntry(entry: XmlElement): RawItem {
  return {
    title: firstText(entry, 'atom:title'),
    summary: firstText(entry, 'atom:summary', 'atom:content'),
    link: alternateLink(entry),
    guid: firstText(entry, 'atom:id'),
    base: entry.base,
    published: firstText(entry, 'atom:published', 'dc:date'),
    updated: firstText(entry, 'atom:updated'),
  };
}

function childrenOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child): child is XmlElement => typeof child !== 'string' && child.name === name);
}

/** The text of an element; elements inside it are given back as markup. */
function textOf(element: XmlElement): string {
  const texts = element.children.map((child) => {
    if (typeof child === 'string') return child;
    const name = child.name.slice(child.name.lastIndexOf(':') + 1);
    return `<${name}>${textOf(child)}</${name}>`;
  });
  return texts.join('');
}

/** Text of the first named child that has text. */
function firstText(element: XmlElement, ...names: string[]): string {
  const texts = names.flatMap((name) => childrenOf(element, name)).map((child) => textOf(child).trim());
  return texts.find((text) => text !== '') ?? '';
}

/** Address of the page: the Atom link with `rel="alternate"` or without rel, which means the same. */
function alternateLink(element: XmlElement): string {
  const links = childrenOf(element, 'atom:link');
  const link = links.find(({ attributes }) => (attributes.rel ?? 'alternate') === 'alternate');
  return link?.attributes.href?.trim() ?? '';
}

/** Checks the text before the root element, the root's name and the number of tags, without parsing. */
function assertFeedLike(text: string): void {
  const prolog = /^(?:[\u0000-\u0020\ufeff]+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)*/.exec(text)![0].length;
  const head = text.slice(prolog, prolog + 200);
  if (/^<(?:(?:!doctype\s+)?html|head|body)\b/i.test(head)) throw new FeedFault('html', 'it is a web page, not a feed');
  if (/^<(?:\?|!--|$)/.test(head)) throw new FeedFault('malformed', 'it ends before its root element');
  if (head.startsWith('<!')) throw new FeedFault('document-type', 'a document type declaration is not accepted');
  if (!head.startsWith('<')) throw new FeedFault('not-a-feed', 'it is neither XML nor JSON');
  let tags = 0;
  for (let sign = text.indexOf('<', prolog); sign !== -1; sign = text.indexOf('<', sign + 1)) tags += 1;
  // An element has two tags.
  if (tags > MAX_ELEMENTS * 2) throw new FeedFault('too-large', `it has more than ${MAX_ELEMENTS} elements`);
}

function orderedNodes(text: string): OrderedNode[] {
  try {
    const verdict = XMLValidator.validate(text);
    if (verdict === true) return parser.parse(text) as OrderedNode[];
    throw new FeedFault('malformed', `line ${verdict.err.line}: ${verdict.err.msg.slice(0, 200)}`);
  } catch (error) {
    if (error instanceof FeedFault) throw error;
    const message = error instanceof Error ? error.message : String(error);
    if (/maximum nested/i.test(message)) throw new FeedFault('too-deep', `it is nested more than ${MAX_NESTING} deep`);
    throw new FeedFault('malformed', message.slice(0, 200), { cause: error });
  }
}

function elementName(node: OrderedNode): string | undefined {
  return Object.keys(node).find((key) => key !== TEXT && key !== CDATA && key !== ATTRIBUTES);
}

/** The element of a node, with the prefixes and the base of the element around it. */
function elementOf(node: OrderedNode, outer: ReadonlyMap<string, string>, outerBase: string): XmlElement {
  const qualified = elementName(node) ?? '';
  const attributes: Record<string, string> = {};
  let [prefixes, base] = [outer, outerBase];
  for (const [name, raw] of Object.entries((node[ATTRIBUTES] ?? {}) as OrderedNode)) {
    const value = decodeXml(String(raw));
    const [prefix, local] = splitName(name);
    attributes[local] = value;
    if (name === 'xmlns') prefixes = new Map(prefixes).set('', value.trim());
    if (prefix === 'xmlns') prefixes = new Map(prefixes).set(local, value.trim());
    if (name === 'xml:base') base = URL.parse(value.trim(), base)?.href ?? base;
  }
  const children: (XmlElement | string)[] = [];
  for (const child of node[qualified] as OrderedNode[]) {
    if (TEXT in child) children.push(decodeXml(String(child[TEXT])));
    else if (CDATA in child) children.push(...(child[CDATA] as OrderedNode[]).map((part) => String(part[TEXT])));
    else if (elementName(child) !== undefined) children.push(elementOf(child, prefixes, base));
  }
  const [prefix, local] = splitName(qualified);
  const uri = prefixes.get(prefix) ?? (prefix === '' ? '' : null);
  // A prefix that a feed forgets to declare means what it usually means.
  const namespace = uri === null ? prefix : (NAMESPACES.get(uri) ?? uri);
  return { name: `${namespace}:${local}`, attributes, base, children };
}

/** The prefix and the local part of a name. */
function splitName(name: string): [string, string] {
  const colon = name.indexOf(':');
  return colon === -1 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)];
}
