import { z } from 'zod';
import {
  type CommonFields,
  groupedByPath,
  type NamedField,
  OWN_FIELDS,
  type OwnFields,
  SHOWN_FIELDS,
} from '../../fields/field-shapes.ts';
import { MERGE_RULES, type RegistryField } from '../../fields/field-types.ts';
import { REGISTRY_IDS } from '../../ids.ts';
import { RESULTS_GAP_MONTHS } from '../../limits/limits.ts';
import { IDENTIFIER_ROLES, LINK_DIRECTIONS, LINK_KINDS, LINK_VERDICTS, RELATION_KINDS } from '../../vocabularies.ts';
import { sitesThereSchema } from '../site-status.ts';
import { matchGroundSchema } from './matching.ts';
import { modalitySchema } from './modality.ts';
import { DETAIL_SCHEMAS } from './registration-details.ts';

/** The trial record as every door serves it. Descriptions say meaning, unit, what null means and the registry field. */

const registryId = z.enum(REGISTRY_IDS);
const text = z.string();

export const registryDateSchema = z.object({
  date: text.describe('YYYY-MM-DD, or YYYY-MM where the registry gave the month only; a day is never filled in'),
  precision: z.enum(['day', 'month']),
  type: z.enum(['actual', 'estimated']).nullable().describe('null where the registry does not say'),
});

export const interventionSchema = z.object({
  type: text.nullable().describe("the registry's type, lower case; null where blank"),
  name: text.nullable().describe('null where the registry gives prose only (ISRCTN without drug names)'),
  otherNames: z.array(text),
  description: text
    .nullable()
    .describe(
      'prose, given only where there is no name; interventionDescriptions of the registration has every description',
    ),
});

export const endpointSchema = z.object({ measure: text, timeFrame: text.nullable() });

function valueSchema({ type, words = [] }: RegistryField): z.ZodType {
  const schemas: Record<RegistryField['type'], z.ZodType> = {
    text,
    word: z.enum(words),
    count: z.int(),
    number: z.number(),
    flag: z.boolean(),
    texts: z.array(text),
    date: registryDateSchema,
    interventions: z.array(interventionSchema),
    endpoints: z.array(endpointSchema),
    ...DETAIL_SCHEMAS,
  };
  return schemas[type];
}

/** Meaning, what null means, where each registry holds it, known defect, and how a trial of two registrations shows it. */
function descriptionOf({ meaning, null: absent, source, defect, trial }: RegistryField): string {
  const parts = [
    meaning,
    ...(absent === undefined ? [] : [`null: ${absent}`]),
    `ClinicalTrials.gov ${source.clinicaltrials_gov}`,
    `ISRCTN ${source.isrctn}`,
    ...(defect === undefined ? [] : [defect]),
    ...(trial === null || trial === 'first' ? [] : [`a trial shows ${MERGE_RULES[trial]}`]),
  ];
  return parts.join('; ');
}

/** Schemas of the fields by their place in the JSON; fields whose paths share their first part make one object. */
function shapeOf(fields: readonly NamedField[]): Record<string, z.ZodType> {
  const shape: Record<string, z.ZodType> = {};
  for (const [group, members] of groupedByPath(fields)) {
    const schemas = members.map(({ leaf, field }) => {
      const value = valueSchema(field);
      return [leaf, (field.null === undefined ? value : value.nullable()).describe(descriptionOf(field))] as const;
    });
    shape[group] = members[0]?.leaf === group ? schemas[0]![1] : z.object(Object.fromEntries(schemas));
  }
  return shape;
}

/** What a registration and a trial both show. */
const commonFields = shapeOf(SHOWN_FIELDS) as {
  [K in keyof CommonFields]: z.ZodType<CommonFields[K], CommonFields[K]>;
};
/** Groups of fields that a trial and a registration both show, named once in the document and in the SDK. */
export const trialSponsorSchema = commonFields.sponsor;
export const trialEnrollmentSchema = commonFields.enrollment;
export const trialDatesSchema = commonFields.dates;
const ownFields = shapeOf(OWN_FIELDS) as { [K in keyof OwnFields]: z.ZodType<OwnFields[K], OwnFields[K]> };
/** Groups of fields that only a registration shows. */
export const studyDesignSchema = ownFields.design;
export const participantEligibilitySchema = ownFields.eligibility;
export const ipdSharingSchema = ownFields.ipdSharing;

export const registrationFieldsSchema = z.object({ ...commonFields, ...ownFields });
export type RegistrationFieldsRecord = CommonFields & OwnFields;

