import { z } from 'zod';
import { IDEMPOTENCY_KEY_MAX_CHARACTERS, IDEMPOTENCY_KEY_MIN_CHARACTERS } from '../limits/limits.ts';
import { nearParameters } from '../nearest-names.ts';
import type { Operation } from '../operation.ts';
import { expectedOf, type JsonSchema, jsonSchemaOf } from '../parameters.ts';
import { exampleOf } from './argument-examples.ts';
import { callerQuery } from './view.ts';

/**
 * The doors that have no path, query and body (MCP tools, A2A skills, SDK methods) take one flat object of arguments.
 * This module says which argument goes where, once for all of them.
 */

export interface Argument {
  name: string;
  place: 'path' | 'query' | 'body' | 'header';
  /** Its name at that place. */
  target: string;
  required: boolean;
  schema: JsonSchema;
  /** Further names that it is taken under and not shown by: its name over REST, and older ones. */
  aliases: readonly string[];
}

/** What a flat object of arguments becomes over HTTP. */
export interface HttpInput {
  /** Path and query, percent-encoded. */
  path: string;
  headers: Record<string, string>;
  body: Record<string, unknown> | undefined;
}

/** An argument that cannot even be put into a request; a value that is merely wrong is refused by the operation. */
export class ArgumentFault extends Error {
  readonly argument: string;
  readonly expected: string;
  /** `instead` says what to do, where that is more than what was expected. */
  constructor(argument: string, expected: string, instead?: string) {
    super(`The argument ${argument} is not usable: ${instead ?? `expected ${expected}`}.`);
    this.name = 'ArgumentFault';
    this.argument = argument;
    this.expected = expected;
  }
}

/** An argument that the operation does not take, refused with the names that are near. */
export class UnknownArgument extends ArgumentFault {
  constructor(argument: string, known: readonly string[]) {
    super(
      argument.toWellFormed().slice(0, ARGUMENT_NAME_MAX_CHARACTERS),
      known.length === 0 ? 'no arguments' : `an argument of ${known.join(', ')}`,
    );
    this.name = 'UnknownArgument';
    const near = nearParameters(argument, known);
    this.message = `There is no argument ${this.argument}.${near.length === 0 ? '' : ` Did you mean ${near.join(', ')}?`}`;
  }
}

/** Longest name of an unknown argument that a refusal repeats. */
const ARGUMENT_NAME_MAX_CHARACTERS = 64;

/** Throws UnknownArgument for the first argument that the operation does not take. */
export function refuseUnknown(operation: Operation, given: Record<string, unknown>): void {
  const all = argumentsOf(operation);
  const known = new Set(all.flatMap(({ name, aliases }) => [name, ...aliases]));
  const unknown = Object.keys(given).find((name) => !known.has(name));
  if (unknown === undefined) return;
  throw new UnknownArgument(
    unknown,
    all.map(({ name }) => name),
  );
}

/** An argument before its further names are known. */
type Placed = Omit<Argument, 'aliases'>;

const IDEMPOTENCY_KEY: Placed = {
  name: 'idempotencyKey',
  place: 'header',
  target: 'idempotency-key',
  required: false,
  schema: {
    type: 'string',
    minLength: IDEMPOTENCY_KEY_MIN_CHARACTERS,
    maxLength: IDEMPOTENCY_KEY_MAX_CHARACTERS,
    description:
      'A random UUID: the same key with the same arguments returns the first answer instead of a second write.',
  },
};

const known = new WeakMap<Operation, readonly Readonly<Argument>[]>();

/** As `argumentsOf`, made once: to read a body as JSON Schema costs more than most answers. */
export function knownArguments(operation: Operation): readonly Readonly<Argument>[] {
  const made = known.get(operation) ?? argumentsOf(operation);
  known.set(operation, made);
  return made;
}

/** Every argument of an operation: path, query, body, headers, in this order. */
export function argumentsOf(operation: Operation): Argument[] {
  const named = (target: string): string => operation.argumentNames?.[target] ?? target;
  const path = Object.entries(operation.params ?? {}).map(
    ([target, schema]): Placed => ({
      name: named(target),
      place: 'path',
      target,
      required: true,
      schema: jsonSchemaOf(schema),
    }),
  );
  const query = Object.entries(callerQuery(operation)).map(
    ([target, schema]): Placed => ({
      name: named(target),
      place: 'query',
      target,
      // What is refused by a code of its own where it is missing is optional in its schema.
      required: !schema.safeParse(undefined).success || (target === 'id' && operation.errors.includes('MISSING_ID')),
      schema: jsonSchemaOf(schema),
    }),
  );
  const headers = Object.entries(operation.headers ?? {}).map(
    ([name, { header, description }]): Placed => ({
      name,
      place: 'header',
      target: header,
      required: false,
      schema: { type: 'string', description },
    }),
  );
  const keyed = operation.errors.includes('INVALID_IDEMPOTENCY_KEY');
  // A body field whose value the path already gives is left out.
  const body = bodyArguments(operation).filter(({ name }) => !path.some((argument) => argument.name === name));
  const all = [...path, ...query, ...body, ...headers, ...(keyed ? [IDEMPOTENCY_KEY] : [])];
  const names = new Set(all.map(({ name }) => name));
  return all.map((argument) => ({
    ...argument,
    schema: withExample(operation, argument),
    aliases: aliasesOf(operation, argument, names),
  }));
}

