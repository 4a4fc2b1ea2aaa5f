import type { z } from 'zod';
import { EXPECTED_ALONE_HINT, UNKNOWN_PARAMETER_HINT } from '../contract/errors/errors.ts';
import { nearParameters } from '../contract/nearest-names.ts';
import type { Operation, ParameterShape } from '../contract/operation.ts';
import { expectedOf, expectedOfFault } from '../contract/parameters.ts';
import { Problem, type ProblemDetails } from './problem.ts';

/** Longest name of an unknown parameter that `_meta.ignored` repeats. */
const IGNORED_NAME_MAX_CHARACTERS = 64;
export const IGNORED_NAMES_MAX = 20;
/** Names at most as unlike as this share of their letters are offered for one that is not known. */
const NEAR_UNLIKENESS = 0.5;

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

/** Name and value pairs of a query string, in the order sent; null for a value that is not UTF-8 after decoding. */
export function queryPairs(search: string): { name: string; value: string | null }[] {
  const text = search.startsWith('?') ? search.slice(1) : search;
  if (text === '') return [];
  return text.split('&').flatMap((pair) => {
    if (pair === '') return [];
    const cut = pair.indexOf('=');
    const name = decode(cut < 0 ? pair : pair.slice(0, cut)) ?? '';
    return [{ name, value: decode(cut < 0 ? '' : pair.slice(cut + 1)) }];
  });
}

function invalid(parameter: string, expected: string, issues: { path: string; message: string }[]): ProblemDetails {
  const message = `The parameter ${parameter} is not usable: expected ${expected}.`;
  return { message, parameter, expected, issues };
}

/** Refuses a parameter whose value fits its schema but cannot be used. */
export function refuseParameter(
  parameter: string,
  expected: string,
  fail: (code: 'INVALID_PARAM', details: ProblemDetails) => never,
): never {
  return fail('INVALID_PARAM', invalid(parameter, expected, [{ path: parameter, message: `expected ${expected}` }]));
}

/** Refuses a parameter that the operation does not know, without repeating its name. */
export function unknownParameter(known: readonly string[]): Problem {
  const expected = known.length === 0 ? 'no parameter' : `no parameter but ${known.join(', ')}`;
  return new Problem('INVALID_PARAM', {
    message: `A parameter was sent that is not taken here; nothing of it was kept. Expected ${expected}.`,
    parameter: 'query',
    expected,
    issues: [{ path: 'query', message: `expected ${expected}` }],
    hint: EXPECTED_ALONE_HINT,
  });
}

/** Refuses a parameter that is not known, with the names that are near to it. */
export function unknownNamed(name: string, known: readonly string[]): Problem {
  const near = nearParameters(name, known, NEAR_UNLIKENESS);
  const meant = near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
  const expected = known.length === 0 ? 'no parameter' : `one of ${known.join(', ')}`;
  return new Problem('INVALID_PARAM', {
    message: `The parameter ${name} is not known here.${meant}`,
    parameter: name,
    expected,
    issues: [{ path: name, message: `expected ${expected}` }],
    hint: UNKNOWN_PARAMETER_HINT,
  });
}

/** One for all, since what is known of a shape is kept with it. */
const NONE: ParameterShape = {};

interface ReadParameters {
  values: Record<string, unknown>;
  applied: Record<string, string>;
  ignored: string[];
}

interface ReadQuery extends ReadParameters {
  pairs: { name: string; value: string | null }[];
}

/** The query of a request. */
export function readQuery(
  { query, unknownParameters }: Pick<Operation, 'query' | 'unknownParameters'>,
  search: string,
): ReadQuery {
  const pairs = queryPairs(search);
  return { pairs, ...readParameters(query, pairs, unknownParameters) };
}

/**
 * Reads parameters with their schemas. An unusable value fails with INVALID_PARAM, which names the first and lists all.
 * Unknown parameters are dropped and returned by name, or refused without their names.
 */
export function readParameters(
  shape: ParameterShape = NONE,
  pairs: readonly { name: string; value: string | null }[],
  unknown: 'dropped' | 'refused' = 'dropped',
): ReadParameters {
  const given = new Map<string, (string | null)[]>();
  const ignored: string[] = [];
  for (const { name, value } of pairs) {
    if (Object.hasOwn(shape, name)) {
      const texts = given.get(name);
      if (texts === undefined) given.set(name, [value]);
      else texts.push(value);
    } else if (unknown === 'refused') throw unknownParameter(Object.keys(shape));
    else if (ignored.length < IGNORED_NAMES_MAX)
      ignored.push(name.toWellFormed().slice(0, IGNORED_NAME_MAX_CHARACTERS));
  }
  const values: Record<string, unknown> = {};
  const applied: Record<string, string> = {};
  const issues: { path: string; message: string; expected: string }[] = [];
  for (const parameter of parametersOf(shape)) {
    const { name, schema } = parameter;
    const texts = given.get(name);
    if (texts === undefined && parameter.isLeftOut) continue;
    const read = readOne(schema, texts);
    if ('expected' in read) issues.push({ path: name, message: `expected ${read.expected}`, expected: read.expected });
    else {
      if (read.value !== undefined) values[name] = read.value;
      if (read.text !== undefined) applied[name] = read.text;
    }
  }
  const first = issues[0];
  if (first)
    throw new Problem(
      'INVALID_PARAM',
      invalid(
        first.path,
        first.expected,
        issues.map(({ path, message }) => ({ path, message })),
      ),
    );
  return { values, applied, ignored: [...new Set(ignored)] };
}

interface Parameter {
  name: string;
  schema: z.ZodType;
  /** Whether it has no value when it is absent, as nearly all of a search. */
  isLeftOut: boolean;
}

const parameters = new WeakMap<ParameterShape, Parameter[]>();

function parametersOf(shape: ParameterShape): Parameter[] {
  const known = parameters.get(shape);
  if (known !== undefined) return known;
  const made = Object.entries(shape).map(([name, schema]): Parameter => {
    const read = absent(schema);
    return { name, schema, isLeftOut: 'value' in read && read.value === undefined };
  });
  parameters.set(shape, made);
  return made;
}

type Read = { value: unknown; text: string | undefined } | { expected: string };

/** A schema's value for an absent parameter. Only immutable values are kept, since all requests share them. */
const absents = new WeakMap<z.ZodType, Read>();

function absent(schema: z.ZodType): Read {
  const known = absents.get(schema);
  if (known !== undefined) return known;
  const result = schema.safeParse(undefined);
  if (!result.success) return { expected: expectedOf(schema) };
  const read = { value: result.data, text: undefined };
  if (typeof result.data !== 'object' && typeof result.data !== 'function') absents.set(schema, read);
  return read;
}

function readOne(schema: z.ZodType, texts: (string | null)[] | undefined): Read {
  if (texts && texts.length > 1) return { expected: `${expectedOf(schema)}, given once` };
  const text = texts?.[0];
  if (text === undefined) return absent(schema);
  if (text === null) return { expected: `${expectedOf(schema)}, percent-encoded as UTF-8` };
  const result = schema.safeParse(text);
  return result.success ? { value: result.data, text } : { expected: expectedOfFault(schema, result.error) };
}
