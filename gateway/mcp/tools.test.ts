import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { exampleArguments } from '../../contract/examples.ts';
import { argumentsSchema, httpInput, listedArguments, refuseUnknown } from '../../contract/interfaces/arguments.ts';
import { TOOLSET_IDS, TOOLSETS, toolsetsOf } from '../../contract/interfaces/toolsets.ts';
import { defineOperation, isWrite, type Operation } from '../../contract/operation.ts';
import { createClaim } from '../../contract/operations/board/claims.ts';
import { runBetaCell } from '../../contract/operations/research/twin-beta-cell.ts';
import { getTrial } from '../../contract/operations/trials/trials.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import type { JsonSchema } from '../../contract/parameters.ts';
import { Problem } from '../../server-kit/problem.ts';
import { namesOf } from '../description/tool-names.ts';
import { toolboxOf } from './toolbox.ts';
import { instructionsFor } from './tools.ts';

const all = toolboxOf(OPERATIONS, { toolset: 'all' });
const toolOf = (name: string) => all.tools.find((tool) => tool.name === name)!;
const namesIn = (tools: readonly { name: string }[]): string[] => tools.map(({ name }) => name);

describe('the sets of tools', () => {
  it('are of operations that exist and have a tool name', () => {
    const named = new Set(OPERATIONS.flatMap(({ id, names }) => (names?.mcp === undefined ? [] : [id])));
    expect(TOOLSETS.flatMap(({ operations }) => operations.filter((id) => !named.has(id)))).toEqual([]);
  });

  it('have every tool in a small set, and all of them in all', () => {
    const tools = OPERATIONS.filter(({ names }) => names?.mcp !== undefined);
    for (const { id } of tools) {
      expect([id, toolsetsOf(id).at(-1)]).toEqual([id, 'all']);
      expect([id, toolsetsOf(id).length > 1]).toEqual([id, true]);
    }
    expect(all.tools).toHaveLength(tools.length + 1);
  });

  it('have the tools of the interface in the default one, which begins with list_capabilities', () => {
    const names = namesIn(toolboxOf(OPERATIONS).tools);
    expect(names.slice(0, 4)).toEqual(['list_capabilities', 'find_tools', 'describe_tool', 'call_operation']);
    const ofTheInterface = [
      ...['get_mind_signal', 'get_hope_signal', 'get_trends_signal', 'get_batch_signals', 'search_world_trials'],
      ...['get_world_trial', 'get_trial_related_research', 'get_trial_coverage', 'get_trial_landscape'],
      ...['find_trial_registrations', 'get_trial_stats', 'get_registry_sources', 'list_capabilities'],
      ...['next_results_gap_trial', 'submit_results_gap', 'beta_cell_guide', 'run_beta_cell'],
    ];
    expect(ofTheInterface.filter((name) => !names.includes(name))).toEqual([]);
    expect(names.length).toBeLessThanOrEqual(36);
  });

  it.each(TOOLSET_IDS)('%s lists each tool once, and how to find and call the others', (toolset) => {
    const names = namesIn(toolboxOf(OPERATIONS, { toolset }).tools);
    expect(names).toEqual([...new Set(names)]);
    expect(names).toEqual(expect.arrayContaining(['find_tools', 'describe_tool', 'call_operation']));
  });
});

describe('a name', () => {
  it('calls its operation in every set: the tool name, the id, and the name at any door', () => {
    const signals = toolboxOf(OPERATIONS, { toolset: 'signals' });
    for (const name of ['claim_work', 'claims-create', 'createClaim'])
      expect(signals.operationOf(name)).toBe(createClaim);
    expect(signals.operationOf('__proto__')).toBeUndefined();
  });

  it('belongs to one operation alone', () => {
    const owners = new Map<string, string>();
    for (const operation of OPERATIONS) {
      for (const name of namesOf(operation)) {
        expect([name, owners.get(name) ?? operation.id]).toEqual([name, operation.id]);
        owners.set(name, operation.id);
      }
    }
  });

  it('may be an older one', () => {
    const renamed = defineOperation({
      ...getTrial,
      id: 'x',
      names: { mcp: 'trials_get', aliases: ['get_world_trial'] },
    });
    expect(toolboxOf([renamed]).operationOf('get_world_trial')).toBe(renamed);
  });

  it('that is unknown is answered with those that are near', () => {
    expect(all.unknown('claim_wrok')).toMatch(
      /^No tool and no operation has this name\. The nearest names are claim_work/,
    );
  });
});

