import { describe, expect, it } from 'vitest';
import { ERRORS } from '../../contract/errors/errors.ts';
import { argumentsSchema } from '../../contract/interfaces/arguments.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { openGateway } from '../support/gateway.ts';
import { ofFile } from '../support/of-file.ts';

const PATH = '/api/v1/capabilities';
const gateway = ofFile(() => openGateway());

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

  it('are narrowed by topic to its endpoints, and to the workflows that use one of them', async () => {
    const { topics } = await data(PATH);
    for (const topic of Object.keys(topics)) {
      const { endpoints } = await data(`${PATH}?topic=${topic}`);
      expect(new Set(endpoints.map((entry: { topic: string }) => entry.topic))).toEqual(new Set([topic]));
    }
    const { workflows } = await data(`${PATH}?topic=webhooks`);
    expect(workflows.map(({ id }: { id: string }) => id)).toEqual(['subscribe-webhook']);
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
});
