import { appendFileSync, mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TWIN_BENCHMARK_EXAMPLE, TWIN_EXPERIMENT_EXAMPLE } from '../../contract/declared/twin-examples.ts';
import { ERRORS } from '../../contract/errors/errors.ts';
import { checkReceipt } from '../../contract/operations/trials/receipts.ts';
import { publishSignals, type SignalSnapshot } from '../builders/signal-snapshot.ts';
import { BOARDLESS_OPERATIONS, filled, openGateway, someTrial, type TestGateway } from '../support/gateway.ts';

/** A request that provokes a code: a GET, or a POST if it has a body. `on` says which service it is sent to. */
interface Provocation {
  path: string;
  on: 'sample' | 'nothing' | 'broken-store' | 'altered-signals';
  body?: string;
}

/**
 * The codes of the two operations that run reaction experiments. The service with altered signals has no worker for
 * runs.
 */
function runCodes(path: string, example: object): Record<string, Provocation> {
  return {
    INVALID_BODY: { path, on: 'sample', body: '[]' },
    BODY_TOO_LARGE: { path, on: 'sample', body: ' '.repeat(64_001) },
    run_rejected: { path, on: 'sample', body: '{}' },
    RUN_UNAVAILABLE: { path, on: 'altered-signals', body: JSON.stringify(example) },
  };
}

