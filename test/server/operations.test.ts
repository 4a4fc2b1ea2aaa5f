import { beforeAll, describe, expect, it } from 'vitest';
import { ERRORS } from '../../contract/errors/errors.ts';
import { isImpersonalPath } from '../../contract/impersonal-paths.ts';
import type { Operation } from '../../contract/operation.ts';
import { BOARDLESS_OPERATIONS, filled, openGateway, someTrial } from '../support/gateway.ts';
import { ofFile } from '../support/of-file.ts';

const gateway = ofFile(() => openGateway());
let trial: { canonicalId: string; registryId: string };
beforeAll(async () => {
  trial = await someTrial(gateway);
});

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
});
