import { TWIN_BENCHMARK_EXAMPLE, TWIN_EXPERIMENT_EXAMPLE } from '../../../contract/declared/twin-examples.ts';
import type { OperationErrors } from '../table.ts';

/** What the service declares of itself, its signals and its models. */

export const SERVICE_ERRORS: readonly OperationErrors[] = [
  {
    operation: 'errors',
    codes: {
      INVALID_PARAM: { path: '/api/v1/errors?code=%00', parameter: 'code' },
      NOT_FOUND: { path: '/api/v1/errors?code=NO_SUCH_CODE' },
    },
  },
  {
    operation: 'capabilities',
    codes: { INVALID_PARAM: { path: '/api/v1/capabilities?topic=cooking', parameter: 'topic' } },
  },
  {
    operation: 'capability',
    codes: {
      INVALID_PARAM: { path: '/api/v1/capabilities/%3Cb%3E' },
      NOT_FOUND: { path: '/api/v1/capabilities/cook_dinner' },
    },
  },
  {
    operation: 'graph',
    codes: {
      INVALID_PARAM: { path: '/api/v1/graph?node=A%20B', parameter: 'node' },
      node_not_found: { path: '/api/v1/graph?node=soul' },
    },
  },
  { operation: 'cure-lab-landscape' },
  { operation: 'cure-lab-diseases' },
  {
    operation: 'cure-lab-disease',
    usual: { path: '/api/v1/cure-lab/diseases/obesity' },
    codes: {
      INVALID_PARAM: { path: '/api/v1/cure-lab/diseases/Gout!' },
      NOT_FOUND: { path: '/api/v1/cure-lab/diseases/gout' },
    },
  },
  { operation: 'scoreboard' },
  {
    operation: 'mind',
    codes: {
      INVALID_PARAM: { path: '/api/v1/mind?days=0', parameter: 'days' },
      MIND_INTEGRITY_UNVERIFIED: { path: '/api/v1/mind', on: 'index of damaged files' },
    },
  },
  { operation: 'hope', codes: { INVALID_PARAM: { path: '/api/v1/hope?limit=51', parameter: 'limit' } } },
  {
    operation: 'trends',
    codes: {
      INVALID_PARAM: { path: '/api/v1/trends?series=no', parameter: 'series' },
      TRENDS_INTEGRITY_UNVERIFIED: { path: '/api/v1/trends', on: 'index of damaged files' },
    },
  },
  {
    operation: 'beta-cell-run',
    usual: { body: {} },
    codes: {
      run_rejected: { body: { recoveryRate: 1 } },
    },
  },
  {
    operation: 'patient-model',
    codes: { INVALID_PARAM: { path: '/api/v1/twin/patient-model?age=42', parameter: 'query' } },
  },
  {
    operation: 'patient-model-references',
    codes: {
      INVALID_PARAM: { path: '/api/v1/twin/patient-model/references?clinical=available', parameter: 'query' },
    },
  },
  {
    operation: 'private-patient-model-guide',
    codes: { INVALID_PARAM: { path: '/api/patient-model/guide?name=x', parameter: 'query' } },
  },
  {
    operation: 'twin-explore',
    usual: { path: '/api/v1/twin/explore?condition=Asthma' },
    codes: {
      INVALID_PARAM: { path: '/api/v1/twin/explore' },
    },
  },
  {
    operation: 'twin-experiment-run',
    usual: { body: TWIN_EXPERIMENT_EXAMPLE },
    codes: { run_rejected: { body: {} }, RUN_UNAVAILABLE: { on: 'index of damaged files' } },
  },
  {
    operation: 'twin-benchmark-run',
    usual: { body: TWIN_BENCHMARK_EXAMPLE },
    codes: { run_rejected: { body: {} }, RUN_UNAVAILABLE: { on: 'index of damaged files' } },
  },
  { operation: 'batch', codes: { INVALID_PARAM: { path: '/api/v1/batch?include=everything', parameter: 'include' } } },
];
