import { z } from 'zod';
import type { oas31 } from 'zod-openapi';

/**
 * The library gives a schema without a name a number. A named schema that is used in a request and in an answer gets two
 * components, `Name` and `NameOutput`, even if both are equal. Here each schema gets one name, and `NameInput` only
 * exists beside `Name` if a request is read differently. A component that nothing refers to is left out. No component has the name
 * of an operation: generators put the name of a field or a parameter after either, and would make one type of two (`CalibrationView`).
 */

type Schemas = Record<string, unknown>;

const JSON_VALUE: oas31.SchemaObject = { description: 'Any JSON value.' };
/** What `z.json()` becomes: the one recursive schema of the contract. */
const { $schema: _, ...JSON_FORM } = z.toJSONSchema(z.json());

const UNNAMED = /^__schema\d+$/;
const REF = '#/components/schemas/';
const SCHEMA_REFS = /"#\/components\/schemas\/(\w+)"/g;

/** The document with one name for each schema. Throws if a recursive schema has no name. */
export function withNamesOnly(document: oas31.OpenAPIObject): oas31.OpenAPIObject {
  const open = withoutClosedReferences(document);
  const schemas: Schemas = open.components?.schemas ?? {};
  const names = finalNames(schemas, operationNames(open));
  const named: Schemas = {};
  for (const [name, schema] of Object.entries(schemas)) named[names.get(name) ?? name] ??= schema;
  if ('JsonValue' in named) named.JsonValue = JSON_VALUE;
  const sorted = Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)));
  const whole = { ...open, components: { ...open.components, schemas: sorted } };
  const text = JSON.stringify(whole).replaceAll(SCHEMA_REFS, (ref, name: string) => {
    const other = names.get(name);
    return other === undefined ? ref : `"${REF}${other}"`;
  });
  return withoutUnused(JSON.parse(text) as oas31.OpenAPIObject);
}

/** Drops `additionalProperties` beside a `$ref`: together with a reference to an open object it would allow nothing. */
function withoutClosedReferences(document: oas31.OpenAPIObject): oas31.OpenAPIObject {
  const text = JSON.stringify(document, (_key, part: unknown) => {
    if (part === null || typeof part !== 'object' || !('$ref' in part) || !('additionalProperties' in part))
      return part;
    const { additionalProperties: _closed, ...rest } = part;
    return rest;
  });
  return JSON.parse(text) as oas31.OpenAPIObject;
}

/** The new name of each component that is renamed, by the name that the library gave it. */
function finalNames(schemas: Schemas, operations: ReadonlySet<string>): Map<string, string> {
  const names = new Map<string, string>();
  for (const name of Object.keys(schemas)) {
    if (!UNNAMED.test(name)) continue;
    assertJsonValue(name, schemas[name]);
    names.set(name, 'JsonValue');
  }
  const doubles = Object.keys(schemas).filter((name) => name.endsWith('Output') && singleOf(name) in schemas);
  const differing = differingOf(schemas, doubles);
  for (const name of doubles) {
    const single = singleOf(name);
    names.set(name, single);
    if (!differing.has(name)) continue;
    if (`${single}Input` in schemas) throw new Error(`${single}Input is needed for how ${single} is read`);
    names.set(single, `${single}Input`);
  }
  for (const name of Object.keys(schemas)) {
    const final = names.get(name) ?? name;
    if (!operations.has(final)) continue;
    if (`${final}Record` in schemas)
      throw new Error(`${final}Record is needed for what ${final} names beside an operation`);
    names.set(name, `${final}Record`);
  }
  return names;
}

/** Names of the operations as a generator writes types: `snapshot-diff` is SnapshotDiff. */
function operationNames({ paths = {} }: oas31.OpenAPIObject): ReadonlySet<string> {
  const operations = Object.values(paths).flatMap((item) => Object.values(item ?? {}) as { operationId?: string }[]);
  return new Set(
    operations.flatMap(({ operationId }) =>
      operationId === undefined
        ? []
        : [operationId.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())],
    ),
  );
}

function singleOf(name: string): string {
  return name.slice(0, -'Output'.length);
}

function assertJsonValue(name: string, schema: unknown): void {
  const own = JSON.stringify(schema).replaceAll(`"${REF}${name}"`, '"#"');
  if (own !== JSON.stringify(JSON_FORM)) throw new Error(`a recursive schema without a name: ${own}`);
}

/** Names of the output forms that differ from their input forms, in themselves or in a schema that they refer to. */
function differingOf(schemas: Schemas, doubles: readonly string[]): Set<string> {
  const known = new Set(doubles);
  const asInput = (name: string): string =>
    JSON.stringify(schemas[name]).replaceAll(SCHEMA_REFS, (ref, to: string) =>
      known.has(to) ? `"${REF}${singleOf(to)}"` : ref,
    );
  const differing = new Set(doubles.filter((name) => asInput(name) !== JSON.stringify(schemas[singleOf(name)])));
  for (let size = -1; size !== differing.size; ) {
    size = differing.size;
    for (const name of doubles) if (refsIn(schemas[name]).some((ref) => differing.has(ref))) differing.add(name);
  }
  return differing;
}

/** Names of the schemas that a part of the document refers to. */
function refsIn(part: unknown): string[] {
  return [...JSON.stringify(part).matchAll(SCHEMA_REFS)].map((match) => match[1]!);
}

/** Leaves out the schemas that nothing refers to, and then those that only these referred to. */
function withoutUnused(document: oas31.OpenAPIObject): oas31.OpenAPIObject {
  const { schemas = {}, ...others } = document.components ?? {};
  const used = new Set(refsIn({ ...document, components: others }));
  for (const name of used) for (const ref of refsIn(schemas[name])) used.add(ref);
  const kept = Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)));
  return { ...document, components: { ...others, schemas: kept } };
}
