import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ERRORS, type ErrorCode } from '../../contract/errors/errors.ts';
import { Upstream } from '../../gateway/upstream/upstream.ts';
import { type BareOrigin, openBareOrigin } from '../support/bare-origin.ts';
import { ofFile } from '../support/of-file.ts';
import {
  answersIn,
  exchange,
  type FakeServer,
  fakeServer,
  type RawAnswer,
  rawConnection,
} from '../support/raw-socket.ts';

/**
 * Bytes that clients should not send. The board must see only whole operations of the contract: the gateway refuses a
 * request that the two servers would read differently before it forwards it.
 */

let board: FakeServer;
let origin: BareOrigin;
beforeAll(async () => {
  board = await fakeServer();
  origin = await openBareOrigin({ upstream: new Upstream(board.url) });
});
afterAll(async () => {
  await origin[Symbol.asyncDispose]();
  await board[Symbol.asyncDispose]();
});
beforeEach(() => {
  board.seen = [];
});

const HOST = 'Host: board.example\r\n';
const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

function expectRefusal(answer: RawAnswer | undefined, status: number, code: ErrorCode): void {
  expect(answer).toBeDefined();
  const { error } = JSON.parse(answer!.body) as { error: Record<string, unknown> };
  expect([answer!.status, error.code, error.retryable]).toEqual([status, code, ERRORS[code].retryable]);
  expect(error.hint).toBe(`${ERRORS[code].hint} More: /docs/errors/${code}`);
  expect(error.correlationId).toMatch(UUID);
  expect(answer!.headers.get('x-correlation-id')).toBe(error.correlationId);
  expect(answer!.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer!.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer!.headers.get('connection')).toBe('close');
}

describe('JSON that is nested more deeply than any reader needs', () => {
  const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const MCP = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
  const post = (path: string, body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    origin.ask(path, { method: 'POST', headers, body });

  it.each([[65], [1_000], [3_000]])('is refused by name in a body of %d levels', async (levels) => {
    const { status, body } = await post('/api/v1/twin/beta-cell', `{"x":${deep(levels)}}`);
    expect([status, body.error.code, body.error.message]).toEqual([
      400,
      'INVALID_BODY',
      'The body is nested deeper than 64 levels; send a flatter one.',
    ]);
  });

  it.each([
    ['arguments', 3_000, (nested: string) => `{"name":"claim_work","arguments":{"scope":${nested}}}`, 'tools/call'],
    [
      'what call_operation is given',
      3_000,
      (nested: string) =>
        `{"name":"call_operation","arguments":{"id":"claims-create","arguments":{"scope":${nested}}}}`,
      'tools/call',
    ],
    [
      'initialize',
      9_000,
      (nested: string) =>
        `{"protocolVersion":"2025-11-25","capabilities":{"x":${nested}},"clientInfo":{"name":"a","version":"1"}}`,
      'initialize',
    ],
  ] as const)('is refused by name over MCP in %s of %d levels', async (_what, levels, params, method) => {
    const sent = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params(deep(levels))}}`;
    const { status, body } = await post('/api/v1/mcp', sent, MCP);
    expect([status, body.error]).toEqual([
      400,
      { code: -32600, message: 'The message is nested deeper than 64 levels; send a flatter one.' },
    ]);
  });

  it('is read up to that depth', async () => {
    const { body } = await post('/api/v1/twin/beta-cell', `{"x":${deep(63)}}`);
    expect(body.error.code).toBe('run_rejected');
    const sent = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hello","arguments":{"x":${deep(60)}}}}`;
    expect((await post('/api/v1/mcp', sent, MCP)).body.result.isError).toBe(true);
  });
});

