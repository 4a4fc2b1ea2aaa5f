import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleArguments } from '../../contract/examples.ts';
import { type Argument, argumentsOf } from '../../contract/interfaces/arguments.ts';
import { DOORS, doorOf } from '../../contract/interfaces/doors.ts';
import { PAGES } from '../../contract/interfaces/pages.ts';
import type { Operation } from '../../contract/operation.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import type { JsonSchema } from '../../contract/parameters.ts';
import { trialFilterParameters } from '../../contract/trial-filters.ts';
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

/** Copies of a body, each with one of its values replaced or one key added, at any depth. */
function* changedBodies(body: unknown, name: string): Generator<unknown> {
  if (body === null || typeof body !== 'object') return;
  for (const key of Object.keys(body)) {
    const at = (value: unknown): unknown =>
      Array.isArray(body) ? body.with(Number(key), value) : { ...body, [key]: value };
    yield at(name);
    for (const inner of changedBodies((body as Record<string, unknown>)[key], name)) yield at(inner);
  }
  // An own key, where a literal would set the prototype.
  if (!Array.isArray(body)) yield Object.fromEntries([...Object.entries(body), [name, name]]);
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

  it('takes no such name as a value or key of its body that it knows', async () => {
    if (operation.body === undefined) return;
    const request = requestWith(operation, usualArguments(operation));
    const body: unknown = JSON.parse(request.body?.toString() ?? '{}');
    for (const name of names()) {
      for (const changed of changedBodies(body, name)) {
        await fuzz.hold({ ...request, body: Buffer.from(JSON.stringify(changed)) }, faultsOf);
      }
    }
  });
});

const soundAnswer = (_request: FuzzedRequest, { status, body }: FuzzedAnswer): string[] =>
  status >= 500 || /"code":(?:"INTERNAL_ERROR"|-32603)/.test(body.toString('utf8'))
    ? [`status ${status}: ${body.toString('utf8').slice(0, 300)}`]
    : [];

function posted(path: string, body: unknown, headers: Record<string, string> = {}): FuzzedRequest {
  const sent = { 'content-type': 'application/json', ...headers };
  return { method: 'POST', path, headers: sent, body: Buffer.from(JSON.stringify(body)) };
}

const MCP_HEADERS = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' };

describe('any other interface', () => {
  it('is never broken by such a name as a tool, skill or method', async () => {
    for (const name of PROTOTYPE_NAMES) {
      const messages = [
        [name, {}],
        ['tools/call', { name, arguments: {} }],
        ['tools/call', { name: 'call_operation', arguments: { id: name } }],
      ] as const;
      for (const [method, params] of messages) {
        await fuzz.hold(
          posted(doorOf('mcp').path, { jsonrpc: '2.0', id: 1, method, params }, MCP_HEADERS),
          soundAnswer,
        );
      }
      for (const parts of [[{ kind: 'data', data: { skill: name } }], [{ kind: 'text', text: name }]]) {
        const message = { kind: 'message', messageId: name, role: 'user', parts };
        const params = { message, metadata: { [name]: name } };
        await fuzz.hold(
          posted(doorOf('a2a').path, { jsonrpc: '2.0', id: 1, method: 'message/send', params }),
          soundAnswer,
        );
        await fuzz.hold(posted(doorOf('a2a').path, { jsonrpc: '2.0', id: 1, method: name, params }), soundAnswer);
      }
    }
  });

  it.each(OPERATIONS.filter(({ names: own }) => own?.mcp !== undefined).map((one) => [one.names!.mcp!, one] as const))(
    'refuses such a name as an argument of %s, and is not broken by it as a value',
    async (tool, operation) => {
      const usual = usualArguments(operation);
      for (const name of names()) {
        for (const argument of amountOf({ quick: [], deep: argumentsOf(operation) })) {
          const called = { name: tool, arguments: { ...usual, [argument.name]: name } };
          const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: called };
          await fuzz.hold(posted(doorOf('mcp').path, body, MCP_HEADERS), soundAnswer);
        }
        const given = Object.fromEntries([...Object.entries(usual), [name, name]]);
        const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: given } };
        const refused = await fuzz.hold(posted(doorOf('mcp').path, body, MCP_HEADERS), soundAnswer);
        expect(refused.body.toString()).toMatch(/"isError":true|"error":/);
      }
    },
  );

  it('answers a page, file or feed that is asked for by such a name', async () => {
    const filters = amountOf({ quick: [], deep: Object.keys(trialFilterParameters) });
    for (const { path } of [...PAGES, ...DOORS]) {
      for (const name of names()) {
        const address = path.replaceAll(/\{\w+\}/g, name);
        const get = (query: string): FuzzedRequest => ({
          method: 'GET',
          path: address + query,
          headers: {},
          body: null,
        });
        await fuzz.hold(get(''), soundAnswer);
        await fuzz.hold(get(`?${name}=${name}`), soundAnswer);
      }
    }
    for (const { path } of PAGES) {
      const address = path.replaceAll(/\{\w+\}/g, 'x');
      for (const filter of filters) {
        const sent = { method: 'GET', path: `${address}?${filter}=constructor`, headers: {}, body: null };
        await fuzz.hold(sent, soundAnswer);
      }
    }
  });

  it('reads no coding of a body by such a name', async () => {
    const [create] = OPERATIONS.filter(({ id }) => id === 'claims-create');
    const request = requestWith(create!, usualArguments(create!));
    for (const name of PROTOTYPE_NAMES) {
      const packed = { ...request, headers: { ...request.headers, 'content-encoding': name } };
      const { status } = await fuzz.hold(packed, faultsOf);
      expect([name, status]).toEqual([name, 400]);
    }
  });
});

it('writes nothing unexpected into the log', () => expect(fuzz.unexpected).toEqual([]));
