import type { ErrorTable } from '../table.ts';

/** Snapshots, their log, and the runs that made them. */

export const SNAPSHOTS_ERRORS: ErrorTable = {
  'sdk-file': { INVALID_PARAM: { path: '/api/v1/sdk/%00' }, NOT_FOUND: { path: '/api/v1/sdk/server.ts' } },
  snapshots: { INVALID_PARAM: { path: '/api/v1/snapshots?pageSize=101', parameter: 'pageSize' } },
  snapshot: {
    usual: { path: '/api/v1/snapshots/current' },
    INVALID_PARAM: { path: '/api/v1/snapshots/newest' },
    NOT_FOUND: { path: '/api/v1/snapshots/20000101T000000Z-00000000' },
  },
  'snapshot-diff': {
    usual: { path: '/api/v1/snapshots/current/diff/current' },
    INVALID_PARAM: { path: '/api/v1/snapshots/current/diff/current?kind=trials-added&field=title' },
    NOT_FOUND: { path: '/api/v1/snapshots/20000101T000000Z-00000000/diff/current' },
  },
  'snapshot-file': {
    usual: { path: '/snapshots/current/files/trials.parquet' },
    INVALID_PARAM: { path: '/snapshots/current/files/..%2FCURRENT' },
    NOT_FOUND: { path: '/snapshots/current/files/CURRENT' },
  },
  'snapshot-folder-file': {
    usual: { path: '/snapshots/current/files/serving/rows.arrow' },
    INVALID_PARAM: { path: '/snapshots/current/files/raw/..%2FCURRENT' },
    NOT_FOUND: { path: '/snapshots/current/files/raw/CURRENT' },
  },
  'snapshot-log': {
    INVALID_PARAM: { path: '/api/v1/snapshots/log?identity=0a1b2c3d', parameter: 'identity' },
    NOT_FOUND: { path: '/api/v1/snapshots/log?from=1000000' },
    TRIALS_UNAVAILABLE: { path: '/api/v1/snapshots/log', on: 'index of damaged files' },
  },
  'snapshot-log-file': {
    INVALID_PARAM: { path: '/snapshots/log/runs.jsonl' },
    NOT_FOUND: { path: '/snapshots/log/checkpoint', on: 'index without a snapshot' },
    TRIALS_UNAVAILABLE: { path: '/snapshots/log/checkpoint', on: 'index of damaged files' },
  },
  'snapshot-log-checkpoint': {
    INVALID_PARAM: { path: '/snapshots/log/checkpoint/0' },
    NOT_FOUND: { path: '/snapshots/log/checkpoint/1000000' },
    TRIALS_UNAVAILABLE: { path: '/snapshots/log/checkpoint/1', on: 'index of damaged files' },
  },
  sources: {},
  'pipeline-runs': {
    INVALID_PARAM: { path: '/api/v1/pipeline/runs?outcome=exploded', parameter: 'outcome' },
    TRIALS_UNAVAILABLE: { path: '/api/v1/pipeline/runs', on: 'index of damaged files' },
  },
  'pipeline-run': {
    INVALID_PARAM: { path: '/api/v1/pipeline/runs/newest' },
    NOT_FOUND: { path: '/api/v1/pipeline/runs/latest', on: 'index without a snapshot' },
    TRIALS_UNAVAILABLE: { path: '/api/v1/pipeline/runs/latest', on: 'index of damaged files' },
  },
  freshness: {},
};
