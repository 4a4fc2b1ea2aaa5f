import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { FeedFault } from './feed-fault.ts';
import { decodeXml } from './plain-text.ts';

/** An element with its namespace resolved: `name` is `<namespace>:<local name>`, with the short names below. */
export interface XmlElement {
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
/** A feed of 500 items has about 10,000 tags. A file of only tags would take a hundred times its size in memory. */
const MAX_TAGS = 200_000;

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

interface Scope {
  prefixes: ReadonlyMap<string, string>;
  base: string;
}

/** The root element of a document. Throws FeedFault `document-type`, `html`, `not-a-feed`, `too-large`, `too-deep` or `malformed`. */
export function parseXml(text: string, address: string): XmlElement {
  assertFeedLike(text);
  const nodes = orderedNodes(text);
  const root = nodes.find((node) => elementName(node) !== undefined);
  if (root === undefined) throw new FeedFault('malformed', 'there is no root element');
  return elementOf(root, { prefixes: new Map(), base: address });
}

/** Children of a name, in document order. */
export function childrenOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child): child is XmlElement => typeof child !== 'string' && child.name === name);
}

/** The text of an element; elements inside it are given back as markup. */
export function textOf(element: XmlElement): string {
  return element.children
    .map((child) => {
      if (typeof child === 'string') return child;
      const name = child.name.slice(child.name.lastIndexOf(':') + 1);
      return `<${name}>${textOf(child)}</${name}>`;
    })
    .join('');
}

/** Checks the text before the root element, the root's name and the number of tags, without parsing. */
function assertFeedLike(text: string): void {
  let at = 0;
  for (;;) {
    at = skipBlanks(text, at);
    if (text.startsWith('<?', at)) at = behind(text, '?>', at);
    else if (text.startsWith('<!--', at)) at = behind(text, '-->', at);
    else break;
  }
  const head = text.slice(at, at + 200);
  if (/^<(?:!doctype\s+)?html\b/i.test(head) || /^<(?:head|body)\b/i.test(head)) {
    throw new FeedFault('html', 'it is a web page, not a feed');
  }
  if (/^<!/.test(head)) throw new FeedFault('document-type', 'a document type declaration is not accepted');
  if (!head.startsWith('<')) throw new FeedFault('not-a-feed', 'it is neither XML nor JSON');
  let tags = 0;
  for (let sign = text.indexOf('<', at); sign !== -1; sign = text.indexOf('<', sign + 1)) tags += 1;
  // An element has two tags.
  if (tags > MAX_TAGS * 2) throw new FeedFault('too-large', `it has more than ${MAX_TAGS} elements`);
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && (text.charCodeAt(at) <= 0x20 || text.charCodeAt(at) === 0xfeff)) at += 1;
  return at;
}

function behind(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from);
  if (found === -1) throw new FeedFault('malformed', 'it ends before its root element');
  return found + end.length;
}

function orderedNodes(text: string): OrderedNode[] {
  try {
    const verdict = XMLValidator.validate(text);
    if (verdict !== true)
      throw new FeedFault('malformed', `line ${verdict.err.line}: ${verdict.err.msg.slice(0, 200)}`);
    return parser.parse(text) as OrderedNode[];
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

function elementOf(node: OrderedNode, outer: Scope): XmlElement {
  const qualified = elementName(node) ?? '';
  const stated = Object.entries((node[ATTRIBUTES] ?? {}) as Record<string, unknown>).map(
    ([name, value]) => [name, decodeXml(String(value))] as const,
  );
  const scope = scopeOf(stated, outer);
  const attributes = Object.fromEntries(stated.map(([name, value]) => [name.slice(name.indexOf(':') + 1), value]));
  const children: (XmlElement | string)[] = [];
  for (const child of node[qualified] as OrderedNode[]) {
    if (TEXT in child) children.push(decodeXml(String(child[TEXT])));
    else if (CDATA in child) children.push(...(child[CDATA] as OrderedNode[]).map((part) => String(part[TEXT])));
    else if (elementName(child) !== undefined) children.push(elementOf(child, scope));
  }
  return { name: resolvedName(qualified, scope), attributes, base: scope.base, children };
}

function scopeOf(attributes: readonly (readonly [string, string])[], outer: Scope): Scope {
  let { prefixes, base } = outer;
  for (const [name, value] of attributes) {
    if (name === 'xmlns' || name.startsWith('xmlns:')) {
      prefixes = new Map(prefixes).set(name === 'xmlns' ? '' : name.slice(6), value.trim());
    }
    if (name === 'xml:base') base = URL.parse(value.trim(), base)?.href ?? base;
  }
  return { prefixes, base };
}

function resolvedName(qualified: string, { prefixes }: Scope): string {
  const colon = qualified.indexOf(':');
  const prefix = colon === -1 ? '' : qualified.slice(0, colon);
  const uri = prefixes.get(prefix) ?? (prefix === '' ? '' : null);
  // A prefix that a feed forgets to declare means what it usually means.
  const namespace = uri === null ? prefix : (NAMESPACES.get(uri) ?? uri);
  return `${namespace}:${qualified.slice(colon + 1)}`;
}
