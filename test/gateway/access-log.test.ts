import { describe, expect, it } from 'vitest';
import { Upstream } from '../../gateway/upstream/upstream.ts';
import { openBareOrigin } from '../support/bare-origin.ts';
import { CLAIM } from '../support/board/board-writes.ts';
import { keptLog } from '../support/log-lines.ts';
import { MCP_HEADERS, MCP_PATH, toolCall } from '../support/mcp.ts';
import { exchange } from '../support/raw-socket.ts';

const SECRET = 'hushhushhush';

describe('the access log', () => {
  it('is one JSON line for each request, with the route and never the path', async () => {
    const kept = keptLog();
    await using origin = await openBareOrigin({ log: kept.log });
    await origin.ask('/api/v1/trials/search?q=diabetes', { headers: { 'x-correlation-id': 'correlation-1' } });
    await origin.ask('/api/v1/claims/some-id');
    await origin.ask('/nowhere/at/all');
    const common = { level: 30, event: 'request', door: 'rest', method: 'GET', ms: expect.any(Number) };
    expect(kept.lines()).toMatchObject([
      { ...common, correlationId: 'correlation-1', route: 'trials-search', status: 200 },
      { ...common, route: 'claims-detail', status: 404 },
      { ...common, route: 'none', status: 404, code: 'NOT_FOUND' },
    ]);
  });

  it('holds nothing that a caller keeps secret: no token, key, body or query, in a success or a failure', async () => {
    const kept = keptLog();
    const headers = {
      'x-api-key': `tbk_${SECRET}`,
      'x-release-token': SECRET,
      'x-withdraw-token': SECRET,
      'x-webhook-secret': SECRET,
      'x-prediction-token': SECRET,
      'idempotency-key': SECRET,
      authorization: `Bearer ${SECRET}`,
      cookie: `session=${SECRET}`,
    };
    const { 'x-api-key': _key, ...withoutKey } = headers;
    const body = { ...CLAIM, scope: SECRET, releaseToken: SECRET };
    const calls = [
      { path: `/api/v1/trials/search?q=${SECRET}&${SECRET}=1`, headers },
      { path: `/api/v1/claims?since=${SECRET}`, headers: withoutKey },
      { path: '/api/v1/claims', method: 'POST', headers: withoutKey, body },
      { path: '/api/v1/claims', method: 'POST', headers: withoutKey, body: `{"releaseToken":"${SECRET}"` },
      { path: `/api/v1/claims/${SECRET}`, method: 'POST', headers: withoutKey, body: { releaseToken: SECRET } },
      { path: `/${SECRET}%ff`, headers },
      { path: '/api/v1/mcp', method: 'POST', headers, body: { jsonrpc: '2.0', id: 1, method: SECRET } },
      { path: '/api/v1/keys', method: 'POST', headers: withoutKey, body: { label: SECRET } },
    ];
    await using origin = await openBareOrigin({ log: kept.log });
    await using down = await openBareOrigin({ log: kept.log, upstream: new Upstream('http://127.0.0.1:9') });
    for (const { path, ...options } of calls) {
      await origin.ask(path, options);
      await down.ask(path, options);
    }
    const created = (await origin.ask('/api/v1/keys', { method: 'POST', body: { label: 'reader' } })).body.data.key;
    await origin.ask('/api/v1', { headers: { 'x-api-key': created } });
    expect(kept.lines().length).toBeGreaterThan(calls.length * 2);
    expect(kept.lines().some(({ status }) => status === 503)).toBe(true);
    expect(kept.text()).not.toContain(SECRET);
    expect(kept.text()).not.toContain(created);
  });

  it('names the cause of a 5xx in a line of the same correlation id', async () => {
    const kept = keptLog();
    await using origin = await openBareOrigin({ log: kept.log, upstream: new Upstream(null) });
    const { headers } = await origin.ask('/api/v1/claims');
    const [cause, answered] = kept.lines() as [Record<string, unknown>, Record<string, unknown>];
    expect(cause.reason).toContain('the server is not running');
    expect(answered).toMatchObject({ status: 503, code: 'CLAIMS_UNAVAILABLE', route: 'claims-list' });
    const id = headers['x-correlation-id'];
    expect([cause.correlationId, answered.correlationId]).toEqual([id, id]);
  });

  it('has a line for an operation that came as a tool call, under the id of the request that carried it', async () => {
    const kept = keptLog();
    await using origin = await openBareOrigin({ log: kept.log });
    const headers = { ...MCP_HEADERS, 'x-correlation-id': 'correlation-2' };
    await origin.ask(MCP_PATH, { method: 'POST', headers, body: toolCall('board_errors') });
    expect(kept.lines()).toMatchObject([
      { route: 'errors', door: 'mcp', correlationId: 'correlation-2' },
      { route: 'mcp', door: 'rest', correlationId: 'correlation-2' },
    ]);
  });

  it('cannot be written into: a line break in a header ends no line', async () => {
    const kept = keptLog();
    await using origin = await openBareOrigin({ log: kept.log });
    await exchange(
      origin.url,
      'GET /api/v1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Correlation-Id: abcdefgh\n{"level":60}\r\n\r\n',
    );
    expect(kept.lines().every(({ level }) => level === 30)).toBe(true);
  });
});
