import { z } from 'zod';
import { nearestNames } from '../../contract/nearest-names.ts';
import type { Operation } from '../../contract/operation.ts';
import type { JsonSchema } from '../../contract/parameters.ts';
import { isObject, objectsOf } from './json.ts';

/** Which fields an answer can have, read from the schema of its data. */

/** A member that any name may have: a map from ids, or data that the contract leaves open. */
const ANY = Symbol('any name');
type Known = Map<string, JsonSchema> & { [ANY]?: JsonSchema | null };

const schemas = new WeakMap<Operation, JsonSchema>();

function schemaOf(operation: Operation): JsonSchema {
  const known = schemas.get(operation);
  if (known !== undefined) return known;
  const made = z.toJSONSchema(operation.output, { io: 'output', unrepresentable: 'any' }) as JsonSchema;
  schemas.set(operation, made);
  return made;
}

/**
 * What is wrong with a list of fields; null if every one is known. A name is one of the data, or of the items of its
 * lists.
 */
export function unknownField(
  operation: Operation,
  fields: readonly string[],
): { field: string; near: string[] } | null {
  const root = schemaOf(operation);
  for (const field of fields) {
    const path = field.split('.');
    const starts = [root, ...itemsOf(root, root)];
    // Open data may have members of any name, and never these, which every object has of itself.
    const canBeStated = !path.some((name) => name in Object.prototype);
    if (canBeStated && starts.some((schema) => isKnown(schema, path, root))) continue;
    return { field, near: nearTo(starts, path, root) };
  }
  return null;
}

/** Half of the letters may differ: a slip, and no other word. */
const FAR = 0.5;

/** Whole paths whose faulty name is spelled like the one that was sent; without any, the names that there are. */
function nearTo(starts: readonly JsonSchema[], path: readonly string[], root: JsonSchema): string[] {
  for (let held = path.length - 1; held >= 0; held -= 1) {
    const before = path.slice(0, held);
    const names = starts.flatMap((schema) => namesAt(schema, before, root));
    if (names.length === 0) continue;
    const near = nearestNames(path[held]!, [...new Set(names)], FAR);
    return (near.length > 0 ? near : [...new Set(names)].slice(0, NAMES_SHOWN)).map((name) =>
      [...before, name].join('.'),
    );
  }
  return [];
}

const NAMES_SHOWN = 8;

function namesAt(schema: JsonSchema, path: readonly string[], root: JsonSchema): string[] {
  const [first, ...rest] = path;
  const known = membersOf(schema, root);
  if (first === undefined) return [...known.keys()];
  const inner = known.get(first);
  return inner === undefined ? [] : namesAt(inner, rest, root);
}

function isKnown(schema: JsonSchema, [first, ...rest]: readonly string[], root: JsonSchema): boolean {
  if (first === undefined) return true;
  const known = membersOf(schema, root);
  const inner = known.get(first) ?? known[ANY];
  if (inner === null) return true;
  return inner !== undefined && isKnown(inner, rest, root);
}

/** The items of the lists of objects that the data has at the top. */
function itemsOf(schema: JsonSchema, root: JsonSchema): JsonSchema[] {
  return [...membersOf(schema, root).values()].flatMap((member) =>
    formsOf(member, root).flatMap(({ items }) => (isObject(items) ? [items] : [])),
  );
}

/**
 * Members of an object, or of the items of a list, whatever form it has. `within` are the forms that hold this one: a list of any
 * JSON can hold itself.
 */
function membersOf(schema: JsonSchema, root: JsonSchema, within: readonly JsonSchema[] = []): Known {
  const known: Known = new Map();
  for (const form of formsOf(schema, root)) {
    if (within.includes(form)) continue;
    if (isObject(form.items)) {
      const inner = membersOf(form.items, root, [...within, form]);
      for (const [name, member] of inner) known.set(name, member);
      if (inner[ANY] !== undefined) known[ANY] = inner[ANY];
    }
    for (const [name, member] of Object.entries(isObject(form.properties) ? form.properties : {})) {
      known.set(name, member as JsonSchema);
    }
    const more = form.additionalProperties;
    if (isObject(more)) known[ANY] = Object.keys(more).length === 0 ? null : more;
    // Data without any stated form, as raw JSON.
    else if (form.type === undefined && form.properties === undefined && form.enum === undefined) known[ANY] ??= null;
  }
  return known;
}

/** The forms that a value may have, with references followed. */
function formsOf(schema: JsonSchema, root: JsonSchema): JsonSchema[] {
  const { $ref } = schema;
  if (typeof $ref === 'string') {
    const target = $ref === '#' ? root : (root.$defs as Record<string, JsonSchema>)[$ref.split('/').at(-1)!];
    return target === undefined ? [] : formsOf(target, root);
  }
  const joined = [schema.anyOf, schema.oneOf, schema.allOf].flatMap(objectsOf);
  return joined.length === 0 ? [schema] : joined.flatMap((form) => formsOf(form, root));
}