/** A request that provokes each (operation, code) pair. */
const PROVOKED: Record<string, Record<string, Provocation>> = {
  errors: {
    INVALID_PARAM: { path: '/api/v1/errors?code=%00', on: 'sample' },
    NOT_FOUND: { path: '/api/v1/errors?code=NO_SUCH_CODE', on: 'sample' },
  },
  capabilities: { INVALID_PARAM: { path: '/api/v1/capabilities?topic=cooking', on: 'sample' } },
  capability: {
    INVALID_PARAM: { path: '/api/v1/capabilities/%3Cb%3E', on: 'sample' },
    NOT_FOUND: { path: '/api/v1/capabilities/cook_dinner', on: 'sample' },
  },
  graph: {
    INVALID_PARAM: { path: '/api/v1/graph?node=A%20B', on: 'sample' },
    node_not_found: { path: '/api/v1/graph?node=soul', on: 'sample' },
  },
  'trials-search': {
    INVALID_PARAM: { path: '/api/v1/trials/search?q=%22%22', on: 'sample' },
    TRIALS_UNAVAILABLE: { path: '/api/v1/trials/search', on: 'nothing' },
  },
  'trials-coverage': {
    INVALID_PARAM: { path: '/api/v1/trials/coverage?topic=no-such-topic', on: 'sample' },
    TRIALS_UNAVAILABLE: { path: '/api/v1/trials/coverage', on: 'nothing' },
  },
  'trials-landscape': {
    INVALID_PARAM: { path: '/api/v1/trials/landscape?startedAfter=2026-02-30', on: 'sample' },
    NOT_FOUND: { path: '/api/v1/trials/landscape?against=20200101T000000Z-00000000', on: 'sample' },
    TRIALS_UNAVAILABLE: { path: '/api/v1/trials/landscape', on: 'nothing' },
  },
  'trials-trend': {
    INVALID_PARAM: { path: '/api/v1/trials/trend?by=month', on: 'sample' },
    TRIALS_UNAVAILABLE: { path: '/api/v1/trials/trend', on: 'nothing' },
  },
  'trials-facets': {
    INVALID_PARAM: { path: '/api/v1/trials/facets?page=2', on: 'sample' },
    TRIALS_UNAVAILABLE: { path: '/api/v1/trials/facets', on: 'nothing' },
  },
  'trials-results-gap': {
    INVALID_PARAM: { path: '/api/v1/trials/results-gap?by=city', on: 'sample' },
    TRIALS_UNAVAILABLE: { path: '/api/v1/trials/results-gap', on: 'nothing' },
  },
  receipt: {
    INVALID_PARAM: { path: '/api/v1/receipts/r1.coverage', on: 'sample' },
    TRIALS_UNAVAILABLE: { path: checkReceipt.example, on: 'nothing' },
  },
  'trials-values': {
    INVALID_PARAM: { path: '/api/v1/trials/values?field=sponsor', on: 'sample' },
    TRIALS_UNAVAILABLE: { path: '/api/v1/trials/values?field=topic', on: 'nothing' },
  },
  'trials-registrations': {
    INVALID_PARAM: { path: '/api/v1/trials/registrations?id=%3B', on: 'sample' },
    MISSING_ID: { path: '/api/v1/trials/registrations', on: 'sample' },
    TRIAL_NOT_FOUND: { path: '/api/v1/trials/registrations?id=NCT00000000', on: 'sample' },
    TRIALS_UNAVAILABLE: { path: '/api/v1/trials/registrations?id=NCT04000009', on: 'nothing' },
  },
  'trials-stats': { TRIALS_UNAVAILABLE: { path: '/api/v1/trials/stats', on: 'nothing' } },
  'trials-detail': {
    INVALID_PARAM: { path: '/api/v1/trials/{id}?includeRaw=yes', on: 'sample' },
    TRIAL_NOT_FOUND: { path: '/api/v1/trials/wt_000000000000', on: 'sample' },
    TRIALS_UNAVAILABLE: { path: '/api/v1/trials/{id}?includeRaw=true', on: 'broken-store' },
  },
  'trials-changes': {
    INVALID_PARAM: { path: '/api/v1/trials/changes?since=20000101T000000Z-00000000', on: 'sample' },
    TRIALS_UNAVAILABLE: { path: '/api/v1/trials/changes', on: 'nothing' },
  },
  'trials-history': {
    INVALID_PARAM: { path: '/api/v1/trials/%3B/history', on: 'sample' },
    TRIAL_NOT_FOUND: { path: '/api/v1/trials/wt_000000000000/history', on: 'sample' },
    TRIALS_UNAVAILABLE: { path: '/api/v1/trials/wt_000000000000/history', on: 'nothing' },
  },
  'trials-compare': {
    INVALID_PARAM: { path: '/api/v1/trials/%3B/compare', on: 'sample' },
    TRIAL_NOT_FOUND: { path: '/api/v1/trials/wt_000000000000/compare', on: 'sample' },
    TRIALS_UNAVAILABLE: { path: '/api/v1/trials/wt_000000000000/compare', on: 'nothing' },
  },
  'trials-sites': {
    INVALID_PARAM: { path: '/api/v1/trials/{id}/sites?facility=%22%22', on: 'sample' },
    TRIAL_NOT_FOUND: { path: '/api/v1/trials/wt_000000000000/sites', on: 'sample' },
    TRIALS_UNAVAILABLE: { path: '/api/v1/trials/wt_000000000000/sites', on: 'nothing' },
  },
  'trials-proof': {
    INVALID_PARAM: { path: '/api/v1/trials/{id}/proof?since=0', on: 'sample' },
    TRIAL_NOT_FOUND: { path: '/api/v1/trials/wt_000000000000/proof', on: 'sample' },
    NOT_FOUND: { path: '/api/v1/trials/{id}/proof?since=9', on: 'sample' },
    TRIALS_UNAVAILABLE: { path: '/api/v1/trials/{id}/proof', on: 'nothing' },
  },
  'trials-related': {
    INVALID_PARAM: { path: '/api/v1/trials/{id}/related?include=everything', on: 'sample' },
    TRIAL_NOT_FOUND: { path: '/api/v1/trials/wt_000000000000/related', on: 'sample' },
    TRIALS_UNAVAILABLE: { path: '/api/v1/trials/wt_000000000000/related', on: 'nothing' },
    RELATED_RESEARCH_UNAVAILABLE: { path: '/api/v1/trials/{id}/related', on: 'broken-store' },
  },
  'sdk-file': {
    INVALID_PARAM: { path: '/api/v1/sdk/%00', on: 'sample' },
    NOT_FOUND: { path: '/api/v1/sdk/server.ts', on: 'sample' },
  },
  snapshots: {
    INVALID_PARAM: { path: '/api/v1/snapshots?pageSize=101', on: 'sample' },
    TRIALS_UNAVAILABLE: { path: '/api/v1/snapshots', on: 'nothing' },
  },
  snapshot: {
    INVALID_PARAM: { path: '/api/v1/snapshots/newest', on: 'sample' },
    NOT_FOUND: { path: '/api/v1/snapshots/20000101T000000Z-00000000', on: 'sample' },
    TRIALS_UNAVAILABLE: { path: '/api/v1/snapshots/current', on: 'nothing' },
  },
  'snapshot-diff': {
    INVALID_PARAM: { path: '/api/v1/snapshots/current/diff/current?kind=trials-added&field=title', on: 'sample' },
    NOT_FOUND: { path: '/api/v1/snapshots/20000101T000000Z-00000000/diff/current', on: 'sample' },
    TRIALS_UNAVAILABLE: { path: '/api/v1/snapshots/current/diff/current', on: 'nothing' },
  },
  'snapshot-file': {
    INVALID_PARAM: { path: '/snapshots/current/files/..%2FCURRENT', on: 'sample' },
    NOT_FOUND: { path: '/snapshots/current/files/CURRENT', on: 'sample' },
    TRIALS_UNAVAILABLE: { path: '/snapshots/current/files/trials.parquet', on: 'nothing' },
  },
  'snapshot-folder-file': {
    INVALID_PARAM: { path: '/snapshots/current/files/raw/..%2FCURRENT', on: 'sample' },
    NOT_FOUND: { path: '/snapshots/current/files/raw/CURRENT', on: 'sample' },
    TRIALS_UNAVAILABLE: { path: '/snapshots/current/files/serving/rows.arrow', on: 'nothing' },
  },
  'snapshot-log': {
    INVALID_PARAM: { path: '/api/v1/snapshots/log?identity=0a1b2c3d', on: 'sample' },
    NOT_FOUND: { path: '/api/v1/snapshots/log?from=1000000', on: 'sample' },
    TRIALS_UNAVAILABLE: { path: '/api/v1/snapshots/log', on: 'altered-signals' },
  },
  'snapshot-log-file': {
    INVALID_PARAM: { path: '/snapshots/log/runs.jsonl', on: 'sample' },
    NOT_FOUND: { path: '/snapshots/log/checkpoint', on: 'nothing' },
    TRIALS_UNAVAILABLE: { path: '/snapshots/log/checkpoint', on: 'altered-signals' },
  },
  'snapshot-log-checkpoint': {
    INVALID_PARAM: { path: '/snapshots/log/checkpoint/0', on: 'sample' },
    NOT_FOUND: { path: '/snapshots/log/checkpoint/1000000', on: 'sample' },
    TRIALS_UNAVAILABLE: { path: '/snapshots/log/checkpoint/1', on: 'altered-signals' },
  },
  sources: { SOURCES_UNAVAILABLE: { path: '/api/v1/sources', on: 'nothing' } },
  'pipeline-runs': {
    INVALID_PARAM: { path: '/api/v1/pipeline/runs?outcome=exploded', on: 'sample' },
    TRIALS_UNAVAILABLE: { path: '/api/v1/pipeline/runs', on: 'altered-signals' },
  },
  'pipeline-run': {
    INVALID_PARAM: { path: '/api/v1/pipeline/runs/newest', on: 'sample' },
    NOT_FOUND: { path: '/api/v1/pipeline/runs/latest', on: 'nothing' },
    TRIALS_UNAVAILABLE: { path: '/api/v1/pipeline/runs/latest', on: 'altered-signals' },
  },
  freshness: { SOURCES_UNAVAILABLE: { path: '/api/v1/freshness', on: 'nothing' } },
  'cure-lab-landscape': { DB_ERROR: { path: '/api/v1/cure-lab/landscape', on: 'nothing' } },
  'cure-lab-diseases': { DB_ERROR: { path: '/api/v1/cure-lab/diseases', on: 'nothing' } },
  'cure-lab-disease': {
    INVALID_PARAM: { path: '/api/v1/cure-lab/diseases/Gout!', on: 'sample' },
    NOT_FOUND: { path: '/api/v1/cure-lab/diseases/gout', on: 'sample' },
    DB_ERROR: { path: '/api/v1/cure-lab/diseases/obesity', on: 'nothing' },
  },
  scoreboard: { DB_ERROR: { path: '/api/v1/scoreboard', on: 'nothing' } },
  mind: {
    INVALID_PARAM: { path: '/api/v1/mind?days=0', on: 'sample' },
    MIND_DEPENDENCY_UNAVAILABLE: { path: '/api/v1/mind', on: 'nothing' },
    MIND_INTEGRITY_UNVERIFIED: { path: '/api/v1/mind', on: 'altered-signals' },
  },
  hope: {
    INVALID_PARAM: { path: '/api/v1/hope?limit=51', on: 'sample' },
    HOPE_UNAVAILABLE: { path: '/api/v1/hope', on: 'nothing' },
  },
  trends: {
    INVALID_PARAM: { path: '/api/v1/trends?series=no', on: 'sample' },
    TRENDS_DEPENDENCY_UNAVAILABLE: { path: '/api/v1/trends', on: 'nothing' },
    TRENDS_INTEGRITY_UNVERIFIED: { path: '/api/v1/trends', on: 'altered-signals' },
  },
  'beta-cell-run': {
    INVALID_BODY: { path: '/api/v1/twin/beta-cell', on: 'sample', body: '[]' },
    BODY_TOO_LARGE: { path: '/api/v1/twin/beta-cell', on: 'sample', body: ' '.repeat(64_001) },
    run_rejected: { path: '/api/v1/twin/beta-cell', on: 'sample', body: '{"recoveryRate":1}' },
    DATASET_UNAVAILABLE: { path: '/api/v1/twin/beta-cell', on: 'nothing', body: '{}' },
  },
  'patient-model': { INVALID_PARAM: { path: '/api/v1/twin/patient-model?age=42', on: 'sample' } },
  'patient-model-references': {
    INVALID_PARAM: { path: '/api/v1/twin/patient-model/references?clinical=available', on: 'sample' },
  },
  'private-patient-model-guide': { INVALID_PARAM: { path: '/api/patient-model/guide?name=x', on: 'sample' } },
  'twin-explore': {
    INVALID_PARAM: { path: '/api/v1/twin/explore', on: 'sample' },
    TRIALS_UNAVAILABLE: { path: '/api/v1/twin/explore?condition=Asthma', on: 'nothing' },
  },
  'twin-experiment-run': runCodes('/api/v1/twin/experiment', TWIN_EXPERIMENT_EXAMPLE),
  'twin-benchmark-run': runCodes('/api/v1/twin/benchmark', TWIN_BENCHMARK_EXAMPLE),
  batch: { INVALID_PARAM: { path: '/api/v1/batch?include=everything', on: 'sample' } },
};

