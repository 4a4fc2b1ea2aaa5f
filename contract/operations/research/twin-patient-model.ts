import { INVENTORY_KEYS, INVENTORY_VALUES, type InventoryKey } from '../../ids.ts';
import { defineOperation } from '../../operation.ts';
import { enumParameter } from '../../parameters.ts';
import { currentReferencesSchema, patientModelSchema } from '../../schemas/research/patient-model.ts';

const kindOfData = () =>
  enumParameter(INVENTORY_VALUES, 'Whether this kind of data exists; send no value of it.').default('unknown');

const inventory = Object.fromEntries(INVENTORY_KEYS.map((key) => [key, kindOfData()])) as Record<
  InventoryKey,
  ReturnType<typeof kindOfData>
>;

export const getPatientModel = defineOperation({
  id: 'patient-model',
  method: 'GET',
  path: '/api/v1/twin/patient-model',
  summary: 'Read the patient-model contract',
  description:
    'The public discovery contract of the patient model for type 1 diabetes: what data it would need, its modules and branches, the dated reference snapshot and how to use it, and six open tasks. It takes and returns no data of a person: every parameter except the nine keys of the inventory is refused, and no part of a refused request is repeated or logged.',
  whenToUse: 'Before work on the objective virtual-cell-intake: choose one task id.',
  next: ['patient-model-references', 'twin-explore', 'private-patient-model-guide', 'finding-submit'],
  server: 'index',
  catalogueId: 'patient-model',
  names: { mcp: 'twin_patient_model', sdk: 'getPatientModel' },
  tool: {
    title: 'What data a patient model needs',
    description:
      'What data a model of type 1 diabetes patients would need: its modules, its dated references, and six open tasks. It takes and returns no data of a person.',
  },
  bucket: 'read',
  unknownParameters: 'refused',
  query: inventory,
  output: patientModelSchema,
  errors: ['INVALID_PARAM'],
  cache: 'static',
});

export const getPatientModelReferences = defineOperation({
  id: 'patient-model-references',
  method: 'GET',
  path: '/api/v1/twin/patient-model/references',
  summary: 'Read the dated references of the patient model',
  description:
    'Reviewed references on replacing or keeping beta cells, in our own words, each with its immune context and what it leaves open, and which branch each belongs to. The references are dated, not refreshed automatically and not an exhaustive review of the literature; nothing is ranked.',
  whenToUse: 'Before an assumption of a model run, and for the task reference-audit.',
  next: ['trials-search', 'freshness'],
  server: 'index',
  names: { sdk: 'getPatientModelReferences' },
  bucket: 'read',
  unknownParameters: 'refused',
  output: currentReferencesSchema,
  errors: ['INVALID_PARAM'],
  cache: 'static',
});

export const PATIENT_MODEL_OPERATIONS = [getPatientModel, getPatientModelReferences] as const;
