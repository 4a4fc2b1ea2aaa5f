import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERRORS } from '../../contract/errors/errors.ts';
import type { Operation } from '../../contract/operation.ts';
import { BOARD_OPERATIONS } from '../../contract/operations.ts';
import { unavailableCode } from '../../gateway/upstream/forward.ts';
import { Upstream } from '../../gateway/upstream/upstream.ts';
import { openRateLimiter } from '../../server-kit/limits/limits.ts';
import { openGateway } from '../support/gateway.ts';
import { openOrigin, rawRequest, type TestOrigin } from '../support/origin.ts';
import { leaveUnchecked } from '../support/runner/openapi-check.ts';

const KEYS = '/api/v1/keys';
const operations: readonly Operation[] = BOARD_OPERATIONS;
const filledPath = ({ path }: Operation): string => path.replaceAll(/\{[A-Za-z]+\}/g, 'none');

describe('the board behind the gateway', () => {
  let origin: TestOrigin;
  beforeAll(async () => {
    origin = await openOrigin({ limiter: await openRateLimiter('memory') });
  });
  afterAll(() => origin[Symbol.asyncDispose]());

  const newKey = async (body: object): Promise<{ id: string; key: string }> =>
    (await origin.send(KEYS, body)).body.data;

  it('counts reads with a live key by the key and at its own rate, which a change moves at once', async () => {
    const { id, key } = await newKey({ label: 'slow', rateLimit: 200 });
    const headers = { 'x-api-key': key };
    const read = await origin.get('/api/v1/errors', headers);
    expect([read.status, read.headers.get('ratelimit-limit'), read.headers.get('ratelimit-remaining')]).toEqual([
      200,
      '200',
      '199',
    ]);
    const usage = (await origin.get('/api/v1/usage', headers)).body.data;
    expect([usage.countedBy, usage.keyId, usage.buckets[0].id, usage.buckets[0].remaining]).toEqual([
      'key',
      id,
      'read-keyed',
      198,
    ]);
    await origin.send(KEYS, { rateLimit: 150 }, headers, 'PATCH');
    expect((await origin.get('/api/v1/errors', headers)).headers.get('ratelimit-limit')).toBe('150');
    await origin.send(KEYS, undefined, headers, 'DELETE');
    expect((await origin.get('/api/v1/errors', headers)).body.error.code).toBe('INVALID_API_KEY');
  });

  it('refuses a key that is not live with INVALID_API_KEY, and with INVALID_KEY where keys are managed', async () => {
    for (const key of ['nonsense', `tbk_${'C'.repeat(43)}`, '']) {
      const read = await origin.get('/api/v1/errors', { 'x-api-key': key });
      expect([read.status, read.body.error.code]).toEqual([401, 'INVALID_API_KEY']);
    }
    expect((await origin.get(KEYS, { 'x-api-key': 'nonsense' })).body.error.code).toBe('INVALID_KEY');
    expect((await origin.get(KEYS)).body.error.code).toBe('AUTH_REQUIRED');
  });

  it('keeps what the gateway alone may ask out of reach', async () => {
    expect((await origin.get(`/internal/keys/${'0'.repeat(64)}`)).body.error.code).toBe('NOT_FOUND');
  });
});

describe('a body', () => {
  let origin: TestOrigin;
  beforeAll(async () => {
    origin = await openOrigin();
  });
  afterAll(() => origin[Symbol.asyncDispose]());

  /** A JSON object of exactly this many bytes. Its é takes two of them. */
  const sized = (bytes: number): Buffer => {
    const body = Buffer.from(`{"x":"é${'a'.repeat(bytes - 10)}"}`);
    expect(body.length).toBe(bytes);
    return body;
  };
  const halves = (body: Buffer): Buffer[] => [body.subarray(0, 50), body.subarray(50)];
  const withBody = operations.filter(({ body, method }) => body !== undefined && method !== 'GET');

  // One operation of each ceiling; test/errors sends a byte too many to every operation.
  const ceilings = new Map(withBody.map((operation) => [operation.bodyMaxBytes ?? 8_000, operation]));
  it.each([...ceilings].map(([max, operation]) => [operation.id, max, operation] as const))(
    'of %s may have %d bytes and not one more, with a length, chunked or compressed',
    async (_id, max, operation) => {
      const address = `${origin.url}${filledPath(operation)}`;
      const send = async (chunks: Buffer[], headers: Record<string, string> = {}): Promise<string> => {
        const json = { 'content-type': 'application/json', ...headers };
        const { status, body } = await rawRequest(address, { method: operation.method, headers: json, chunks });
        return status === 413 ? JSON.parse(body).error.code : 'read';
      };
      for (const [bytes, expected] of [
        [max, 'read'],
        [max + 1, 'BODY_TOO_LARGE'],
      ] as const) {
        const body = sized(bytes);
        expect(await send([body], { 'content-length': String(bytes) })).toBe(expected);
        expect(await send(halves(body), { 'transfer-encoding': 'chunked' })).toBe(expected);
        const zipped = gzipSync(body);
        const headers = { 'content-encoding': 'gzip', 'content-length': String(zipped.length) };
        expect(await send([zipped], headers)).toBe(expected);
      }
    },
  );
});

