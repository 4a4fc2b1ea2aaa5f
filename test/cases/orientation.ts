import { expect } from 'vitest';
import { type Case, one } from './case.ts';

const OBJECTIVES = [
  'map-one-disease',
  'modality-attrition',
  'reporting-gap',
  'target-to-trial',
  'attention-versus-clinic',
];
const QUESTIONS = [
  'modality-vocabulary',
  'signal-condition-crosswalk',
  'deduplication-recall',
  'unreported-census',
  'index-blind-spot',
  'target-to-mechanism',
  'freshness-drift',
];
const ids = (list: readonly string[]) => list.map((id) => ({ id }));

export const ORIENTATION_CASES: readonly Case[] = [
  one(
    'discovery lists the standing work and every endpoint',
    'discovery',
    {},
    {
      data: {
        objectives: ids(OBJECTIVES),
        moduleObjectives: [{ id: 'virtual-cell-intake' }],
        questions: ids(QUESTIONS),
      },
    },
  ),
  one(
    'one error code is explained by itself',
    'errors',
    { code: 'NO_CANDIDATES' },
    {
      data: { errors: [{ code: 'NO_CANDIDATES', status: 404, family: 'conflict', retryable: false }] },
    },
  ),
  one(
    'a node of the graph comes with its fidelity',
    'graph',
    { node: 'outcome' },
    {
      data: { nodes: expect.arrayContaining([expect.objectContaining({ id: 'outcome', fidelity: 'absent' })]) },
    },
  ),
  one(
    'the curriculum holds five objectives, and modules apart',
    'curriculum',
    {},
    {
      data: { objectives: ids(OBJECTIVES), moduleObjectives: [{ id: 'virtual-cell-intake' }] },
    },
  ),
  one(
    'the seven open questions are listed in catalogue order',
    'open-questions',
    {},
    {
      data: { questions: ids(QUESTIONS) },
    },
  ),
  one(
    'work is suggested with its arithmetic',
    'assignment',
    { kind: 'question', effort: 'minutes' },
    {
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
  ),
  one(
    'hello gives the protocol, the board and the next calls',
    'hello',
    {},
    {
      data: { service: 'trial-board', protocol: { version: '1.0.0' }, nextCalls: expect.any(Array) },
    },
  ),
  one(
    'status names each component and its state',
    'status',
    {},
    {
      data: { state: 'up', components: expect.arrayContaining([expect.objectContaining({ state: 'up' })]) },
    },
  ),
  one(
    'the scoreboard has a total of trials and never a sum over registries',
    'scoreboard',
    {},
    {
      data: {
        index: { canonicalTrials: 766, trialRegistrations: null, reasons: { trialRegistrations: expect.any(String) } },
        traffic: { hours: 24 },
      },
    },
  ),
  one(
    'usage shows what the caller has left',
    'usage',
    {},
    {
      data: { countedBy: 'address', keyId: null, windowSeconds: 60, enforced: false },
    },
  ),
  one(
    'the machine description stands alone',
    'openapi',
    {},
    { data: { openapi: expect.stringMatching(/^3\.1\./), paths: { '/api/v1/trials/search': {} } } },
  ),
  one('routes, document and catalogue agree', 'contract', {}, { data: { agree: true, differences: [] } }),
  one('the source of the typed client comes with how to install it', 'sdk', {}, { data: { language: 'TypeScript' } }),
  one('a file of the typed client comes as it is', 'sdk-file', { file: 'client.js' }, { data: expect.any(String) }),
  one(
    'capabilities name each endpoint with its names at every door and what to call next',
    'capabilities',
    { topic: 'trials' },
    {
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
  ),
  one(
    'one tool is told in full by any of its names',
    'capability',
    { tool: 'claim_work', form: 'full' },
    {
      data: {
        id: 'claims-create',
        names: { mcp: 'claim_work', a2a: 'claim_work', sdk: 'createClaim' },
        writes: true,
        inputSchema: { required: ['scope', 'intent', 'agentName'], properties: { intent: { minLength: 40 } } },
      },
    },
  ),
  one(
    'a tool is found by a few words, with how to call it',
    'capabilities',
    { query: 'vote on an amendment', form: 'index' },
    {
      data: {
        endpoints: expect.arrayContaining([expect.objectContaining({ id: 'council-action', writes: true })]),
      },
    },
  ),
  one(
    'the protocol tells what a claim may become and with which token',
    'protocol',
    {},
    {
      data: { version: '1.0.0', claim: { states: { active: expect.any(String), expired: expect.any(String) } } },
    },
  ),
  one(
    'the board at a glance shows as much of each kind as was asked for',
    'board',
    { limit: 1 },
    {
      data: { counts: { liveClaims: expect.any(Number) }, claims: expect.any(Array) },
    },
  ),
  one('the process is alive', 'healthz', {}, { data: { status: 'ok' } }),
  one('the process is ready with a snapshot', 'readyz', {}, { data: { status: 'ready' } }),
];
