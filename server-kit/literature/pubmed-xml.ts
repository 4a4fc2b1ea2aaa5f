import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { doiOf, type Paper, pmidOf, searchedText, shownTitle, yearOf } from './paper.ts';

/** Why a body is not a set of PubMed articles. */
export class PubmedXmlError extends Error {}

const ATTRIBUTE = '@';
const TEXT = '#text';
const MAX_NESTING = 60;

const LISTS = new Set([
  'PubmedArticle',
  'PubmedBookArticle',
  'AbstractText',
  'DataBank',
  'AccessionNumber',
  'PublicationType',
  'ArticleId',
  'ELocationID',
  'KeywordList',
  'Keyword',
  'OtherAbstract',
  'CommentsCorrections',
]);

// Entities stay as they are written and are decoded below from a closed table: a body cannot declare any.
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: ATTRIBUTE,
  textNodeName: TEXT,
  ignoreDeclaration: true,
  ignorePiTags: true,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  maxNestedTags: MAX_NESTING,
  isArray: (name) => LISTS.has(name),
});

/** Formatting tags inside a title or an abstract, which would break the text into pieces. */
const PRINT_TAGS = /<\/?(?:i|b|u|sup|sub|em|strong|mml:[A-Za-z]+|DispFormula)(?:\s[^<>]{0,500})?\/?>/g;
/** The reference to NLM's own definition that every answer begins with; it is never fetched. */
const DOCTYPE = /<!DOCTYPE\s+\w+\s+PUBLIC\s+"[^"<>]{0,300}"\s+"[^"<>]{0,300}"\s*>/;

export interface PubmedArticles {
  papers: Paper[];
  /** Ids of entries that are books and not articles. */
  otherPmids: string[];
}

/** The articles of an efetch answer; throws PubmedXmlError. */
export function parsePubmedXml(xml: string): PubmedArticles {
  const text = xml.replace(DOCTYPE, '').replace(PRINT_TAGS, '');
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw new PubmedXmlError('declares a document type of its own');
  const verdict = XMLValidator.validate(text);
  if (verdict !== true) throw new PubmedXmlError(`not XML (${verdict.err.code})`);
  const root = parsed(text);
  if (!('PubmedArticleSet' in root)) throw new PubmedXmlError('no PubmedArticleSet');
  const set = node(root.PubmedArticleSet);
  const books = nodes(set.PubmedBookArticle).map((book) => words(node(book.BookDocument).PMID));
  return { papers: nodes(set.PubmedArticle).map(paperOf), otherPmids: books.filter((pmid) => pmid !== null) };
}

function parsed(text: string): Node {
  try {
    return node(parser.parse(text));
  } catch {
    throw new PubmedXmlError('not usable as XML');
  }
}

function paperOf(article: Node): Paper {
  const citation = node(article.MedlineCitation);
  const details = node(citation.Article);
  const pmid = pmidOf(words(citation.PMID));
  if (pmid === null) throw new PubmedXmlError('an article without its id');
  const journal = node(details.Journal);
  const published = node(node(journal.JournalIssue).PubDate);
  const types = list(node(details.PublicationTypeList).PublicationType).map(words);
  const notices = nodes(citation.CommentsCorrectionsList && node(citation.CommentsCorrectionsList).CommentsCorrections);
  const title = words(details.ArticleTitle);
  return {
    source: 'pubmed',
    pmid,
    doi: doiIn(article, details),
    title: shownTitle(title ?? ''),
    journal: words(journal.Title) ?? words(journal.ISOAbbreviation),
    year: yearOf(words(published.Year) ?? words(published.MedlineDate)),
    openAccess: null,
    citations: null,
    isPreprint: types.includes('Preprint'),
    retracted:
      types.includes('Retracted Publication') ||
      notices.some((notice) => notice[`${ATTRIBUTE}RefType`] === 'RetractionIn'),
    accessions: accessionsOf(details),
    text: searchedText([
      title,
      ...list(node(details.Abstract).AbstractText).map(words),
      ...nodes(citation.OtherAbstract).flatMap((other) => list(other.AbstractText).map(words)),
      ...nodes(citation.KeywordList).flatMap((keywords) => list(keywords.Keyword).map(words)),
    ]),
  };
}

function doiIn(article: Node, details: Node): string | null {
  const ids = nodes(node(node(article.PubmedData).ArticleIdList).ArticleId).filter(
    (id) => id[`${ATTRIBUTE}IdType`] === 'doi',
  );
  const places = nodes(details.ELocationID).filter((place) => place[`${ATTRIBUTE}EIdType`] === 'doi');
  return [...ids, ...places].map((one) => doiOf(words(one))).find((doi) => doi !== null) ?? null;
}

function accessionsOf(details: Node): string[] {
  return nodes(node(details.DataBankList).DataBank).flatMap((bank) => {
    const name = words(bank.DataBankName) ?? '';
    const numbers = list(node(bank.AccessionNumberList).AccessionNumber).map(words);
    return numbers.filter((number) => number !== null).map((number) => `${name} ${number}`.trim());
  });
}

type Node = Record<string, unknown>;

function node(value: unknown): Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Node) : {};
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The elements of a list as nodes; one that holds text alone becomes a node with that text. */
function nodes(value: unknown): Node[] {
  return list(value).map((one) => (typeof one === 'string' ? { [TEXT]: one } : node(one)));
}

function words(value: unknown): string | null {
  const text = typeof value === 'string' ? value : node(value)[TEXT];
  if (typeof text !== 'string') return null;
  const decoded = decodeEntities(text).trim();
  return decoded === '' ? null : decoded;
}

const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }),
);

/** Decodes the five named entities of XML and numeric references; any other stays as it is written. */
function decodeEntities(text: string): string {
  return text.replace(/&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi, (whole, name, decimal, hex) => {
    if (name !== undefined) return NAMED.get(String(name).toLowerCase()) ?? whole;
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    const usable = point > 31 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
    return usable ? String.fromCodePoint(point) : ' ';
  });
}
