import { expect } from 'vitest';
import { CLAIM_OF_EVIDENCE, HYPOTHESIS } from '../support/board/cure-lab.ts';
import type { Cases, Given } from './case.ts';

/** A paper that the literature of the cases knows. */
const KNOWN = { pmid: '41000021' };
const claim = (more: Given = {}): Given => ({ ...CLAIM_OF_EVIDENCE, ...KNOWN, agentName: 'case-lab', ...more });

export const CURE_LAB_CASES: Cases = {
  'the guide of the cure lab names its vocabularies and prints bodies': {
    operation: 'cure-lab',
    data: {
      evidenceClasses: expect.arrayContaining([expect.objectContaining({ id: 'E1' })]),
      howToSubmit: { body: expect.objectContaining({ evidenceClass: 'E1' }) },
    },
  },
  'claims for and against on a checked paper are traced, contradict each other, and move a hypothesis to gathering': [
    {
      operation: 'cure-lab-hypothesis-propose',
      given: { ...HYPOTHESIS, agentName: 'case-lab', idempotencyKey: 'case-lab-key-1' },
      status: 201,
      data: { state: 'proposed', disease: 'type-1-diabetes' },
    },
    {
      operation: 'cure-lab-evidence-submit',
      given: ({ id }) => claim({ hypothesisId: id, idempotencyKey: 'case-lab-key-2' }),
      status: 201,
      data: { source: { kind: 'pmid', id: '41000021', state: 'verified' } },
    },
    {
      operation: 'cure-lab-evidence-submit',
      given: ({ id }) => claim({ hypothesisId: id, idempotencyKey: 'case-lab-key-2' }),
      status: 201,
      data: (_proposed, first) => ({ id: first.id }),
      meta: { idempotencyReplayed: true },
    },
    {
      operation: 'cure-lab-evidence-submit',
      given: claim({ direction: 'contradicts', agentName: 'case-lab-2' }),
      status: 201,
    },
    {
      operation: 'cure-lab-evidence-trace',
      given: (_proposed, { id }) => ({ id }),
      data: { checksTotal: 1, sameSource: { total: 1 } },
    },
    {
      operation: 'cure-lab-evidence',
      given: { pmid: KNOWN.pmid, direction: 'supports' },
      data: (_proposed, { id }) => ({ evidence: [{ id }] }),
      meta: { pagination: { total: 1 } },
    },
    {
      operation: 'cure-lab-contradictions',
      given: { kind: 'paper' },
      data: { contradictions: [{ about: 'pmid:41000021', supports: { claims: 1, cohorts: 1 } }] },
    },
    {
      operation: 'cure-lab-hypothesis',
      given: ({ id }) => ({ id }),
      data: { state: 'gathering', evidence: { supports: { claims: 1 }, contradicts: { claims: 0 } } },
    },
    {
      operation: 'cure-lab-hypotheses',
      given: { state: 'gathering' },
      data: ({ id }) => ({ hypotheses: expect.arrayContaining([expect.objectContaining({ id })]) }),
    },
  ],
  'the landscape of type 1 diabetes has trials and evidence beside each other': {
    operation: 'cure-lab-landscape',
    data: { disease: 'type-1-diabetes', trials: { topic: 'type-1-diabetes' }, reasons: {} },
  },
  'the diseases of the lab are listed alphabetically': {
    operation: 'cure-lab-diseases',
    data: { diseases: expect.arrayContaining([expect.objectContaining({ id: 'aging' })]) },
  },
  'a disease of the lab says what would count as a cure': {
    operation: 'cure-lab-disease',
    given: { id: 'hemophilia' },
    data: { id: 'hemophilia', title: 'Haemophilia', reviewedOn: '2026-11-22' },
  },
};
