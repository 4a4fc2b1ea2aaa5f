import { defineOperation } from '../../operation.ts';
import { textParameter } from '../../parameters.ts';
import { labDiseasesSchema, labModuleSchema, t1dLandscapeSchema } from '../../schemas/research/lab-diseases.ts';

const ID_MAX_CHARACTERS = 60;

const PARTS =
  'Trials come from the index, evidence from the board. A part that cannot be read is null with its reason, never 0. The two are never added or merged into a score.';

export const getT1dLandscape = defineOperation({
  id: 'cure-lab-landscape',
  method: 'GET',
  path: '/api/v1/cure-lab/landscape',
  summary: 'Survey evidence and trials of type 1 diabetes',
  description: `Claims and distinct cohorts by track, stage, direction and class, beside the distinct count of the trials. ${PARTS}`,
  whenToUse: 'To see where evidence on type 1 diabetes is thick, thin or missing.',
  next: ['cure-lab-evidence', 'cure-lab-contradictions', 'cure-lab-diseases', 'results-gap-next'],
  server: 'gateway',
  names: { mcp: 'evidence_t1d_landscape', sdk: 'getT1dLandscape' },
  tool: {
    title: 'Evidence and trials of type 1 diabetes',
    description:
      'Type 1 diabetes as a whole: evidence by track, stage, direction and class beside its trials, to see where evidence is thick, thin or missing.',
  },
  bucket: 'read',
  output: t1dLandscapeSchema,
  errors: ['DB_ERROR'],
});

export const listLabDiseases = defineOperation({
  id: 'cure-lab-diseases',
  method: 'GET',
  path: '/api/v1/cure-lab/diseases',
  summary: 'List the diseases of the lab',
  description: `Fifteen diseases, alphabetical and never ranked, with counts of their trials and of their evidence. ${PARTS}`,
  whenToUse: 'To choose a disease, or to see what evidence is filed under each.',
  next: ['cure-lab-disease', 'cure-lab-evidence'],
  server: 'gateway',
  names: { mcp: 'evidence_list_diseases', sdk: 'listLabDiseases' },
  tool: {
    title: 'Diseases of the cure lab',
    description:
      'The fifteen diseases of the cure lab with counts of their trials and of the evidence filed under each.',
  },
  bucket: 'read',
  output: labDiseasesSchema,
  errors: ['DB_ERROR'],
});

export const getLabModule = defineOperation({
  id: 'cure-lab-disease',
  method: 'GET',
  path: '/api/v1/cure-lab/diseases/{id}',
  summary: 'Read one disease of the lab',
  description: `What would count as a cure and what would not, the search terms of its trials, and its counts. ${PARTS}`,
  whenToUse: 'Before working on one disease.',
  next: ['trials-search', 'cure-lab-evidence', 'results-gap-next'],
  server: 'gateway',
  names: { mcp: 'evidence_get_disease', sdk: 'getLabModule' },
  tool: {
    title: 'Read one disease of the cure lab',
    description:
      'One disease of the cure lab: what would count as a cure and what would not, the search terms of its trials, and its counts.',
  },
  bucket: 'read',
  params: {
    id: textParameter(ID_MAX_CHARACTERS, 'Disease id, as the list has it.', {
      test: /^[a-z0-9-]+$/,
      words: 'a disease id: small letters, digits and hyphens',
    }),
  },
  argumentNames: { id: 'disease' },
  output: labModuleSchema,
  errors: ['INVALID_PARAM', 'NOT_FOUND', 'DB_ERROR'],
  example: '/api/v1/cure-lab/diseases/type-1-diabetes',
});

export const LAB_DISEASE_OPERATIONS = [getT1dLandscape, listLabDiseases, getLabModule] as const;
