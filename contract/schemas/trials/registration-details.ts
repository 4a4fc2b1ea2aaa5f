import { z } from 'zod';
import type { DetailValues } from '../../fields/field-types.ts';
import { SPONSOR_CLASSES } from '../../vocabularies.ts';

/** Items of a registration's long fields. */

const text = z.string();

export const meshTermSchema = z.object({
  id: text.nullable().describe('MeSH descriptor id, as D003924; null where the registry gives none'),
  term: text,
});

export const organisationSchema = z.object({
  name: text,
  class: z.enum(SPONSOR_CLASSES).describe('unknown where the registry states none, as for funders'),
  classRaw: text.nullable().describe("the registry's own kind"),
  reference: text.nullable().describe('ROR id or Crossref funder id, as given'),
});

export const interventionDescriptionSchema = z.object({
  names: z.array(text).describe('the interventions that it is about; empty where the registry names none'),
  description: text,
});

export const armSchema = z.object({
  label: text,
  type: text.nullable().describe("the registry's type, lower case; null where blank"),
  description: text.nullable(),
  interventionNames: z.array(text).describe('as the registry names them: Drug: Aspirin'),
});

export const outcomeSchema = z.object({
  measure: text,
  timeFrame: text.nullable(),
  description: text.nullable().describe('how it is measured, or what the registry says of it'),
});

export const siteSchema = z.object({
  facility: text.nullable(),
  city: text.nullable(),
  state: text.nullable(),
  country: text.nullable().describe("common English name; countriesRaw has the registry's own"),
  status: text.nullable().describe("the registry's own, lower case; null where it states none, as ISRCTN"),
  latitude: z.number().nullable().describe('degrees; null where the registry gives none, as ISRCTN'),
  longitude: z.number().nullable().describe('degrees'),
});

export const registryDocumentSchema = z.object({
  type: text.nullable().describe("the registry's own type: Prot_SAP, protocolfile"),
  label: text.nullable(),
  date: text.nullable().describe('day of the document, else of its upload: YYYY-MM-DD or YYYY-MM'),
  url: text.nullable(),
});

export const secondaryIdSchema = z.object({
  id: text.describe('as stated'),
  type: text.nullable().describe("the registry's own type, as stated"),
  domain: text.nullable().describe('who gave the number, as stated'),
  link: text.nullable(),
  field: text.describe('field of the registry that holds it'),
});

/** The schema of each type of value that only long fields have. */
export const DETAIL_SCHEMAS: Record<keyof DetailValues, z.ZodType> = {
  mesh: z.array(meshTermSchema),
  organisations: z.array(organisationSchema),
  descriptions: z.array(interventionDescriptionSchema),
  arms: z.array(armSchema),
  outcomes: z.array(outcomeSchema),
  sites: z.array(siteSchema),
  documents: z.array(registryDocumentSchema),
  secondaryIds: z.array(secondaryIdSchema),
};
