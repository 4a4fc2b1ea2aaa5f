import { TWIN_BENCHMARK_EXAMPLE, TWIN_EXPERIMENT_EXAMPLE } from '../../../contract/declared/twin-examples.ts';
import type { ErrorTable } from '../table.ts';

/** What the service declares of itself, its signals and its models. */

export const SERVICE_ERRORS: ErrorTable = {
  errors: {
    INVALID_PARAM: { path: '/api/v1/errors?code=%00', parameter: 'code' },
    NOT_FOUND: { path: '/api/v1/errors?code=NO_SUCH_CODE' },
  },
  capabilities: { INVALID_PARAM: { path: '/api/v1/capabilities?topic=cooking', parameter: 'topic' } },
  capability: {
    INVALID_PARAM: { path: '/api/v1/capabilities/%3Cb%3E' },
    NOT_FOUND: { path: '/api/v1/capabilities/cook_dinner' },
  },
  graph: {
    INVALID_PARAM: { path: '/api/v1/graph?node=A%20B', parameter: 'node' },
    node_not_found: { path: '/api/v1/graph?node=soul' },
  },
  'cure-lab-landscape': {},
  'cure-lab-diseases': {},
  'cure-lab-disease': {
    usual: { path: '/api/v1/cure-lab/diseases/obesity' },
    INVALID_PARAM: { path: '/api/v1/cure-lab/diseases/Gout!' },
    NOT_FOUND: { path: '/api/v1/cure-lab/diseases/gout' },
  },
  scoreboard: {},
  mind: {
    INVALID_PARAM: { path: '/api/v1/mind?days=0', parameter: 'days' },
    MIND_INTEGRITY_UNVERIFIED: { path: '/api/v1/mind', on: 'index of damaged files' },
  },
  hope: { INVALID_PARAM: { path: '/api/v1/hope?limit=51', parameter: 'limit' } },
  trends: {
    INVALID_PARAM: { path: '/api/v1/trends?series=no', parameter: 'series' },
    TRENDS_INTEGRITY_UNVERIFIED: { path: '/api/v1/trends', on: 'index of damaged files' },
  },
  'beta-cell-run': { usual: { body: {} }, run_rejected: { body: { recoveryRate: 1 } } },
  'patient-model': { INVALID_PARAM: { path: '/api/v1/twin/patient-model?age=42', parameter: 'query' } },
  'patient-model-references': {
    INVALID_PARAM: { path: '/api/v1/twin/patient-model/references?clinical=available', parameter: 'query' },
  },
  'private-patient-model-guide': { INVALID_PARAM: { path: '/api/patient-model/guide?name=x', parameter: 'query' } },
  'twin-explore': {
    usual: { path: '/api/v1/twin/explore?condition=Asthma' },
    INVALID_PARAM: { path: '/api/v1/twin/explore' },
  },
  'twin-experiment-run': {
    usual: { body: TWIN_EXPERIMENT_EXAMPLE },
    run_rejected: { body: {} },
    RUN_UNAVAILABLE: { on: 'index of damaged files' },
  },
  'twin-benchmark-run': {
    usual: { body: TWIN_BENCHMARK_EXAMPLE },
    run_rejected: { body: {} },
    RUN_UNAVAILABLE: { on: 'index of damaged files' },
  },
  batch: { INVALID_PARAM: { path: '/api/v1/batch?include=everything', parameter: 'include' } },
};
