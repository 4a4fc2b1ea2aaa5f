import { isObject, type JsonObject } from './json.ts';

/** The fields that a caller named, each as the whole answer has it; everything else is left out. */

interface Branch {
  /** Taken whole. */
  whole: boolean;
  inner: Map<string, Branch>;
}

/**
 * Picks from the data. A path whose first name the data has is of the data, any other is of the items of the lists at its top;
 * within a path, a list is each of its items.
 */
export function picked(data: unknown, fields: readonly string[]): unknown {
  if (!isObject(data)) return data;
  const [own, ofItems]: [string[], string[]] = [[], []];
  for (const field of fields) (Object.hasOwn(data, field.split('.')[0]!) ? own : ofItems).push(field);
  const ownTree = treeOf(own);
  const itemTree = treeOf(ofItems);
  const result: JsonObject = {};
  for (const [name, value] of Object.entries(data)) {
    const branch = ownTree.inner.get(name);
    if (branch !== undefined) result[name] = take(value, branch);
    else if (ofItems.length > 0 && isListOfObjects(value) && value.some((item) => hasAny(item, itemTree))) {
      result[name] = take(value, itemTree);
    } else if (ofItems.length > 0 && own.length === 0 && Array.isArray(value) && value.length === 0) {
      // An empty list says that there is nothing to pick from.
      result[name] = value;
    }
  }
  return result;
}

function treeOf(fields: readonly string[]): Branch {
  const root: Branch = { whole: false, inner: new Map() };
  for (const field of fields) {
    let at = root;
    for (const name of field.split('.')) {
      const next = at.inner.get(name) ?? { whole: false, inner: new Map() };
      at.inner.set(name, next);
      at = next;
    }
    at.whole = true;
  }
  return root;
}

function take(value: unknown, branch: Branch): unknown {
  if (branch.whole) return value;
  if (Array.isArray(value)) return value.map((item) => take(item, branch));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const inner = branch.inner.get(name);
      return inner === undefined ? [] : [[name, take(member, inner)]];
    }),
  );
}

function isListOfObjects(value: unknown): value is JsonObject[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

function hasAny(item: JsonObject, { inner }: Branch): boolean {
  return [...inner.keys()].some((name) => Object.hasOwn(item, name));
}
