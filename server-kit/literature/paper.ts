import type { FaultReason } from '../../contract/schemas/trials/related.ts';

/** Sources of literature, in the order that they are asked. */
export const LITERATURE_SOURCES = ['pubmed', 'europepmc'] as const;
export type LiteratureSource = (typeof LITERATURE_SOURCES)[number];

/** Strongest first: `databank` is a field that the indexer filled, the others are words of the authors. */
export const MATCHED_BY = ['databank', 'abstract', 'methods'] as const;
export type MatchedBy = (typeof MATCHED_BY)[number];

/** A paper as one source describes it; fields that the source does not state are null. */
export interface Paper {
  source: LiteratureSource;
  pmid: string | null;
  /** Lower case. */
  doi: string | null;
  title: string;
  journal: string | null;
  year: number | null;
  openAccess: boolean | null;
  citations: number | null;
  isPreprint: boolean;
  retracted: boolean;
  /** Databank name and accession of each entry, as `ClinicalTrials.gov NCT01234567`. */
  accessions: string[];
  /** Title, abstract and keywords: searched for identifiers and never shown. */
  text: string;
}

/** A question that a source did not answer. The message has no address, because one of PubMed may carry the key. */
export class LiteratureFault extends Error {
  readonly source: LiteratureSource;
  readonly reason: FaultReason;
  /** The pause that the source asks for before another try. */
  readonly retryAfterMs: number | undefined;

  constructor(source: LiteratureSource, reason: FaultReason, message: string = reason, retryAfterMs?: number) {
    super(`${source}: ${message}`);
    this.name = 'LiteratureFault';
    this.source = source;
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Characters of title, abstract and keywords that are searched; a structured abstract has fewer than 10,000. */
const TEXT_MAX_CHARACTERS = 20_000;
const TITLE_MAX_CHARACTERS = 600;

export function searchedText(parts: readonly (string | null)[]): string {
  return parts
    .filter((part) => part !== null)
    .join('\n')
    .slice(0, TEXT_MAX_CHARACTERS);
}

/** A title as a label: bounded, in one line. */
export function shownTitle(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= TITLE_MAX_CHARACTERS ? line : `${line.slice(0, TITLE_MAX_CHARACTERS - 1)}…`;
}

export function doiOf(text: string | null): string | null {
  const doi =
    text === null
      ? undefined
      : /^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:\s*)?(10\.\d{4,9}\/\S{1,200})$/i.exec(text.trim())?.[1];
  return doi === undefined ? null : doi.toLowerCase();
}

export function pmidOf(text: string | null): string | null {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? text : null;
}

export function yearOf(text: string | null): number | null {
  const year = /(?:^|\D)((?:18|19|20|21)\d\d)(?:\D|$)/.exec(text ?? '')?.[1];
  return year === undefined ? null : Number(year);
}

/** The punctuation and blanks that people put between the parts of an identifier, within one line. */
const SEPARATORS = '[ \\t\\u00a0:#._/\\-\\u2010-\\u2015\\u2212]{0,3}';

/**
 * A test for one identifier in running text: its letters and digits in order, with any usual separators between a word
 * and a number, and no letter or digit beside it, so that it is never found inside a longer number.
 */
export function identifierTest(identifier: string): (text: string) => boolean {
  const parts = identifier.match(/\p{L}+|\p{N}+/gu) ?? [];
  if (parts.length === 0) return () => false;
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${parts.join(SEPARATORS)}(?![\\p{L}\\p{N}])`, 'iu');
  return (text) => pattern.test(text);
}

/** Where the paper itself names the identifier; null if the text that was read does not. */
export function namedIn(paper: Paper, identifier: string): 'databank' | 'abstract' | null {
  const test = identifierTest(identifier);
  if (paper.accessions.some(test)) return 'databank';
  return test(paper.text) ? 'abstract' : null;
}
