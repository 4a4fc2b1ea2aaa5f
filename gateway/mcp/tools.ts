import type { Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { argumentsSchema } from '../../contract/arguments.ts';
import { isWrite, type Operation } from '../../contract/operation.ts';
import type { JsonSchema } from '../../contract/parameters.ts';
import { errorSchema, metaSchema } from '../../contract/schemas/envelope.ts';

/** Every operation that has a tool name, as tools; made once, because none of it depends on a request. */
export interface Toolbox {
  readonly tools: Tool[];
  operationOf(name: string): Operation | undefined;
}

/** Where an agent starts; stands first in the list. */
const FIRST = 'list_capabilities';

export function toolboxOf(operations: readonly Operation[]): Toolbox {
  const named = operations.flatMap((operation) =>
    operation.names?.mcp === undefined ? [] : [{ name: operation.names.mcp, operation }],
  );
  const ordered = [...named.filter(({ name }) => name === FIRST), ...named.filter(({ name }) => name !== FIRST)];
  const byName = new Map(ordered.map(({ name, operation }) => [name, operation]));
  const toolNames = new Map(ordered.map(({ name, operation }) => [operation.id, name]));
  return {
    tools: ordered.map(({ name, operation }) => toolOf(name, operation, toolNames)),
    operationOf: (name) => byName.get(name),
  };
}

function toolOf(name: string, operation: Operation, toolNames: ReadonlyMap<string, string>): Tool {
  const reads = !isWrite(operation);
  return {
    name,
    title: operation.summary,
    description: descriptionOf(operation, toolNames),
    ...schemasOf(operation),
    annotations: reads
      ? { title: operation.summary, readOnlyHint: true, openWorldHint: false }
      : {
          title: operation.summary,
          readOnlyHint: false,
          destructiveHint: false,
          // A repeated write is recognised by its idempotencyKey or by the hash of its content.
          idempotentHint: true,
          openWorldHint: false,
        },
  };
}

type ToolSchemas = Pick<Tool, 'inputSchema' | 'outputSchema'>;

/** They take most of what it costs to make a gateway, and say the same in each that a process makes. */
const schemas = new WeakMap<Operation, ToolSchemas>();

function schemasOf(operation: Operation): ToolSchemas {
  const known = schemas.get(operation);
  if (known) return known;
  const made = { inputSchema: argumentsSchema(operation), outputSchema: resultSchema(operation) } as ToolSchemas;
  schemas.set(operation, made);
  return made;
}

/** What it does, when to reach for it, which tools usually follow, and which request is the same. */
function descriptionOf(operation: Operation, toolNames: ReadonlyMap<string, string>): string {
  const { description, whenToUse, next = [], method, path } = operation;
  const following = next.flatMap((id) => toolNames.get(id) ?? []);
  return [
    description,
    ...(whenToUse === undefined ? [] : [`When to use: ${whenToUse}`]),
    ...(following.length === 0 ? [] : [`Usually followed by ${following.join(', ')}.`]),
    `The same as ${method} ${path}.`,
  ].join(' ');
}

// Every tool repeats these two and a model pays for each word, so they hold what a caller acts on and leave the rest open.
const toolMetaSchema = metaSchema
  .pick({ correlationId: true, ignored: true })
  .loose()
  .describe('filters, pagination (nextCursor or nextUrl), provenance, freshness, honesty and the like; read it');
// The code stays plain text: a code that is added to the catalogue must not break a client that holds an older list.
const toolErrorSchema = errorSchema
  .pick({ message: true, retryable: true, hint: true, correlationId: true })
  .extend({ code: z.string().describe('branch on this; error_catalog lists all') })
  .loose();

/**
 * JSON Schema of what a call returns: `{data, _meta}`, or `{error}`. Both stand in it because a client may check the
 * structured content of a failed call against it too.
 */
function resultSchema({ output }: Operation): JsonSchema {
  const answer = z.object({ data: output, _meta: toolMetaSchema, error: toolErrorSchema });
  const schema = z.toJSONSchema(answer, { io: 'output', override: ({ jsonSchema }) => slim(jsonSchema) }) as JsonSchema;
  // Without the name of its dialect, which older clients cannot resolve; 2020-12 is what MCP reads it as.
  const { $schema, required, ...rest } = schema;
  return { ...rest, oneOf: [{ required: ['data', '_meta'] }, { required: ['error'] }] };
}

/**
 * Leaves out what says nothing to a model, which pays for every word, and what would make a client that keeps an older
 * list refuse an answer that has gained a field.
 */
export function slim(schema: JsonSchema): void {
  const { additionalProperties: more } = schema;
  if (more === false || (typeof more === 'object' && Object.keys(more ?? {}).length === 0)) {
    delete schema.additionalProperties;
  }
  delete schema.propertyNames;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  // The pattern of a format that the reader knows anyway.
  if (schema.format !== undefined) delete schema.pattern;
}
