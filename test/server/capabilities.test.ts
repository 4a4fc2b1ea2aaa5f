import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERRORS } from '../../contract/errors/errors.ts';
import { argumentsSchema } from '../../contract/interfaces/arguments.ts';
import { nearestNames } from '../../contract/nearest-names.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { openGateway, type TestGateway } from '../support/gateway.ts';

const PATH = '/api/v1/capabilities';
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openGateway();
});
afterAll(() => gateway[Symbol.asyncDispose]());

const data = async (path: string) => (await gateway.get(path)).body.data;

describe('the capabilities', () => {
  it('list every operation with its names at each door', async () => {
    const { endpoints } = await data(PATH);
    expect(endpoints.map((entry: Record<string, string>) => [entry.id, entry.tool, entry.skill, entry.sdk])).toEqual(
      OPERATIONS.map(({ id, names }) => [id, names?.mcp, names?.a2a, names?.sdk]),
    );
    expect(endpoints.find(({ id }: { id: string }) => id === 'trials-coverage')).toEqual({
      id: 'trials-coverage',
      catalogueId: 'trials-coverage',
      topic: 'trials',
      method: 'GET',
      path: '/api/v1/trials/coverage',
      purpose: 'Count distinct trials',
      whenToUse: 'Whenever a number of trials is to be quoted: it is the only quotable total.',
      next: ['trials-landscape', 'sources'],
      tool: 'get_trial_coverage',
      skill: 'world_trial_coverage',
      sdk: 'getTrialCoverage',
    });
  });

  it('are short enough to be read whole', async () => {
    const response = await gateway.app.fetch(new Request(`http://test.example${PATH}`));
    expect((await response.arrayBuffer()).byteLength).toBeLessThan(64_000);
  });

  it('lead to every door and description, all of which answer', async () => {
    const { urls } = await data(PATH);
    expect(Object.keys(urls).sort()).toEqual(
      ['a2a', 'agentCard', 'contract', 'docs', 'errors', 'llms', 'mcp', 'openapi', 'protocol', 'sdk'].sort(),
    );
    for (const url of Object.values<string>(urls)) {
      const { status } = await gateway.app.fetch(new Request(url));
      // The MCP door accepts only POST.
      expect([url, status]).toEqual([url, url.endsWith('/mcp') ? 405 : 200]);
    }
  });

  it('are narrowed by topic to its endpoints, and to the workflows that use one of them', async () => {
    const { topics } = await data(PATH);
    for (const topic of Object.keys(topics)) {
      const { endpoints } = await data(`${PATH}?topic=${topic}`);
      expect(new Set(endpoints.map((entry: { topic: string }) => entry.topic))).toEqual(new Set([topic]));
    }
    const { workflows } = await data(`${PATH}?topic=webhooks`);
    expect(workflows.map(({ id }: { id: string }) => id)).toEqual(['subscribe-webhook']);
  });

  it('name the topics to who asks for another', async () => {
    const { status, body } = await gateway.get(`${PATH}?topic=cooking`);
    expect([status, body.error.code, body.error.parameter]).toEqual([400, 'INVALID_PARAM', 'topic']);
    expect(body.error.expected).toMatch(/^one of orientation, .*trials/);
  });

  it('are kept by a cache, and confirmed without a body', async () => {
    const { headers } = await gateway.get(PATH);
    const again = await gateway.get(PATH, { headers: { 'if-none-match': headers.get('etag')! } });
    expect([again.status, again.body]).toEqual([304, null]);
  });
});

describe('one tool', () => {
  it('is found by every name that any door gives it', async () => {
    for (const { id, names } of OPERATIONS) {
      for (const name of [id, ...Object.values(names ?? {})]) {
        expect([name, (await data(`${PATH}/${name}`)).id]).toEqual([name, id]);
      }
    }
  });

  it('is described whole: arguments, errors, rate, and the same call through every door', async () => {
    const tool = await data(`${PATH}/claim_work`);
    const claims = OPERATIONS.find(({ id }) => id === 'claims-create')!;
    expect(tool.inputSchema).toEqual(argumentsSchema(claims));
    expect(tool.errors.map(({ code }: { code: string }) => code)).toEqual(claims.errors);
    expect(tool.errors.find(({ code }: { code: string }) => code === 'claim_rejected')).toEqual({
      code: 'claim_rejected',
      status: 422,
      retryable: false,
      cause: ERRORS.claim_rejected.cause,
      hint: ERRORS.claim_rejected.hint,
    });
    expect(tool.rate).toEqual({
      bucket: 'claim-write',
      perMinute: 15,
      countedBy: 'address',
      alsoCounts: ['over A2A in a2a-write too'],
    });
    expect([tool.writes, tool.bodyMaxBytes, tool.envelope]).toEqual([true, 8000, true]);
    const body = claims.exampleBody;
    expect(tool.example.mcp).toEqual({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'claim_work', arguments: body },
    });
    expect(tool.example.a2a.params.message.parts).toEqual([{ kind: 'data', data: { skill: 'claim_work', ...body } }]);
    expect(tool.example.sdk).toBe(`await client.createClaim(${JSON.stringify(body)})`);
    expect(tool.example.curl).toContain("curl -X POST 'http://test.example/api/v1/claims'");
  });

  it('says where each argument goes over REST', async () => {
    const link = await data(`${PATH}/link_findings`);
    expect(link.arguments.slice(0, 2)).toEqual([
      { name: 'fromId', in: 'path', as: 'id' },
      { name: 'toId', in: 'body', as: 'toId' },
    ]);
    expect(link.arguments.at(-1)).toEqual({ name: 'idempotencyKey', in: 'header', as: 'idempotency-key' });
  });

  it('has schemas that hold: its example by the one, its answer by the other', async () => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    for (const name of ['get_trial_coverage', 'search_world_trials', 'get_registry_sources', 'board_errors']) {
      const tool = await data(`${PATH}/${name}`);
      expect(ajv.validate(tool.inputSchema, tool.example.mcp.params.arguments)).toBe(true);
      const answer = await gateway.get(tool.example.curl.match(/'http:\/\/test\.example([^']+)'/)![1]);
      expect([name, ajv.validate(tool.outputSchema, answer.body.data), ajv.errors]).toEqual([name, true, null]);
    }
  });

  it('that is not there is NOT_FOUND with the names that are nearest to it, and is not echoed', async () => {
    const { status, body } = await gateway.get(`${PATH}/search_trial`);
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
    expect(body.error.message).toMatch(/^No operation has this name\. The nearest names are .*searchTrials/);
    expect(body.error.message).not.toContain('search_trial,');
    for (const name of ['%3Cscript%3E', 'a'.repeat(61), '%00', '%2E%2E%2F', '__proto__', 'a%2Fb']) {
      const refused = await gateway.get(`${PATH}/${name}`);
      expect([400, 404], name).toContain(refused.status);
    }
    expect((await gateway.get(`${PATH}/constructor`)).body.error.code).toBe('NOT_FOUND');
  });
});

it('the nearest names are those with the fewest edits, however they are spelled', () => {
  const names = ['board_list_claims', 'claim_work', 'getTrial', 'searchTrials', 'post_message', 'hello'];
  expect(nearestNames('ListClaim', names)[0]).toBe('board_list_claims');
  expect(nearestNames('helo', names)[0]).toBe('hello');
  expect(nearestNames('get-trials', names).slice(0, 2)).toEqual(['getTrial', 'searchTrials']);
  expect(nearestNames('x', names)).toHaveLength(5);
});
