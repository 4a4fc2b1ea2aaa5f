import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifyFile } from '../../board-server/store/sqlite/verify-file.ts';
import { exampleArguments } from '../../contract/examples.ts';
import { argumentsOf } from '../../contract/interfaces/arguments.ts';
import type { Operation } from '../../contract/operation.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import type { JsonSchema } from '../../contract/parameters.ts';
import { ofFile } from '../support/of-file.ts';
import { amountOf, deep } from '../support/runner/amount.ts';
import { REQUEST_EXAMPLES } from './examples.ts';
import { fuzzCases, OPERATIONS_SEED, openFuzzOrigin } from './fuzz-origin.ts';
import type { FuzzedAnswer, FuzzedRequest } from './fuzzed-request.ts';
import { type Planted, plantedFor } from './planted.ts';
import { faultsOf, operationAt } from './properties.ts';
import { type Draft, plain, put, requestsOf } from './requests.ts';
import { PROTOTYPE_NAMES } from './values.ts';

/** So many that each operation is reached as far as its success. */
const CASES = 1.5 * fuzzCases();
const MORE_CASES = 200;

describe('any request', () => {
  /** The codes that each operation answered; `ok` for a success. */
  const seen = new Map<string, Set<string>>();
  const fuzz = ofFile(() => openFuzzOrigin());

  const note = ({ method, path }: FuzzedRequest, { status, body }: FuzzedAnswer): void => {
    const id = operationAt(method, path)?.id;
    if (id === undefined || method === 'HEAD') return;
    const code = status < 400 ? 'ok' : /"code":"(\w+)"/.exec(body.toString('utf8'))?.[1];
    seen.set(id, (seen.get(id) ?? new Set()).add(code ?? 'none'));
  };

  it(`gets a sound answer: no 5xx, no hang, its documented shape (${CASES} cases)`, async () => {
    const any = fc.constantFrom(...OPERATIONS).chain((operation) => requestsOf(operation, fuzz.planted));
    const sound = async (request: FuzzedRequest) => note(request, await fuzz.hold(request, faultsOf));
    const examples = REQUEST_EXAMPLES.map((one): [FuzzedRequest] => [one]);
    const numRuns = CASES + examples.length;
    await fc.assert(fc.asyncProperty(any, sound), { numRuns, seed: OPERATIONS_SEED, examples });
  });

  // Few of the generated requests succeed for some operations, so only the deep run has enough of them.
  deep.only(() => {
    it('reaches every operation as far as its success, and most of the codes', async () => {
      const unreached = () => OPERATIONS.filter(({ id }) => !seen.get(id)?.has('ok'));
      // Chance can leave an operation with many parameters without a success.
      for (const operation of unreached()) {
        const more = fc.sample(requestsOf(operation, fuzz.planted), { numRuns: MORE_CASES, seed: OPERATIONS_SEED });
        for (const request of more) note(request, await fuzz.hold(request, faultsOf));
      }
      expect(unreached().map(({ id }) => id)).toEqual([]);
      const codes = new Set([...seen.values()].flatMap((all) => [...all]));
      expect(codes.size).toBeGreaterThan(25);
    });
  });

  it('refuses the name of a property of every object where a value is one of a list, and answers it elsewhere', async () => {
    for (const operation of OPERATIONS) {
      const usual = usualArguments(operation, fuzz.planted);
      for (const argument of argumentsOf(operation).filter(({ place }) => place !== 'body')) {
        const closed = (sent: FuzzedRequest, answer: FuzzedAnswer): string[] => [
          ...faultsOf(sent, answer),
          ...(isClosed(argument.schema) && answer.status < 400 ? [`${argument.name} was answered`] : []),
        ];
        for (const name of amountOf<readonly string[]>({ quick: ['constructor'], deep: PROTOTYPE_NAMES }))
          await fuzz.hold(requestWith(operation, { ...usual, [argument.name]: name }), closed);
      }
    }
  });

  it('leaves the chain of events whole', async () => {
    const { problems, events } = await verifyFile(fuzz.origin.board.path);
    expect(problems).toEqual([]);
    expect(events).toBeGreaterThan(40);
  });

  it('writes nothing unexpected into the log', () => expect(fuzz.unexpected).toEqual([]));
});

/** Arguments with which the operation succeeds, as far as its example and what stands on the board tell them. */
function usualArguments(operation: Operation, planted: Planted): Record<string, unknown> {
  const example = exampleArguments(operation);
  const filled = argumentsOf(operation).flatMap((argument) => {
    const { name, required } = argument;
    const isOpen = typeof example[name] === 'string' && example[name].startsWith('<');
    if (example[name] !== undefined && !isOpen) return [[name, example[name]]];
    const value = required || isOpen ? plantedFor(planted, argument.target, operation.path)[0] : undefined;
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
