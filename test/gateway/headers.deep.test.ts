import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ERRORS } from '../../contract/errors/errors.ts';
import { DOORS } from '../../contract/interfaces/doors.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { problemSchema } from '../../contract/schemas/envelope.ts';
import { Upstream } from '../../gateway/upstream/upstream.ts';
import { asksForProblemDocument } from '../../server-kit/problem.ts';
import { type BareAnswer, type BareOrigin, openBareOrigin } from '../support/bare-origin.ts';
import { openGateway } from '../support/gateway.ts';
import { ofFile } from '../support/of-file.ts';
import { until } from '../support/until.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const origin = ofFile(() => openBareOrigin());

/** Every path of the service with the methods that it accepts. */
const PATHS = new Map<string, Set<string>>();
for (const { path, methods } of [...OPERATIONS.map(({ path, method }) => ({ path, methods: [method] })), ...DOORS]) {
  const known = PATHS.get(path) ?? new Set<string>();
  for (const method of methods) known.add(method);
  if (known.has('GET')) known.add('HEAD');
  PATHS.set(path, known);
}
const paths = [...PATHS].map(([path, methods]) => [path.replaceAll(/\{[A-Za-z]+\}/g, 'none'), methods] as const);

const call = (path: string, options: { method?: string; headers?: Record<string, string>; body?: string } = {}) =>
  origin.ask(path, options);

describe('every path', () => {
  it.each(paths)('%s answers OPTIONS with its methods, and any other with 405 and the same', async (path, methods) => {
    const options = await call(path, { method: 'OPTIONS' });
    const allow = (options.headers.allow ?? '').split(', ').sort();
    expect([options.status, allow]).toEqual([204, [...methods, 'OPTIONS'].sort()]);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((name) => !methods.has(name))) {
      const refused = await call(path, { method });
      expect([method, refused.status]).toEqual([method, 405]);
      expect(refused.headers.allow?.split(', ').sort()).toEqual(allow);
      expect(refused.headers['x-correlation-id']).toMatch(UUID);
      expect(refused.text).toContain('his path answers');
    }
  });

  it.each(paths.filter(([, methods]) => methods.has('HEAD')))(
    '%s answers HEAD as GET, without a body',
    async (path) => {
      const head = await call(path, { method: 'HEAD' });
      const { status, headers } = await call(path);
      expect([head.status, head.headers['content-type'], head.text]).toEqual([status, headers['content-type'], '']);
    },
  );
});

describe('every answer', () => {
  const answers: [string, string, { method?: string; body?: string }][] = [
    ['a success', '/api/v1', {}],
    ['one of the index', '/api/v1/trials/search?q=diabetes', {}],
    ['one of the board', '/api/v1/claims', {}],
    ['a refusal', '/api/v1/trials/search?page=0', {}],
    ['a refusal of the board', '/api/v1/claims', { method: 'POST', body: '{}' }],
    ['an unknown path', '/nowhere', {}],
    ['a path that cannot be decoded', '/api/v1/claims/%ff', {}],
    ['another method', '/api/v1/claims', { method: 'PUT' }],
    ['OPTIONS', '/api/v1/claims', { method: 'OPTIONS' }],
    ['HEAD', '/api/v1/claims', { method: 'HEAD' }],
    ['HEAD of a path that cannot be decoded', '/api/v1/claims/%ff', { method: 'HEAD' }],
    ['metrics', '/metrics', {}],
    ['MCP', '/api/v1/mcp', { method: 'POST', body: '{}' }],
  ];

  it.each(answers)('(%s) carries the security headers', async (_what, path, init) => {
    const { headers } = await call(path, init);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
    expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers['strict-transport-security']).toBeUndefined();
  });

  it.each(answers)('(%s) carries the correlation id that was sent, or a new one', async (_what, path, init) => {
    const sent = await call(path, { ...init, headers: { 'x-correlation-id': 'run-7.step_12' } });
    expect(sent.headers['x-correlation-id']).toBe('run-7.step_12');
    for (const unusable of [
      'short',
      'a b c d e f g h',
      'x'.repeat(129),
      '<script>alert(1)</script>',
      'ab\u00e9cdefgh',
    ]) {
      const made = await call(path, { ...init, headers: { 'x-correlation-id': unusable } });
      expect(made.headers['x-correlation-id']).toMatch(UUID);
    }
  });

  it('asks browsers for TLS where the public address has it', async () => {
    await using secure = await openGateway(undefined, undefined, { baseUrl: 'https://trials.example' });
    const { headers } = await secure.get('/api/v1');
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
  });
});

