import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERRORS } from '../contract/errors/errors.ts';
import { openApiDocument } from '../gateway/description/openapi-document.ts';

/**
 * contract/contract.txt: what the service promises, a line for each operation, parameter, code and field, so that a review sees
 * every difference of it. `node tools/contract-text.ts` writes it from the OpenAPI document, a test holds it up to date.
 */
const PATH = join(import.meta.dirname, '..', 'contract', 'contract.txt');

/** As much of a JSON Schema as the document uses. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  prefixItems?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  [keyword: string]: unknown;
}
type Named = Record<string, unknown>;

const BOUNDS = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'format', 'pattern', 'default'];

/** Type and bounds in one line. */
function typeOf(schema: Schema): string {
  const { $ref, type, items, prefixItems, allOf } = schema;
  if ($ref !== undefined) return nameOf($ref);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(typeOf).join(' | ');
  if (allOf) return allOf.map(typeOf).join(' & ');
  const bounds = BOUNDS.filter((name) => schema[name] !== undefined).map(
    (name) => `${name} ${JSON.stringify(schema[name])}`,
  );
  const suffix = bounds.length > 0 ? ` (${bounds.join(', ')})` : '';
  if (prefixItems) return `[${prefixItems.map(typeOf).join(', ')}]${suffix}`;
  if (type === 'array') return `list of ${items === undefined ? 'anything' : typeOf(items)}${suffix}`;
  const plain = type === undefined ? 'anything' : [type].flat().join(' | ');
  const values = schema.additionalProperties;
  return `${plain}${typeof values === 'object' && Object.keys(values).length > 0 ? ` of ${typeOf(values)}` : ''}${suffix}`;
}

const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

/** A line for each field below a path; a field that may be left out has a question mark. */
function fieldLines(path: string, schema: Schema): string[] {
  const required = new Set(schema.required ?? []);
  const named = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const at = `${path}.${name}${required.has(name) ? '' : '?'}`;
    return [`${at}: ${typeOf(field)}`, ...fieldLines(at, field)];
  });
  const choices = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) => list ?? []);
  const numbered = choices.length > 1 && choices.filter(({ properties }) => properties).length > 1;
  return [
    ...named,
    ...(schema.items ? fieldLines(`${path}[]`, schema.items) : []),
    ...(typeof schema.additionalProperties === 'object' ? fieldLines(`${path}.*`, schema.additionalProperties) : []),
    ...choices.flatMap((choice, index) => fieldLines(numbered ? `${path}|${index + 1}` : path, choice)),
  ];
}

function operationLines(path: string, method: string, operation: Named, parameters: Named): string[] {
  const name = `${method.toUpperCase()} ${path}`;
  const listed = ((operation.parameters ?? []) as Named[]).map((parameter) =>
    typeof parameter.$ref === 'string' ? (parameters[nameOf(parameter.$ref)] as Named) : parameter,
  );
  const given = listed.map(
    ({ in: place, name: parameter, required, schema }) =>
      `${name} ${String(place)} ${String(parameter)}${required === true ? '' : '?'}: ${typeOf(schema as Schema)}`,
  );
  const { content } = (operation.requestBody ?? {}) as { content?: Record<string, { schema: Schema }> };
  const bodies = Object.entries(content ?? {}).flatMap(([media, { schema }]) =>
    bodyLines(`${name} body ${media}`, schema),
  );
  const answers = Object.entries(operation.responses as Record<string, Named>).flatMap(([status, response]) => {
    if (typeof response.$ref === 'string') return [`${name} ${status}: ${nameOf(response.$ref).replaceAll('-', ', ')}`];
    const media = Object.entries((response.content ?? {}) as Record<string, { schema?: Schema }>);
    if (media.length === 0) return [`${name} ${status}: no body`];
    return media.flatMap(([type, { schema = {} }]) => bodyLines(`${name} ${status} ${type}`, schema));
  });
  return [`${name} is ${String(operation.operationId)}`, ...given, ...bodies, ...answers];
}

/** The type of a body, and its fields where it has no name. */
function bodyLines(path: string, schema: Schema): string[] {
  const data = schema.properties?.data;
  if (data?.$ref !== undefined && schema.properties?._meta !== undefined)
    return [`${path}: envelope of ${nameOf(data.$ref)}`];
  return [`${path}: ${typeOf(schema)}`, ...fieldLines(path, schema)];
}

/** The whole file. */
export function contractText(): string {
  const { paths, components } = openApiDocument('http://127.0.0.1:3000') as unknown as {
    paths: Record<string, Record<string, Named>>;
    components: { schemas: Record<string, Schema>; parameters: Named };
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      operationLines(path, method, operation, components.parameters),
    ),
  );
  const schemas = Object.entries(components.schemas).flatMap(([name, schema]) => [
    `${name}: ${typeOf(schema)}`,
    ...fieldLines(name, schema),
  ]);
  const codes = Object.entries(ERRORS).map(
    ([code, { status, family, retryable }]) =>
      `${code} is ${status}, ${family}, ${retryable ? 'retryable' : 'not retryable'}`,
  );
  return `${['# Operations', ...operations, '# Schemas', ...schemas, '# Error codes', ...codes].join('\n')}\n`;
}

if (import.meta.main) writeFileSync(PATH, contractText());
