import { createHash } from 'node:crypto';
import { decodeXML } from 'entities/decode';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { DATE_BASES } from '../../contract/vocabularies.ts';
import { canonicalUrl, cutText, decodeText, feedDate, plainText } from './feed-text.ts';
import { FeedFault } from './feeds.ts';

/** Raise this when equal bytes are read differently: all feeds are then fetched again. */
export const READER_VERSION = 2;

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

/** Feeds nest about ten levels; XHTML inside them some more. */
const MAX_NESTING = 64;
/** A feed of 500 items has about 10,000 elements. A file of only tags would take a hundred times its size in memory. */
const MAX_ELEMENTS = 200_000;

/** An element of XML; each child is a list under its name with prefix. */
interface Element {
  [name: string]: Element[] | string | undefined;
}

const TEXT = '#text';
/** Elements that are read as they are written, so that markup in them stays: with CDATA sections and references. */
const TEXTS: readonly string[] = [
  ...(['title', 'link', 'guid', 'description', 'pubDate', 'content:encoded'] as const),
  ...(['dc:title', 'dc:description', 'dc:date', 'dcterms:issued', 'dcterms:created', 'dcterms:modified'] as const),
  ...(['id', 'summary', 'content', 'published', 'updated', 'atom:updated'] as const),
];

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  textNodeName: TEXT,
  alwaysCreateTextNode: true,
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
  stopNodes: TEXTS.map((name) => `*.${name}`),
  ignoreDeclaration: true,
  ignorePiTags: true,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  maxNestedTags: MAX_NESTING,
});

function xmlItems(text: string, address: string): RawItem[] {
  assertFeedLike(text);
  const [name, root] = rootOf(text);
  const base = baseOf(root, address);
  if (name === 'rdf:RDF') return childrenOf(root, 'item').map((item) => rssItem(item, base));
  if (name === 'feed') return childrenOf(root, 'entry').map((entry) => atomEntry(entry, base));
  if (name !== 'rss') throw new FeedFault('not-a-feed', `its root element is ${name.slice(0, 80)}`);
  const items = childrenOf(root, 'channel').flatMap((channel) => childrenOf(channel, 'item'));
  return items.map((item) => rssItem(item, base));
}

function rssItem(item: Element, outerBase: string): RawItem {
  const guid = childrenOf(item, 'guid')[0];
  const id = guid === undefined ? attributeOf(item, 'rdf:about') : markupOf(guid);
  const isLink = guid !== undefined && attributeOf(guid, 'isPermaLink') !== 'false' && /^https?:\/\//i.test(id);
  return {
    title: firstText(item, 'title', 'dc:title'),
    summary: firstText(item, 'description', 'content:encoded', 'dc:description'),
    link: firstText(item, 'link') || alternateLink(item, 'atom:link') || (isLink ? id : ''),
    guid: id,
    base: baseOf(item, outerBase),
    published: firstText(item, 'pubDate', 'dc:date', 'dcterms:issued', 'dcterms:created'),
    updated: firstText(item, 'atom:updated', 'dcterms:modified'),
  };
}

function atomEntry(entry: Element, outerBase: string): RawItem {
  return {
    title: firstText(entry, 'title'),
    summary: firstText(entry, 'summary', 'content'),
    link: alternateLink(entry, 'link'),
    guid: firstText(entry, 'id'),
    base: baseOf(entry, outerBase),
    published: firstText(entry, 'published', 'dc:date'),
    updated: firstText(entry, 'updated'),
  };
}

function childrenOf(element: Element, name: string): Element[] {
  const children = element[name];
  return Array.isArray(children) ? children : [];
}

function attributeOf(element: Element, name: string): string {
  return decodeXML(String(element[`@${name}`] ?? '')).trim();
}

/** The base of relative links in an element. */
function baseOf(element: Element, outer: string): string {
  return URL.parse(attributeOf(element, 'xml:base'), outer)?.href ?? outer;
}

/** The content of an element: references are decoded, but not in a CDATA section, which is taken as it is. */
function markupOf(element: Element): string {
  const parts = String(element[TEXT] ?? '').split(/<!\[CDATA\[([\s\S]*?)\]\]>/);
  // Every second part is the content of a section. The five names of XML alone are decoded, never a feed's own entities.
  return parts
    .map((part, place) => (place % 2 === 1 ? part : decodeXML(part)))
    .join('')
    .trim();
}

/** Text of the first named child that has text. */
function firstText(element: Element, ...names: string[]): string {
  const texts = names.flatMap((name) => childrenOf(element, name)).map(markupOf);
  return texts.find((text) => text !== '') ?? '';
}

/** Address of the page: the Atom link with `rel="alternate"` or without rel, which means the same. */
function alternateLink(element: Element, name: string): string {
  const links = childrenOf(element, name);
  const link = links.find((one) => /^(?:alternate)?$/.test(attributeOf(one, 'rel')));
  return link === undefined ? '' : attributeOf(link, 'href');
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

function rootOf(text: string): [string, Element] {
  try {
    const verdict = XMLValidator.validate(text);
    if (verdict !== true)
      throw new FeedFault('malformed', `line ${verdict.err.line}: ${verdict.err.msg.slice(0, 200)}`);
    const document: Element = parser.parse(text);
    const name = Object.keys(document).find((key) => key !== TEXT);
    if (name === undefined) throw new FeedFault('malformed', 'there is no root element');
    return [name, childrenOf(document, name)[0]!];
  } catch (error) {
    if (error instanceof FeedFault) throw error;
    const message = error instanceof Error ? error.message : String(error);
    if (/maximum nested/i.test(message)) throw new FeedFault('too-deep', `it is nested more than ${MAX_NESTING} deep`);
    throw new FeedFault('malformed', message.slice(0, 200), { cause: error });
  }
}
