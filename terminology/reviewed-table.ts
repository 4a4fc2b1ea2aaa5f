/** The reviewed table data/rules/synonyms.json; its note says what the parts mean. */
export interface ReviewedTable {
  id: string;
  reviewedOn: string;
  entries: readonly ReviewedEntry[];
  leftOut: readonly { term: string; why: string }[];
  /** MeSH headings that are ordinary words in titles: concepts of their own, but not read in text. */
  ordinaryWords: readonly { heading: string; why: string }[];
  cuts: readonly Cut[];
  kinds: readonly Kinds[];
}

export interface ReviewedEntry {
  heading: string;
  mesh: string | null;
  terms: readonly string[];
  caseSensitive?: readonly string[];
  /** Kinds of it that MeSH has no heading for: concepts of their own, filed under this one. */
  narrower?: readonly NarrowerName[];
}

export interface NarrowerName {
  heading: string;
  terms: readonly string[];
  caseSensitive?: readonly string[];
}

/** `parent` and what is broader are not ancestors by way of the headings in `without`. */
export interface Cut {
  parent: string;
  without: readonly string[];
}

/** `of` are kinds or members of `parent` that MeSH files elsewhere. */
export interface Kinds {
  parent: string;
  of: readonly string[];
}