describe('what is handed on', () => {
  let behind: Server;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  let origin: TestOrigin;
  let checks: Disposable;
  beforeAll(async () => {
    checks = leaveUnchecked();
    behind = createServer((request, response) => answer(request, response));
    behind.listen(0, '127.0.0.1');
    await once(behind, 'listening');
    origin = await openOrigin();
    origin.upstream.url = `http://127.0.0.1:${(behind.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await origin[Symbol.asyncDispose]();
    behind.close();
    checks[Symbol.dispose]();
  });

  it('is the listed headers, the client address and the public host; the rest is dropped both ways', async () => {
    let seen: IncomingMessage['headers'] = {};
    answer = (request, response) => {
      seen = request.headers;
      const ours = {
        'content-type': 'application/json',
        etag: '"e"',
        'retry-after': '7',
        'idempotency-replayed': 'true',
      };
      response.writeHead(200, { ...ours, server: 'inner', 'set-cookie': 'a=b', 'x-internal': 'secret' });
      response.end('{"data":1}');
    };
    const sent = {
      accept: 'application/json',
      'idempotency-key': 'abcdefgh',
      'x-release-token': 'token',
      'last-event-id': '5',
      cookie: 'a=b',
      authorization: 'Bearer x',
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-host': 'evil.example',
      te: 'trailers',
    };
    const { headers, body } = await rawRequest(`${origin.url}${KEYS}`, { headers: sent });
    expect(body).toBe('{"data":1}');
    expect(Object.keys(seen).sort()).toEqual(
      [
        'accept',
        'connection',
        'host',
        'idempotency-key',
        'last-event-id',
        'x-correlation-id',
        'x-forwarded-for',
        'x-release-token',
      ].sort(),
    );
    expect([seen['x-forwarded-for'], seen.host]).toEqual(['127.0.0.1', new URL(origin.url).host]);
    expect(headers).toMatchObject({ etag: '"e"', 'retry-after': '7', 'idempotency-replayed': 'true' });
    for (const name of ['server', 'set-cookie', 'x-internal']) expect(headers[name]).toBeUndefined();
  });

  it('is the path and the query as they were sent, and the compressed bytes', async () => {
    let path = '';
    answer = (request, response) => {
      path = request.url!;
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json' });
      response.end(gzipSync('{"data":"zipped"}'));
    };
    const { body } = await origin.get(`${KEYS}?id=a%2Fb&x=%C3%A9+1`, { 'accept-encoding': 'gzip' });
    expect([path, body.data]).toEqual([`${KEYS}?id=a%2Fb&x=%C3%A9+1`, 'zipped']);
  });

  it('is a stream as it comes, and ends at the other side when the client goes', async () => {
    let closed: Promise<unknown> = Promise.resolve();
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: one\n\n');
      closed = once(response, 'close');
    };
    const sent = request(`${origin.url}${KEYS}`).end();
    const [received] = (await once(sent, 'response')) as [IncomingMessage];
    const [chunk] = (await once(received, 'data')) as [Buffer];
    expect(String(chunk)).toBe('data: one\n\n');
    sent.destroy();
    await closed;
  });

  it('survives a kept connection that the other side closes', async () => {
    answer = (_request, response) => response.end('{}');
    expect((await origin.get(KEYS)).status).toBe(200);
    behind.closeAllConnections();
    expect((await origin.get(KEYS)).status).toBe(200);
  });

  it('breaks off where the other side breaks off, rather than ending as if it were whole', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"data":');
      void delay(20).then(() => response.destroy());
    };
    const sent = request(`${origin.url}${KEYS}`).end();
    const [received] = (await once(sent, 'response')) as [IncomingMessage];
    await expect(text(received)).rejects.toThrow();
  });
});

describe('the export of the feed', () => {
  it('comes through whole, with the head that tells a mirror which line is the last', async () => {
    await using origin = await openOrigin();
    const message = { subjectType: 'objective', subjectId: 'map-one-disease', agentName: 'ada' };
    await origin.send('/api/v1/threads', { ...message, body: 'The first message of a feed that is mirrored.' });
    await origin.send('/api/v1/threads', { ...message, body: 'The second message of a feed that is mirrored.' });
    const response = await fetch(`${origin.url}/api/v1/changes/export`);
    const lines = (await response.text()).trim().split('\n');
    const events = lines.map((line) => JSON.parse(line) as { ts: string; hash: string; prevHash: string });
    expect(events).toHaveLength(2);
    expect(events[1]?.prevHash).toBe(events[0]?.hash);
    expect(response.headers.get('x-changes-head')).toBe(events[1]?.ts);
  });
});

describe('a board that is down', () => {
  it('is for each operation that needs it one 503 with a code of its own and Retry-After, while a search goes on', async () => {
    await using gateway = await openGateway();
    // What the service itself declares needs no board: test/gateway/hung-board.test.ts.
    const needed = operations.filter(({ id }) => id !== 'curriculum' && id !== 'open-questions');
    for (const operation of needed) {
      const init = { method: operation.method, ...(operation.body && { body: '{}' }) };
      const { status, headers, body } = await gateway.get(filledPath(operation), init);
      expect([operation.id, body.error.code]).toEqual([operation.id, unavailableCode(operation)]);
      expect(operation.errors).toContain(body.error.code);
      expect([status, headers.get('retry-after')]).toEqual([ERRORS[unavailableCode(operation)].status, '5']);
    }
    expect((await gateway.get('/api/v1/trials/search?q=diabetes')).status).toBe(200);
  });
});

describe('an index that is down', () => {
  it('stops no write to the board; its own operations are 503', async () => {
    await using origin = await openOrigin({ index: new Upstream('http://127.0.0.1:9') });
    expect((await origin.send(KEYS, { label: 'reader' })).status).toBe(201);
    const search = await origin.get('/api/v1/trials/search?q=diabetes');
    expect([search.status, search.body.error.code]).toEqual([503, 'TRIALS_UNAVAILABLE']);
    const ready = await origin.get('/readyz');
    expect([ready.status, ready.body.detail]).toEqual([503, 'the index server does not answer']);
  });
});
