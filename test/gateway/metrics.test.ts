import { describe, expect, it } from 'vitest';
import { DOORS } from '../../contract/doors.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { openRateLimiter } from '../../server-kit/limits.ts';
import { type BareOrigin, openBareOrigin } from '../support/bare-origin.ts';

/** The samples of one of our metrics: the labels as written, and the value. */
async function samples(origin: BareOrigin, name: string): Promise<Record<string, number>> {
  const { text } = await origin.ask('/metrics');
  const found = [...text.matchAll(new RegExp(`^trial_board_${name}(?:\\{([^}]*)\\})? (\\S+)$`, 'gm'))];
  return Object.fromEntries(found.map(([, labels = '', value]) => [labels, Number(value)]));
}

const tool = (name: string, args: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });

const mcp = (origin: BareOrigin, body: string) =>
  origin.ask('/api/v1/mcp', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  });

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
    const { body } = await mcp(origin, tool('error_catalog', { code: 'NOT_FOUND' }));
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
