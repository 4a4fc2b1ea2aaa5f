import { z } from 'zod';
import {
  INVENTORY_KEYS,
  INVENTORY_VALUES,
  MODULE_OBJECTIVE_IDS,
  PATIENT_BRANCH_IDS,
  PATIENT_MODULE_IDS,
  PATIENT_TASK_IDS,
} from '../../ids.ts';

const text = z.string();
const texts = z.array(text);
const inventoryKey = z.enum(INVENTORY_KEYS);
const inventoryValue = z.enum(INVENTORY_VALUES);

export const referenceSchema = z.object({
  id: text,
  title: text.describe('a very long one is cut after its first part'),
  reference: text.describe('authors and journal'),
  publicationYear: z.int(),
  pmid: text.optional().describe('left out where it was not confirmed, never because there is none'),
  doi: text.optional().describe('left out where it was not confirmed'),
  url: z.url().optional().describe('of the DOI, else of PubMed'),
  supportingUrl: z.url().optional().describe('a second place to look it up'),
  sourceLevel: text.describe('kind of study'),
  finding: text.describe('in our own words'),
  immuneContext: text.describe('whose cells, and under which immune treatment'),
  use: text.describe('what it may be used for here'),
  unresolved: text.describe('what it leaves open'),
  branches: z
    .array(z.enum(PATIENT_BRANCH_IDS))
    .describe('empty where it belongs to no branch, as papers on a measurement or on the natural course'),
});

const snapshotFields = {
  id: text,
  reviewedOn: z.iso.date().describe('day of the review; nothing was refreshed since'),
  scope: text,
  references: z.array(referenceSchema).describe('by id; the order ranks nothing'),
};
export const referenceSnapshotSchema = z.object(snapshotFields);

const policySchema = z.object({
  mode: text,
  notAutomaticallyRefreshed: z.literal(true),
  refreshBeforeUse: z.literal(true),
  sources: texts,
  endpoints: texts.describe('where to look for what is newer'),
  rule: text,
});

export const currentReferencesSchema = z.object({
  ...snapshotFields,
  nextReviewOn: z.iso.date(),
  branches: z.array(
    z.object({
      id: z.enum(PATIENT_BRANCH_IDS),
      references: texts.describe('ids of references'),
      comparators: texts.describe('ids of references that show another way to the same end'),
      note: text.describe('what these references show and what they do not'),
    }),
  ),
  referencePolicy: policySchema,
});

const inventoryJsonSchema = z.object({
  type: z.literal('object'),
  additionalProperties: z.literal(false),
  properties: z.record(
    inventoryKey,
    z.object({
      type: z.literal('string'),
      enum: z.array(inventoryValue),
      default: inventoryValue,
      description: text,
    }),
  ),
});

export const patientModuleSchema = z.object({
  id: z.enum(PATIENT_MODULE_IDS),
  title: text,
  question: text,
  needs: z.array(inventoryKey),
});

export const patientModelSchema = z.object({
  version: text,
  path: text,
  page: text.describe('for people'),
  status: text,
  objectiveId: z.enum(MODULE_OBJECTIVE_IDS),
  scope: text,
  privateApi: z.object({
    base: text,
    contract: text,
    login: text,
    signup: text,
    access: text,
    available: z.literal(false).describe('not part of this deployment'),
  }),
  currentReferences: z.object({ path: text, reviewedOn: z.iso.date(), references: z.int() }),
  inventorySchema: inventoryJsonSchema.describe(
    'JSON Schema (2020-12) of the inventory: nine optional keys and no other',
  ),
  dataRequirements: z.array(z.object({ id: inventoryKey, purpose: text, fields: texts, rule: text })),
  modules: z.array(
    patientModuleSchema.extend({
      inventory: z
        .array(z.object({ need: inventoryKey, state: inventoryValue }))
        .describe('what the request stated of each need; unknown where it stated nothing. No score is made of it'),
    }),
  ),
  branches: z.array(z.object({ id: z.enum(PATIENT_BRANCH_IDS), title: text, idea: text, failsIf: text })),
  referenceSnapshot: referenceSnapshotSchema,
  referencePolicy: policySchema,
  tasks: z.array(
    z.object({
      id: z.enum(PATIENT_TASK_IDS),
      title: text,
      endpoints: texts,
      deliverable: text,
      falsifiedIf: text,
      prompt: text,
    }),
  ),
  rules: texts,
});
export type PatientReference = z.infer<typeof referenceSchema>;
export type CurrentReferences = z.infer<typeof currentReferencesSchema>;
