import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { METHODS } from '../../gateway/a2a/methods.ts';
import { SKILLS } from '../../gateway/a2a/skills.ts';
import { postA2a } from '../support/a2a.ts';
import { answerShape } from '../support/checks/a2a-shapes.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';

let origin: TestOrigin;
beforeAll(async () => {
  origin = await openOrigin();
});
afterAll(() => origin[Symbol.asyncDispose]());

/** Posts a body and checks that the answer is one that the door may give. */
async function isAnswered(body: unknown): Promise<void> {
  const answer = await postA2a(origin.url, body);
  expect(answer.status).toBeLessThan(500);
  const { error } = answerShape.parse(answer.body) as { error?: { code: unknown } };
  expect(error?.code).not.toBe(-32603);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  expect(answer.headers.get('x-correlation-id')).toBeTruthy();
}

/** Mostly valid values, so that an invalid one is met deep inside the message. */
const mostly = <T>(right: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 8, arbitrary: right }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) });
const maybe = (right: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => fc.option(mostly(right), { nil: undefined });

const text = fc.oneof(fc.string(), fc.string({ unit: 'binary', maxLength: 30 }), fc.constantFrom(...SKILLS.keys()));
// `wait` is left out: the test would wait for it.
const inputs = fc
  .dictionary(fc.oneof(fc.string(), fc.constantFrom(...argumentNames())), fc.jsonValue({ maxDepth: 4 }), { maxKeys: 6 })
  .map(({ wait, ...rest }) => rest);
const data = fc.tuple(fc.constantFrom(...SKILLS.keys()), inputs).map(([skill, rest]) => ({ ...rest, skill }));
const part = fc.oneof(
  fc.record({ kind: fc.constant('data'), data: mostly(data) }),
  fc.record({ kind: fc.constant('text'), text: mostly(text) }),
  fc.record({
    kind: fc.constant('file'),
    file: mostly(fc.record({ uri: fc.webUrl(), mimeType: fc.constant('text/plain') })),
  }),
);
const message = fc.record({
  kind: mostly(fc.constant('message')),
  messageId: mostly(text),
  role: mostly(fc.constantFrom('user', 'agent')),
  parts: mostly(fc.array(mostly(part), { maxLength: 3 })),
  taskId: maybe(fc.constant('none')),
  contextId: maybe(text),
  metadata: maybe(fc.object()),
});
const configuration = fc.record({
  acceptedOutputModes: maybe(fc.array(fc.constantFrom('application/json', 'text/plain', '*/*', 'image/png'))),
  historyLength: maybe(fc.integer()),
  blocking: maybe(fc.boolean()),
});
const params = fc.oneof(
  fc.record({ message: mostly(message), configuration: maybe(configuration) }),
  fc.record({ id: mostly(text), historyLength: maybe(fc.integer()) }),
);
const request = fc.record({
  jsonrpc: mostly(fc.constant('2.0')),
  id: maybe(fc.oneof(fc.string(), fc.integer())),
  method: mostly(fc.oneof({ weight: 5, arbitrary: fc.constant('message/send') }, fc.constantFrom(...METHODS.keys()))),
  params: mostly(params),
});

function argumentNames(): string[] {
  const all = [...SKILLS.values()].flatMap(({ inputSchema }) => Object.keys(inputSchema.properties as object));
  return [...new Set([...all, '__proto__', 'constructor', 'idempotencyKey'])];
}

describe('whatever is posted', () => {
  it('any JSON value is answered as JSON-RPC or as a refusal of REST, never with a fault of the server', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), (value) => isAnswered(JSON.stringify(value))),
      { numRuns: 100 },
    );
  });

  it('any request that is nearly right is', async () => {
    await fc.assert(fc.asyncProperty(request, isAnswered), { numRuns: 400 });
  });

  it('any text is', async () => {
    await fc.assert(fc.asyncProperty(fc.string({ unit: 'binary' }), isAnswered), { numRuns: 100 });
  });
});
