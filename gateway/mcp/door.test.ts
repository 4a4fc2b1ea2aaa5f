import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { H3 } from 'h3';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../contract/operations.ts';
import { openRateLimiter } from '../../server-kit/limits/limits.ts';
import { openBoard } from '../../test/support/board/board.ts';
import { CLAIM } from '../../test/support/board/board-writes.ts';
import { openGateway } from '../../test/support/gateway.ts';
import { ofFile } from '../../test/support/of-file.ts';
import { openOrigin, rawRequest, type TestOrigin } from '../../test/support/origin.ts';
import { Upstream } from '../upstream/upstream.ts';
import { mountMcp } from './door.ts';

const PATH = '/api/v1/mcp';
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const request = (method: string, params: object = {}, id: number | string = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const callOf = (name: string, given: object = {}, id: number | string = 1) =>
  request('tools/call', { name, arguments: given }, id);
const CLAIMED = callOf('claim_work', CLAIM);
const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } };

/** A message of the protocol revision without a handshake, and the headers that must repeat its fields. */
function modern(method: string, params: { name?: string; notifications?: object } = {}) {
  return {
    message: request(method, { ...params, _meta: MODERN }),
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(params.name === undefined ? {} : { 'mcp-name': params.name }),
    },
  };
}

const post = (origin: TestOrigin, message: unknown, headers: Record<string, string> = {}) =>
  origin.send(PATH, message, { ...HEADERS, ...headers });

