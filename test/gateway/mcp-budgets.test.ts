import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../contract/operations.ts';
import { TOOLSET_IDS } from '../../contract/toolsets.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';

/** What a model pays before it has done anything, in tokens of four characters of compact JSON. */

let origin: TestOrigin;
beforeAll(async () => {
  origin = await openOrigin();
});
afterAll(() => origin[Symbol.asyncDispose]());

const HEADERS = { accept: 'application/json, text/event-stream' };

async function result(method: string, params: object = {}, path = '/api/v1/mcp') {
  const { body } = await origin.send(path, { jsonrpc: '2.0', id: 1, method, params }, HEADERS);
  expect(body.error).toBeUndefined();
  return body.result;
}

const tokens = (value: unknown): number => Math.ceil(JSON.stringify(value).length / 4);

async function answerTokens(name: string, given: object = {}): Promise<number> {
  const { structuredContent, isError } = await result('tools/call', { name, arguments: given });
  expect(isError).toBeUndefined();
  return tokens(structuredContent);
}

describe('a list of tools', () => {
  it('has at most 12,000 tokens where nobody chose another', async () => {
    const { tools } = await result('tools/list');
    expect(tools.length).toBeLessThanOrEqual(36);
    expect(tokens(tools)).toBeLessThanOrEqual(12_000);
  });

  it.each(TOOLSET_IDS.filter((id) => id !== 'all'))(
    'of %s has at most 15,000, and fewer where it only reads',
    async (id) => {
      const [{ tools }, readonly] = await Promise.all([
        result('tools/list', {}, `/api/v1/mcp/x/${id}`),
        result('tools/list', {}, `/api/v1/mcp/x/${id}/readonly`),
      ]);
      expect(tokens(tools)).toBeLessThanOrEqual(15_000);
      expect(tokens(readonly.tools)).toBeLessThanOrEqual(tokens(tools));
    },
  );

  it('of all is a third of what it was with output schemas', async () => {
    const { tools } = await result('tools/list', {}, '/api/v1/mcp/x/all');
    expect(tokens(tools)).toBeLessThanOrEqual(46_000);
  });
});

describe('the first answers', () => {
  it('are short: instructions 250 tokens, list_capabilities 4,000, hello 1,500', async () => {
    const { instructions } = await result('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    });
    expect(tokens(instructions)).toBeLessThanOrEqual(250);
    expect(await answerTokens('list_capabilities')).toBeLessThanOrEqual(4_000);
    expect(await answerTokens('hello')).toBeLessThanOrEqual(1_500);
  });

  it('of find_tools have at most 1,500, whatever is looked for', async () => {
    const wishes = OPERATIONS.map(({ summary }) => summary);
    const sizes: number[] = [];
    for (const query of wishes) sizes.push(await answerTokens('find_tools', { query }));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1_500);
  });

  it('of list_capabilities have at most 4,000 for one topic too', async () => {
    const { structuredContent } = await result('tools/call', { name: 'list_capabilities', arguments: {} });
    for (const topic of Object.keys(structuredContent.data.topics)) {
      expect([topic, (await answerTokens('list_capabilities', { topic })) <= 4_000]).toEqual([topic, true]);
    }
  });

  it('of describe_tool have at most 8,000, with the input schema whole and the output schema as deep as it fits', async () => {
    const over: [string, number][] = [];
    for (const { id } of OPERATIONS) {
      const size = await answerTokens('describe_tool', { tool: id });
      if (size > 8_000) over.push([id, size]);
    }
    expect(over).toEqual([]);
    const { structuredContent } = await result('tools/call', {
      name: 'describe_tool',
      arguments: { tool: 'get_world_trial' },
    });
    expect(structuredContent.data.outputOutlined).toBe(true);
    expect(Object.keys(structuredContent.data.outputSchema.properties)).toContain('registrations');
    const whole = (await origin.get('/api/v1/capabilities/get_world_trial')).body.data;
    expect(whole.outputOutlined).toBe(false);
    expect(structuredContent.data.inputSchema).toEqual(whole.inputSchema);
  });
});
