import { FeedFault } from './feed-fault.ts';
import type { RawItem } from './raw-item.ts';
import { childrenOf, parseXml, textOf, type XmlElement } from './xml-tree.ts';

/** Items of an RSS 2.0 (or 0.9x), RSS 1.0 (RDF) or Atom 1.0 document. Throws FeedFault. */
export function xmlItems(text: string, address: string): RawItem[] {
  const root = parseXml(text, address);
  switch (root.name) {
    case 'rss:rss':
      return childrenOf(root, 'rss:channel')
        .flatMap((channel) => childrenOf(channel, 'rss:item'))
        .map(rssItem);
    case 'rdf:RDF':
      return childrenOf(root, 'rss:item').map(rssItem);
    case 'atom:feed':
      return childrenOf(root, 'atom:entry').map(atomEntry);
    default:
      throw new FeedFault('not-a-feed', `its root element is ${root.name.slice(0, 80)}`);
  }
}

function rssItem(item: XmlElement): RawItem {
  const guid = childrenOf(item, 'rss:guid')[0];
  const id = guid === undefined ? (item.attributes.about ?? '') : textOf(guid).trim();
  const isLink = guid !== undefined && guid.attributes.isPermaLink !== 'false' && /^https?:\/\//i.test(id);
  return {
    title: firstText(item, ['rss:title', 'dc:title']),
    summary: firstText(item, ['rss:description', 'content:encoded', 'dc:description']),
    link: firstText(item, ['rss:link']) || alternateLink(item) || (isLink ? id : ''),
    guid: id,
    base: item.base,
    published: firstText(item, ['rss:pubDate', 'dc:date', 'dcterms:issued', 'dcterms:created']),
    updated: firstText(item, ['atom:updated', 'dcterms:modified']),
  };
}

function atomEntry(entry: XmlElement): RawItem {
  return {
    title: firstText(entry, ['atom:title']),
    summary: firstText(entry, ['atom:summary', 'atom:content']),
    link: alternateLink(entry),
    guid: firstText(entry, ['atom:id']),
    base: entry.base,
    published: firstText(entry, ['atom:published', 'dc:date']),
    updated: firstText(entry, ['atom:updated']),
  };
}

/** Text of the first named child that has text. */
function firstText(element: XmlElement, names: readonly string[]): string {
  for (const name of names) {
    for (const child of childrenOf(element, name)) {
      const text = textOf(child).trim();
      if (text !== '') return text;
    }
  }
  return '';
}

/** Address of the page: the Atom link with `rel="alternate"` or without rel, which means the same. */
function alternateLink(element: XmlElement): string {
  const links = childrenOf(element, 'atom:link');
  const link = links.find(({ attributes }) => (attributes.rel ?? 'alternate') === 'alternate');
  return link?.attributes.href?.trim() ?? '';
}
