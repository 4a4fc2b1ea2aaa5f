import type { CommonFields, ValueOf } from '../../contract/fields/field-shapes.ts';
import type { FieldValues } from '../../contract/fields/field-types.ts';
import type { RECORD_COLUMNS, REGISTRY_FIELDS } from '../../contract/fields/registry-fields.ts';
import type { RegistryId } from '../../contract/ids.ts';
import type {
  IDENTIFIER_ROLES,
  IDENTIFIER_TYPES,
  PUBLICATION_KINDS,
  QUARANTINE_REASONS,
} from '../../contract/vocabularies.ts';

type Fields = typeof REGISTRY_FIELDS;
type FieldName = keyof Fields;
type DateName = { [N in FieldName]: Fields[N]['type'] extends 'date' ? N : never }[FieldName];

export type RegistryDate = FieldValues['date'];

/**
 * The normalised values of a registry record (contract/fields/registry-fields.ts). `...Raw` is the registry's own string beside
 * a normalised value, so that a reader can check it. Dates are members of one object: `startDate` is `dates.start`.
 */
export type RegistrationFields = { [N in Exclude<FieldName, DateName>]: ValueOf<Fields[N]> } & {
  dates: CommonFields['dates'];
};

export type TrialStatus = RegistrationFields['status'];
export type RecruitmentStatus = RegistrationFields['recruitmentStatus'];
export type Phase = RegistrationFields['phase'];
export type StudyType = RegistrationFields['studyType'];
export type SponsorClass = RegistrationFields['sponsorClass'];

/** What the record itself tells; which record supersedes it is found when records are compared. */
type RecordColumns = {
  [N in Exclude<keyof typeof RECORD_COLUMNS, 'supersededBy'>]: ValueOf<(typeof RECORD_COLUMNS)[N]>;
};

/** One normalised registry record with its identity and its payload's hash. */
export interface Registration extends RecordColumns, RegistrationFields {}

export type IdentifierType = (typeof IDENTIFIER_TYPES)[number];
export type IdentifierRole = (typeof IDENTIFIER_ROLES)[number];

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

export type PublicationKind = (typeof PUBLICATION_KINDS)[number];

/** A publication that the registry record lists. It is no evidence for a merge and is not counted. */
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

export type QuarantineReason = (typeof QUARANTINE_REASONS)[number];
