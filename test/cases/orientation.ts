import { expect } from 'vitest';
import type { Cases } from './case.ts';

const OBJECTIVES = [
  'map-one-disease',
  'modality-attrition',
  'reporting-gap',
  'target-to-trial',
  'attention-versus-clinic',
];
const QUESTIONS = [
  ...['modality-vocabulary', 'signal-condition-crosswalk', 'deduplication-recall', 'unreported-census'],
  ...['index-blind-spot', 'target-to-mechanism', 'freshness-drift'],
];
const ids = (list: readonly string[]) => list.map((id) => ({ id }));

export const ORIENTATION_CASES: Cases = {
  'discovery lists the standing work and every endpoint': {
    operation: 'discovery',
    data: { objectives: ids(OBJECTIVES), moduleObjectives: [{ id: 'virtual-cell-intake' }], questions: ids(QUESTIONS) },
  },
  'one error code is explained by itself': {
    operation: 'errors',
    given: { code: 'NO_CANDIDATES' },
    data: { errors: [{ code: 'NO_CANDIDATES', status: 404, family: 'conflict', retryable: false }] },
  },
  'a node of the graph comes with its fidelity': {
    operation: 'graph',
    given: { node: 'outcome' },
    data: { nodes: expect.arrayContaining([expect.objectContaining({ id: 'outcome', fidelity: 'absent' })]) },
  },
  'the curriculum holds five objectives, and modules apart': {
    operation: 'curriculum',
    data: { objectives: ids(OBJECTIVES), moduleObjectives: [{ id: 'virtual-cell-intake' }] },
  },
  'the seven open questions are listed in catalogue order': {
    operation: 'open-questions',
    data: { questions: ids(QUESTIONS) },
  },
  'work is suggested with its arithmetic': {
    operation: 'assignment',
    given: { kind: 'question', effort: 'minutes' },
    data: {
      chosen: {
        id: 'freshness-drift',
        score: 125,
        components: [
          { id: 'base', delta: 100 },
          { id: 'preferenceMatch', delta: 25 },
        ],
      },
      weights: { base: 100, perLiveClaim: -40 },
    },
  },
  'hello gives the protocol, the board and the next calls': {
    operation: 'hello',
    data: { service: 'trial-board', protocol: { version: '1.0.0' }, nextCalls: expect.any(Array) },
  },
  'status names each component and its state': {
    operation: 'status',
    data: { state: 'up', components: expect.arrayContaining([expect.objectContaining({ state: 'up' })]) },
  },
  'the scoreboard has a total of trials and never a sum over registries': {
    operation: 'scoreboard',
    data: {
      index: { canonicalTrials: 766, trialRegistrations: null, reasons: { trialRegistrations: expect.any(String) } },
      traffic: { hours: 24 },
    },
  },
  'usage shows what the caller has left': {
    operation: 'usage',
    data: { countedBy: 'address', keyId: null, windowSeconds: 60, enforced: false },
  },
  'the machine description stands alone': {
    operation: 'openapi',
    data: { openapi: expect.stringMatching(/^3\.1\./), paths: { '/api/v1/trials/search': {} } },
  },
  'routes, document and catalogue agree': { operation: 'contract', data: { agree: true, differences: [] } },
  'the source of the typed client comes with how to install it': { operation: 'sdk', data: { language: 'TypeScript' } },
  'a file of the typed client comes as it is': {
    operation: 'sdk-file',
    given: { file: 'client.js' },
    data: expect.any(String),
  },
  'capabilities name each endpoint with its names at every door and what to call next': {
    operation: 'capabilities',
    given: { topic: 'trials' },
    data: {
      endpoints: expect.arrayContaining([
        expect.objectContaining({
          id: 'trials-search',
          tool: 'search_world_trials',
          skill: 'world_trial_search',
          sdk: 'searchTrials',
        }),
      ]),
    },
  },
  'one tool is told in full by any of its names': {
    operation: 'capability',
    given: { tool: 'claim_work', form: 'full' },
    data: {
      id: 'claims-create',
      names: { mcp: 'claim_work', a2a: 'claim_work', sdk: 'createClaim' },
      writes: true,
      inputSchema: { required: ['scope', 'intent', 'agentName'], properties: { intent: { minLength: 40 } } },
    },
  },
  'a tool is found by a few words, with how to call it': {
    operation: 'capabilities',
    given: { query: 'vote on an amendment', form: 'index' },
    data: { endpoints: expect.arrayContaining([expect.objectContaining({ id: 'council-action', writes: true })]) },
  },
  'the protocol tells what a claim may become and with which token': {
    operation: 'protocol',
    data: { version: '1.0.0', claim: { states: { active: expect.any(String), expired: expect.any(String) } } },
  },
  'the board at a glance shows as much of each kind as was asked for': {
    operation: 'board',
    given: { limit: 1 },
    data: { counts: { liveClaims: expect.any(Number) }, claims: expect.any(Array) },
  },
  'the process is alive': { operation: 'healthz', data: { status: 'ok' } },
  'the process is ready with a snapshot': { operation: 'readyz', data: { status: 'ready' } },
};