describe('an address that only reads', () => {
  const readonly = toolboxOf(OPERATIONS, { toolset: 'all', readonly: true });

  it('lists every tool that does not write, and no other', () => {
    const reads = OPERATIONS.filter((operation) => operation.names?.mcp !== undefined && !isWrite(operation));
    expect(namesIn(readonly.tools).sort()).toEqual([...reads.map(({ names }) => names!.mcp!), 'call_operation'].sort());
    expect(readonly.tools.every(({ annotations }) => annotations!.readOnlyHint)).toBe(true);
  });

  it('carries out no write, by no name and not through call_operation', () => {
    for (const operation of OPERATIONS.filter(isWrite)) {
      for (const name of namesOf(operation)) {
        expect([name, readonly.targetOf(name, {})]).toEqual([name, undefined]);
        expect(readonly.targetOf('call_operation', { id: name })).toMatchObject({ refused: { code: 'NOT_FOUND' } });
      }
    }
    expect(readonly.unknown('claim_work')).toBe(
      'claim_work is not offered here: it writes, and this address only reads.',
    );
  });
});

describe('tools that a client excludes', () => {
  const fewer = toolboxOf(OPERATIONS, { excluded: ['hello', 'trials-search'] });

  it('are neither listed nor called, by none of their names', () => {
    const whole = namesIn(toolboxOf(OPERATIONS).tools);
    const left = whole.filter((name) => !['hello', 'search_world_trials'].includes(name));
    expect(namesIn(fewer.tools)).toEqual(left);
    for (const name of ['hello', 'search_world_trials', 'trials-search', 'searchTrials']) {
      expect(fewer.targetOf(name, {})).toBeUndefined();
      expect(fewer.targetOf('call_operation', { id: name })).toHaveProperty('refused');
    }
    expect(fewer.operationOf('claim_work')).toBe(createClaim);
  });

  it('leave no argument undescribed: another tool then describes it', () => {
    const coverage = fewer.tools.find(({ name }) => name === 'get_trial_coverage')!;
    expect(JSON.stringify(coverage.inputSchema)).toContain('Every word must occur');
    expect(JSON.stringify(coverage.inputSchema)).not.toContain('search_world_trials');
  });

  it('may be call_operation itself', () => {
    const without = toolboxOf(OPERATIONS, { excluded: ['call_operation'] });
    expect(namesIn(without.tools)).not.toContain('call_operation');
    expect(without.targetOf('call_operation', { id: 'hello' })).toBeUndefined();
  });

  it('that do not exist are refused with those that are near', () => {
    const refused = () => toolboxOf(OPERATIONS, { excluded: ['helo'] });
    expect(refused).toThrow(Problem);
    expect(refused).toThrow(/nearest to the one that is unknown: hello/);
  });
});

