import { defineOperation } from '../../operation.ts';
import { registrationComparisonSchema } from '../../schemas/trials/registration-comparison.ts';
import { identifier } from './trials.ts';

export const compareTrial = defineOperation({
  id: 'trials-compare',
  method: 'GET',
  path: '/api/v1/trials/{id}/compare',
  summary: 'Compare the registrations of a trial',
  description:
    'The registrations of one trial side by side: every field of their records with a verdict, and which normalisations made two values equal. The raw words of a registry and how a status was arrived at are not compared. A difference is what two registries state, and not which one is right. An addition to the interface.',
  whenToUse: 'Before quoting a field of a trial that both registries hold.',
  next: ['trials-detail', 'trials-registrations'],
  server: 'index',
  names: {
    mcp: 'trials_compare',
    a2a: 'world_trial_comparison',
    sdk: 'compareTrial',
  },
  tool: {
    title: 'Compare two registrations of the same trial',
    description:
      'Compare the registrations of the same trial field by field: what ClinicalTrials.gov and ISRCTN say of it, where they agree, and where they say different things.',
  },
  bucket: 'read',
  params: { id: identifier('Canonical id (wt_…) or a registry id.') },
  argumentNames: { id: 'canonicalId' },
  output: registrationComparisonSchema,
  errors: ['INVALID_PARAM', 'TRIALS_UNAVAILABLE', 'TRIAL_NOT_FOUND'],
  cache: 'snapshot',
});

export const COMPARISON_OPERATIONS = [compareTrial] as const;
