import fc from 'fast-check';
import { type Argument, argumentsOf } from '../../contract/interfaces/arguments.ts';
import type { Operation } from '../../contract/operation.ts';
import type { FuzzedRequest } from './fuzzed-request.ts';
import { headerText, mutationsOf } from './mutations.ts';
import { type Planted, plantedFor } from './planted.ts';
import { fittingValue, hostileText, hostileValue, PROTOTYPE_NAMES } from './values.ts';

/** Requests made from an operation's schema: valid ones, and ones invalid in every way that a sender can be wrong. */

type Pair = [name: string, value: unknown];

export interface Draft {
  operation: Operation;
  path: Record<string, string>;
  query: [string, string][];
  body: Pair[];
  headers: Record<string, string>;
}

const ODD_NAMES = [...PROTOTYPE_NAMES, 'prototype', '', 'x', 'Q', 'limit ', '\u0000', 'é'];
const TOKEN_HEADERS = ['x-release-token', 'x-withdraw-token', 'x-webhook-secret', 'x-prediction-token'] as const;

export function requestsOf(operation: Operation, planted: Planted): fc.Arbitrary<FuzzedRequest> {
  const right = draftOf(operation, planted).map(plain);
  return fc.oneof(
    right,
    fc.tuple(right, mutationsOf(planted)).map(([request, change]) => change(request)),
  );
}

/** Arguments as one flat object, for the doors that take such an object. */
export function argumentsOfAny(operation: Operation, planted: Planted): fc.Arbitrary<Record<string, unknown>> {
  const all = argumentsOf(operation);
  return fc
    .tuple(...all.map((argument) => pickOf(argument, operation, planted)))
    .map((picks) =>
      Object.fromEntries(all.flatMap(({ name }, place) => (picks[place] ? [[name, picks[place].value]] : []))),
    );
}

function draftOf(operation: Operation, planted: Planted): fc.Arbitrary<Draft> {
  // In half of the drafts every argument is in place. Otherwise the longest lists of arguments would hardly ever be
  // valid.
  return fc.boolean().chain((calm) => draftIn(operation, planted, calm));
}

function draftIn(operation: Operation, planted: Planted, calm: boolean): fc.Arbitrary<Draft> {
  const all = argumentsOf(operation);
  const picks = fc.tuple(...all.map((argument) => pickOf(argument, operation, planted, calm)));
  // Added to few drafts only, since a body with fixed keys refuses every other key.
  const oddOne = fc.tuple(fc.constantFrom(...ODD_NAMES), hostileValue);
  const extra = calm ? fc.constant(null) : fc.option(oddOne, { freq: 12 });
  const holder = fc.record({ owns: fc.nat(3), apiKey: fc.constantFrom(...planted.apiKeys) });
  return fc.tuple(picks, extra, holder).map(([values, odd, { owns, apiKey }]) => {
    const draft: Draft = { operation, path: {}, query: [], body: [], headers: {} };
    for (const [place, argument] of all.entries()) put(draft, argument, values[place]);
    if (odd) put(draft, { target: odd[0], place: operation.body ? 'body' : 'query' }, { value: odd[1] });
    if (owns === 0) return draft;
    // Most requests come from the holder, with the token of the named object or with a key that may manage keys.
    const token = planted.tokensOf.get(draft.path.id ?? '');
    if (token !== undefined) for (const name of TOKEN_HEADERS) draft.headers[name] = token;
    if (operation.errors.includes('INVALID_KEY')) draft.headers['x-api-key'] = apiKey;
    return draft;
  });
}

/** The value of an argument: none, one of its schema, one from the board, or a hostile one. */
function pickOf(
  argument: Argument,
  operation: Operation,
  planted: Planted,
  calm = false,
): fc.Arbitrary<{ value: unknown } | null> {
  // An invented cursor is never valid, and an invented field hardly ever.
  if (calm && ['cursor', 'fields'].includes(argument.name)) return fc.constant(null);
  // Planted by the name over REST; the flat name may say more.
  const own = plantedFor(planted, argument.target, operation.path);
  const list = argument.schema.type === 'array';
  const value = (one: fc.Arbitrary<unknown>) => one.map((given) => ({ value: given }));
  // A call that waits would only slow the fuzz down.
  const fitting = argument.name === 'wait' ? fc.constant(0) : fittingValue(argument.schema);
  return fc.oneof(
    { weight: argument.required ? (calm ? 0 : 1) : 12, arbitrary: fc.constant(null) },
    { weight: own.length > 0 ? (calm ? 0 : 4) : 14, arbitrary: value(fitting) },
    {
      weight: own.length > 0 ? 14 : 0,
      arbitrary: value(
        fc.constantFrom(...(own.length > 0 ? own : ['none'])).map((one) => (list && !Array.isArray(one) ? [one] : one)),
      ),
    },
    { weight: calm ? 0 : 2, arbitrary: value(argument.name === 'wait' ? hostileText : hostileValue) },
  );
}

export function put(
  draft: Draft,
  { place, target }: Pick<Argument, 'place' | 'target'>,
  pick: { value: unknown } | null | undefined,
): void {
  // A planted undefined leaves the argument out.
  if (!pick || pick.value === undefined) return;
  const { value } = pick;
  if (place === 'body') draft.body.push([target, value]);
  else if (place === 'path') draft.path[target] = asText(value);
  else if (place === 'query') draft.query.push([target, asText(value)]);
  else draft.headers[target] = headerText(asText(value));
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(',');
  return JSON.stringify(value) ?? '';
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).slice(0, 9_000).replace(/%.?$/, '');
}

export function plain({ operation, path, query, body, headers }: Draft): FuzzedRequest {
  const address = operation.path.replaceAll(/\{([A-Za-z]+)\}/g, (_, name: string) => encoded(path[name] ?? 'none'));
  const search = query.map(([name, text]) => `${encoded(name)}=${encoded(text)}`).join('&');
  const sent = operation.body === undefined ? null : Buffer.from(jsonOf(body));
  return {
    method: operation.method,
    path: search === '' ? address : `${address}?${search}`.slice(0, 8_000),
    headers: { ...(sent === null ? {} : { 'content-type': 'application/json' }), ...headers },
    body: sent,
  };
}

/** Writes the keys in the order given, including repeated ones and `__proto__`. */
function jsonOf(pairs: readonly Pair[]): string {
  return `{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`).join(',')}}`;
}
