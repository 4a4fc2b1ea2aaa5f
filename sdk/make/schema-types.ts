import { NAMED_VALUES } from '../../contract/named-schemas.ts';
import type { JsonSchema } from '../../contract/parameters.ts';

/**
 * JSON Schema, as zod gives it, to TypeScript types. It covers what the contract uses and throws on anything else, so
 * that a type is never silently wider than what is promised.
 */

/** Named types that schemas refer to, by name; shared by all schemas of a run. */
export type NamedTypes = Map<string, string>;

const PRIMITIVES: Record<string, string> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** Recursive JSON is the one schema without an id that refers to itself. */
export const JSON_TYPE = 'Json';
export const JSON_DECLARATION = `export type ${JSON_TYPE} = string | number | boolean | null | ${JSON_TYPE}[] | { [key: string]: ${JSON_TYPE} };`;

/** Keywords that narrow values without changing their TypeScript type, and those that are read elsewhere. */
const WITHOUT_TYPE = new Set(
  '$schema $defs id title description default examples format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems uniqueItems required propertyNames additionalProperties contentEncoding contentMediaType'.split(
    ' ',
  ),
);
const TYPED = new Set([
  'type',
  'enum',
  'const',
  'anyOf',
  'oneOf',
  'allOf',
  '$ref',
  'properties',
  'items',
  'prefixItems',
]);

/** The type of a whole schema. Its `$defs` join `named`. */
export function typeOfSchema(schema: JsonSchema, named: NamedTypes): string {
  const recursive = new Set<string>();
  const definitions = (schema.$defs ?? {}) as Record<string, JsonSchema>;
  for (const [name, definition] of Object.entries(definitions)) {
    if (isRecursiveJson(name, definition)) recursive.add(name);
  }
  const context = { named, recursive };
  for (const [name, definition] of Object.entries(definitions)) {
    if (!recursive.has(name)) define(name, typeOf(definition, context), named);
  }
  return typeOf(schema, context);
}

interface Context {
  named: NamedTypes;
  recursive: Set<string>;
}

/** Names that the made modules declare themselves. */
const TAKEN = ['Answer', 'Operations', JSON_TYPE];

function define(name: string, type: string, named: NamedTypes): void {
  // A named list of values that is a named schema too.
  if (type === name) return;
  if (TAKEN.includes(name)) throw new Error(`the id ${name} is taken by a type of the SDK`);
  if (!/^[A-Z][A-Za-z0-9]*$/.test(name)) throw new Error(`give the schema ${name} an id in PascalCase`);
  if (named.has(name) && named.get(name) !== type) throw new Error(`two different schemas have the id ${name}`);
  named.set(name, type);
}

/** What `z.json()` becomes. */
function isRecursiveJson(name: string, definition: JsonSchema): boolean {
  const self = `#/$defs/${name}`;
  const branches = (definition.anyOf ?? []) as JsonSchema[];
  const kinds = branches.map(({ type, items, additionalProperties }) => {
    const inner = (items ?? additionalProperties) as { $ref?: string } | undefined;
    return inner === undefined || inner.$ref === self ? type : 'other';
  });
  return ['string', 'number', 'boolean', 'null', 'array', 'object'].every((kind) => kinds.includes(kind));
}

function typeOf(schema: JsonSchema, context: Context): string {
  const unknown = Object.keys(schema).filter((key) => !WITHOUT_TYPE.has(key) && !TYPED.has(key));
  if (unknown.length > 0) throw new Error(`no type is laid down for the keyword ${unknown.join(', ')}`);
  if (typeof schema.$ref === 'string') return referredType(schema.$ref, context);
  if (Object.hasOwn(schema, 'const')) return literal(schema.const);
  if (Array.isArray(schema.enum)) return enumType(schema.enum, context);
  const choices = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (choices) return union(choices.map((choice) => typeOf(choice, context)));
  if (Array.isArray(schema.allOf)) {
    return (schema.allOf as JsonSchema[]).map((part) => `(${typeOf(part, context)})`).join(' & ');
  }
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type }, context)));
  if (schema.type === 'object') return objectType(schema, context);
  if (schema.type === 'array') return arrayType(schema, context);
  if (schema.type === undefined) return 'unknown';
  return PRIMITIVES[schema.type as string]!;
}

