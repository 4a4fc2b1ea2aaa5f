import { afterEach, describe, expect, it } from 'vitest';
import { dataPart, messageOf } from '../support/a2a.ts';
import { type BareOrigin, openBareOrigin } from '../support/bare-origin.ts';
import { MESSAGE } from '../support/board/board-writes.ts';
import { toolCall } from '../support/mcp.ts';
import { ofFile } from '../support/of-file.ts';

/** Attack 12: a page of another site writes through the browser of its visitor, under the visitor's address. */

const KEYS = '/api/v1/keys';
const BODY = '{"label":"written by a page"}';
const EVIL = 'https://evil.example';
const MCP = { accept: 'application/json, text/event-stream' };
const skillCall = (skill: string, given: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'message/send',
  params: messageOf([dataPart({ skill, ...given })]),
});

const countOfKeys = async ({ board }: BareOrigin): Promise<number> => {
  const rows = await board.services.board.read.selectFrom('api_keys').select('id').execute();
  return rows.length;
};
const postKey = (origin: BareOrigin, headers: Record<string, string>, body: string = BODY) =>
  origin.ask(KEYS, { method: 'POST', headers, body });

describe('a public service whose names nobody stated', () => {
  const origin = ofFile(() => openBareOrigin());
  // A group of addresses holds five keys at most.
  afterEach(() => origin.board.services.board.write((tx) => tx.deleteFrom('api_keys').execute()));

  it.each([
    ['a page of another site', { origin: EVIL }],
    ['one whose Origin is opaque', { origin: 'null' }],
    ['one that the browser calls foreign', { origin: EVIL, 'sec-fetch-site': 'cross-site' }],
    ['a page of the same machine on another port', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }],
    ['a form that names no page', { 'sec-fetch-site': 'cross-site' }],
  ])('refuses what %s writes over REST', async (_who, headers) => {
    const before = await countOfKeys(origin);
    const { status, body } = await postKey(origin, headers as Record<string, string>);
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
    expect(body.error.message).toContain('ALLOWED_HOSTS');
    expect((await origin.ask(`${KEYS}`, { method: 'DELETE', headers: { origin: EVIL } })).status).toBe(403);
    expect(await countOfKeys(origin)).toBe(before);
  });

  it('takes the writes of its own pages, and of programs, which send no Origin', async () => {
    const own = { origin: origin.url, 'sec-fetch-site': 'same-origin' };
    const behindProxy = { origin: 'https://board.example', host: 'backend:3000', 'sec-fetch-site': 'same-origin' };
    for (const headers of [own, { origin: origin.url }, behindProxy, {}]) {
      expect((await postKey(origin, headers as Record<string, string>)).status).toBe(201);
    }
  });

  it('refuses them over MCP and A2A, and lets any page read by each door', async () => {
    const headers = { ...MCP, origin: EVIL };
    const before = await origin.ask('/api/v1/threads?limit=1');
    const call = toolCall('post_message', MESSAGE);
    const written = await origin.ask('/api/v1/mcp', { method: 'POST', headers, body: call });
    expect(written.body.result.isError).toBe(true);
    expect(written.text).toContain('FORBIDDEN');
    const sent = await origin.ask('/api/v1/a2a', { method: 'POST', headers, body: skillCall('post_message', MESSAGE) });
    expect(sent.text).toContain('FORBIDDEN');
    expect((await origin.ask('/api/v1/threads?limit=1')).body.data).toEqual(before.body.data);

    expect((await origin.ask('/api/v1/errors', { headers })).headers['access-control-allow-origin']).toBe('*');
    const read = await origin.ask('/api/v1/mcp', { method: 'POST', headers, body: toolCall('board_errors', {}) });
    expect(read.body.result.isError).not.toBe(true);
    const skill = await origin.ask('/api/v1/a2a', { method: 'POST', headers, body: skillCall('errors', {}) });
    expect(skill.body.result.status.state).toBe('completed');
  });

  it('lets any page run a model, which stores nothing', async () => {
    const headers = { origin: EVIL, 'sec-fetch-site': 'cross-site' };
    expect((await origin.ask('/api/v1/twin/beta-cell', { method: 'POST', headers, body: {} })).status).toBe(200);
  });

  it('tells the preflight of another site which methods it may use', async () => {
    const methods = async (path: string, page: string) => {
      const { headers } = await origin.ask(path, { method: 'OPTIONS', headers: { origin: page } });
      return headers['access-control-allow-methods'];
    };
    expect(await methods('/api/v1/claims', EVIL)).toBe('GET, HEAD');
    expect(await methods('/api/v1/claims', origin.url)).toBe('GET, HEAD, POST');
    expect(await methods('/api/v1/twin/beta-cell', EVIL)).toBe('GET, HEAD, POST');
    expect(await methods('/api/v1/mcp', EVIL)).toBe('POST');
  });

  it.each([
    ['text/plain'],
    ['text/plain;charset=UTF-8'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    [''],
    ['application/jsonp'],
    ['text/json'],
  ])('refuses a body declared as "%s" at every door, as INVALID_BODY', async (type) => {
    const before = await countOfKeys(origin);
    const { status, body } = await postKey(origin, { 'content-type': type });
    expect([status, body.error.code]).toEqual([400, 'INVALID_BODY']);
    expect(body.error.message).toContain('Content-Type: application/json');
    expect(await countOfKeys(origin)).toBe(before);
    const run = { method: 'POST', headers: { 'content-type': type }, body: '{}' };
    expect((await origin.ask('/api/v1/twin/beta-cell', run)).body.error.code).toBe('INVALID_BODY');
    const sent = { ...run, body: skillCall('errors', {}) };
    expect((await origin.ask('/api/v1/a2a', sent)).body.error.code).toBe('INVALID_BODY');
    const called = { ...run, headers: { ...MCP, 'content-type': type }, body: toolCall('board_errors', {}) };
    expect((await origin.ask('/api/v1/mcp', called)).status).toBe(415);
  });

  it('takes a body declared as JSON, and a write without a body and without a type', async () => {
    for (const type of ['application/json', 'APPLICATION/JSON; charset=utf-8', 'application/vnd.board+json']) {
      expect([type, (await postKey(origin, { 'content-type': type })).status]).toEqual([type, 201]);
    }
    const key = (await postKey(origin, {})).body.data.key as string;
    expect((await origin.ask(KEYS, { method: 'DELETE', headers: { 'x-api-key': key } })).status).toBe(200);
  });
});

