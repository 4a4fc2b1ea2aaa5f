import type { Operation, ParameterShape } from '../operation.ts';
import { enumParameter, textParameter } from '../parameters.ts';

/**
 * How much of an answer a caller takes: parameters of every read that answers in the envelope, declared here once. They
 * are taken off before the operation runs, so that no operation knows of them.
 */

/** `concise` is the default over MCP and A2A, `full` over REST and in the SDK. */
export const DETAILS = ['concise', 'full'] as const;
export type Detail = (typeof DETAILS)[number];

/** Longest list of fields: enough for every field of a trial. */
const FIELDS_MAX_CHARACTERS = 1_000;

/** Characters of compact JSON that are counted as one token. */
export const CHARACTERS_PER_TOKEN = 4;
/** An answer over MCP or A2A that nobody asked to be longer is cut here, at whole items. */
export const ANSWER_MAX_TOKENS = 20_000;
/** With detail=full it is cut here. */
export const FULL_ANSWER_MAX_TOKENS = 80_000;

export const VIEW_PARAMETERS = {
  detail: enumParameter(
    DETAILS,
    'full: the whole answer; concise: a short form of it, in which what is left out is absent. Default full over REST and in the SDK, concise over MCP and A2A.',
  ).optional(),
  fields: textParameter(
    FIELDS_MAX_CHARACTERS,
    'Only these fields, each whole: names or dotted paths separated by commas, of the data or of the items of its lists, as title,sponsor.name.',
  ).optional(),
} as const satisfies ParameterShape;

export const VIEW_PARAMETER_NAMES: readonly string[] = Object.keys(VIEW_PARAMETERS);

/** Whether an operation takes `detail` and `fields`: it reads or computes, and answers in the envelope. */
export function takesView({
  method,
  envelope,
  computes,
}: Pick<Operation, 'method' | 'envelope' | 'computes'>): boolean {
  return (method === 'GET' || computes === true) && envelope !== false;
}

const shapes = new WeakMap<Operation, ParameterShape>();

/** The query parameters that a caller may send: those of the operation, then those of its view. */
export function callerQuery(operation: Operation): ParameterShape {
  const known = shapes.get(operation);
  if (known !== undefined) return known;
  const made = { ...operation.query, ...(takesView(operation) ? VIEW_PARAMETERS : {}) };
  shapes.set(operation, made);
  return made;
}
