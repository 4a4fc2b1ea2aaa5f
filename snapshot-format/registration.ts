import type { RegistryId } from '../contract/ids.ts';

/**
 * One registry record, normalised. The registry's own string stands beside each normalised value (`...Raw`),
 * so that a reader can always check the reading. `null` means that the registry left the field blank.
 */

export type DatePrecision = 'day' | 'month';

/** A registry date as it was given: `date` is YYYY-MM-DD for `day` and YYYY-MM for `month`; never filled up. */
export interface RegistryDate {
  date: string;
  precision: DatePrecision;
  /** Whether the registry calls the date actual or estimated; null where it does not say. */
  type: 'actual' | 'estimated' | null;
}

export const DATE_FIELDS = [
  'start',
  'primaryCompletion',
  'completion',
  'firstPosted',
  'lastUpdated',
  'resultsPosted',
] as const;
export type DateField = (typeof DATE_FIELDS)[number];

export type TrialStatus =
  | 'running'
  | 'completed'
  | 'terminated'
  | 'withdrawn'
  | 'suspended'
  | 'expanded_access'
  | 'unknown';

export type RecruitmentStatus =
  | 'not_yet_recruiting'
  | 'recruiting'
  | 'enrolling_by_invitation'
  | 'active_not_recruiting'
  | 'completed'
  | 'terminated'
  | 'withdrawn'
  | 'suspended'
  | 'available'
  | 'no_longer_available'
  | 'temporarily_not_available'
  | 'approved_for_marketing'
  | 'withheld'
  | 'unknown';

export type Phase = 'early-1' | '1' | '1-2' | '2' | '2-3' | '3' | '3-4' | '4' | 'not-applicable' | 'not-stated';

export type StudyType = 'interventional' | 'observational' | 'expanded_access' | 'unknown';

export type SponsorClass =
  | 'industry'
  | 'nih'
  | 'federal'
  | 'government'
  | 'network'
  | 'individual'
  | 'other'
  | 'unknown';

export interface Intervention {
  /** The registry's own type, lower case (drug, device, biological, …); null where blank. */
  type: string | null;
  /** The intervention's name; null where the registry has only prose (ISRCTN without drug names). */
  name: string | null;
  /** Other names the registry lists for it (ClinicalTrials.gov otherNames). */
  otherNames: string[];
  /** The registry's prose; kept only where it gives no name. */
  description: string | null;
}

export interface Endpoint {
  measure: string;
  timeFrame: string | null;
}

/** The fields of a registration that a trial shows, in the order in which they are compared and printed. */
export interface RegistrationFields {
  title: string | null;
  officialTitle: string | null;
  acronym: string | null;
  status: TrialStatus;
  recruitmentStatus: RecruitmentStatus;
  /** The registry's own status string; null where the registry has none (ISRCTN without override). */
  statusRaw: string | null;
  /** How the status was arrived at, in words, e.g. "overallStatus" or "derived from overallEndDate 2023-09-30 as of the snapshot's day". */
  statusBasis: string;
  phase: Phase;
  phaseRaw: string | null;
  studyType: StudyType;
  studyTypeRaw: string | null;
  sponsorName: string | null;
  sponsorClass: SponsorClass;
  sponsorClassRaw: string | null;
  /** People; null where blank or a sentinel, with the reason in `enrollmentNote`. */
  enrollmentCount: number | null;
  enrollmentType: 'actual' | 'estimated' | null;
  enrollmentRaw: string | null;
  enrollmentNote: string | null;
  countries: string[];
  countriesRaw: string[];
  conditions: string[];
  interventions: Intervention[];
  primaryEndpoints: Endpoint[];
  dates: Record<DateField, RegistryDate | null>;
  /** True when the registry itself holds posted results; `resultsBasis` says by which field. */
  resultsAvailable: boolean;
  resultsBasis: string;
  eligibilityText: string | null;
}

export interface Registration extends RegistrationFields {
  registry: RegistryId;
  /** `NCT01234567` or `ISRCTN12345678`, always with its prefix. */
  id: string;
  url: string;
  /** Superseded ids of the same record (ClinicalTrials.gov nctIdAliases). */
  aliases: string[];
  /** SHA-256, lower-case hex, of the payload bytes exactly as received. */
  payloadSha256: string;
  /** ISO 8601 UTC; when the payload was received. Left out of value hashes. */
  retrievedAt: string;
  /** The registry's own version of the record, where it states one. */
  sourceVersion: string | null;
}

/** What an identifier is, by its pattern; never by the type that the registry's form claimed. */
export type IdentifierType =
  | 'nct'
  | 'isrctn'
  | 'eudract'
  | 'euct'
  | 'utn'
  | 'actrn'
  | 'drks'
  | 'umin'
  | 'jrct'
  | 'pactr'
  | 'chictr'
  | 'ctri'
  | 'irct'
  | 'kct'
  | 'ntr'
  | 'iras'
  | 'cpms';

export type IdentifierRole = 'own' | 'alias' | 'declared';

/** One identifier that a registration states in a typed id field. */
export interface StatedIdentifier {
  registry: RegistryId;
  registrationId: string;
  type: IdentifierType;
  /** Normalised, e.g. `NCT01234567`, `2008-005514-40`, `U1111-1139-2991`. */
  value: string;
  role: IdentifierRole;
  /** Path of the registry field that held it, e.g. `secondaryIdInfos.id`. */
  field: string;
  /** The whole string of that field, as received. */
  rawValue: string;
  /** True when the value has the right shape but fails a known check (NCT numbers from NCT00007000 on: divisible by 13). */
  suspect: boolean;
}

export type PublicationKind = 'results' | 'background' | 'derived' | 'protocol' | 'other';

/** A publication that the registry record itself lists. Never evidence for a merge, never counted. */
export interface Publication {
  registry: RegistryId;
  registrationId: string;
  /** 1-based position in the record. */
  ordinal: number;
  kind: PublicationKind;
  /** The registry's own word for the kind, e.g. `DERIVED`, `Results article`. */
  kindRaw: string | null;
  pmid: string | null;
  doi: string | null;
  url: string | null;
  citation: string | null;
  year: number | null;
  retracted: boolean;
}

/** A record that could not be read; counted, kept with an excerpt, never guessed. */
export interface QuarantineRow {
  registry: RegistryId;
  /** The id where it could be read. */
  id: string | null;
  reason: QuarantineReason;
  /** What exactly was wrong, in words. */
  detail: string;
  /** At most 300 characters of the payload. */
  excerpt: string;
  /** Raw file that held it. */
  file: string;
}

export type QuarantineReason =
  | 'not-utf8'
  | 'not-json'
  | 'not-xml'
  | 'not-an-object'
  | 'missing-id'
  | 'bad-id'
  | 'missing-title'
  | 'bad-field'
  | 'too-large'
  | 'too-deep';
