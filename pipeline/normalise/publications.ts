/** Readers of the registries' texts about publications. */

const DOI_IN_CITATION = /\bdoi:\s*(10\.\d{4,9}\/\S+)/i;
const DOI_IN_URL = /^https?:\/\/(?:dx\.|www\.)?doi\.org\/(10\.\d{4,9}(?:\/|%2F)[^\s?#]+)/i;
const PMID_IN_URL =
  /^https?:\/\/(?:(?:www\.)?ncbi\.nlm\.nih\.gov\/pubmed|(?:www\.)?pubmed\.ncbi\.nlm\.nih\.gov|pubmed\.gov)\/(\d{1,9})(?=\D|$)/i;
/** In a PubMed citation the year of publication follows the journal's full stop. */
const YEAR_IN_CITATION = /\.\s((?:19|20)\d{2})(?=[\s;:.-]|$)/;

function withoutTrailingPunctuation(text: string): string {
  return text.replace(/[.,;)\]]+$/, '');
}

function webAddress(text: string): string {
  const bare = withoutTrailingPunctuation(text);
  return /^https?:/i.test(bare) ? bare : `https://${bare}`;
}

/** The first web address in a text, or null. */
export function webAddressIn(text: string): string | null {
  const found = /https?:\/\/\S+/i.exec(text)?.[0];
  return found === undefined ? null : withoutTrailingPunctuation(found);
}

/** The DOI that a citation states after `doi:`, or null. */
export function citationDoi(citation: string | null): string | null {
  const match = citation === null ? null : DOI_IN_CITATION.exec(citation);
  return match?.[1] === undefined ? null : withoutTrailingPunctuation(match[1]);
}

/** The year of publication of a citation in PubMed's form, or null. */
export function citationYear(citation: string | null): number | null {
  const match = citation === null ? null : YEAR_IN_CITATION.exec(citation);
  return match === null ? null : Number(match[1]);
}

/** The PubMed id or DOI in an address of PubMed or doi.org. */
export function publicationIds(url: string): { pmid: string | null; doi: string | null } {
  const pmid = PMID_IN_URL.exec(url)?.[1] ?? null;
  const doi = DOI_IN_URL.exec(url)?.[1];
  return { pmid, doi: doi === undefined ? null : withoutTrailingPunctuation(doi.replace(/%2F/gi, '/')) };
}

export interface PublicationLine {
  kindRaw: string | null;
  url: string | null;
  citation: string | null;
  year: number | null;
}

/**
 * `<year> <kind> in <url>` or `<year> <kind> see attached file <name>`; ISRCTN separates such entries by a line break,
 * its CSV export by a blank.
 */
const ENTRY =
  /(?:^|(?<=\s))((?:19|20)\d{2})\s+([A-Za-z][A-Za-z -]{2,60}?)\s+(?:in\s+((?:https?:\/\/|doi\.org\/|www\.)\S+)|see attached file)/g;

/**
 * The entries of ISRCTN `publicationDetails`. `citation` keeps the entry's own text with its notes. Any other line is
 * kept whole as a citation of no stated kind.
 */
export function readPublicationDetails(text: string | null): PublicationLine[] {
  if (text === null) return [];
  const entries = [...text.matchAll(ENTRY)];
  const lines = freeLines(text.slice(0, entries[0]?.index ?? text.length));
  for (const [position, match] of entries.entries()) {
    const [first, ...rest] = text.slice(match.index, entries[position + 1]?.index ?? text.length).split(/\r?\n/);
    lines.push({
      kindRaw: match[2] ?? null,
      url: match[3] === undefined ? null : webAddress(match[3]),
      citation: first?.trim() ?? null,
      year: Number(match[1]),
    });
    lines.push(...freeLines(rest.join('\n')));
  }
  return lines;
}

function freeLines(text: string): PublicationLine[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .map((citation) => ({
      kindRaw: null,
      url: webAddressIn(citation),
      citation,
      year: citationYear(citation),
    }));
}
