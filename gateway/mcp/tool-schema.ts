import { argumentsOf } from '../../contract/arguments.ts';
import type { Operation } from '../../contract/operation.ts';
import type { JsonSchema } from '../../contract/parameters.ts';

/** Input schemas as a list of tools shows them: a model pays for each word, and `describe_tool` has them whole. */

/** Bounds above this one tell a model nothing: no sensible value reaches them. */
const TELLING_BOUND = 1_000;
/** An argument that is longer than this as JSON is worth describing once instead of in each tool. */
const WORTH_SHARING_CHARACTERS = 60;
/** Values that stay with an argument which is described elsewhere. */
const KEPT_VALUES_CHARACTERS = 70;

/** Where an argument of a list is described: its whole text, and the tool that has it. */
export type Described = Map<string, string>;

/**
 * The arguments of a tool, short. One that an earlier tool of the list describes in the same words keeps its type alone,
 * and the schema says which tool that is; `described` remembers them over a list.
 */
export function listedSchema(
  tool: string,
  operation: Operation,
  described: Described,
): JsonSchema & { type: 'object' } {
  const earlier = new Set<string>();
  const required: string[] = [];
  const properties = argumentsOf(operation).map(({ name, schema, required: needed }) => {
    if (needed) required.push(name);
    const short = shortened(schema) as JsonSchema;
    const key = JSON.stringify([name, short]);
    const where = described.get(key);
    if (where === undefined || where === tool) {
      if (key.length > WORTH_SHARING_CHARACTERS) described.set(key, tool);
      return [name, short];
    }
    earlier.add(where);
    return [name, bare(short)];
  });
  return {
    type: 'object',
    ...(earlier.size > 0 && { description: `What has no description is as in ${[...earlier].join(', ')}.` }),
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
}

/** The type of an argument, and its values where they are few. */
function bare({ type, format, enum: values, items }: JsonSchema): JsonSchema {
  const few = (list: unknown): boolean => list !== undefined && JSON.stringify(list).length <= KEPT_VALUES_CHARACTERS;
  const { type: itemType, enum: itemValues } = (items ?? {}) as JsonSchema;
  return {
    ...(type !== undefined && { type }),
    ...(format !== undefined && { format }),
    ...(few(values) && { enum: values }),
    ...(items !== undefined && { items: { type: itemType ?? 'object', ...(few(itemValues) && { enum: itemValues }) } }),
  };
}

/** Lengths and patterns, which a refusal states anyway, and every form of null, which counts as left out. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['$schema', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern', 'propertyNames'],
  ...['additionalProperties', 'exclusiveMinimum', 'exclusiveMaximum'],
]);

function shortened(value: unknown, isNamed = false): unknown {
  if (Array.isArray(value)) return value.map((item) => shortened(item));
  if (value === null || typeof value !== 'object') return value;
  const schema = value as JsonSchema;
  const kept = Object.entries(schema).filter(([name, inner]) => isNamed || isTelling(name, inner, schema));
  return withoutNull(
    Object.fromEntries(kept.map(([name, inner]) => [name, shortened(inner, !isNamed && name === 'properties')])),
  );
}

function isTelling(name: string, value: unknown, { maximum, additionalProperties }: JsonSchema): boolean {
  if (name === 'additionalProperties') return typeof value === 'object' && Object.keys(value ?? {}).length > 0;
  if (name === 'minimum') return typeof maximum === 'number' && maximum <= TELLING_BOUND;
  if (name === 'maximum') return typeof value === 'number' && value <= TELLING_BOUND;
  if (name === 'propertyNames') return additionalProperties === undefined;
  return !LEFT_OUT.has(name);
}

function withoutNull(schema: JsonSchema): JsonSchema {
  const { type, anyOf, ...rest } = schema;
  if (Array.isArray(type)) {
    const types = type.filter((one) => one !== 'null');
    return { type: types.length === 1 ? types[0] : types, ...(anyOf !== undefined && { anyOf }), ...rest };
  }
  if (!Array.isArray(anyOf)) return schema;
  const forms = anyOf.filter((form: JsonSchema) => form.type !== 'null');
  return forms.length === 1
    ? { ...(forms[0] as JsonSchema), ...rest, ...(type !== undefined && { type }) }
    : { ...schema, anyOf: forms };
}
