import { z } from 'zod';
import { REGISTRY_IDS } from '../ids.ts';
import { modalitySchema } from './modality.ts';

/** The trial record as every door serves it. Descriptions say meaning, unit, what null means and the registry field. */

export const TRIAL_STATUSES = [
  'running',
  'completed',
  'terminated',
  'withdrawn',
  'suspended',
  'expanded_access',
  'unknown',
] as const;
export const RECRUITMENT_STATUSES = [
  'not_yet_recruiting',
  'recruiting',
  'enrolling_by_invitation',
  'active_not_recruiting',
  'completed',
  'terminated',
  'withdrawn',
  'suspended',
  'available',
  'no_longer_available',
  'temporarily_not_available',
  'approved_for_marketing',
  'withheld',
  'unknown',
] as const;
export const PHASES = ['early-1', '1', '1-2', '2', '2-3', '3', '3-4', '4', 'not-applicable', 'not-stated'] as const;
export const STUDY_TYPES = ['interventional', 'observational', 'expanded_access', 'unknown'] as const;
export const SPONSOR_CLASSES = [
  'industry',
  'nih',
  'federal',
  'government',
  'network',
  'individual',
  'other',
  'unknown',
] as const;

const registryId = z.enum(REGISTRY_IDS);
const text = z.string();

export const registryDateSchema = z.object({
  date: text.describe('YYYY-MM-DD, or YYYY-MM where the registry gave the month only; never filled up'),
  precision: z.enum(['day', 'month']),
  type: z.enum(['actual', 'estimated']).nullable().describe('null where the registry does not say'),
});

const datesSchema = z.object({
  start: registryDateSchema
    .nullable()
    .describe('ctgov startDateStruct; ISRCTN recruitmentStart (overallStartDate in old records)'),
  primaryCompletion: registryDateSchema.nullable().describe('ctgov primaryCompletionDateStruct; ISRCTN has none'),
  completion: registryDateSchema.nullable().describe('ctgov completionDateStruct; ISRCTN overallEndDate'),
  firstPosted: registryDateSchema
    .nullable()
    .describe('ctgov studyFirstPostDateStruct; ISRCTN dateAssigned; for a trial the earliest of its registrations'),
  lastUpdated: registryDateSchema
    .nullable()
    .describe('ctgov lastUpdatePostDateStruct; ISRCTN lastUpdated; for a trial the latest of its registrations'),
  resultsPosted: registryDateSchema.nullable().describe('ctgov resultsFirstPostDateStruct; ISRCTN has none'),
});

const interventionSchema = z.object({
  type: text.nullable().describe("the registry's type, lower case; null where blank"),
  name: text.nullable().describe('null where the registry gives prose only (ISRCTN without drug names)'),
  otherNames: z.array(text),
  description: text.nullable().describe('prose; given only where there is no name'),
});

const endpointSchema = z.object({ measure: text, timeFrame: text.nullable() });

const enrollmentSchema = z.object({
  count: z
    .int()
    .nullable()
    .describe('people; planned until the study is completed; null when blank or a sentinel, see note'),
  type: z.enum(['actual', 'estimated']).nullable(),
  note: text.nullable().describe('why count is null, when it is'),
});

const sponsorSchema = z.object({ name: text.nullable(), class: z.enum(SPONSOR_CLASSES) });

/** What a registration and a trial both show. */
const commonFields = {
  title: text.nullable(),
  officialTitle: text.nullable(),
  acronym: text.nullable(),
  status: z.enum(TRIAL_STATUSES),
  recruitmentStatus: z.enum(RECRUITMENT_STATUSES),
  statusBasis: text.describe(
    'how the status was arrived at; ISRCTN states none, it is derived from dates and override',
  ),
  phase: z.enum(PHASES),
  studyType: z.enum(STUDY_TYPES),
  sponsor: sponsorSchema,
  enrollment: enrollmentSchema,
  countries: z.array(text),
  conditions: z.array(text).describe("the registry's own terms"),
  interventions: z.array(interventionSchema),
  primaryEndpoints: z.array(endpointSchema),
  dates: datesSchema,
  resultsAvailable: z.boolean().describe('results are held by a registry itself; publications do not count'),
  resultsBasis: text,
};

