import { z } from 'zod';
import type { oas31 } from 'zod-openapi';

/**
 * The library numbers what has no name and sets the output form of a schema beside its input form, also where only such
 * a number tells them apart. Here each schema gets one name.
 */

type Schemas = Record<string, unknown>;

const JSON_VALUE: oas31.SchemaObject = { description: 'Any JSON value.' };
/** What `z.json()` becomes: the one recursive schema of the contract. */
const { $schema: _, ...JSON_FORM } = z.toJSONSchema(z.json());

const UNNAMED = /^__schema\d+$/;
const REF = '#/components/schemas/';

/** The document without numbered and doubled components. Throws where a recursive schema needs a name. */
export function withNamesOnly(document: oas31.OpenAPIObject): oas31.OpenAPIObject {
  const open = withoutClosedReferences(document);
  const numbered = Object.keys(schemasOf(open)).filter((name) => UNNAMED.test(name));
  for (const name of numbered) assertJsonValue(name, schemasOf(open)[name]);
  const plain = renamed(open, new Map(numbered.map((name) => [name, 'JsonValue'])), { JsonValue: JSON_VALUE });
  const doubles = Object.keys(schemasOf(plain)).filter(
    (name) => name.endsWith('Output') && singleOf(name) in schemasOf(plain),
  );
  const single = renamed(plain, new Map(doubles.map((name) => [name, singleOf(name)])), {});
  const differing = doubles.filter(
    (name) => !isSame(schemasOf(plain)[name], schemasOf(single)[singleOf(name)], doubles),
  );
  if (differing.length > 0) throw new Error(`schemas that read and write differently: ${differing.join(', ')}`);
  return single;
}

/** A reference to an open object that is closed beside the reference would allow nothing at all. */
function withoutClosedReferences(document: oas31.OpenAPIObject): oas31.OpenAPIObject {
  const text = JSON.stringify(document, (_key, part: unknown) => {
    if (part === null || typeof part !== 'object' || !('$ref' in part) || !('additionalProperties' in part))
      return part;
    const { additionalProperties: _closed, ...rest } = part;
    return rest;
  });
  return JSON.parse(text) as oas31.OpenAPIObject;
}

function schemasOf(document: oas31.OpenAPIObject): Schemas {
  return document.components?.schemas ?? {};
}

function singleOf(name: string): string {
  return name.slice(0, -'Output'.length);
}

function assertJsonValue(name: string, schema: unknown): void {
  const own = JSON.stringify(schema).replaceAll(`"${REF}${name}"`, '"#"');
  if (own !== JSON.stringify(JSON_FORM)) throw new Error(`a recursive schema without a name: ${own}`);
}

/** Drops the components of the map and lets every reference to one lead to its other name. */
function renamed(document: oas31.OpenAPIObject, names: Map<string, string>, added: Schemas): oas31.OpenAPIObject {
  if (names.size === 0) return document;
  const kept = Object.entries(schemasOf(document)).filter(([name]) => !names.has(name));
  const schemas = { ...Object.fromEntries(kept), ...added };
  const text = JSON.stringify({ ...document, components: { ...document.components, schemas } });
  const moved = text.replaceAll(/"#\/components\/schemas\/(\w+)"/g, (whole, name: string) => {
    const other = names.get(name);
    return other === undefined ? whole : `"${REF}${other}"`;
  });
  return JSON.parse(moved) as oas31.OpenAPIObject;
}

/** Whether the output form is the same as the input form once both refer to the same names. */
function isSame(output: unknown, input: unknown, doubles: readonly string[]): boolean {
  const text = doubles.reduce(
    (moved, name) => moved.replaceAll(`"${REF}${name}"`, `"${REF}${singleOf(name)}"`),
    JSON.stringify(output),
  );
  return text === JSON.stringify(input);
}