function referredType(reference: string, { recursive, named }: Context): string {
  const name = reference.replace('#/$defs/', '');
  if (recursive.has(name)) {
    named.set(JSON_TYPE, '');
    return JSON_TYPE;
  }
  return name;
}

function enumType(values: unknown[], { named }: Context): string {
  const type = union(values.map(literal));
  const name = NAMED_VALUES.get(JSON.stringify(values));
  if (name === undefined) return type;
  define(name, type, named);
  return name;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : String(value);
}

function union(types: string[]): string {
  const distinct = [...new Set(types)];
  return distinct.includes('unknown') ? 'unknown' : distinct.join(' | ');
}

function arrayType(schema: JsonSchema, context: Context): string {
  if (Array.isArray(schema.prefixItems)) {
    return `[${(schema.prefixItems as JsonSchema[]).map((item) => typeOf(item, context)).join(', ')}]`;
  }
  return `(${typeOf((schema.items ?? {}) as JsonSchema, context)})[]`;
}

function objectType(schema: JsonSchema, context: Context): string {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const required = new Set((schema.required ?? []) as string[]);
  const rest = schema.additionalProperties as JsonSchema | boolean | undefined;
  const open = typeof rest === 'object' ? typeOf(rest, context) : 'unknown';
  if (properties.length === 0 && rest !== false) {
    const keys = schema.propertyNames ? typeOf(schema.propertyNames as JsonSchema, context) : 'string';
    return `Record<${keys}, ${open}>`;
  }
  const members = properties.map(([name, property]) =>
    member(name, property.description, required.has(name), typeOf(property, context)),
  );
  // In an open object the further keys cannot have a narrower type than the named ones.
  const further = typeof rest === 'object' ? ['[key: string]: unknown;'] : [];
  const inLine = `{ ${[...members, ...further].join(' ')} }`;
  if (inLine.length <= SHORT_CHARACTERS && !inLine.includes('/**')) return inLine;
  return `{\n${[...members, ...further].join('\n')}\n}`;
}

/** What is no longer than this stands in one line: sdk/types.ts is long and read by its names. */
const SHORT_CHARACTERS = 180;

/** One property with its meaning before it, in one line where both are short. */
export function member(name: string, description: unknown, required: boolean, type: string): string {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
  const property = `${key}${required ? '' : '?'}: ${type}${required ? '' : ' | undefined'};`;
  const meaning = comment(description);
  const isShort = meaning.length + property.length <= SHORT_CHARACTERS && !property.includes('\n');
  return `${isShort ? meaning.replace('\n', ' ') : meaning}${property}`;
}

/** A JSDoc line; agents' editors show it. */
export function comment(text: unknown): string {
  if (typeof text !== 'string' || text === '') return '';
  return `/** ${text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')} */\n`;
}

/** A module of these lines, each indented by the brackets that are open before it; ends with a line break. */
export function indented(lines: readonly string[]): string {
  let depth = 0;
  const text = lines
    .join('\n')
    .split('\n')
    .map((line) => {
      const code = line.replaceAll(/\/\*\*.*?\*\/|'[^']*'|`[^`]*`/g, '');
      const opened = code.split(/[{([]/).length - 1;
      const closed = code.split(/[})\]]/).length - 1;
      const before = depth - (/^[})\]]/.test(code.trim()) ? 1 : 0);
      depth += opened - closed;
      return line === '' ? '' : `${'  '.repeat(Math.max(0, before))}${line}`;
    });
  return `${text.join('\n')}\n`;
}
