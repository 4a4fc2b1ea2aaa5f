import { ArgumentFault, knownArguments } from '../contract/interfaces/arguments.ts';
import type { Operation } from '../contract/operation.ts';
import type { JsonSchema } from '../contract/parameters.ts';
import { enteredJson } from '../server-kit/entered-json.ts';
import { isObject, type JsonObject, objectsOf } from './view/json.ts';

/**
 * Clients of models send a list or an object as JSON text, a number or a boolean as text, and null or an empty text for what
 * they leave out. Here each is read as what the schema of the argument says that it can only mean.
 */
export interface PlainArguments {
  given: Record<string, unknown>;
  /** Paths of optional arguments that were sent empty, and left out. */
  leftOut: string[];
}

const NOT_ITS_TEXT = 'a JSON array, not its text';

/** Throws ArgumentFault for a text that begins as JSON of a list and is none, where no body's refusal would name it. */
export function plainArguments(operation: Operation, given: Readonly<Record<string, unknown>>): PlainArguments {
  const all = knownArguments(operation);
  const leftOut: string[] = [];
  const read = Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
    const argument = all.find((one) => one.name === name || one.aliases.includes(name));
    if (argument === undefined) return [[name, value]];
    const { schema, required, place } = argument;
    const plain = plainMember(name, value, { schema, required }, leftOut);
    if (place !== 'body' && plain === value && typeof value === 'string' && isUnreadList(schema, value)) {
      throw new ArgumentFault(name, NOT_ITS_TEXT, `send ${NOT_ITS_TEXT}`);
    }
    return plain === undefined ? [] : [[name, plain]];
  });
  return { given: Object.fromEntries(read), leftOut };
}

/** The object that a value is, or that its text holds as JSON; undefined for anything else. Nothing stated is an empty one. */
export function plainObject(value: unknown): JsonObject | undefined {
  if (value === null || value === undefined || isBlank(value)) return {};
  const object = typeof value === 'string' ? parsed(value) : value;
  return isObject(object) ? object : undefined;
}

/** A value without what was left out of it; undefined if it was left out itself. */
function plainMember(
  path: string,
  value: unknown,
  { schema, required }: { schema: JsonSchema; required: boolean },
  leftOut: string[],
): unknown {
  const forms = formsOf(schema);
  if (!required && value === null && !forms.some(({ type }) => type === 'null')) return undefined;
  if (!required && isBlank(value)) {
    leftOut.push(path);
    return undefined;
  }
  return plainValue(path, value, forms, leftOut);
}

function plainValue(path: string, value: unknown, forms: readonly JsonSchema[], leftOut: string[]): unknown {
  if (typeof value === 'string') {
    if (forms.some(takesText)) return value;
    const read = ofText(value, forms);
    return read === value ? value : plainValue(path, read, forms, leftOut);
  }
  if (Array.isArray(value)) {
    const items = forms.flatMap((form) => (isObject(form.items) ? formsOf(form.items) : []));
    return items.length === 0 ? value : value.map((item, at) => plainValue(`${path}.${at}`, item, items, leftOut));
  }
  return isObject(value) ? plainMembers(path, value, forms, leftOut) : value;
}

function plainMembers(
  path: string,
  value: JsonObject,
  forms: readonly JsonSchema[],
  leftOut: string[],
): Record<string, unknown> {
  const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const own = forms.flatMap(({ properties }) =>
      isObject(properties) && Object.hasOwn(properties, name) ? [properties[name] as JsonSchema] : [],
    );
    if (own.length === 0) return [[name, member]];
    const required = forms.some((form) => Array.isArray(form.required) && form.required.includes(name));
    const plain = plainMember(`${path}.${name}`, member, { schema: { anyOf: own }, required }, leftOut);
    return plain === undefined ? [] : [[name, plain]];
  });
  return Object.fromEntries(members);
}

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** What a text means where no text is wanted; the text itself where that cannot be told. */
function ofText(text: string, forms: readonly JsonSchema[]): unknown {
  const trimmed = text.trim();
  const types = new Set(forms.map(({ type }) => type));
  const wantsNumber = types.has('number') || types.has('integer');
  if (wantsNumber && NUMBER.test(trimmed) && Number.isFinite(Number(trimmed))) return Number(trimmed);
  const truth = types.has('boolean') ? BOOLEANS.get(trimmed.toLowerCase()) : undefined;
  if (truth !== undefined) return truth;
  const value = types.has('array') || types.has('object') ? parsed(trimmed) : undefined;
  const isWanted = Array.isArray(value) ? types.has('array') : isObject(value) && types.has('object');
  return isWanted ? value : text;
}

/** The list that a text holds as JSON; the value itself if it holds none. */
export function plainList(value: unknown): unknown {
  const list = typeof value === 'string' && value.trimStart().startsWith('[') ? parsed(value) : undefined;
  return Array.isArray(list) ? list : value;
}

/** What a text holds as JSON; undefined if it is none, or nested deeper than later code can take. */
function parsed(text: string): unknown {
  try {
    return enteredJson(text).value;
  } catch {
    return undefined;
  }
}

/** The forms that a value may have, one type each. */
function formsOf(schema: JsonSchema): JsonSchema[] {
  const joined = [schema.anyOf, schema.oneOf].flatMap(objectsOf);
  if (joined.length > 0) return joined.flatMap(formsOf);
  return Array.isArray(schema.type) ? schema.type.map((type: unknown) => ({ ...schema, type })) : [schema];
}

/** Whether a text may be meant as it is: the form is of texts, or of any JSON. */
function takesText({ type, enum: values, const: only }: JsonSchema): boolean {
  if (type !== undefined) return type === 'string';
  const stated = Array.isArray(values) ? values : only === undefined ? [] : [only];
  return stated.length === 0 || stated.some((value) => typeof value === 'string');
}

/** A list in a query is a text with commas, unless it begins as JSON. */
function isUnreadList(schema: JsonSchema, text: string): boolean {
  return schema.type === 'array' && /^\s*[[{]/.test(text);
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}
