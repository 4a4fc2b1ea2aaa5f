import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { exampleArguments } from '../../contract/examples.ts';
import { argumentsSchema, httpInput, listedArguments } from '../../contract/interfaces/arguments.ts';
import type { Operation } from '../../contract/operation.ts';
import { createClaim } from '../../contract/operations/board/claims.ts';
import { runBetaCell } from '../../contract/operations/research/twin-beta-cell.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import type { JsonSchema } from '../../contract/parameters.ts';
import { namesOf } from '../description/tool-names.ts';
import { Toolbox, toolboxOf } from './toolbox.ts';

const all = new Toolbox(
  OPERATIONS,
  OPERATIONS.map(({ id }) => id),
);
const toolOf = (name: string) => all.tools.find((tool) => tool.name === name)!;
const namesIn = (tools: readonly { name: string }[]): string[] => tools.map(({ name }) => name);

describe('the list of tools', () => {
  const names = namesIn(toolboxOf(OPERATIONS).tools);

  it('has the tools of the interface, begins with list_capabilities, and says how to call the others', () => {
    expect(names.slice(0, 3)).toEqual(['list_capabilities', 'describe_tool', 'call_operation']);
    const ofTheInterface = [
      ...['get_mind_signal', 'get_hope_signal', 'get_trends_signal', 'get_batch_signals', 'search_world_trials'],
      ...['get_world_trial', 'get_trial_related_research', 'get_trial_coverage', 'get_trial_landscape'],
      ...['find_trial_registrations', 'get_trial_stats', 'get_registry_sources', 'list_capabilities'],
      ...['next_results_gap_trial', 'submit_results_gap', 'beta_cell_guide', 'run_beta_cell'],
    ];
    expect(ofTheInterface.filter((name) => !names.includes(name))).toEqual([]);
    expect(names.length).toBeLessThanOrEqual(36);
  });
});

describe('a name', () => {
  it('calls its operation, listed or not: the tool name, the id, and the name at any interface', () => {
    const toolbox = toolboxOf(OPERATIONS);
    for (const name of ['claim_work', 'claims-create', 'createClaim'])
      expect(toolbox.operationOf(name)).toBe(createClaim);
    expect(toolbox.operationOf('council_propose')?.id).toBe('council-propose');
    expect(toolbox.operationOf('__proto__')).toBeUndefined();
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

  it('that is unknown is answered with those that are near', () => {
    expect(all.unknown('claim_wrok')).toMatch(
      /^No tool and no operation has this name\. The nearest names are claim_work/,
    );
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

it('the instructions name tools that the list has, first of all where to start, and the rule of honesty once', () => {
  const { tools, instructions } = toolboxOf(OPERATIONS);
  const named = [...instructions.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, name]) => name!);
  expect(named).toContain('call_operation');
  expect(named.filter((name) => !namesIn(tools).includes(name))).toEqual([]);
  expect(instructions).toContain('Start with `list_capabilities`');
  expect(instructions.match(/Honesty/g)).toHaveLength(1);
});