describe('a service with stated names', () => {
  const origin = ofFile(() => openBareOrigin({ allowedHosts: ['localhost', '127.0.0.1', '[::1]', 'board.example'] }));

  it('answers under these names only, at every door', async () => {
    const call = { method: 'POST', headers: MCP, body: toolCall('board_errors', {}) };
    for (const host of ['board.example', 'localhost:3000', '[::1]:3000']) {
      expect((await origin.ask('/api/v1/errors', { headers: { host } })).status).toBe(200);
    }
    for (const host of ['evil.example', 'board.example.evil.example', '192.0.2.1']) {
      const answers = [
        await origin.ask('/api/v1/errors', { headers: { host } }),
        await origin.ask(KEYS, { method: 'POST', headers: { host }, body: BODY }),
        await origin.ask('/api/v1/mcp', { ...call, headers: { ...MCP, host } }),
        await origin.ask('/api/v1/a2a', { method: 'POST', headers: { host }, body: skillCall('errors', {}) }),
        await origin.ask('/.well-known/agent-card.json', { headers: { host } }),
      ];
      expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(
        answers.map(() => [403, 'FORBIDDEN']),
      );
      expect((await origin.ask('/', { headers: { host } })).status).toBe(403);
    }
  });

  it('answers probes under any name, since they are asked by address', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      expect((await origin.ask(path, { headers: { host: '10.0.0.7:3000' } })).status).toBe(200);
    }
  });

  it('takes writes of pages of these names, and of no others, whatever they claim to be called', async () => {
    expect((await postKey(origin, { origin: 'https://board.example' })).status).toBe(201);
    expect((await postKey(origin, { origin: 'http://localhost:3000', host: 'localhost:3000' })).status).toBe(201);
    // Another port is another program of the same machine.
    const others = ['http://localhost:5173', 'http://127.0.0.1:1', 'http://localhost', 'https://board.example:9443'];
    for (const other of [...others, EVIL]) {
      expect([other, (await postKey(origin, { origin: other })).status]).toEqual([other, 403]);
    }
    // The page pointed its own name at this machine (DNS rebinding): to its browser it asks its own site.
    const rebound = { host: 'evil.example', origin: 'http://evil.example', 'sec-fetch-site': 'same-origin' };
    expect((await postKey(origin, rebound)).status).toBe(403);
  });

  it('closes the doors of other protocols to pages of other sites', async () => {
    const calls = [
      ['/api/v1/mcp', toolCall('board_errors', {})],
      ['/api/v1/a2a', skillCall('errors', {})],
    ] as const;
    for (const [path, body] of calls) {
      for (const page of [EVIL, 'http://localhost:5173']) {
        const headers = { ...MCP, origin: page };
        expect((await origin.ask(path, { method: 'POST', headers, body })).body.error.code).toBe('FORBIDDEN');
      }
      const own = { ...MCP, origin: 'http://localhost:3000', host: 'localhost:3000' };
      expect((await origin.ask(path, { method: 'POST', headers: own, body })).status).toBe(200);
      const preflight = await origin.ask(path, { method: 'OPTIONS', headers: { origin: EVIL } });
      expect(preflight.headers['access-control-allow-methods']).not.toContain('POST');
    }
  });
});

it('opens to every name and every page where ALLOWED_HOSTS is *', async () => {
  await using origin = await openBareOrigin({ allowedHosts: ['*'] });
  const headers = { host: 'any.example', origin: EVIL, 'sec-fetch-site': 'cross-site' };
  expect((await postKey(origin, headers)).status).toBe(201);
});