describe('the MCP door', () => {
  const origin = ofFile(() => openOrigin());

  it('answers both eras as plain JSON that no cache keeps, under the correlation id of the caller', async () => {
    const { message, headers } = modern('tools/call', { name: 'hello' });
    for (const answer of [
      await post(origin, message, { ...headers, 'x-correlation-id': 'correlation-1' }),
      await post(origin, callOf('hello'), { 'x-correlation-id': 'correlation-1' }),
    ]) {
      const fields = ['content-type', 'cache-control', 'x-correlation-id'].map((name) => answer.headers.get(name));
      expect([answer.status, ...fields]).toEqual([200, 'application/json', 'no-store', 'correlation-1']);
    }
  });

  it('says for how long a list of tools may be kept, and that it is the same for all', async () => {
    const { message, headers } = modern('tools/list');
    const { body } = await post(origin, message, headers);
    expect(body.result).toMatchObject({ resultType: 'complete', ttlMs: 3_600_000, cacheScope: 'public' });
    expect((await post(origin, request('tools/list', { cursor: 'x' }))).body.error.code).toBe(-32602);
  });

  it('lets pages of every origin send the headers of the protocol', async () => {
    const { status, headers } = await origin.send(PATH, undefined, {}, 'OPTIONS');
    expect([status, headers.get('allow')]).toEqual([204, 'POST, OPTIONS']);
    expect(headers.get('access-control-allow-methods')).toBe('POST');
    const allowed = headers.get('access-control-allow-headers')!.split(', ');
    const ofMcp = ['Mcp-Method', 'Mcp-Name', 'Mcp-Protocol-Version', 'X-Api-Key'];
    // Those of A2A's clients, and of a client that was given a credential.
    const others = ['A2A-Extensions', 'A2A-Version', 'Authorization', 'X-A2A-Extensions'];
    expect(allowed).toEqual(expect.arrayContaining([...ofMcp, ...others]));
  });

  it('refuses what does not accept both media types and says what to send, in any way of writing them', async () => {
    const say = 'Send the header Accept: application/json, text/event-stream. Both are needed.';
    for (const accept of ['application/json', 'text/event-stream', 'application/jsonx, text/event-stream']) {
      const { status, body } = await post(origin, request('ping'), { accept });
      expect([accept, status, body.error.message]).toEqual([accept, 406, say]);
    }
    for (const accept of ['*/*', 'application/json;q=0.9, text/*', 'TEXT/EVENT-STREAM,Application/JSON']) {
      expect((await post(origin, request('ping'), { accept })).body).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    }
  });

  it('answers what is no JSON with a parse error, and JSON that is no message with an error of the protocol', async () => {
    for (const text of ['', '{', '{"jsonrpc":"2.0"']) {
      const { status, body } = await post(origin, text);
      expect([status, body.error.code, body.id]).toEqual([400, -32700, null]);
    }
    for (const message of [null, 1, 'x', {}, { jsonrpc: '1.0', id: 1, method: 'ping' }, [[]], [null]]) {
      const { body } = await post(origin, JSON.stringify(message));
      expect([-32600, -32602, -32700]).toContain([body].flat()[0].error.code);
    }
  });

  it('takes a message up to its ceiling and refuses a larger one as REST does, whatever length it states', async () => {
    const filled = (bytes: number): string => {
      const message = JSON.stringify(callOf('hello', { filler: '' }));
      return message.replace('"filler":""', `"filler":"${'x'.repeat(bytes - message.length)}"`);
    };
    // At 65,536 bytes the door takes the message, but the read refuses it: with this argument its address would be too
    // long.
    expect((await post(origin, filled(65_536))).status).toBe(200);
    const { status, body } = await post(origin, filled(65_537));
    expect([status, body.error.code]).toEqual([413, 'BODY_TOO_LARGE']);
    const chunks = [Buffer.from(filled(40_000)), Buffer.from(filled(40_000))];
    const chunked = await rawRequest(`${origin.url}${PATH}`, { method: 'POST', headers: HEADERS, chunks });
    expect([chunked.status, JSON.parse(chunked.body).error.code]).toEqual([413, 'BODY_TOO_LARGE']);
  });

  it('acknowledges a notification and carries nothing out for it', async () => {
    const { id: _, ...notification } = callOf('claim_work', { ...CLAIM, scope: 'never claimed' });
    expect((await post(origin, notification)).status).toBe(202);
    expect((await origin.get('/api/v1/claims?scope=never')).body.data.claims).toEqual([]);
  });

  it('answers the messages of a batch in their order, and nothing for its notifications', async () => {
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'a' } };
    const { status, body } = await post(origin, [
      callOf('hello', {}, 'a'),
      cancelled,
      request('nonsense', {}, 'b'),
      callOf('get_world_trial', { canonicalId: 'none' }, 'c'),
    ]);
    expect(status).toBe(200);
    expect(body.map(({ id }: { id: string }) => id)).toEqual(['a', 'b', 'c']);
    expect(body[0].result.structuredContent.data.service).toBe('trial-board');
    expect(body[1].error.code).toBe(-32601);
    expect(body[2].result).toMatchObject({ isError: true });
    const silent = await post(origin, [cancelled]);
    expect([silent.status, silent.body]).toEqual([202, null]);
  });

  it('refuses a batch that is empty, too long, or of both eras', async () => {
    const long = await post(origin, Array(21).fill(request('ping')));
    expect(long.status).toBe(400);
    expect(long.body.error).toEqual({ code: -32600, message: 'A batch holds at most 20 messages.' });
    const { message, headers } = modern('tools/list');
    for (const batch of [[], [request('ping'), message]]) {
      const { status, body } = await post(origin, batch, headers);
      expect([status, body.error.code]).toEqual([400, -32600]);
    }
  });

  it('ends a subscription at once, because nothing that it could tell of ever changes', async () => {
    const { message, headers } = modern('subscriptions/listen', { notifications: { toolsListChanged: true } });
    const body = JSON.stringify(message);
    const response = await fetch(`${origin.url}${PATH}`, { method: 'POST', headers: { ...HEADERS, ...headers }, body });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect((await response.text()).match(/^data: .*$/gm)!.map((line) => JSON.parse(line.slice(6)))).toMatchObject([
      { method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } },
      { id: 1, result: { resultType: 'complete' } },
    ]);
  });
});

