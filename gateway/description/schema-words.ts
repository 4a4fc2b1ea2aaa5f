import { z } from 'zod';
import type { JsonSchema } from '../../contract/parameters.ts';

/** JSON Schema in words, for people. */

const LISTED_VALUES_MAX = 12;

export interface FieldWords {
  name: string;
  type: string;
  meaning: string;
}

/** `text, 3 characters or more`, `list of whole number`, `one of a, b`. */
export function typeText(schema: JsonSchema): string {
  const alternatives = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (alternatives) return [...new Set(alternatives.map(typeText))].join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const values = schema.enum as unknown[] | undefined;
  if (values)
    return values.length > LISTED_VALUES_MAX ? `one of ${values.length} values` : `one of ${values.join(', ')}`;
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeText({ ...schema, type })).join(' or ');
  if (schema.type === 'array') return `list of ${typeText((schema.items as JsonSchema | undefined) ?? {})}`;
  return `${TYPE_WORDS[String(schema.type)] ?? 'any value'}${boundsText(schema)}`;
}

const TYPE_WORDS: Record<string, string> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  null: 'null',
};

function boundsText({ type, format, minimum, maximum, minLength, maxLength }: JsonSchema): string {
  if (type === 'string' && format === 'date-time') return ', ISO 8601';
  if (type === 'string' && minLength !== undefined && maxLength !== undefined)
    return `, ${minLength} to ${maxLength} characters`;
  if (type === 'string' && minLength !== undefined) return `, ${minLength} or more characters`;
  if (type === 'integer' && minimum !== undefined && maximum !== undefined && Math.abs(Number(maximum)) < 2 ** 53 - 1)
    return ` from ${minimum} to ${maximum}`;
  return '';
}

/** The fields of an object that an operation answers; empty if it answers something else. */
export function outputFields(output: z.ZodType): FieldWords[] {
  const schema = z.toJSONSchema(output, { io: 'output', unrepresentable: 'any', reused: 'inline' }) as JsonSchema;
  const required = new Set((schema.required as string[] | undefined) ?? []);
  return Object.entries((schema.properties as Record<string, JsonSchema> | undefined) ?? {}).map(([name, field]) => ({
    name,
    type: `${typeText(field)}${required.has(name) ? '' : ', may be absent'}`,
    meaning: String(field.description ?? ''),
  }));
}
