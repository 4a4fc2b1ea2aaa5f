import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../contract/operations.ts';
import { answerBudget, CLASS_BUDGETS, LIST_BUDGETS, OWN_BUDGETS } from '../support/answer-budgets.ts';
import { everyAnswer, NOT_MEASURED } from '../support/every-answer.ts';
import { callTool, MCP_HEADERS, MCP_PATH } from '../support/mcp.ts';
import { ofFile } from '../support/of-file.ts';
import { openOrigin } from '../support/origin.ts';

/** What a model pays before it has done anything, in tokens of four characters of compact JSON. */

const origin = ofFile(() => openOrigin());

async function result(method: string, params: object = {}) {
  const { body } = await origin.send(MCP_PATH, { jsonrpc: '2.0', id: 1, method, params }, MCP_HEADERS);
  expect(body.error).toBeUndefined();
  return body.result;
}

const tokens = (value: unknown): number => Math.ceil(JSON.stringify(value).length / 4);

async function answerTokens(name: string, given: object = {}): Promise<number> {
  const { structuredContent, isError } = await callTool(origin, name, given);
  expect(isError).toBeUndefined();
  return tokens(structuredContent);
}

it('a list of tools has at most 12,000 tokens', async () => {
  const { tools } = await result('tools/list');
  expect(tools.length).toBeLessThanOrEqual(36);
  expect(tokens(tools)).toBeLessThanOrEqual(LIST_BUDGETS.defaultSet);
});

describe('the first answers', () => {
  it('begin with short instructions', async () => {
    const { instructions } = await result('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    });
    expect(tokens(instructions)).toBeLessThanOrEqual(LIST_BUDGETS.instructions);
  });

  it('of list_capabilities by words have at most 1,500, whatever is looked for', async () => {
    const sizes: number[] = [];
    for (const { summary } of OPERATIONS) sizes.push(await answerTokens('list_capabilities', { query: summary }));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1_500);
  });

  it('of describe_tool have at most 8,000, with the input schema whole and the output schema as deep as it fits', async () => {
    const over: [string, number][] = [];
    for (const { id } of OPERATIONS) {
      const size = await answerTokens('describe_tool', { tool: id });
      if (size > LIST_BUDGETS.described) over.push([id, size]);
    }
    expect(over).toEqual([]);
    const { structuredContent } = await callTool(origin, 'describe_tool', { tool: 'get_world_trial' });
    expect(structuredContent.data.outputOutlined).toBe(true);
    expect(Object.keys(structuredContent.data.outputSchema.properties)).toContain('registrations');
    const whole = (await origin.get('/api/v1/capabilities/get_world_trial')).body.data;
    expect(whole.outputOutlined).toBe(false);
    expect(structuredContent.data.inputSchema).toEqual(whole.inputSchema);
  });
});

describe('the table of budgets', () => {
  it('is what the interface asks for', () => {
    const lists = { defaultSet: 12_000, instructions: 250, descriptionCharacters: 250 };
    expect(LIST_BUDGETS).toEqual({ ...lists, described: 8_000 });
    expect(CLASS_BUDGETS).toEqual({ write: 240, read: 2_500 });
  });

  it('holds for an ordinary answer of every operation, and no exception is needless', async () => {
    const answers = await everyAnswer((name, given, { address, apiKey }) => {
      const key = apiKey === undefined ? {} : { 'x-api-key': apiKey };
      return callTool(origin, name, given, { 'x-forwarded-for': address, ...key });
    });
    expect(answers.filter(({ tokens: size, budget }) => size > budget)).toEqual([]);
    const answered = new Set(answers.map(({ id }) => id));
    const missing = OPERATIONS.filter((one) => answerBudget(one) !== null && !answered.has(one.id)).map(({ id }) => id);
    expect(missing.toSorted()).toEqual(Object.keys(NOT_MEASURED).toSorted());
    // A class that is enough needs no exception.
    const needless = answers.filter(({ id, tokens: size, budget }) => {
      return id in OWN_BUDGETS && budget > CLASS_BUDGETS.read && size <= CLASS_BUDGETS.read && id !== 'capabilities';
    });
    expect(needless).toEqual([]);
  });

  it('stands in docs/views.md, row by row', async () => {
    const docs = await readFile('docs/views.md', 'utf8');
    const rows = Object.entries(OWN_BUDGETS).map(
      ([id, { tokens: most, why }]) => `| \`${id}\` | ${most.toLocaleString('en')} | ${why} |`,
    );
    expect(rows.filter((row) => !docs.includes(row))).toEqual([]);
  });
});