export const registrationBriefSchema = z.object({
  registry: registryId,
  id: text,
  url: text,
  retrievedAt: z.iso.datetime().describe('when the payload was received; of a dump, the first instant of its own day'),
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
  role: z
    .enum(IDENTIFIER_ROLES)
    .describe(
      'how the registration states it; repaired: declared with a slip of the pen that a check leaves one reading of; related: declared as the number of another study: its parent, sub-study, extension, follow-up, pilot, companion and so on. The last two are additions to the interface',
    ),
  declaredBy: z.array(text).describe('registrations that state it'),
  canonicalId: text.nullable().describe('the trial that holds it, when held'),
});

export const linkSchema = z.object({
  linkId: text,
  kind: z.enum(LINK_KINDS),
  rule: text,
  from: text,
  to: text,
  field: text,
  rawValue: text,
  toField: text.nullable(),
  toRawValue: text.nullable(),
  identifier: z.object({ type: text, value: text }),
  direction: z.enum(LINK_DIRECTIONS),
  verdict: z.enum(LINK_VERDICTS),
  reason: text.nullable(),
  conflict: z.boolean(),
});

export const relationSchema = z.object({
  kind: z
    .enum(RELATION_KINDS)
    .describe(
      'superseded, an addition to the interface: the registry keeps the record `to` in place of the record `from`, which belongs to the same trial, stays readable by its number and counts nowhere',
    ),
  reason: text,
  from: text,
  to: text,
  canonicalId: text
    .nullable()
    .describe('the trial of the other record; of a superseded record the trial that it belongs to'),
  linkId: text,
});

export const conflictSchema = z.object({
  field: text,
  values: z.array(z.object({ registry: registryId, id: text, value: z.json() })),
});

const trialHead = {
  canonicalId: text.regex(/^wt_[0-9a-z]{12,}$/),
  aliases: z
    .array(text)
    .describe('canonical ids that this trial had before; they keep resolving, one that was divided to several trials'),
  ...commonFields,
  registries: z.array(registryId),
  identifiers: z.array(identifierSchema),
  evidence: z.array(linkSchema).describe('every link, accepted or rejected, that touches a registration of this trial'),
  relations: z.array(relationSchema),
  conflicts: z
    .array(conflictSchema)
    .describe('fields on which its registrations differ; each registration keeps its own value'),
  citation: z.object({ text, verifyAt: z.url() }),
};

const modality = modalitySchema.optional().describe('only with include=modality or the filter modality');

/** A trial in a list: its registrations by name only. */
export const trialListItemSchema = z.object({
  ...trialHead,
  registrations: z.array(registrationBriefSchema),
  eligibilityText: text.nullable().optional().describe('only with include=eligibilityText'),
  modality,
  matchedBy: z
    .array(matchGroundSchema)
    .optional()
    .describe('only with match=concepts and q: which parts of the query the trial met, and why'),
  siteStatus: sitesThereSchema
    .optional()
    .describe('only where the request asks for a status and a place, or for siteStatus: the status of its sites there'),
  daysOverdue: z
    .int()
    .nullable()
    .optional()
    .describe(
      `only where the request asks when results fall due, as resultsGap, resultsDue and sort=daysOverdue do: days from ${RESULTS_GAP_MONTHS} months after the completion, or as gapClock and gapMonths ask, to the snapshot's day; null outside the results gap`,
    ),
});
/** A trial by itself: each registration with what it says. */
export const trialSchema = z.object({
  ...trialHead,
  registrations: z.array(registrationSchema),
  eligibilityText: text.nullable(),
  modality,
  supersededBy: z
    .object({ registry: registryId, id: text.describe('number of the record in its place'), canonicalId: text })
    .optional()
    .describe(
      'only where the record was asked for by its own number and its registry keeps another in its place: the values are those of the superseded record, canonicalId is the trial that counts. An addition to the interface',
    ),
  raw: z
    .array(
      z.object({
        registration: text,
        checksum: text.describe('of the whole payload, also beside a part of it'),
        format: z.enum(['json', 'xml', 'csv']),
        path: text.optional().describe('only with rawPath: the JSON pointer of the part that payload holds'),
        payload: text,
      }),
    )
    .optional()
    .describe('only with includeRaw=true or rawPath: the payload, or the part of it, exactly as received, as text'),
});
export type TrialListItem = z.infer<typeof trialListItemSchema>;
export type TrialRecord = z.infer<typeof trialSchema>;
