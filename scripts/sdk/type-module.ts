import { z } from 'zod';
import { argumentsOf } from '../../contract/arguments.ts';
import { ERROR_CODES } from '../../contract/errors.ts';
import type { JsonSchema } from '../../contract/parameters.ts';
import { metaSchema } from '../../contract/schemas/envelope.ts';
import { type SdkMethod, sdkMethods } from './methods.ts';
import { comment, JSON_DECLARATION, JSON_TYPE, member, type NamedTypes, typeOfSchema } from './schema-types.ts';

/** `sdk/types.ts`: what every method takes and gives. */
export function typesModule(): string {
  const named: NamedTypes = new Map();
  const methods = sdkMethods();
  const own = methods.flatMap((method) => [
    declaration(`${method.typePrefix}Arguments`, argumentsType(method, named), `Arguments of \`${method.name}\`.`),
    declaration(`${method.typePrefix}Data`, dataType(method, named), `What \`${method.name}\` gives.`),
  ]);
  // It has an id, so it joins the named types.
  dataOf(metaSchema, named);
  return [
    "// Made from the service's contract; do not edit it by hand.",
    `export type ErrorCode = ${ERROR_CODES.map((code) => `'${code}'`).join(' | ')};`,
    '/** The whole answer of the service. */\nexport interface Answer<Data> {\ndata: Data;\n_meta: Meta;\n}',
    ...sharedTypes(named),
    ...own,
    operationsMap(methods),
  ].join('\n\n');
}

function sharedTypes(named: NamedTypes): string[] {
  return [...named]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, type]) => (name === JSON_TYPE ? JSON_DECLARATION : declaration(name, type, '')));
}

function declaration(name: string, type: string, meaning: string): string {
  const head = comment(meaning);
  return type.startsWith('{\n') && type.endsWith('\n}')
    ? `${head}export interface ${name} ${type}`
    : `${head}export type ${name} = ${type};`;
}

function dataOf(schema: z.ZodType, named: NamedTypes): string {
  return typeOfSchema(z.toJSONSchema(schema, { io: 'output' }) as JsonSchema, named);
}

function dataType({ operation }: SdkMethod, named: NamedTypes): string {
  return dataOf(operation.output, named);
}

function argumentsType({ operation }: SdkMethod, named: NamedTypes): string {
  const all = argumentsOf(operation);
  if (all.length === 0) return 'Record<string, never>';
  const body = operation.body ? (z.toJSONSchema(operation.body, { io: 'input' }) as JsonSchema) : {};
  const members = all.map(({ name, place, schema, required }) => {
    const type = typeOfSchema(place === 'body' ? { ...schema, $defs: body.$defs ?? {} } : schema, named);
    return member(name, meaningOf(schema), required, type);
  });
  return `{\n${members.join('\n')}\n}`;
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
      `${name}: {\narguments: ${typePrefix}Arguments;`,
      `answer: ${bare ? `${typePrefix}Data` : `Answer<${typePrefix}Data>`};`,
      paging ? 'paged: true;' : '',
      items !== null ? `item: ${typePrefix}Data['${items}'][number];` : '',
      '};',
    ].join('\n');
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