function withExample(operation: Operation, argument: Placed): JsonSchema {
  const { examples: _, ...schema } = argument.schema;
  const example = exampleOf(operation, argument);
  return example === undefined ? schema : { ...schema, examples: [example] };
}

/** The arguments that a list of tools shows: those that the operation chooses, that it needs and that every read has; else all. */
export function listedArguments(operation: Operation): Argument[] {
  const shown = operation.tool?.shown;
  const isOwn = (target: string): boolean => Object.hasOwn(operation.query ?? {}, target);
  return argumentsOf(operation).filter(
    ({ name, place, target, required }) =>
      shown === undefined || required || shown.includes(name) || (place === 'query' && !isOwn(target)),
  );
}

/** The name over REST, where another is shown, and those that the operation declares. */
function aliasesOf({ argumentAliases = {} }: Operation, { name, place, target }: Placed, names: Set<string>): string[] {
  const overRest = place === 'header' || target === name || names.has(target) ? [] : [target];
  return [...overRest, ...(argumentAliases[name] ?? [])];
}

function bodyArguments({ body }: Operation): Placed[] {
  if (body === undefined) return [];
  const schema = z.toJSONSchema(body, { io: 'input' }) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    place: 'body',
    target: name,
    required: schema.required?.includes(name) ?? false,
    schema: property,
  }));
}

/**
 * The arguments under the names that are shown. Two names of one argument may say the same; a second value is refused,
 * since either may be meant. Throws ArgumentFault.
 */
function underShownNames(
  all: readonly Readonly<Argument>[],
  given: Readonly<Record<string, unknown>>,
): [name: string, value: unknown][] {
  const named = new Map(all.flatMap((argument) => argument.aliases.map((alias) => [alias, argument] as const)));
  const values = new Map<string, unknown>();
  for (const [name, value] of Object.entries(given)) {
    const argument = named.get(name) ?? all.find((one) => one.name === name && one.aliases.length > 0);
    const shown = argument?.name ?? name;
    const earlier = values.get(shown);
    if (isLeftOut(earlier)) {
      values.delete(shown);
      values.set(shown, value);
    } else if (argument !== undefined && !isLeftOut(value) && JSON.stringify(value) !== JSON.stringify(earlier)) {
      throw new ArgumentFault(name, sameUnderEach([argument.name, ...argument.aliases]));
    }
  }
  return [...values];
}

/** The arguments of a call under the names that are shown, whichever of their names it used. */
export function shownArguments(
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(underShownNames(knownArguments(operation), given));
}

const sameUnderEach = (names: readonly string[]): string => `one value under all of its names: ${names.join(', ')}`;
const isLeftOut = (value: unknown): boolean => value === null || value === undefined;

/** JSON Schema (2020-12) of the flat object of arguments. */
export function argumentsSchema(operation: Operation): JsonSchema & { type: 'object' } {
  const all = argumentsOf(operation);
  const required = all.filter((argument) => argument.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(all.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 ? { required } : {}),
  };
}

const PRINTABLE = /^[\x20-\x7e]+$/;

/**
 * Puts arguments where the operation wants them. Null and undefined count as left out, except in a body. Arguments that
 * the operation does not know are sent along, so that its answer names them in `_meta.ignored`; MCP and A2A refuse them
 * before (`refuseUnknown`).
 * Throws ArgumentFault for what no request can carry.
 */
export function httpInput(operation: Operation, given: Record<string, unknown>): HttpInput {
  const all = knownArguments(operation);
  const known = new Map(all.map((argument) => [argument.name, argument]));
  const writes = operation.body !== undefined;
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  // Without a prototype, so that an argument named `__proto__` is a key like any other.
  const body: Record<string, unknown> = Object.create(null);
  const path = new Map<string, string>();
  for (const [name, value] of underShownNames(all, given)) {
    const { place, target } = known.get(name) ?? {
      place: writes ? ('body' as const) : ('query' as const),
      target: name,
    };
    if (place === 'body') {
      if (value !== undefined) body[target] = value;
    } else if (value !== null && value !== undefined) {
      const text = textOf(name, value);
      if (place === 'query') query.append(target, text);
      else if (place === 'path') path.set(target, text);
      else if (PRINTABLE.test(text)) headers[target] = text;
      else throw new ArgumentFault(name, 'printable ASCII characters');
    }
  }
  const search = query.size > 0 ? `?${query}` : '';
  return { path: `${filledPath(operation, path)}${search}`, headers, body: writes ? body : undefined };
}

function filledPath(operation: Operation, values: Map<string, string>): string {
  return operation.path.replaceAll(/\{([A-Za-z]+)\}/g, (_, target: string) => {
    const value = values.get(target);
    // A dot segment would be resolved away and lead to another path.
    if (value !== undefined && value !== '' && value !== '.' && value !== '..') return encodeURIComponent(value);
    const schema = operation.params?.[target];
    throw new ArgumentFault(operation.argumentNames?.[target] ?? target, schema ? expectedOf(schema) : 'a value');
  });
}

/** One text, as a query or a path carries it; a list is separated by commas. */
function textOf(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => textOf(name, item)).join(',');
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string' && value.isWellFormed()) return value;
  throw new ArgumentFault(name, 'text, a number, true or false, or a list of these');
}
