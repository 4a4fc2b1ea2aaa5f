import { H3 } from 'h3';
import { describe, expect, it } from 'vitest';
import {
  checkAnswer,
  checkedApp,
  leaveUnchecked,
  takeUndocumented,
  UndocumentedAnswer,
} from '../support/runner/openapi-check.ts';

const META = {
  api: 'trial-board',
  version: '1',
  schemaVersion: '1',
  correlationId: 'abcdefgh',
  generatedAt: '2026-11-21T12:00:00.000Z',
};
const GRAPH = { nodes: [], edges: [], absentLayers: [], fidelities: {} };
const error = (code: string) => ({
  error: { code, message: 'm', retryable: false, hint: 'h', correlationId: 'abcdefgh' },
});

/** The fault found in an answer to GET /api/v1/graph, or null. */
async function faultOf(body: unknown, status = 200, type = 'application/json; charset=utf-8'): Promise<string | null> {
  const response = new Response(JSON.stringify(body), { status, headers: { 'content-type': type } });
  try {
    await checkAnswer('GET', 'http://127.0.0.1:1/api/v1/graph?node=trial', response);
    return null;
  } catch (fault) {
    expect(fault).toBeInstanceOf(UndocumentedAnswer);
    takeUndocumented();
    return (fault as UndocumentedAnswer).message;
  }
}

describe('an answer that is held against the document', () => {
  it('passes as it is documented', async () => {
    expect(await faultOf({ data: GRAPH, _meta: META })).toBeNull();
    expect(await faultOf(error('node_not_found'), 404)).toBeNull();
  });

  it('fails for want of a field, with the place where it is missing', async () => {
    const { fidelities: _, ...less } = GRAPH;
    expect(await faultOf({ data: less, _meta: META })).toContain("/data must have required property 'fidelities'");
    expect(await faultOf({ data: GRAPH })).toContain("must have required property '_meta'");
  });

  it('fails with a code that the operation does not declare, and with one under the status of another', async () => {
    expect(await faultOf(error('TRIAL_NOT_FOUND'), 404)).toContain('/error/code must be equal to');
    expect(await faultOf(error('node_not_found'), 400)).toContain('/error/code must be equal to');
  });

  it('is remembered where the exception is swallowed, and is left alone where a test says so', async () => {
    const app = checkedApp(new H3({ silent: true }));
    app.get('/api/v1/graph', () => ({ wrong: true }));
    await Promise.resolve(app.fetch(new Request('http://test.example/api/v1/graph'))).catch(() => {});
    expect(takeUndocumented()).toHaveLength(1);
    {
      using _ = leaveUnchecked();
      await app.fetch(new Request('http://test.example/api/v1/graph'));
    }
    expect(takeUndocumented()).toEqual([]);
  });
});