describe('call_operation', () => {
  const calls = (given: Record<string, unknown>) => all.targetOf('call_operation', given);

  it('leads to the operation that id names, with its arguments', () => {
    const target = { operation: createClaim, given: { scope: 'x' } };
    for (const id of ['claims-create', 'claim_work']) expect(calls({ id, arguments: { scope: 'x' } })).toEqual(target);
    expect(calls({ id: 'hello' })).toMatchObject({ operation: { id: 'hello' }, given: {} });
  });

  it('reaches every operation by its id', () => {
    expect(OPERATIONS.filter(({ id }) => !('operation' in calls({ id })!))).toEqual([]);
  });

  it.each([
    [{}, 'INVALID_PARAM', 'id'],
    [{ id: 7 }, 'INVALID_PARAM', 'id'],
    [{ id: 'hello', arguments: 'text' }, 'INVALID_PARAM', 'arguments'],
    [{ id: 'hello', arguments: [] }, 'INVALID_PARAM', 'arguments'],
    [{ id: 'claims-create', scope: 'x' }, 'INVALID_PARAM', 'scope'],
  ])('refuses %j as %s of %s', (given, code, parameter) => {
    expect(calls(given)).toMatchObject({ refused: { code, details: { parameter } } });
  });

  it('says of a text that it does not parse, where it is no JSON', () => {
    const expectedOf = (given: string) => {
      const target = calls({ id: 'trials-search', arguments: given });
      return target !== undefined && 'refused' in target ? target.refused.details.expected : undefined;
    };
    for (const broken of ['{"limit":1', 'limit=1']) expect(expectedOf(broken)).toContain('does not parse as JSON');
    expect(expectedOf('[1]')).toMatch(/one flat object: send a JSON object, not its text$/);
  });
});

describe('a tool', () => {
  it('is shown by the words that its operation has for a list, else by summary and description', () => {
    const tool = { title: 'Look up a trial', description: 'Everything about one trial.' };
    expect(toolboxOf([{ ...getTrial, tool }], { toolset: 'trials' }).tools).toContainEqual(
      expect.objectContaining(tool),
    );
    const { tool: _, ...plain } = getTrial;
    expect(toolboxOf([plain], { toolset: 'trials' }).tools).toContainEqual(
      expect.objectContaining({ title: getTrial.summary, description: getTrial.description }),
    );
  });

  it('that reads is marked as a read, of a closed world unless it asks others', () => {
    expect(toolOf('get_world_trial').annotations).toEqual({ readOnlyHint: true, openWorldHint: false });
    expect(toolOf('get_trial_related_research').annotations).toEqual({ readOnlyHint: true, openWorldHint: true });
  });
});

