import type { RegistryId } from '../ids.ts';
import type { SPONSOR_CLASSES } from '../vocabularies.ts';

/** What the tables of fields (registry-fields.ts) are made of. */

/** TypeScript value of each type of field. */
export interface FieldValues extends DetailValues {
  text: string;
  /** One of the field's `words`. */
  word: string;
  /** A whole number. */
  count: number;
  /** A number that may have a fraction. */
  number: number;
  flag: boolean;
  texts: string[];
  /** A date as the registry gave it: YYYY-MM-DD, or YYYY-MM where it gave the month only; never filled up. */
  date: {
    date: string;
    precision: 'day' | 'month';
    /** Whether the registry calls the date actual or estimated; null where it does not say. */
    type: 'actual' | 'estimated' | null;
  };
  interventions: {
    /** The registry's own type, lower case (drug, device, biological, …); null where blank. */
    type: string | null;
    /** Null where the registry has only prose (ISRCTN without drug names). */
    name: string | null;
    /** Other names that the registry lists for it (ClinicalTrials.gov otherNames). */
    otherNames: string[];
    /** The registry's prose, where it gives no name; `interventionDescriptions` has every description. */
    description: string | null;
  }[];
  endpoints: { measure: string; timeFrame: string | null }[];
}

/** Types of columns that registries do not state as fields. */
export interface ColumnValues extends FieldValues {
  /** A small whole number: a place, a year. */
  integer: number;
  /** The first possible day of a date of the same row; made for the Parquet tables. */
  day: string;
  /** ISO 8601 in UTC; TIMESTAMP in the Parquet tables. */
  instant: string;
  /** For each column that a trial merges, the registry whose value it shows. */
  origins: Readonly<Record<string, RegistryId | null>>;
}

/** Which side a trial's value is taken from where both registries hold it; `null` where a trial does not show the field. */
export const MERGE_RULES = {
  first: "ClinicalTrials.gov's value, else ISRCTN's",
  word: 'the first value that is neither unknown nor not-stated',
  list: 'the first list that is not empty',
  withStatus: 'from the side whose status is known, together with the status',
  withSponsor: 'from the side that states a sponsor, together with its name and class',
  withPeople: 'from the side that states a number of people, together with its type and note',
  withResults: 'from the side that holds results, together with whether it does',
  earliest: 'the earlier of both dates',
  latest: 'the later of both dates',
  any: 'true where either side is true',
} as const;
export type MergeRule = keyof typeof MERGE_RULES;

/** A column of the registrations or of the trials; its name in the tables is the key in snake_case. */
export interface Column {
  type: keyof ColumnValues;
  /** Every value of a field of type `word`. */
  words?: readonly string[];
  /** Plain English. */
  meaning: string;
  /** Unit of a number. */
  unit?: string;
  /** What null means; left out where the field is never null. */
  null?: string;
  /** Where each registry holds it: the path of its field, or why it has none. */
  source?: Record<RegistryId, string>;
  /** What a reader must know before trusting it. */
  defect?: string;
  /** True where the text may have thousands of characters. */
  prose?: true;
  /** False for run times, and for what other hashed rows tell too: left out of roots, and so not compared between snapshots. */
  hashed?: false;
  /** Column of the same row from which its value follows; comparisons of snapshots look at that one only. */
  follows?: string;
}

/** A field that a registry record states. */
export interface RegistryField extends Column {
  type: keyof FieldValues;
  /**
   * The path from which the field is read, unless it has a rule: `a.b`, else after `, else ` the next path. `a.b[]` are
   * the members of a list, `a@b` is an attribute, a note follows after `; `, and `none` begins the text of a field that
   * the registry lacks. Paths of ISRCTN begin below the trial.
   */
  source: Record<RegistryId, string>;
  trial: MergeRule | null;
  /** True where a trial's `conflicts` names the field when its registrations differ. */
  inConflicts?: true;
  /** Name in `conflicts` and comparisons, where it is the first part of `json`. */
  comparedAs?: string;
  /** True where it is read in lower case, with blanks for _ and -. */
  lowerCase?: true;
  /** Path in the API's JSON, where it is not the name; null where the API serves it beside the fields. */
  json?: `${string}.${string}` | null;
}

/** TypeScript value of each type that only long fields have (registry-detail-fields.ts). */
export interface DetailValues {
  /** Terms of the Medical Subject Headings as the registry attached them; `id` is the descriptor's, as D003924. */
  mesh: { id: string | null; term: string }[];
  organisations: {
    name: string;
    /** `unknown` where the registry states none, as for funders at ISRCTN. */
    class: (typeof SPONSOR_CLASSES)[number];
    classRaw: string | null;
    /** Its id in ROR or in the Crossref funder registry, as given. */
    reference: string | null;
  }[];
  /** What the registry says of an intervention; `names` are those of the interventions that it is about, empty where none is named. */
  descriptions: { names: string[]; description: string }[];
  arms: {
    label: string;
    /** The registry's own type, lower case (experimental, active_comparator, …). */
    type: string | null;
    description: string | null;
    /** As the registry names them: `Drug: Aspirin`. */
    interventionNames: string[];
  }[];
  outcomes: {
    measure: string;
    timeFrame: string | null;
    /** How it is measured (ISRCTN method), or what the registry says of it. */
    description: string | null;
  }[];
  sites: {
    facility: string | null;
    city: string | null;
    state: string | null;
    /** Under its common English name; `countriesRaw` has the registry's own. */
    country: string | null;
    /** The registry's own, lower case (recruiting, withdrawn, …). */
    status: string | null;
    latitude: number | null;
    longitude: number | null;
  }[];
  documents: {
    /** The registry's own type (Prot_SAP, protocolfile, …). */
    type: string | null;
    label: string | null;
    /** Day of the document, else of its upload; YYYY-MM-DD or YYYY-MM. */
    date: string | null;
    url: string | null;
  }[];
  secondaryIds: {
    id: string;
    /** The registry's own type, as stated. */
    type: string | null;
    /** Who gave the number, as stated. */
    domain: string | null;
    link: string | null;
    /** Field of the registry that holds it. */
    field: string;
  }[];
}

export const BLANK = 'the registry left it blank';
/** What is done to each prose of the long fields. */
export const PROSE =
  'backslash escapes are resolved, and e-mail addresses and telephone numbers are left out; the raw payload has both';
