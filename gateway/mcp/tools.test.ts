import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { defineOperation, isWrite } from '../../contract/operation.ts';
import { createClaim } from '../../contract/operations/claims.ts';
import { listErrors } from '../../contract/operations/orientation.ts';
import { getTrial } from '../../contract/operations/trials.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import type { JsonSchema } from '../../contract/parameters.ts';
import { instructionsFor, toolboxOf } from './tools.ts';

const { tools, operationOf } = toolboxOf(OPERATIONS);
const toolOf = (name: string) => tools.find((tool) => tool.name === name)!;

describe('the tools', () => {
  it('are the operations that have a tool name, in the order of the contract', () => {
    const names = OPERATIONS.flatMap(({ names }) => (names?.mcp ? [names.mcp] : []));
    const expected = names.includes('list_capabilities')
      ? ['list_capabilities', ...names.filter((name) => name !== 'list_capabilities')]
      : names;
    expect(tools.map(({ name }) => name)).toEqual(expected);
    expect(new Set(names).size).toBe(names.length);
  });

  it('begin with list_capabilities, wherever it stands in the contract', () => {
    const capabilities = defineOperation({ ...listErrors, id: 'x', names: { mcp: 'list_capabilities' } });
    const { tools } = toolboxOf([createClaim, getTrial, capabilities]);
    expect(tools.map(({ name }) => name)).toEqual(['list_capabilities', 'claim_work', 'get_world_trial']);
  });

  it('lead back to their operation, and other names to none', () => {
    expect(operationOf('claim_work')).toBe(createClaim);
    expect(operationOf('__proto__')).toBeUndefined();
    expect(operationOf('claims-create')).toBeUndefined();
  });

  it('say what they do, when to reach for them, what follows and which request is the same', () => {
    const claim = defineOperation({
      ...createClaim,
      description: 'Announces a slice.',
      whenToUse: 'Before work begins.',
      next: ['trials-detail', 'no-tool'],
    });
    const [tool] = toolboxOf([claim, { ...getTrial, id: 'trials-detail' }]).tools;
    expect(tool).toMatchObject({
      title: 'Announce a slice of work',
      description:
        'Announces a slice. When to use: Before work begins. Usually followed by get_world_trial. The same as POST /api/v1/claims.',
    });
    for (const { title, description } of tools) expect([title, description]).not.toContain('');
  });

  it('that read are marked as reads of a closed world', () => {
    expect(toolOf('get_world_trial').annotations).toEqual({
      title: getTrial.summary,
      readOnlyHint: true,
      openWorldHint: false,
    });
  });

  it('that write are marked as repeatable and never destructive', () => {
    for (const name of ['claim_work', 'post_message', 'submit_finding', 'review_finding', 'link_findings']) {
      expect(toolOf(name).annotations).toEqual({
        title: operationOf(name)!.summary,
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
    }
  });
});

describe('the arguments of a tool', () => {
  it('are one flat object of path, query, body and headers', () => {
    expect(toolOf('claim_work').inputSchema).toMatchObject({
      type: 'object',
      properties: {
        objectiveId: { description: expect.stringContaining('objective') },
        scope: { type: 'string' },
        intent: { type: 'string' },
        agentName: { type: 'string' },
        idempotencyKey: { type: 'string', minLength: 8, maxLength: 200 },
      },
      required: ['scope', 'intent', 'agentName'],
    });
    expect(toolOf('get_world_trial').inputSchema).toMatchObject({ required: ['canonicalId'] });
    expect(toolOf('search_world_trials').inputSchema.properties).toMatchObject({
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      phase: { type: 'array' },
    });
  });

  it('take an idempotencyKey wherever a write does', () => {
    const keyed = tools.filter(({ inputSchema }) => 'idempotencyKey' in (inputSchema.properties ?? {}));
    const writes = tools.filter(({ name }) => isWrite(operationOf(name)!));
    expect(keyed.map(({ name }) => name)).toEqual(writes.map(({ name }) => name));
    expect(writes.map(({ name }) => name)).toContain('claim_work');
  });
});

describe('the schemas of every tool', () => {
  const ajv = addFormats.default(new Ajv2020({ strict: false }));

  it.each(tools.map((tool) => [tool.name, tool] as const))('of %s compile by themselves', (_, tool) => {
    ajv.compile(tool.inputSchema as JsonSchema);
    ajv.compile(tool.outputSchema as JsonSchema);
    // An older client knows only another JSON Schema dialect and would refuse a schema that names this one.
    expect(JSON.stringify(tool)).not.toContain('$schema');
  });

  it('take an envelope or an error, and nothing between', () => {
    const takes = ajv.compile(toolOf('get_lineage').outputSchema as JsonSchema);
    const error = { code: 'A_NEW_CODE', message: 'm', retryable: false, hint: 'h', correlationId: 'c' };
    expect(takes({ error })).toBe(true);
    expect(takes({ error: { ...error, hint: undefined } })).toBe(false);
    expect(takes({ data: {} })).toBe(false);
    expect(takes({})).toBe(false);
  });
});

describe('the instructions', () => {
  it('name tools that exist', () => {
    const named = [...instructionsFor(tools).matchAll(/`([a-z_]+)`/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => operationOf(name!) === undefined)).toEqual([]);
  });

  it('send an agent to list_capabilities first where it exists', () => {
    const given = [{ name: 'list_capabilities' }, { name: 'hello' }];
    expect(instructionsFor(given)).toContain('Start with `list_capabilities`, then `hello`;');
    expect(instructionsFor([{ name: 'hello' }])).toContain('Start with `hello`;');
  });
});
