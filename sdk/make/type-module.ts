import { z } from 'zod';
import { type Argument, argumentsOf } from '../../contract/interfaces/arguments.ts';
import { NAMED_SCHEMAS } from '../../contract/named-schemas.ts';
import type { JsonSchema } from '../../contract/parameters.ts';
import { errorSchema, metaSchema } from '../../contract/schemas/envelope.ts';
import { type SdkMethod, sdkMethods } from './methods.ts';
import {
  comment,
  indented,
  JSON_DECLARATION,
  JSON_TYPE,
  member,
  type NamedTypes,
  typeOfSchema,
} from './schema-types.ts';

/** `sdk/types.ts`: what every method takes and gives. */
export function typesModule(): string {
  const named: NamedTypes = new Map();
  const methods = sdkMethods();
  // No method gives Meta and Error by themselves; they join the named types.
  for (const schema of [metaSchema, errorSchema]) typeOfSchema(jsonSchema(schema, 'output'), named);
  const data = new Map(
    methods.map((method) => [method, typeOfSchema(jsonSchema(method.operation.output, 'output'), named)]),
  );
  const own = methods.flatMap((method): Declared[] => [
    {
      name: `${method.typePrefix}Arguments`,
      type: argumentsType(method, named),
      meaning: `Arguments of \`${method.name}\`.`,
    },
    { name: `${method.typePrefix}Data`, type: data.get(method)!, meaning: `What \`${method.name}\` gives.` },
  ]);
  const shared = [...named].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, type]) => ({ name, type, meaning: '' }));
  const parts = [
    "// Made from the service's contract; do not edit it by hand.",
    '/** The whole answer of the service. */\nexport interface Answer<Data> {\ndata: Data;\n_meta: Meta;\n}',
    ...declarations([...shared, ...own]),
    operationsMap(methods),
  ];
  return indented(parts.flatMap((part) => [part, '']).slice(0, -1));
}

interface Declared {
  name: string;
  type: string;
  meaning: string;
}

/** Each type once: an object that has all members of another one extends it. */
function declarations(types: readonly Declared[]): string[] {
  const objects = types.flatMap(({ name, type }) => (isOneObject(type) ? [{ name, members: membersOf(type) }] : []));
  return types.map(({ name, type, meaning }) => {
    const head = comment(meaning);
    if (name === JSON_TYPE) return JSON_DECLARATION;
    if (!isOneObject(type)) return `${head}export type ${name} = ${type};`;
    const members = membersOf(type);
    const base = objects
      .filter((other) => other.members.length >= EXTENDED_MEMBERS && other.members.length < members.length)
      .filter((other) => other.members.every((member) => members.includes(member)))
      .sort((a, b) => b.members.length - a.members.length)[0];
    const own = members.filter((member) => base?.members.includes(member) !== true);
    const inherits = base === undefined ? '' : ` extends ${base.name}`;
    return `${head}export interface ${name}${inherits} {\n${own.join('\n')}\n}`;
  });
}

/** An interface that extends one with fewer members would hide more than it saves. */
const EXTENDED_MEMBERS = 3;

/** The members of an object type, each with its meaning. */
function membersOf(type: string): string[] {
  const members: string[] = [];
  let member: string[] = [];
  let depth = 0;
  for (const line of type.slice(1, -1).trim().split('\n')) {
    member.push(line);
    const code = line.replace(/^\s*\/\*\*.*?\*\//, '');
    depth += code.split('{').length - code.split('}').length;
    if (depth > 0 || code.trim() === '') continue;
    members.push(member.join('\n'));
    member = [];
  }
  return members;
}

/** Whether the brace that opens the type closes it too: a union of objects begins and ends with others. */
function isOneObject(type: string): boolean {
  let depth = 0;
  const closes = [...type].findIndex((sign) => {
    depth += sign === '{' ? 1 : sign === '}' ? -1 : 0;
    return depth === 0;
  });
  return type.startsWith('{') && closes === type.length - 1;
}

/** Zod's own metadata, and the name of a shared schema as its id: what has an id is referred to by it. */
class NamedMetadata extends z.core.$ZodRegistry<z.core.GlobalMeta> {
  private readonly names: ReadonlyMap<z.core.$ZodType, string>;
  constructor(names: ReadonlyMap<z.core.$ZodType, string>) {
    super();
    this.names = names;
  }
  override get<Schema extends z.core.$ZodType>(schema: Schema) {
    const { id: _, ...known } = z.globalRegistry.get(schema) ?? {};
    const name = this.names.get(schema);
    return (name === undefined ? known : { ...known, id: name }) as z.core.$replace<z.core.GlobalMeta, Schema>;
  }
}
const METADATA = new NamedMetadata(new Map(Object.entries(NAMED_SCHEMAS).map(([name, schema]) => [schema, name])));

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  return z.toJSONSchema(schema, { io, metadata: METADATA }) as JsonSchema;
}

