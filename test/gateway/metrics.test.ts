import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DOORS } from '../../contract/interfaces/doors.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { RUN_OUTCOME_CODES } from '../../contract/run-outcomes.ts';
import { openRateLimiter } from '../../server-kit/limits/limits.ts';
import { RUN_LOG_FILE, RunLog } from '../../snapshot/format/versions/run-log.ts';
import { runLogText } from '../builders/run-log.ts';
import { type BareOrigin, openBareOrigin } from '../support/bare-origin.ts';
import { openGateway } from '../support/gateway.ts';
import { MCP_HEADERS, MCP_PATH, toolCall } from '../support/mcp.ts';

/** The samples of one of our metrics: the labels as written, and the value. */
async function samples(origin: BareOrigin, name: string): Promise<Record<string, number>> {
  const { text } = await origin.ask('/metrics');
  return samplesIn(text, name);
}

function samplesIn(text: string, name: string): Record<string, number> {
  const found = [...text.matchAll(new RegExp(`^trial_board_${name}(?:\\{([^}]*)\\})? (\\S+)$`, 'gm'))];
  return Object.fromEntries(found.map(([, labels = '', value]) => [labels, Number(value)]));
}

describe('/metrics', () => {
  it('is Prometheus text with the defaults of the process and the version that is served', async () => {
    await using origin = await openBareOrigin();
    const { status, headers, text } = await origin.ask('/metrics');
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    for (const line of text.split('\n'))
      expect(line).toMatch(/^$|^# (HELP|TYPE) |^[a-z0-9_]+(\{.*\})? [-+0-9.eNaInf]+$/);
    expect(text).toMatch(/^process_resident_memory_bytes \d/m);
    expect(Object.keys(await samples(origin, 'snapshot_info'))).toEqual([
      expect.stringMatching(/^version="[0-9A-Z]+-[0-9a-f]{8}"$/),
    ]);
  });

  it('counts a request by operation, method and status class, and times it', async () => {
    await using origin = await openBareOrigin();
    await origin.ask('/api/v1/trials/search?q=diabetes');
    await origin.ask('/api/v1/trials/search?page=0');
    await origin.ask('/api/v1/claims', { method: 'HEAD' });
    expect(await samples(origin, 'http_requests_total')).toMatchObject({
      'route="trials-search",method="GET",status="2xx"': 1,
      'route="trials-search",method="GET",status="4xx"': 1,
      'route="claims-list",method="HEAD",status="2xx"': 1,
    });
    expect(await samples(origin, 'operation_seconds_count')).toMatchObject({ 'operation="trials-search"': 2 });
    expect(await samples(origin, 'http_requests_in_flight')).toEqual({ '': 1 });
  });

  it('counts an operation that came as a tool call once as an operation and once as a request', async () => {
    await using origin = await openBareOrigin();
    const { body } = await origin.ask(MCP_PATH, {
      method: 'POST',
      body: toolCall('board_errors'),
      headers: MCP_HEADERS,
    });
    expect(body.result.isError).not.toBe(true);
    expect(await samples(origin, 'operation_calls_total')).toEqual({ 'operation="errors",door="mcp",status="2xx"': 1 });
    const requests = await samples(origin, 'http_requests_total');
    expect(requests).toMatchObject({ 'route="mcp",method="POST",status="2xx"': 1 });
    expect(Object.keys(requests).filter((labels) => labels.includes('errors'))).toEqual([]);
  });

  it('tells the places on the way to the board and what the buckets refused', async () => {
    await using origin = await openBareOrigin({ limiter: await openRateLimiter('memory') });
    for (let count = 0; count < 121; count += 1) await origin.ask('/api/v1/errors');
    expect(await samples(origin, 'rate_limited_total')).toEqual({ 'bucket="read"': 1 });
    expect(await samples(origin, 'upstream_in_use')).toMatchObject({ 'server="board",lane="short"': 0 });
    expect(Object.keys(await samples(origin, 'upstream_refused'))).toHaveLength(3);
  });

  it('has as many series as the contract allows, whatever clients send', async () => {
    await using origin = await openBareOrigin();
    const paths = Array.from({ length: 60 }, (_, place) => `/nowhere/${place}?token=secret${place}`);
    for (const path of [...paths, '/api/v1/claims/secret-id', '/api/v1/trials/secret-id']) await origin.ask(path);
    await origin.ask('/api/v1', { method: 'PROPFIND' });
    const requests = await samples(origin, 'http_requests_total');
    expect(requests).toMatchObject({ 'route="none",method="GET",status="4xx"': 60 });
    const routes = new Set([...OPERATIONS, ...DOORS].map(({ id }) => id as string)).add('none');
    for (const labels of Object.keys(requests)) {
      const [, route, method] = /^route="([^"]+)",method="([^"]+)",status="[2-5]xx"$/.exec(labels) ?? [];
      expect(routes).toContain(route);
      expect(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS', 'other']).toContain(method);
    }
    expect((await origin.ask('/metrics')).text).not.toContain('secret');
  });
});

describe('/metrics about data and runs', () => {
  /** The metrics of an index whose record of runs is `text`, or none, two days after the sample's last day. */
  async function metricsWith(text: string | null): Promise<(name: string) => Record<string, number>> {
    const directory = mkdtempSync(join(tmpdir(), 'trial-board-metrics-'));
    if (text !== null) writeFileSync(join(directory, RUN_LOG_FILE), text);
    await using gateway = await openGateway(undefined, () => new Date('2026-10-03T00:00:00.000Z'));
    Object.assign(gateway.index.runLog, { read: () => new RunLog(directory).read() });
    const response = await gateway.app.fetch(new Request('http://test.example/metrics'));
    const all = await response.text();
    rmSync(directory, { recursive: true });
    return (name) => samplesIn(all, name);
  }

  it('tells the age of the snapshot and of the data of each registry', async () => {
    const found = await metricsWith(null);
    expect(found('registry_data_age_seconds')).toEqual({
      'registry="clinicaltrials_gov"': 172_800,
      'registry="isrctn"': 172_800,
    });
    // The sample is published at the time of the test run, which is after the time of this test.
    expect(found('snapshot_age_seconds')).toEqual({ '': 0 });
  });

  it('tells when a run last began and got through, how the last ended, and what its stages took', async () => {
    const found = await metricsWith(
      runLogText([
        { day: 0, end: { code: 'PUBLISHED_DEGRADED', exitCode: 3 } },
        { day: 1, end: { code: 'REFUSED', exitCode: 4, stages: [{ stage: 'fetch', seconds: 61.5 }] } },
        { day: 2, begin: { command: 'gc' }, end: { code: 'DONE' } },
      ]),
    );
    expect(found('pipeline_last_run_timestamp_seconds')).toEqual({ '': Date.parse('2026-09-02T03:00:00Z') / 1000 });
    expect(found('pipeline_last_success_timestamp_seconds')).toEqual({ '': Date.parse('2026-09-01T03:01:00Z') / 1000 });
    const outcomes = found('pipeline_last_outcome');
    expect(Object.keys(outcomes)).toHaveLength(RUN_OUTCOME_CODES.length);
    expect(Object.entries(outcomes).filter(([, value]) => value !== 0)).toEqual([['outcome="REFUSED"', 1]]);
    expect(found('pipeline_last_run_stage_seconds')).toEqual({ 'stage="fetch"': 61.5 });
    expect(found('pipeline_record_unreadable')).toEqual({ '': 0 });
  });

  it('tells 0 for a success that the record does not have, and nothing of runs where there is no record', async () => {
    const failed = await metricsWith(runLogText([{ day: 0, end: { code: 'FAILED', exitCode: 1 } }]));
    expect(failed('pipeline_last_success_timestamp_seconds')).toEqual({ '': 0 });
    const none = await metricsWith(null);
    for (const name of ['last_success_timestamp_seconds', 'last_run_timestamp_seconds', 'last_outcome'])
      expect(none(`pipeline_${name}`), name).toEqual({});
  });

  it('tells no age where there is no snapshot, which is not an age of 0', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'trial-board-metrics-'));
    await using gateway = await openGateway(empty);
    const text = await (await gateway.app.fetch(new Request('http://test.example/metrics'))).text();
    rmSync(empty, { recursive: true });
    expect([samplesIn(text, 'snapshot_age_seconds'), samplesIn(text, 'registry_data_age_seconds')]).toEqual([{}, {}]);
    expect(samplesIn(text, 'snapshot_checked_timestamp_seconds')).toEqual({ '': 0 });
  });

  it('tells that the record cannot be read, and is whole all the same', async () => {
    await using gateway = await openGateway();
    Object.assign(gateway.index.runLog, { read: () => Promise.reject(new Error('EIO')) });
    const text = await (await gateway.app.fetch(new Request('http://test.example/metrics'))).text();
    expect(samplesIn(text, 'pipeline_record_unreadable')).toEqual({ '': 1 });
    expect(samplesIn(text, 'pipeline_last_outcome')).toEqual({});
    expect(Object.keys(samplesIn(text, 'snapshot_info'))).toHaveLength(1);
  });
});