describe('what a message is charged', () => {
  const open = async () => openOrigin({ limiter: await openRateLimiter('memory') });
  const remaining = async (origin: TestOrigin, bucket = 'read'): Promise<number> => {
    const { body } = await origin.get('/api/v1/usage');
    const own = bucket === 'read' ? 1 : 0;
    return body.data.buckets.find(({ id }: { id: string }) => id === bucket).remaining + own;
  };
  /** How many reads the bucket was charged while `act` ran. Asking for the bucket costs one read, which is left out. */
  async function readsTaken(origin: TestOrigin, act: () => Promise<unknown>): Promise<number> {
    const before = await remaining(origin);
    await act();
    return before - (await remaining(origin)) - 1;
  }

  it('is one read for everything but a call that is carried out, whatever the protocol makes of it', async () => {
    await using origin = await open();
    const listed = modern('tools/list');
    const wrongName = modern('tools/call', { name: 'hello' });
    const acts: (() => Promise<unknown>)[] = [
      () => post(origin, request('initialize', INITIALIZE)),
      () => post(origin, request('ping')),
      () => post(origin, request('tools/list')),
      () => post(origin, listed.message, listed.headers),
      () => post(origin, callOf('no_such_tool')),
      () => post(origin, callOf('hello')),
      () => post(origin, callOf('get_world_trial', {})),
      () => post(origin, wrongName.message, { ...wrongName.headers, 'mcp-name': 'claim_work' }),
      () => post(origin, request('tools/call', { name: 'hello', arguments: 'text' })),
      () => post(origin, callOf('hello'), { accept: 'application/json' }),
      () => post(origin, callOf('hello'), { 'content-type': 'text/plain' }),
      () => post(origin, 'garbage'),
      () => post(origin, 'x'.repeat(70_000)),
      () => origin.get(PATH),
      () => post(origin, { jsonrpc: '2.0', method: 'notifications/initialized' }),
    ];
    const taken: number[] = [];
    for (const act of acts) taken.push(await readsTaken(origin, act));
    expect(taken).toEqual(acts.map(() => 1));
    expect(await readsTaken(origin, () => origin.send(PATH, undefined, {}, 'OPTIONS'))).toBe(0);
  });

  it('is for a write the bucket of that write and no read, and the answer has its rate fields', async () => {
    await using origin = await open();
    expect(await readsTaken(origin, () => post(origin, CLAIMED))).toBe(0);
    const { headers } = await post(origin, CLAIMED);
    expect([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual(['15', '13']);
    const listed = await post(origin, request('tools/list'));
    expect(listed.headers.get('ratelimit-limit')).toBe('120');
  });

  it('is summed over a batch: it gains nothing', async () => {
    await using origin = await open();
    const malformed = request('tools/call', { name: 'hello', arguments: 'text' });
    const batch = [request('ping'), callOf('hello'), malformed, callOf('no_such_tool'), CLAIMED];
    expect(await readsTaken(origin, () => post(origin, batch))).toBe(4);
    expect(await remaining(origin, 'claim-write')).toBe(14);
    expect(await readsTaken(origin, () => post(origin, Array(21).fill(request('ping'))))).toBe(1);
  });

  it('is refused as over REST when it is one too many, and a batch before any of it is carried out', async () => {
    await using origin = await open();
    for (let batch = 0; batch < 6; batch += 1) await post(origin, Array(20).fill(request('ping')));
    const { status, headers, body } = await post(origin, request('tools/list'));
    expect([status, body.error.code, body.error.retryable]).toEqual([429, 'RATE_LIMITED', true]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    const call = await post(origin, callOf('hello'));
    expect([call.status, call.body.result.structuredContent.error.code]).toEqual([200, 'RATE_LIMITED']);
    const batch = await post(origin, [CLAIMED, request('ping')]);
    expect([batch.status, batch.body.error.code]).toEqual([429, 'RATE_LIMITED']);
    expect((await origin.board.get('/api/v1/claims')).body.data.claims).toEqual([]);
    // Writes have a bucket of their own.
    expect((await post(origin, CLAIMED)).body.result.isError).toBeUndefined();
  });

  it('counts a dead key as REST does', async () => {
    await using origin = await open();
    const headers = { 'x-api-key': 'nonsense' };
    const { status, body } = await post(origin, request('ping'), headers);
    expect([status, body.error.code]).toEqual([401, 'INVALID_API_KEY']);
    const call = await post(origin, callOf('hello'), headers);
    expect(call.body.result.structuredContent.error.code).toBe('INVALID_API_KEY');
  });
});

describe('a call that waits', () => {
  /** A board that never answers a request with `wait`, and a call that waits there. */
  async function waiting(options: { draining?: AbortSignal; signal?: AbortSignal }) {
    const stack = new AsyncDisposableStack();
    await using real = await openBoard();
    const page = JSON.stringify((await real.get('/api/v1/changes')).body);
    const board = createServer((asked, answer) => {
      if (!asked.url!.includes('wait')) answer.setHeader('content-type', 'application/json').end(page);
    });
    board.listen(0, '127.0.0.1');
    await once(board, 'listening');
    stack.defer(() => void board.close());
    const upstream = stack.use(new Upstream(`http://127.0.0.1:${(board.address() as AddressInfo).port}`));
    const { draining, signal = null } = options;
    const given = { board: upstream, ...(draining && { draining }) };
    const { app } = stack.use(await openGateway(undefined, undefined, given));
    const asked = once(board, 'request') as Promise<[IncomingMessage]>;
    const body = JSON.stringify(callOf('board_changes', { wait: 30 }));
    const init = { method: 'POST', headers: HEADERS, body, signal };
    const answered = Promise.resolve(app.fetch(new Request(`http://test.example${PATH}`, init)));
    const [{ socket }] = await asked;
    return { answered, socket, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  }

  it('ends with the client that goes away', async () => {
    const left = new AbortController();
    await using call = await waiting({ signal: left.signal });
    left.abort();
    await once(call.socket, 'close');
    await call.answered;
  });

  it('is answered when the service begins to drain', async () => {
    const draining = new AbortController();
    await using call = await waiting({ draining: draining.signal });
    draining.abort();
    const { result } = JSON.parse(await (await call.answered).text());
    expect([result.isError, result.structuredContent.data.events]).toEqual([undefined, []]);
  });
});

describe('a call with a token for its progress', () => {
  const withToken = (message: { params: object }) => ({
    ...message,
    params: { ...message.params, _meta: { ...(message.params as { _meta?: object })._meta, progressToken: 'p' } },
  });

  it('is a stream in the older revisions, charged once, and in a batch one of its answers', async () => {
    await using origin = await openOrigin({ limiter: await openRateLimiter('memory') });
    const remaining = async (): Promise<number> =>
      (await origin.get('/api/v1/usage')).body.data.buckets.find(({ id }: { id: string }) => id === 'read').remaining;
    const before = await remaining();
    const body = JSON.stringify(withToken(callOf('hello')));
    const response = await fetch(`${origin.url}${PATH}`, { method: 'POST', headers: HEADERS, body });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const [only, ...others] = (await response.text()).match(/^data: .*$/gm)!;
    expect(others).toEqual([]);
    expect(JSON.parse(only!.slice(6))).toMatchObject({ id: 1, result: { structuredContent: { data: {} } } });
    expect(before - (await remaining()) - 1).toBe(1);
    const batch = await post(origin, [withToken(callOf('hello')), request('ping', {}, 2)]);
    expect(batch.body.map(({ id }: { id: number }) => id)).toEqual([1, 2]);
  });

  it('is one JSON body in the newer revision where it ends at once', async () => {
    await using origin = await openOrigin();
    const { message, headers } = modern('tools/call', { name: 'hello' });
    const answer = await post(origin, withToken(message), headers);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.body.result.resultType).toBe('complete');
  });
});

it('a tool that fails in a way that nobody foresaw says so without detail, as a result of the call', async () => {
  const app = new H3();
  const invoke = () => Promise.reject(new Error('secret'));
  const admission = { admitAs: async () => {}, turn: async () => {} };
  mountMcp(app, { operations: OPERATIONS, invoke, admission, allowedHosts: null, log: pino({ level: 'silent' }) });
  const body = JSON.stringify(callOf('hello'));
  const response = await app.fetch(new Request(`http://x${PATH}`, { method: 'POST', headers: HEADERS, body }));
  const text = await response.text();
  expect(text).not.toContain('secret');
  expect(JSON.parse(text).result).toMatchObject({
    isError: true,
    structuredContent: { error: { code: 'INTERNAL_ERROR' } },
  });
});
