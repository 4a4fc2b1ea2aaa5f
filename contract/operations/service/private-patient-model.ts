import { z } from 'zod';
import { defineOperation } from '../../operation.ts';

const text = z.string();

const getPrivatePatientModelGuide = defineOperation({
  id: 'private-patient-model-guide',
  method: 'GET',
  path: '/api/patient-model/guide',
  summary: 'Read why there is no private patient model here',
  description:
    'The private patient-model interface is not part of this deployment. The answer says what it would need and where the public contract is. Every other request under its base is refused with AUTH_REQUIRED, and no part of the request is stored or logged.',
  whenToUse: 'Before sending data of a person: do not send any.',
  next: ['patient-model'],
  server: 'gateway',
  bucket: 'read',
  unknownParameters: 'refused',
  output: z.object({
    available: z.literal(false),
    status: text,
    base: text,
    access: text.describe('who would be let in, where it is deployed'),
    login: text,
    signup: text,
    publicContract: text.describe('path of the contract that needs no credential'),
    wouldNeed: z.array(text).describe('what a deployment of it would have to have first'),
    rules: z.array(text),
  }),
  errors: ['INVALID_PARAM'],
  cache: 'static',
});

export const PRIVATE_PATIENT_MODEL_OPERATIONS = [getPrivatePatientModelGuide] as const;
