/** The reviewed table data/rules/synonyms.json; its note says what the parts mean. */
export interface ReviewedTable {
  id: string;
  reviewedOn: string;
  entries: readonly ReviewedEntry[];
  leftOut: readonly LeftOut[];
  /** MeSH headings that are ordinary words in titles: concepts of their own, but not read in text. */
  ordinaryWords: readonly { heading: string; why: string }[];
  cuts: readonly Cut[];
  kinds: readonly Kinds[];
  related: readonly Related[];
  /** Words that people write for one another in names: heart and cardiac, disease and disorder. */
  sameWords: readonly SameWords[];
}

/** `last`: only where the word ends a longer name. */
export interface SameWords {
  of: readonly string[];
  last?: true;
}

/** `means` has queries, one for each thing that the term means. */
export interface LeftOut {
  term: string;
  why: string;
  means?: readonly string[];
}

/** Headings that people take for one another, or under which the registries file each other's trials. No reading depends on it. */
export interface Related {
  of: readonly string[];
  why: string;
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
