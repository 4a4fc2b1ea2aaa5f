import { XMLParser, XMLValidator } from 'fast-xml-parser';

type Element = Record<string, unknown>;

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;
/** A tag of RFC 4151, or an address. */
const ID = /^(?:tag:[a-z0-9.:-]+,\d{4}:\S+|https?:\/\/\S+)$/;
const IN_FEED = ['id', 'title', 'subtitle', 'updated', 'author', 'rights', 'link', 'entry'];
const IN_ENTRY = ['id', 'title', 'updated', 'author', 'link', 'content'];
const listOf = (value: unknown): Element[] => (value === undefined ? [] : [value].flat()) as Element[];

/** Where a text breaks the rules of RFC 4287 for the elements that feeds here have; empty where it keeps them. */
export function atomFaults(xml: string): string[] {
  const wellFormed = XMLValidator.validate(xml);
  if (wellFormed !== true) return [`not well formed: ${wellFormed.err.msg}`];
  const feed = atomIn(xml);
  const faults = [
    ...(feed['@xmlns'] === 'http://www.w3.org/2005/Atom' ? [] : ['feed: not in the namespace of Atom']),
    ...commonFaults('feed', feed, IN_FEED),
    ...(listOf(feed.link).filter((link) => link['@rel'] === 'self').length === 1
      ? []
      : ['feed: needs a link to itself']),
  ];
  const entries = listOf(feed.entry);
  const ids = entries.map(({ id }) => id);
  if (new Set(ids).size !== ids.length) faults.push('two entries have one id');
  const hasAuthor = feed.author !== undefined;
  for (const [at, entry] of entries.entries()) {
    faults.push(...commonFaults(`entry ${at}`, entry, IN_ENTRY));
    if (!hasAuthor && entry.author === undefined) faults.push(`entry ${at}: nobody wrote it`);
    const type = (entry.content as Element | undefined)?.['@type'];
    if (type !== 'text') faults.push(`entry ${at}: content of type ${type}`);
    if (String(entry.updated) > String(feed.updated)) faults.push(`entry ${at}: newer than the feed`);
  }
  return faults;
}

/** The feed as an object: attributes begin with @, texts are as written. */
export function atomIn(xml: string): Element {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseTagValue: false,
    trimValues: false,
    textNodeName: '#text',
  });
  return (parser.parse(xml) as { feed: Element }).feed;
}

function commonFaults(where: string, element: Element, known: readonly string[]): string[] {
  const unknown = Object.keys(element).filter((name) => !/^[@#]/.test(name) && !known.includes(name));
  const oneOf = (name: string, pattern: RegExp) =>
    typeof element[name] === 'string' && pattern.test(element[name]) ? [] : [`${where}: ${name} is ${element[name]}`];
  const links = listOf(element.link);
  const broken = links.filter((link) => !/^https?:\/\//.test(String(link['@href'])));
  return [
    ...unknown.map((name) => `${where}: ${name} is no element of it`),
    ...oneOf('id', ID),
    ...oneOf('title', /\S/),
    ...oneOf('updated', RFC_3339),
    ...(links.some((link) => link['@rel'] === 'alternate') ? [] : [`${where}: needs an alternate link`]),
    ...broken.map((link) => `${where}: link to ${link['@href']}`),
  ];
}
