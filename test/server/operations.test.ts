import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERRORS } from '../../contract/errors/errors.ts';
import { isImpersonalPath } from '../../contract/impersonal-paths.ts';
import type { Operation } from '../../contract/operation.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { expectedOf } from '../../contract/parameters.ts';
import { BOARDLESS_OPERATIONS, filled, openGateway, someTrial, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
let trial: { canonicalId: string; registryId: string };
beforeAll(async () => {
  gateway = await openGateway();
  trial = await someTrial(gateway);
});
afterAll(() => gateway[Symbol.asyncDispose]());

/** Sends the operation's own example: a GET, or a POST with the body that its declaration prints. */
function example({ example: path, exampleBody, method }: Operation, headers: Record<string, string> = {}) {
  const body = method === 'GET' ? {} : { method, body: JSON.stringify(exampleBody) };
  return gateway.get(filled(path, trial.canonicalId), { headers, ...body });
}

describe('every operation', () => {
  it.each(
    BOARDLESS_OPERATIONS.filter((operation) => operation.envelope !== false).map(
      (operation) => [operation.id, operation] as const,
    ),
  )('%s says in _meta what made the answer', async (_id, operation) => {
    const { body } = await example(operation, { 'x-correlation-id': 'test-correlation-1' });
    expect(body._meta).toMatchObject({
      api: 'trial-board',
      version: '1',
      schemaVersion: '1',
      // Impersonal paths repeat nothing of a request, so they do not repeat the correlation id.
      correlationId: isImpersonalPath(operation.path) ? expect.any(String) : 'test-correlation-1',
      generatedAt: '2026-10-02T12:00:00.000Z',
    });
  });

  it('has a name of its own on every door', () => {
    const names = OPERATIONS.flatMap(({ id, names: doors }) => [
      id,
      doors?.mcp && `mcp:${doors.mcp}`,
      doors?.a2a && `a2a:${doors.a2a}`,
      doors?.sdk && `sdk:${doors.sdk}`,
    ]);
    const given = names.filter((name) => name !== undefined);
    expect(given).toEqual([...new Set(given)]);
  });

  it('says what it expects of each parameter', () => {
    for (const { query, params } of OPERATIONS) {
      for (const schema of Object.values({ ...query, ...params })) expect(expectedOf(schema)).toMatch(/^[a-zA-Z]/);
    }
  });
});

describe('a path', () => {
  it('answers other methods with 405 and Allow', async () => {
    const { status, headers, body } = await gateway.get('/api/v1/trials/search', { method: 'POST' });
    expect(status).toBe(405);
    expect(headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect(body.error.code).toBe('METHOD_NOT_ALLOWED');
  });

  it('that does not exist is NOT_FOUND and is not echoed', async () => {
    const { status, body } = await gateway.get('/api/v1/nowhere/<script>alert(1)</script>');
    expect(status).toBe(404);
    expect(body.error.code).toBe('NOT_FOUND');
    expect(JSON.stringify(body)).not.toContain('script');
  });
});

describe('a failure', () => {
  it('carries code, message, retryable, hint and the correlation id, which the header repeats', async () => {
    const { body, headers } = await gateway.get('/api/v1/trials/search?pageSize=0');
    expect(body).toEqual({
      error: {
        code: 'INVALID_PARAM',
        message: 'The parameter pageSize is not usable: expected a whole number from 1 to 100.',
        retryable: false,
        hint: `${ERRORS.INVALID_PARAM.hint} More: /docs/errors/INVALID_PARAM`,
        correlationId: headers.get('x-correlation-id'),
        parameter: 'pageSize',
        expected: 'a whole number from 1 to 100',
        issues: [{ path: 'pageSize', message: 'expected a whole number from 1 to 100' }],
      },
    });
  });

  it('lists every unusable parameter at once', async () => {
    const { body } = await gateway.get('/api/v1/trials/search?page=x&pageSize=101&status=asleep');
    expect(body.error.issues.map(({ path }: { path: string }) => path)).toEqual(['status', 'page', 'pageSize']);
  });
});
