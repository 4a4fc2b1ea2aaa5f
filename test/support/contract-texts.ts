import { CALL_IN_TEXT } from '../../contract/interfaces/call-texts.ts';

/** What the tests of the contract's texts check calls and headers against; written by hand from the interface. */

/** What stands in a workflow for a value of an earlier step: `$`, the name of the step, and the path into its data. */
export const REFERENCE = /^\$([a-z][A-Za-z]*)((?:\.[A-Za-z0-9]+)+)$/;

const FEED = ['since', 'limit', 'kind', 'about'];
const PAGED = ['limit', 'offset', 'cursor'];
const TRIALS = ['q', 'condition', 'intervention', 'status', 'resultsAvailable'];

/** Method and path template of every call that a text may name, with its query parameters. */
export const KNOWN_CALLS: Readonly<Record<string, readonly string[]>> = {
  'GET /api/v1': [],
  'GET /api/v1/capabilities': ['topic'],
  'GET /api/v1/capabilities/{tool}': [],
  'GET /api/v1/protocol': [],
  'DELETE /api/v1/keys': ['id'],
  'GET /api/v1/board': ['limit'],
  'GET /api/v1/hello': [],
  'GET /api/v1/assignment': ['kind', 'level', 'effort'],
  'GET /api/v1/curriculum': ['id'],
  'GET /api/v1/open-questions': ['id'],
  'GET /api/v1/graph': ['node'],
  'GET /api/v1/errors': ['code'],
  'GET /api/v1/status': [],
  'GET /api/v1/contract': [],
  'GET /api/v1/openapi.json': [],
  'GET /api/v1/claims': ['objectiveId', 'questionId', 'agentName', 'state', 'scope', ...PAGED],
  'GET /api/v1/claims/{id}': [],
  'POST /api/v1/claims': [],
  'POST /api/v1/claims/{id}': [],
  'DELETE /api/v1/claims/{id}': [],
  'GET /api/v1/threads': ['subjectType', 'subjectId', 'view', ...PAGED],
  'POST /api/v1/threads': [],
  'GET /api/v1/findings': ['questionId', 'objectiveId', 'status', 'agentName', 'includeWithdrawn', ...PAGED],
  'GET /api/v1/findings/{id}': [],
  'GET /api/v1/findings/{id}/lineage': [],
  'POST /api/v1/findings': [],
  'DELETE /api/v1/findings/{id}': [],
  'POST /api/v1/findings/{id}/link': [],
  'POST /api/v1/findings/{id}/review': [],
  'GET /api/v1/changes': FEED,
  'GET /api/v1/sources': [],
  'GET /api/v1/freshness': [],
  'GET /api/v1/trials/search': [...TRIALS, 'pageSize', 'page', 'include'],
  'GET /api/v1/trials/{canonicalId}': ['includeRaw'],
  'GET /api/v1/trials/{canonicalId}/related': ['include', 'limit'],
  'GET /api/v1/trials/coverage': TRIALS,
  'GET /api/v1/trials/landscape': TRIALS,
  'GET /api/v1/trials/registrations': ['id'],
  'GET /api/v1/trials/stats': [],
  'GET /api/v1/mind': ['days', 'disease'],
  'GET /api/v1/hope': ['include', 'disease', 'limit', 'cursor', 'offset'],
  'GET /api/v1/trends': ['include', 'series', 'disease'],
  'GET /api/v1/batch': ['include', 'days', 'series', 'disease'],
  'GET /api/v1/work/results-gap/next': ['agentName', 'topic', 'disease', 'mode'],
  'POST /api/v1/work/results-gap': [],
  'GET /api/v1/results-gap': [],
  'GET /api/v1/council': ['state', 'kind', ...PAGED],
  'POST /api/v1/council': [],
  'GET /api/v1/council/{id}': ['votesOffset', 'exercisesOffset'],
  'POST /api/v1/council/{id}': [],
  'GET /api/v1/reality': ['state', 'lane', 'objectiveId', 'questionId', ...PAGED],
  'POST /api/v1/reality': [],
  'GET /api/v1/reality/{id}': [],
  'POST /api/v1/reality/{id}': [],
  'GET /api/v1/calibration': ['view', ...PAGED],
  'POST /api/v1/calibration': [],
  'GET /api/v1/calibration/{id}': [],
  'GET /api/v1/dead-ends': ['state', 'objectiveId', 'questionId', ...PAGED],
  'POST /api/v1/dead-ends': [],
  'GET /api/v1/dead-ends/{id}': [],
  'POST /api/v1/dead-ends/{id}': [],
  'GET /api/v1/decompositions': ['state', 'objectiveId', 'questionId', ...PAGED],
  'POST /api/v1/decompositions': [],
  'GET /api/v1/decompositions/{id}': [],
  'GET /api/v1/rungs': ['effort', ...PAGED],
  'GET /api/v1/rungs/{id}': [],
  'POST /api/v1/rungs/{id}': [],
  'GET /api/v1/methods': ['state', ...PAGED],
  'POST /api/v1/methods': [],
  'GET /api/v1/methods/{slug}': ['version'],
  'POST /api/v1/methods/{slug}': [],
  'GET /api/v1/agents/{name}': [],
  'GET /api/v1/twin/patient-model': [],
  'GET /api/v1/twin/patient-model/references': [],
  'GET /api/v1/twin/beta-cell': [],
  'POST /api/v1/twin/beta-cell': [],
  'GET /api/v1/twin/experiment': [],
  'POST /api/v1/twin/experiment': [],
  'GET /api/v1/twin/benchmark': [],
  'POST /api/v1/twin/benchmark': [],
  'GET /api/v1/twin/explore': ['condition', 'stage', 'ageBand', 'markers', 'examples'],
  'GET /api/v1/cure-lab': [],
  'GET /api/v1/cure-lab/landscape': [],
  'GET /api/v1/cure-lab/evidence': [
    'disease',
    'stage',
    'track',
    'direction',
    'evidenceClass',
    'outcomeCategory',
    'hypothesisId',
    'agentName',
    'cohortKey',
    'pmid',
    'doi',
    'nctId',
    ...PAGED,
  ],
  'POST /api/v1/cure-lab/evidence': [],
  'GET /api/v1/cure-lab/evidence/{id}': [],
  'GET /api/v1/cure-lab/contradictions': ['kind', ...PAGED],
  'GET /api/v1/cure-lab/hypotheses': ['state', 'track', ...PAGED],
  'POST /api/v1/cure-lab/hypotheses': [],
  'GET /api/v1/cure-lab/hypotheses/{id}': [],
  'GET /api/v1/cure-lab/diseases': [],
  'GET /api/v1/cure-lab/diseases/{id}': [],
  'POST /api/v1/a2a': [],
  'POST /api/v1/keys': [],
  'POST /api/v1/webhooks': [],
  'DELETE /api/v1/webhooks/{id}': [],
};

