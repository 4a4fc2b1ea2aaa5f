import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleArguments } from '../../contract/examples.ts';
import { type Argument, argumentsOf } from '../../contract/interfaces/arguments.ts';
import type { Operation } from '../../contract/operation.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import type { JsonSchema } from '../../contract/parameters.ts';
import { amountOf } from '../support/runner/amount.ts';
import { type FuzzOrigin, openFuzzOrigin } from './fuzz-origin.ts';
import type { FuzzedAnswer, FuzzedRequest } from './fuzzed-request.ts';
import { plantedFor } from './planted.ts';
import { faultsOf } from './properties.ts';
import { type Draft, plain, put } from './requests.ts';
import { PROTOTYPE_NAMES } from './values.ts';

/** The quick run asks by the name that is a function with properties of its own; the others differ little from it. */
const names = (): readonly string[] => amountOf<readonly string[]>({ quick: ['constructor'], deep: PROTOTYPE_NAMES });

let fuzz: FuzzOrigin;
beforeAll(async () => {
  fuzz = await openFuzzOrigin();
});
afterAll(() => fuzz[Symbol.asyncDispose]());

/** Arguments with which the operation succeeds, as far as its example and what stands on the board tell them. */
function usualArguments(operation: Operation): Record<string, unknown> {
  const example = exampleArguments(operation);
  const planted = (argument: Argument): unknown => plantedFor(fuzz.planted, argument.target, operation.path)[0];
  const filled = argumentsOf(operation).flatMap((argument) => {
    const { name, required } = argument;
    const isOpen = typeof example[name] === 'string' && example[name].startsWith('<');
    if (example[name] !== undefined && !isOpen) return [[name, example[name]]];
    const value = required || isOpen ? planted(argument) : undefined;
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(filled);
}

function requestWith(operation: Operation, given: Record<string, unknown>): FuzzedRequest {
  const draft: Draft = { operation, path: {}, query: [], body: [], headers: {} };
  for (const argument of argumentsOf(operation)) {
    if (Object.hasOwn(given, argument.name)) put(draft, argument, { value: given[argument.name] });
  }
  return plain(draft);
}

/** Whether the schema names every value, so that no other one may be answered. */
function isClosed({ enum: values, items, anyOf, type }: JsonSchema): boolean {
  if (values !== undefined || ['integer', 'number', 'boolean'].includes(String(type))) return true;
  if (Array.isArray(anyOf)) return anyOf.every((form) => isClosed(form as JsonSchema));
  return type === 'array' && isClosed((items ?? {}) as JsonSchema);
}

describe.each(OPERATIONS.map((operation) => [operation.id, operation] as const))('%s', (_id, operation) => {
  it('refuses the name of a property of every object where a value is one of a list, and answers it elsewhere', async () => {
    const usual = usualArguments(operation);
    for (const argument of argumentsOf(operation).filter(({ place }) => place !== 'body')) {
      for (const name of names()) {
        const request = requestWith(operation, { ...usual, [argument.name]: name });
        const closed = (sent: FuzzedRequest, answer: FuzzedAnswer): string[] => [
          ...faultsOf(sent, answer),
          ...(isClosed(argument.schema) && answer.status < 400 ? [`${argument.name}=${name} was answered`] : []),
        ];
        await fuzz.hold(request, closed);
      }
    }
  });
});

it('writes nothing unexpected into the log', () => expect(fuzz.unexpected).toEqual([]));