describe('a request whose length can be read in two ways', () => {
  const inner = 'GET /internal/status HTTP/1.1\r\nHost: board\r\n\r\n';
  const post = (headers: string, body: string): string =>
    `POST /api/v1/claims HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n${headers}\r\n${body}`;
  const chunked = `0\r\n\r\n${inner}`;

  it.each([
    ['CL.TE', post(`Content-Length: ${chunked.length}\r\nTransfer-Encoding: chunked\r\n`, chunked)],
    ['TE.CL', post(`Transfer-Encoding: chunked\r\nContent-Length: 4\r\n`, `2c\r\n${inner}\r\n0\r\n\r\n`)],
    ['two lengths', post(`Content-Length: 2\r\nContent-Length: ${2 + inner.length}\r\n`, `{}${inner}`)],
    ['two lengths in one line', post(`Content-Length: 2, ${2 + inner.length}\r\n`, `{}${inner}`)],
    ['a signed length', post('Content-Length: +2\r\n', `{}${inner}`)],
    ['a length in hexadecimal', post('Content-Length: 0x2\r\n', `{}${inner}`)],
    ['a negative length', post('Content-Length: -2\r\n', `{}${inner}`)],
    ['a length that overflows', post('Content-Length: 18446744073709551618\r\n', `{}${inner}`)],
    ['an unknown coding', post('Transfer-Encoding: xchunked\r\n', chunked)],
    ['chunked before another coding', post('Transfer-Encoding: chunked, identity\r\n', chunked)],
    ['a coding that hides behind a tab', post('Transfer-Encoding:\tchunked\r\nContent-Length: 5\r\n', chunked)],
    ['a coding whose name ends in a space', post('Transfer-Encoding : chunked\r\n', chunked)],
    ['a coding in a folded line', post('Transfer-Encoding:\r\n chunked\r\nContent-Length: 5\r\n', chunked)],
    ['two codings, one of them void', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n', chunked)],
    ['a chunk size that is no number', post('Transfer-Encoding: chunked\r\n', `zz\r\n{}\r\n${chunked}`)],
    ['a chunk longer than its size', post('Transfer-Encoding: chunked\r\n', `2\r\n{}{}\r\n${chunked}`)],
    ['lines that end in LF alone', `POST /api/v1/claims HTTP/1.1\nHost: a\nContent-Length: 2\n\n{}${inner}`],
    ['a header line that ends in CR alone', post('X-A: b\rTransfer-Encoding: chunked\r\n', chunked)],
    ['a folded line', `GET /api/v1/claims HTTP/1.1\r\n${HOST}X-A: b\r\n c\r\n\r\n${inner}`],
    ['a name with a space in it', `GET /api/v1/claims HTTP/1.1\r\n${HOST}X A: b\r\n\r\n${inner}`],
    ['a null byte in a header', `GET /api/v1/claims HTTP/1.1\r\n${HOST}X-A: b\0c\r\n\r\n${inner}`],
    ['a null byte in the target', `GET /api/v1/claims\0 HTTP/1.1\r\n${HOST}\r\n${inner}`],
    ['another version', `GET /api/v1/claims HTTP/3.9\r\n${HOST}\r\n${inner}`],
    ['no HTTP at all', 'hello\r\n\r\n'],
  ])('(%s) is refused, and nothing of it reaches the board', async (_what, bytes) => {
    const [answer, ...more] = answersIn(await exchange(origin.url, bytes));
    expect(more).toEqual([]);
    expectRefusal(answer, answer!.status, answer!.status === 405 ? 'METHOD_NOT_ALLOWED' : 'INVALID_PARAM');
    expect([400, 405]).toContain(answer!.status);
    expect(board.seen).toEqual([]);
  });

  it('(a body on a GET) is one request and no more: the board gets no body of it', async () => {
    const body = 'GET /internal/status HTTP/1.1\r\nHost: a\r\n\r\n';
    const bytes = `GET /api/v1/claims HTTP/1.1\r\n${HOST}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    expect(answersIn(await exchange(origin.url, bytes)).map(({ status }) => status)).toEqual([200]);
    expect(board.seen).toMatchObject([{ method: 'GET', path: '/api/v1/claims' }]);
    expect(board.seen[0]!.headers['content-length']).toBeUndefined();
  });

  it('(chunk extensions and trailers) loses both: the board gets the body under one length', async () => {
    const bytes = `POST /api/v1/claims HTTP/1.1\r\n${HOST}Connection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nTrailer: X-Api-Key\r\n\r\n2;a=b;c\r\n{}\r\n0\r\nX-Api-Key: smuggled\r\n\r\n`;
    expect(answersIn(await exchange(origin.url, bytes)).map(({ status }) => status)).toEqual([200]);
    expect(board.seen).toHaveLength(1);
    expect(board.seen[0]!.headers).toMatchObject({ 'content-length': '2' });
    expect(board.seen[0]!.headers).not.toHaveProperty('transfer-encoding');
    expect(board.seen[0]!.headers).not.toHaveProperty('x-api-key');
  });
});

describe('what only the gateway may ask of the board', () => {
  it.each([
    ...['/internal/status', '//internal/status', '/./internal/status', '/api/../internal/status'],
    ...['/api/v1/../../internal/status', '/api/v1/claims/../../../internal/status'],
    ...['/api/v1/claims/%2e%2e/%2e%2e/%2e%2e/internal/status', '/api/v1/claims/..%2f..%2f..%2finternal%2fstatus'],
    '/api/v1/claims/%2e%2e%2f%2e%2e%2f%2e%2e%2finternal%2fstatus',
    ...['/api/v1/claims/..%5c..%5c..%5cinternal%5cstatus', '/api/v1/claims/..\\..\\..\\internal\\status'],
    '/api/v1/claims/%252e%252e%252f%252e%252e%252finternal%252fstatus',
    ...['/api/v1/claims/x;/../../../../internal/status', '/%69nternal/status', '/internal%2fstatus'],
    ...['/INTERNAL/status', '/api/v1/claims/x%0d%0aGET%20/internal/status'],
    ...['/api/v1/claims?x=%0d%0a%0d%0aGET%20/internal/status', '/api/v1/claims#/../../internal/status'],
    ...['http://board/internal/status', 'http://127.0.0.1/internal/keys/0'],
    'https://board.example/../internal/status',
  ])('is not reached by %s', async (target) => {
    await exchange(origin.url, `GET ${target} HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`);
    for (const { path } of board.seen) {
      const [pathname = ''] = path.split('?');
      expect(pathname).toMatch(/^\/api\/v1\/claims(\/[^/]+)?$/);
      expect(new URL(path, board.url).pathname).toBe(pathname);
    }
  });

  it.each(['internal/status', 'board:80', 'ftp://board/internal/status', 'http://user@board/api/v1', '*'])(
    'is not reached by the target %s, which is refused',
    async (target) => {
      const answer = answersIn(await exchange(origin.url, `GET ${target} HTTP/1.1\r\n${HOST}\r\n`))[0];
      expectRefusal(answer, 400, 'INVALID_PARAM');
      expect(board.seen).toEqual([]);
    },
  );
});

describe('headers that claim what is not so', () => {
  const headersSeen = async (lines: string): Promise<Record<string, unknown>> => {
    await exchange(origin.url, `GET /api/v1/claims HTTP/1.1\r\n${HOST}Connection: close\r\n${lines}\r\n`);
    expect(board.seen).toHaveLength(1);
    return board.seen[0]!.headers;
  };

  it('do not make the board believe another client address', async () => {
    const lines = [
      'X-Forwarded-For: 203.0.113.9',
      'X-Real-IP: 203.0.113.9',
      'Forwarded: for=203.0.113.9',
      'X-Forwarded-For: ::1',
    ];
    const seen = await headersSeen(`${lines.join('\r\n')}\r\n`);
    expect(seen['x-forwarded-for']).toBe('127.0.0.1');
    expect(Object.keys(seen)).not.toEqual(expect.arrayContaining(['x-real-ip']));
    expect(seen.forwarded).toBeUndefined();
  });

  it('do not make the board believe another host or protocol', async () => {
    const seen = await headersSeen(
      'X-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: https\r\nX-Original-URL: /internal/status\r\n',
    );
    expect(seen.host).toBe('board.example');
    for (const name of ['x-forwarded-host', 'x-forwarded-proto', 'x-original-url']) expect(seen[name]).toBeUndefined();
  });

  it('cannot take a header away by calling it a matter of the connection', async () => {
    const key = 'x-release-token';
    const lines = `Connection: ${key}, x-forwarded-for, x-correlation-id\r\n${key}: token\r\nX-Correlation-Id: correlation-3\r\n`;
    const seen = await headersSeen(lines);
    expect(seen).toMatchObject({ [key]: 'token', 'x-forwarded-for': '127.0.0.1', 'x-correlation-id': 'correlation-3' });
    expect(String(seen.connection)).not.toContain(key);
  });

  it('do not hand on hop-by-hop headers or a request to change the protocol', async () => {
    const seen = await headersSeen(
      'Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nTE: trailers\r\nKeep-Alive: timeout=5\r\nProxy-Authorization: Basic eA==\r\n',
    );
    for (const name of ['upgrade', 'http2-settings', 'te', 'proxy-authorization']) expect(seen[name]).toBeUndefined();
  });

  it('hand on a correlation id only in the form that a log can hold', async () => {
    const seen = await headersSeen('X-Correlation-Id: abcdefgh\xe9\r\n');
    expect(seen['x-correlation-id']).toMatch(UUID);
  });

  it.each([
    ['no Host', ''],
    ['two Hosts', 'Host: a.example\r\nHost: b.example\r\n'],
    ['a Host with a path', 'Host: a.example/internal\r\n'],
    ['a Host with a user', 'Host: user@a.example\r\n'],
    ['an empty Host', 'Host:\r\n'],
  ])('(%s) are refused', async (_what, host) => {
    const [answer] = answersIn(await exchange(origin.url, `GET /api/v1/claims HTTP/1.1\r\n${host}\r\n`));
    expectRefusal(answer, 400, 'INVALID_PARAM');
    expect(board.seen).toEqual([]);
  });
});

describe('a request that is too large', () => {
  it.each([
    ['headers', `GET /api/v1 HTTP/1.1\r\n${HOST}X-A: ${'a'.repeat(17_000)}\r\n\r\n`],
    [
      'many headers',
      `GET /api/v1 HTTP/1.1\r\n${HOST}${Array.from({ length: 3000 }, (_, n) => `X-${n}: a`).join('\r\n')}\r\n\r\n`,
    ],
    ['an address', `GET /api/v1?q=${'a'.repeat(17_000)} HTTP/1.1\r\n${HOST}\r\n`],
    ['headers without an end', `GET /api/v1 HTTP/1.1\r\n${HOST}X-A: ${'a'.repeat(200_000)}`],
  ])('(%s) is 431 in our form', async (_what, bytes) => {
    const answers = answersIn(await exchange(origin.url, bytes));
    expect(answers).toHaveLength(1);
    expectRefusal(answers[0], 431, 'INVALID_PARAM');
  });

  it('(chunk extensions) is 413 in our form', async () => {
    const bytes = `POST /api/v1/claims HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`;
    const answer = answersIn(await exchange(origin.url, bytes))[0];
    expectRefusal(answer, 413, 'BODY_TOO_LARGE');
    expect(board.seen).toEqual([]);
  });

  it('(a body that is announced as endless) is refused before it is sent', async () => {
    const bytes = `POST /api/v1/claims HTTP/1.1\r\n${HOST}Connection: close\r\nContent-Length: 99999999999\r\n\r\n`;
    const [answer] = answersIn(await exchange(origin.url, bytes));
    expect([answer!.status, JSON.parse(answer!.body).error.code]).toEqual([413, 'BODY_TOO_LARGE']);
    expect(board.seen).toEqual([]);
  });
});

describe('a target in absolute form', () => {
  const named = ofFile(() => openBareOrigin({ upstream: new Upstream(board.url), allowedHosts: ['board.example'] }));
  const ask = async (target: string, host: string, version = '1.1') => {
    const bytes = `GET ${target} HTTP/${version}\r\n${host}Connection: close\r\n\r\n`;
    return answersIn(await exchange(named.url, bytes))[0]!;
  };

  it.each([
    ['http://evil.example/llms.txt', HOST],
    ['HTTPS://evil.example:443/llms.txt', HOST],
    ['http://evil.example/.well-known/agent-card.json', HOST],
    ['http://evil.example?x=1', HOST],
    ['/llms.txt', 'Host: evil.example\r\n'],
  ])('with a foreign name is refused as a foreign Host is: %s', async (target, host) => {
    const answer = await ask(target, host);
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([403, 'FORBIDDEN']);
    expect(answer.body).not.toContain('evil');
  });

  it('replaces Host, which is not looked at beside it (RFC 9112, 3.2.2)', async () => {
    for (const version of ['1.0', '1.1']) {
      const answer = await ask('http://board.example:8080/llms.txt', 'Host: evil.example\r\n', version);
      expect([answer.status, answer.body.includes('Base address: http://board.example:8080')]).toEqual([200, true]);
    }
    const bare = await ask('http://board.example/healthz', '', '1.0');
    expect([bare.status, bare.body]).toEqual([200, '{"status":"ok"}']);
  });

  it.each([
    'http://board.example,evil/api/v1',
    'http://[::1/api/v1',
    'http://a:b@board.example/api/v1',
    'http:///api/v1',
  ])('whose authority is no host is 400: %s', async (target) => {
    expectRefusal(await ask(target, HOST), 400, 'INVALID_PARAM');
  });
});

describe('a method', () => {
  it.each(['TRACE', 'PROPFIND', 'PURGE', 'SEARCH'])('%s is answered with 405 and not carried out', async (method) => {
    const bytes = `${method} /api/v1/claims HTTP/1.1\r\n${HOST}Connection: close\r\nCookie: secret\r\n\r\n`;
    const [answer] = answersIn(await exchange(origin.url, bytes));
    expect([answer!.status, JSON.parse(answer!.body).error.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(answer!.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
    expect(answer!.body).not.toContain('secret');
    expect(board.seen).toEqual([]);
  });

  it.each([
    ['CONNECT', `CONNECT 127.0.0.1:22 HTTP/1.1\r\n${HOST}\r\n`],
    ['one that does not exist', `FROBNICATE /api/v1 HTTP/1.1\r\n${HOST}\r\n`],
    ['one in lower case', `get /api/v1 HTTP/1.1\r\n${HOST}\r\n`],
  ])('(%s) is 405 with the methods that there are', async (_what, bytes) => {
    const answer = answersIn(await exchange(origin.url, bytes))[0];
    expectRefusal(answer, 405, 'METHOD_NOT_ALLOWED');
    expect(answer!.headers.get('allow')).toBe('GET, HEAD, POST, PATCH, DELETE, OPTIONS');
  });
});

describe('unusual HTTP that is well-formed', () => {
  it('is answered: HTTP/1.0, with and without Host', async () => {
    for (const host of ['', HOST]) {
      const [answer] = answersIn(await exchange(origin.url, `GET /healthz HTTP/1.0\r\n${host}\r\n`));
      expect([answer!.status, answer!.body]).toEqual([200, '{"status":"ok"}']);
    }
  });

  it('is answered: Expect: 100-continue, before the body; and 417 for any other expectation', async () => {
    const connection = await rawConnection(origin.url);
    connection.write(
      `POST /api/v1/claims HTTP/1.1\r\n${HOST}Connection: close\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n`,
    );
    await connection.until(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
    connection.write('{}');
    expect(await connection.closed()).toMatch(/\r\nHTTP\/1\.1 200 /);
    const bytes = `POST /api/v1/claims HTTP/1.1\r\n${HOST}Expect: 200-maybe\r\nContent-Length: 2\r\n\r\n{}`;
    expectRefusal(answersIn(await exchange(origin.url, bytes))[0], 417, 'INVALID_PARAM');
  });

  it('is answered as plain HTTP: a request to change to a web socket', async () => {
    const bytes = `GET /healthz HTTP/1.1\r\n${HOST}Connection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n\r\n`;
    expect(answersIn(await exchange(origin.url, bytes))[0]!.status).toBe(200);
  });

  it('is answered in order: pipelined requests, the one after a refused one not at all', async () => {
    const one = `GET /healthz HTTP/1.1\r\n${HOST}\r\n`;
    const other = `GET /nowhere HTTP/1.1\r\n${HOST}\r\n`;
    const last = `GET /healthz HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`;
    const answers = answersIn(await exchange(origin.url, one + other + last + one));
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 200]);
  });

  it('is answered: a client that closes its side once it has asked', async () => {
    const connection = await rawConnection(origin.url);
    connection.socket.end(`GET /healthz HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`);
    expect(answersIn(await connection.closed())[0]!.status).toBe(200);
  });

  it.each([
    ['invalid UTF-8 in the path', '/api/v1/claims/%ff%fe', 400],
    ['invalid UTF-8 in the query', '/api/v1/trials/search?q=%ff', 400],
    ['a raw byte over 127 in the path', '/api/v1/claims/\xff', 400],
    ['a null byte in a parameter', '/api/v1/trials/search?q=%00', 400],
  ])('(%s) gets an answer that is JSON', async (_what, target, status) => {
    const bytes = Buffer.from(`GET ${target} HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`, 'latin1');
    const [answer] = answersIn(await exchange(origin.url, bytes));
    expect(answer!.status).toBe(status);
    expect(() => JSON.parse(answer!.body)).not.toThrow();
    for (const { path } of board.seen) expect(path).toMatch(/^[\x21-\x7e]+$/);
  });
});