const KNOWN_HEADERS: readonly string[] = [
  'Allow',
  'Content-Type',
  'Idempotency-Key',
  'Idempotency-Replayed',
  'RateLimit-Limit',
  'Retry-After',
  'X-Api-Key',
  'X-Prediction-Token',
  'X-Release-Token',
  'X-Withdraw-Token',
];

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
}

/** Every `METHOD /path?query` in a text, in order; query values are decoded. */
export function callsIn(text: string): Call[] {
  return [...text.matchAll(CALL_IN_TEXT)].map(([, method = '', path = '', query = '']) => ({
    method,
    path,
    query: [...new URLSearchParams(query)],
  }));
}

/** What is wrong with the calls that a text names: unknown paths and unknown parameters, in words. */
export function unknownCallsIn(text: string): string[] {
  return callsIn(text).flatMap((call) => {
    const name = `${call.method} ${call.path}`;
    const parameters = KNOWN_CALLS[name];
    if (!parameters) return [`unknown call ${name}`];
    return call.query
      .filter(([key]) => !parameters.includes(key))
      .map(([key]) => `unknown parameter ${key} of ${name}`);
  });
}

/** Header-like words of a text (capitalised, hyphenated) that are none of the service's headers. */
export function unknownHeadersIn(text: string): string[] {
  const words = text.match(/\b[A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]*)+\b/g) ?? [];
  return words.filter((word) => word !== 'JSON-RPC' && !KNOWN_HEADERS.includes(word));
}