const pairs = BOARDLESS_OPERATIONS.flatMap((operation) =>
  operation.errors.map((code) => [operation.id, code] as const),
);

describe('every code that an operation declares', () => {
  let sample: TestGateway;
  let nothing: TestGateway;
  let altered: TestGateway;
  let signals: SignalSnapshot;
  let empty: string;
  let id: string;
  beforeAll(async () => {
    empty = await mkdtemp(join(tmpdir(), 'trial-board-empty-'));
    sample = await openGateway();
    nothing = await openGateway(empty);
    signals = await publishSignals({});
    appendFileSync(signals.path('signals.parquet'), 'altered');
    // A directory cannot be read as the record of runs.
    mkdirSync(join(signals.snapshotsDir, 'runs.jsonl'));
    for (const name of ['checkpoint', 'checkpoints/1'])
      mkdirSync(join(signals.snapshotsDir, 'log', name), { recursive: true });
    altered = await openGateway(signals.snapshotsDir);
    await altered.index.twin.runs[Symbol.asyncDispose]();
    id = (await someTrial(sample)).canonicalId;
  });
  afterAll(async () => {
    await sample[Symbol.asyncDispose]();
    await nothing[Symbol.asyncDispose]();
    await altered[Symbol.asyncDispose]();
    signals[Symbol.dispose]();
    await rm(empty, { recursive: true });
  });

  it.each(pairs)('%s: %s can be provoked and comes with its own status', async (operation, code) => {
    const provocation: Provocation = PROVOKED[operation]?.[code] ?? { path: 'no request provokes it', on: 'sample' };
    const { path, on, body: sent } = provocation;
    const gateway = { nothing, 'altered-signals': altered, sample, 'broken-store': sample }[on];
    const gone = () => Promise.reject(new Error('the Parquet file is gone from /secret/place'));
    const { rawPayloads, publications } = gateway.index.store;
    if (on === 'broken-store') Object.assign(gateway.index.store, { rawPayloads: gone, publications: gone });
    const { status, headers, body } = await gateway.get(
      filled(path, id),
      sent === undefined ? {} : { method: 'POST', body: sent },
    );
    Object.assign(gateway.index.store, { rawPayloads, publications });
    expect(body.error).toMatchObject({ code, retryable: ERRORS[code].retryable });
    expect(status).toBe(ERRORS[code].status);
    const onlyNextSnapshot = code.endsWith('INTEGRITY_UNVERIFIED') ? '3600' : '5';
    expect(headers.get('retry-after')).toBe(ERRORS[code].retryable && status === 503 ? onlyNextSnapshot : null);
    expect(JSON.stringify(body)).not.toContain('/secret/place');
  });

  it('is provoked here for no pair that nobody declares', () => {
    const declared = new Set(pairs.map(([operation, code]) => `${operation} ${code}`));
    const provoked = Object.entries(PROVOKED).flatMap(([operation, codes]) =>
      Object.keys(codes).map((code) => `${operation} ${code}`),
    );
    expect(provoked.filter((pair) => !declared.has(pair))).toEqual([]);
  });
});