export const registrationFieldsSchema = z.object({
  ...commonFields,
  statusRaw: text.nullable(),
  phaseRaw: text.nullable(),
  studyTypeRaw: text.nullable(),
  sponsorClassRaw: text.nullable(),
  enrollmentRaw: text.nullable(),
  countriesRaw: z.array(text),
});
export type RegistrationFieldsRecord = z.infer<typeof registrationFieldsSchema>;

export const registrationBriefSchema = z.object({
  registry: registryId,
  id: text,
  url: text,
  retrievedAt: z.iso.datetime(),
  checksum: text.describe('`sha256:` and the hex digest of the payload exactly as received'),
});
export const registrationSchema = registrationBriefSchema.extend({
  sourceVersion: text.nullable(),
  aliases: z.array(text).describe('superseded ids of this record'),
  fields: registrationFieldsSchema.describe('what this registry says, with its raw values'),
});

export const identifierSchema = z.object({
  type: text.describe('by pattern: nct, isrctn, eudract, euct, utn, …'),
  value: text,
  inIndex: z.boolean().describe('false marks a mention, never a record held; it must not be counted'),
  suspect: z.boolean().describe('true when it has the right shape but fails a known check'),
  role: z.enum(['own', 'alias', 'declared']),
  declaredBy: z.array(text).describe('registrations that state it'),
  canonicalId: text.nullable().describe('the trial that holds it, when held'),
});

export const linkSchema = z.object({
  linkId: text,
  kind: z.enum(['explicit-cross-reference', 'shared-identifier']),
  rule: text,
  from: text,
  to: text,
  field: text,
  rawValue: text,
  toField: text.nullable(),
  toRawValue: text.nullable(),
  identifier: z.object({ type: text, value: text }),
  direction: z.enum(['one-way', 'mutual', 'shared']),
  verdict: z.enum(['accepted', 'rejected']),
  reason: text.nullable(),
  conflict: z.boolean(),
});

export const relationSchema = z.object({
  kind: z.literal('related'),
  reason: text,
  from: text,
  to: text,
  canonicalId: text.nullable().describe('the other trial'),
  linkId: text,
});

export const conflictSchema = z.object({
  field: text,
  values: z.array(z.object({ registry: registryId, id: text, value: z.json() })),
});

const trialHead = {
  canonicalId: text.regex(/^wt_[0-9a-z]{12,}$/),
  aliases: z.array(text).describe('canonical ids that this trial had before; they keep resolving'),
  ...commonFields,
  registries: z.array(registryId),
  identifiers: z.array(identifierSchema),
  evidence: z.array(linkSchema).describe('every link, accepted or rejected, that touches a registration of this trial'),
  relations: z.array(relationSchema),
  conflicts: z.array(conflictSchema).describe('fields on which its registrations differ; each keeps its own value'),
  citation: z.object({ text, verifyAt: z.url() }),
};

const modality = modalitySchema.optional().describe('only with include=modality or the filter modality');

/** A trial in a list: its registrations by name only. */
export const trialListItemSchema = z.object({
  ...trialHead,
  registrations: z.array(registrationBriefSchema),
  eligibilityText: text.nullable().optional().describe('only with include=eligibilityText'),
  modality,
});
/** A trial by itself: each registration with what it says. */
export const trialSchema = z.object({
  ...trialHead,
  registrations: z.array(registrationSchema),
  eligibilityText: text.nullable(),
  modality,
  raw: z
    .array(z.object({ registration: text, checksum: text, format: z.enum(['json', 'xml']), payload: text }))
    .optional()
    .describe('only with includeRaw=true: the payload exactly as received, as text'),
});
export type TrialListItem = z.infer<typeof trialListItemSchema>;
export type TrialRecord = z.infer<typeof trialSchema>;
