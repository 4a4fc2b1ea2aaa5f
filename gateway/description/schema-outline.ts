import type { JsonSchema } from '../../contract/parameters.ts';

/** The longest outline of an output schema that a model is shown without asking for more. */
const OUTLINE_MAX_CHARACTERS = 4_000;
const LEVELS_MAX = 12;

export interface Outlined {
  outputSchema: JsonSchema;
  outputOutlined: boolean;
}

/** As many levels of a schema as fit; what lies deeper keeps its type alone. */
export function outlined(schema: JsonSchema): Outlined {
  if (JSON.stringify(schema).length <= OUTLINE_MAX_CHARACTERS) return { outputSchema: schema, outputOutlined: false };
  for (let levels = LEVELS_MAX; levels > 1; levels--) {
    const outline = cut(schema, levels);
    if (JSON.stringify(outline).length <= OUTLINE_MAX_CHARACTERS)
      return { outputSchema: outline, outputOutlined: true };
  }
  return { outputSchema: cut(schema, 1), outputOutlined: true };
}

/** A schema with so many levels of properties, items and alternatives below it. */
function cut(schema: JsonSchema, levels: number): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, value]): [string, unknown][] => {
      if (name === 'properties') {
        const inner = Object.entries(value as Record<string, JsonSchema>);
        return levels === 0
          ? []
          : [[name, Object.fromEntries(inner.map(([key, part]) => [key, cut(part, levels - 1)]))]];
      }
      // An item or an alternative stands at the level of what has it.
      if (name === 'items' || name === 'additionalProperties') {
        return value !== null && typeof value === 'object'
          ? [[name, cut(value as JsonSchema, levels)]]
          : [[name, value]];
      }
      if (name === 'anyOf' || name === 'oneOf' || name === 'allOf') {
        return [[name, (value as JsonSchema[]).map((part) => cut(part, levels))]];
      }
      // What is required of properties that are left out says nothing.
      if (name === 'required' && levels === 0) return [];
      return name === '$defs' ? [] : [[name, value]];
    }),
  );
}
