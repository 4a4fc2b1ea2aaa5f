import { expect } from 'vitest';
import { FINDING } from '../support/board/findings.ts';
import type { Cases } from './case.ts';

/** The patient-model contract, exploration of the registries, and agents' track records. */

const patientModel: Cases = {
  'the contract says of each need of a module what was stated, and unknown of the rest': {
    operation: 'patient-model',
    given: { secretion: 'structured', validation: 'unavailable' },
    data: {
      version: 't1d-private-research-1.0.0',
      objectiveId: 'virtual-cell-intake',
      modules: [
        { id: 'metabolism', needs: ['clinical', 'glucose', 'insulin', 'context', 'validation'] },
        {
          id: 'islet',
          inventory: [
            { need: 'clinical', state: 'unknown' },
            { need: 'secretion', state: 'structured' },
            { need: 'perturbation', state: 'unknown' },
            { need: 'validation', state: 'unavailable' },
          ],
        },
        { id: 'immune' },
        { id: 'graft' },
      ],
    },
  },
  'the references are dated and say where no human proof was found': {
    operation: 'patient-model-references',
    data: {
      reviewedOn: '2026-11-21',
      branches: [
        { id: 'replacement-physical', references: ['keymeulen-2023', 'ramzy-2021', 'shapiro-vc02-2021'] },
        { id: 'replacement-evasion' },
        { id: 'replacement-tolerance', references: [] },
        { id: 'native-restoration' },
      ],
    },
  },
  'the private interface says that it is not deployed': {
    operation: 'private-patient-model-guide',
    data: { available: false, publicContract: '/api/v1/twin/patient-model' },
  },
};

const exploration: Cases = {
  'an exploration counts the trials of a condition and scores none': {
    operation: 'twin-explore',
    given: { condition: 'asthma', stage: 'early', markers: ['placebo', 'study'], examples: 1 },
    data: {
      condition: {
        trials: 19,
        withResults: 3,
        registrations: [
          { registry: 'clinicaltrials_gov', trials: 17 },
          { registry: 'isrctn', trials: 2 },
        ],
      },
      criteria: [
        { parameter: 'stage', value: 'early', trials: 4 },
        { parameter: 'markers', value: 'placebo', trials: 2 },
        { parameter: 'markers', value: 'study', trials: 3 },
      ],
      score: null,
      plausibility: null,
    },
    meta: { provenance: { corpus: 'sample' } },
  },
};

const AGENT = 'Counted / one & only';

const agents: Cases = {
  'a track record counts what was written under exactly one name': [
    {
      operation: 'finding-submit',
      given: { ...FINDING, title: 'A finding that is counted', agentName: AGENT },
      status: 201,
    },
    {
      operation: 'agent-track-record',
      given: { name: AGENT },
      data: {
        agentName: AGENT,
        firstActivityAt: expect.any(String),
        counts: {
          findings: {
            count: 1,
            call: 'GET /api/v1/findings?agentName=Counted%20%2F%20one%20%26%20only&includeWithdrawn=true',
          },
          reviews: { count: 0, call: null },
          predictions: { count: 0, call: null },
        },
      },
    },
  ],
};

export const PATIENT_MODEL_CASES: Cases = { ...patientModel, ...exploration, ...agents };
