import { z } from 'zod';
import texts from '../../data/declared/patient-model.json' with { type: 'json' };
import { patientModelSchema, patientModuleSchema } from '../schemas/research/patient-model.ts';

const Declared = patientModelSchema
  .pick({
    version: true,
    status: true,
    objectiveId: true,
    scope: true,
    privateApi: true,
    dataRequirements: true,
    branches: true,
    referencePolicy: true,
    tasks: true,
    rules: true,
  })
  .extend({ modules: z.array(patientModuleSchema) })
  .strict();

/** The public discovery contract of the patient model for type 1 diabetes, as data; nothing in it is about a person. */
export const PATIENT_MODEL = Declared.parse(texts);
