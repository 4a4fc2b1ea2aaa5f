import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyFile } from '../../board-server/store/sqlite/verify-file.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { deep } from '../support/runner/amount.ts';
import { REQUEST_EXAMPLES } from './examples.ts';
import { type FuzzOrigin, fuzzCases, OPERATIONS_SEED, openFuzzOrigin } from './fuzz-origin.ts';
import type { FuzzedAnswer, FuzzedRequest } from './fuzzed-request.ts';
import { faultsOf, operationAt } from './properties.ts';
import { requestsOf } from './requests.ts';

/** So many that each operation is reached as far as its success. */
const CASES = 1.5 * fuzzCases();
const MORE_CASES = 200;

describe('any request', () => {
  /** The codes that each operation answered; `ok` for a success. */
  const seen = new Map<string, Set<string>>();
  let fuzz: FuzzOrigin;
  beforeAll(async () => {
    fuzz = await openFuzzOrigin();
  });
  afterAll(() => fuzz[Symbol.asyncDispose]());

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

  it('leaves the chain of events whole', async () => {
    const { problems, events } = await verifyFile(fuzz.origin.board.path);
    expect(problems).toEqual([]);
    expect(events).toBeGreaterThan(40);
  });

  it('writes nothing unexpected into the log', () => expect(fuzz.unexpected).toEqual([]));
});
