import { gunzipSync, gzipSync } from 'node:zlib';

/** The three sources of the terminology: MeSH, the Disease Ontology and the reviewed table. */

export type TermSource = 'mesh' | 'disease-ontology' | 'reviewed';

/** What an answer says of a source that it rests on. */
export interface SourceStatement {
  id: TermSource;
  name: string;
  year: string;
  licence: string;
  /** Names of the source that are recognised. */
  terms: number;
}

/** The names of one source; a file of them is gzipped JSON. */
export interface SourceFile {
  statement: Omit<SourceStatement, 'terms'>;
  rows: SourceRow[];
}

export interface SourceRow {
  /** MeSH descriptor. */
  descriptor: string;
  /** Empty where the source only adds names to MeSH. */
  heading: string;
  treeNumbers: string[];
  names: string[];
}

export function writeSourceFile(file: SourceFile): Buffer {
  return gzipSync(JSON.stringify(file), { level: 9 });
}

export function readSourceFile(bytes: Uint8Array): SourceFile {
  try {
    return JSON.parse(gunzipSync(bytes).toString('utf8')) as SourceFile;
  } catch (error) {
    throw new Error(`the file of names cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

/** The reviewed table data/rules/synonyms.json; its note says what the parts mean. */
export interface ReviewedTable {
  id: string;
  reviewedOn: string;
  entries: readonly ReviewedEntry[];
  /** `means` has queries, one for each thing that the term means. */
  leftOut: readonly { term: string; why: string; means?: readonly string[] }[];
  /** MeSH headings that are ordinary words in titles: concepts of their own, but not read in text. */
  ordinaryWords: readonly { heading: string; why: string }[];
  /** `parent` and what is broader are not ancestors by way of the headings in `without`. */
  cuts: readonly { parent: string; without: readonly string[] }[];
  /** `of` are kinds or members of `parent` that MeSH files elsewhere. */
  kinds: readonly { parent: string; of: readonly string[] }[];
  /** Headings that people take for one another. No reading depends on it. */
  related: readonly { of: readonly string[]; why: string }[];
  /** Words that people write for one another in names: heart and cardiac, disease and disorder. */
  sameWords: readonly SameWords[];
}

export interface ReviewedName {
  heading: string;
  terms: readonly string[];
  caseSensitive?: readonly string[];
}

export interface ReviewedEntry extends ReviewedName {
  mesh: string | null;
  /** Kinds of it that MeSH has no heading for: concepts of their own, filed under this one. */
  narrower?: readonly ReviewedName[];
}

/** `last`: only where the word ends a longer name. */
export interface SameWords {
  of: readonly string[];
  last?: true;
}