describe('the arguments of a tool', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });

  it.each(all.tools.map((tool) => [tool.name, tool] as const))(
    'of %s are its operation’s own, and compile',
    (name, tool) => {
      ajv.compile(tool.inputSchema as JsonSchema);
      const operation = all.operationOf(name);
      if (operation === undefined) return;
      const expected = listedArguments(operation);
      expect(Object.keys(tool.inputSchema.properties!)).toEqual(expected.map((argument) => argument.name));
      const required = expected.flatMap((argument) => (argument.required ? [argument.name] : []));
      expect(tool.inputSchema.required ?? []).toEqual(required);
    },
  );

  it('take the example of every tool', () => {
    for (const { name, inputSchema } of all.tools) {
      const operation = all.operationOf(name);
      if (operation === undefined) continue;
      const takes = ajv.compile(inputSchema as JsonSchema);
      expect([name, takes(exampleArguments(operation)), takes.errors]).toEqual([name, true, null]);
    }
  });

  it('name the topics, and no path and no header of REST', () => {
    expect(toolOf('search_world_trials').inputSchema.properties).toMatchObject({
      topic: { enum: expect.arrayContaining(['type-1-diabetes']) },
    });
    for (const tool of all.tools) {
      expect([tool.name, JSON.stringify(tool).match(/\/api\/v1[^"]*|the header [A-Z][^"]*/g)]).toEqual([
        tool.name,
        null,
      ]);
    }
  });

  it('of call_operation have examples that fit each other', () => {
    const { id, arguments: inner } = toolOf('call_operation').inputSchema.properties as Record<string, JsonSchema>;
    const [name, given] = [(id!.examples as string[])[0]!, (inner!.examples as Record<string, unknown>[])[0]!];
    const operation = all.operationOf(name)!;
    expect(Object.keys(given).length).toBeGreaterThan(0);
    expect(() => refuseUnknown(operation, given)).not.toThrow();
    expect(httpInput(operation, given).path).toBe('/api/v1/trials/facets?q=diabetes&facet=phase');
  });

  it('list no values but texts: a provider of models refuses a whole request for a list of numbers', () => {
    const values = (part: unknown): unknown[] => {
      if (part === null || typeof part !== 'object') return [];
      const { enum: own = [], const: only = 'a text' } = part as { enum?: unknown; const?: unknown };
      return [...(Array.isArray(own) ? own : []), only, ...Object.values(part).flatMap(values)];
    };
    for (const operation of OPERATIONS) {
      const others = values(argumentsSchema(operation)).filter((value) => typeof value !== 'string');
      expect([operation.id, others]).toEqual([operation.id, []]);
    }
    expect(argumentsSchema(runBetaCell).properties).toMatchObject({
      durationWeeks: { type: 'integer', description: expect.stringContaining('52, 78 or 104') },
    });
  });

  it('are described once in a list; a tool that repeats them says where', () => {
    const { tools } = toolboxOf(OPERATIONS);
    const coverage = tools.find(({ name }) => name === 'get_trial_coverage')!.inputSchema;
    expect(coverage.description).toMatch(/^What has no description is as in search_world_trials\. /);
    expect(coverage.properties).toMatchObject({ q: { type: 'string' }, phase: { type: 'array' } });
    expect(coverage.properties!.q).not.toHaveProperty('description');
  });

  it('have an example where nothing else shows what a value looks like, and no lengths, patterns and forms of null', () => {
    const body = z.object({
      scope: z
        .string()
        .min(3)
        .max(80)
        .meta({ description: 'A slice.', examples: ['phase 3'] }),
      kind: z.enum(['note', 'answer']).meta({ examples: ['note'] }),
      tags: z
        .array(z.string().regex(/^a/))
        .nullable()
        .meta({ examples: [['a']] }),
    });
    const own = { ...createClaim, id: 'claims-create', body, errors: [] };
    const [tool] = toolboxOf([own]).tools.filter(({ name }) => name === 'claim_work');
    expect(tool!.inputSchema.properties).toEqual({
      scope: { type: 'string', description: 'A slice.', examples: ['phase 3'] },
      kind: { type: 'string', enum: ['note', 'answer'] },
      tags: { type: 'array', items: { type: 'string' }, examples: [['a']] },
    });
  });

  it('that are seldom used are named and not described, and are taken all the same', () => {
    const coverage = all.tools.find(({ name }) => name === 'get_trial_coverage')!.inputSchema;
    expect(coverage.description).toMatch(/ More arguments, see describe_tool: .*\bsponsorClass\b.*\.$/);
    expect(coverage.properties).not.toHaveProperty('sponsorClass');
    const { operation, given } = all.targetOf('get_trial_coverage', { sponsorClass: ['nih'] }) as {
      operation: Operation;
      given: Record<string, unknown>;
    };
    expect(httpInput(operation, given).path).toBe('/api/v1/trials/coverage?sponsorClass=nih');
  });

  it('take an idempotencyKey wherever a write does', () => {
    const keyed = all.tools.filter(({ inputSchema }) => 'idempotencyKey' in (inputSchema.properties ?? {}));
    const writes = all.tools.filter(({ annotations }) => annotations!.readOnlyHint === false);
    expect(namesIn(keyed)).toEqual(namesIn(writes).filter((name) => name !== 'call_operation'));
    expect(namesIn(writes)).toContain('claim_work');
  });
});

describe('the instructions', () => {
  it('name tools that the list has, first of all where to start', () => {
    for (const toolset of TOOLSET_IDS) {
      const { tools, instructions } = toolboxOf(OPERATIONS, { toolset });
      const named = [...instructions.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, name]) => name!);
      expect(named).toContain('find_tools');
      expect(named.filter((name) => !namesIn(tools).includes(name))).toEqual([]);
      expect(instructions).toContain('Start with `list_capabilities`');
    }
  });

  it('say the rule of honesty once, and that an address only reads', () => {
    expect(instructionsFor(all.tools).match(/Honesty/g)).toHaveLength(1);
    expect(instructionsFor(all.tools, true)).toContain('This address only reads.');
    expect(instructionsFor(all.tools, true)).not.toContain('idempotencyKey');
  });
});