function argumentsType({ operation }: SdkMethod, named: NamedTypes): string {
  const all = argumentsOf(operation);
  if (all.length === 0) return 'Record<string, never>';
  const body = operation.body ? bodySchema(operation.body) : {};
  const fields = (body.properties ?? {}) as Record<string, JsonSchema>;
  const membersOf = ({ name, aliases, place, target, schema, required }: Argument): string[] => {
    const type = typeOfSchema(place === 'body' ? { ...fields[target], $defs: body.$defs ?? {} } : schema, named);
    // Those that REST does not know either work too and are no part of the types.
    const names = [name, ...aliases.filter((alias) => alias === target)];
    return names.map((one) => member(one, meaningOf(schema), required, type));
  };
  const object = (members: readonly string[]): string => `{\n${members.join('\n')}\n}`;
  // An argument with two names is needed under one of them.
  const chosen = all.filter(({ aliases, target, required }) => required && aliases.includes(target));
  const others = all.filter((argument) => !chosen.includes(argument)).flatMap(membersOf);
  const choices = chosen.map(
    (argument) =>
      `(${membersOf(argument)
        .map((one) => object([one]))
        .join(' | ')})`,
  );
  return [...(others.length > 0 || chosen.length === 0 ? [object(others)] : []), ...choices].join(' & ');
}

/** The schema of a body; a body that is a named schema itself needs no type beside that of the arguments. */
function bodySchema(schema: z.ZodType): JsonSchema {
  const body = jsonSchema(schema, 'input');
  const definitions = { ...(body.$defs as Record<string, JsonSchema> | undefined) };
  const name = String(body.$ref ?? '').replace('#/$defs/', '');
  const own = definitions[name];
  delete definitions[name];
  return { ...own, ...body, $defs: definitions };
}

/** The meaning with the bounds and the default, which a type cannot say. */
function meaningOf(schema: JsonSchema): string {
  const { description, minimum, maximum, minLength, maxLength, format } = schema;
  const bounds = [
    minimum !== undefined && maximum !== undefined ? `${minimum} to ${maximum}` : '',
    minLength !== undefined && maxLength !== undefined ? `${minLength} to ${maxLength} characters` : '',
    format === 'date' ? 'YYYY-MM-DD' : '',
    schema.default !== undefined ? `default ${String(schema.default)}` : '',
  ].filter((part) => part !== '');
  return `${String(description ?? '')}${bounds.length > 0 ? ` (${bounds.join('; ')})` : ''}`.trim();
}

function operationsMap(methods: readonly SdkMethod[]): string {
  const entries = methods.map((method) => {
    const { name, typePrefix, bare, paging } = method;
    const items = itemsOf(method);
    return [
      `${name}: { arguments: ${typePrefix}Arguments;`,
      `answer: ${bare ? `${typePrefix}Data` : `Answer<${typePrefix}Data>`};`,
      paging ? 'paged: true;' : '',
      items !== null ? `item: ${typePrefix}Data['${items}'][number];` : '',
      '};',
    ].join(' ');
  });
  return `/** Every method by name. */\nexport interface Operations {\n${entries.join('\n')}\n}`;
}

/** The one list that a page of a list holds; null for what has several or none, which has pages but no items. */
export function itemsOf({ operation, paging }: SdkMethod): string | null {
  if (paging === null) return null;
  const schema = z.toJSONSchema(operation.output, { io: 'output' }) as { properties?: Record<string, JsonSchema> };
  const lists = Object.entries(schema.properties ?? {}).filter(([, property]) => property.type === 'array');
  return lists.length === 1 ? lists[0]![0] : null;
}