it('a cached answer is 304 where the client holds it, for what the contract says may be kept', async () => {
  for (const { path, example, cache, method } of OPERATIONS) {
    if (cache === undefined || method !== 'GET' || example.includes('{')) continue;
    // A comparison of two versions is answered once it is made.
    await until(async () => (await call(example)).status < 500);
    const first = await call(example);
    const { etag } = first.headers;
    const again = await call(example, { headers: { 'if-none-match': etag ?? '' } });
    expect([path, etag !== undefined, again.status]).toEqual([path, true, 304]);
  }
});

describe('an error', () => {
  const accept = 'application/problem+json';
  const problem = (from: BareOrigin, path: string, headers: Record<string, string> = { accept }): Promise<BareAnswer> =>
    from.ask(path, { headers });

  it('is a problem document where Accept asks for one', async () => {
    const { status, headers, body } = await problem(origin, '/api/v1/trials/search?page=0', {
      accept,
      'x-correlation-id': 'correlation-9',
    });
    expect([status, headers['content-type']]).toEqual([400, accept]);
    expect(body).toEqual({
      type: '/docs/errors/INVALID_PARAM',
      title: ERRORS.INVALID_PARAM.cause,
      status: 400,
      detail: expect.stringMatching(/^The parameter page is not usable/),
      instance: 'urn:x-correlation-id:correlation-9',
      code: 'INVALID_PARAM',
      retryable: false,
      hint: `${ERRORS.INVALID_PARAM.hint} More: /docs/errors/INVALID_PARAM`,
      correlationId: 'correlation-9',
      parameter: 'page',
      expected: expect.any(String),
      issues: [{ path: 'page', message: expect.any(String) }],
    });
    expect(() => z.strictObject(problemSchema.shape).parse(body)).not.toThrow();
    expect((await call(body.type)).text).toContain('<h1>INVALID_PARAM</h1>');
  });

  it.each([
    ['an unknown path', '/nowhere', 404, 'NOT_FOUND'],
    ['the board', '/api/v1/claims/none', 404, 'CLAIM_NOT_FOUND'],
    ['the gateway', '/api/v1/errors?code=none', 404, 'NOT_FOUND'],
  ])('of %s is one too', async (_what, path, status, code) => {
    const { headers, body } = await problem(origin, path);
    expect([headers['content-type'], body.status, body.code]).toEqual([accept, status, code]);
  });

  it('of a board that is down is one too', async () => {
    await using boardless = await openBareOrigin({ upstream: new Upstream(null) });
    const { status, headers, body } = await problem(boardless, '/api/v1/claims');
    expect([status, headers['content-type'], body.code]).toEqual([503, accept, 'CLAIMS_UNAVAILABLE']);
    expect([headers['retry-after'], body.retryAfterSeconds]).toEqual(['5', 5]);
  });

  it('is the envelope otherwise', async () => {
    for (const other of ['application/json', '*/*', 'application/*', 'text/plain']) {
      const { headers, body } = await problem(origin, '/nowhere', { accept: other });
      expect([headers['content-type'], body.error.code]).toEqual(['application/json; charset=utf-8', 'NOT_FOUND']);
    }
  });

  it.each([
    ['application/problem+json', true],
    ['application/json, application/problem+json', true],
    ['application/json, application/problem+json;q=0.5', false],
    ['application/problem+json;q=0', false],
    ['', false],
  ])('is a problem document for Accept: %s? %s', (value, expected) => {
    expect(asksForProblemDocument(value)).toBe(expected);
  });
});
