import fc from 'fast-check';
import { doorOf } from '../../contract/interfaces/doors.ts';
import type { Operation } from '../../contract/operation.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import type { FuzzedRequest } from './fuzzed-request.ts';
import { mutationsOf } from './mutations.ts';
import type { Planted } from './planted.ts';
import { argumentsOfAny } from './requests.ts';
import { hostileText, hostileValue } from './values.ts';

/** JSON-RPC messages for MCP and A2A: valid calls, and calls in which any part was replaced, dropped or repeated. */

type Json = Record<string, unknown>;

const MODERN = '2026-07-28';
const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
};
const MCP_METHODS = ['initialize', 'ping', 'tools/list', 'server/discover', 'notifications/initialized'];
const A2A_METHODS = [
  ...['tasks/get', 'tasks/cancel', 'message/stream', 'tasks/resubscribe', 'agent/getAuthenticatedExtendedCard'],
  'tasks/pushNotificationConfig/set',
];

const named = (door: 'mcp' | 'a2a'): Operation[] => OPERATIONS.filter(({ names }) => names?.[door] !== undefined);

export function mcpRequests(planted: Planted): fc.Arbitrary<FuzzedRequest> {
  const call = fc.constantFrom(...named('mcp')).chain((operation) =>
    argumentsOfAny(operation, planted).map((given) => ({
      method: 'tools/call',
      params: { name: operation.names!.mcp!, arguments: given },
    })),
  );
  const other = fc.constantFrom(...MCP_METHODS).map((method) => ({ method, params: {} }));
  const message = fc.tuple(fc.oneof({ weight: 5, arbitrary: call }, { weight: 1, arbitrary: other }), fc.boolean());
  const request = message.chain(([{ method, params }, modern]) => {
    const body: Json = { jsonrpc: '2.0', id: 1, method, params: modern ? { ...params, _meta: MODERN_META } : params };
    const name = 'name' in params ? { 'mcp-name': params.name } : {};
    const headers = modern
      ? { 'mcp-protocol-version': MODERN, 'mcp-method': method, ...name }
      : { 'mcp-protocol-version': '2025-11-25' };
    return posted(doorOf('mcp').path, { accept: 'application/json, text/event-stream', ...headers }, body);
  });
  return wrongNowAndThen(request, planted);
}

export function a2aRequests(planted: Planted): fc.Arbitrary<FuzzedRequest> {
  const send = fc
    .constantFrom(...named('a2a'))
    .chain((operation) =>
      argumentsOfAny(operation, planted).map((given) => ({ skill: operation.names!.a2a!, ...given })),
    )
    .map((data) => ({
      method: 'message/send',
      params: { message: { kind: 'message', messageId: 'fuzz', role: 'user', parts: [{ kind: 'data', data }] } },
    }));
  const other = fc.constantFrom(...A2A_METHODS).map((method) => ({ method, params: { id: 'none' } }));
  const request = fc
    .oneof({ weight: 5, arbitrary: send }, { weight: 1, arbitrary: other })
    .chain((message) => posted(doorOf('a2a').path, {}, { jsonrpc: '2.0', id: 1, ...message }));
  return wrongNowAndThen(request, planted);
}

/** Posts the body with none to three of its values changed, and now and then as a batch. */
function posted(path: string, headers: Record<string, string>, body: Json): fc.Arbitrary<FuzzedRequest> {
  const changes = fc.array(fc.tuple(fc.nat(60), fc.option(fc.oneof(hostileText, hostileValue), { freq: 5 })), {
    maxLength: 3,
  });
  return fc.tuple(changes, fc.nat(15)).map(([all, batch]) => {
    const changed = all.reduce((current, [place, value]) => changedAt(current, place, value), structuredClone(body));
    const sent = batch === 0 ? [changed, changed] : changed;
    return {
      ...{ method: 'POST', path, headers: { 'content-type': 'application/json', ...headers } },
      body: Buffer.from(JSON.stringify(sent)),
    };
  });
}

function wrongNowAndThen(request: fc.Arbitrary<FuzzedRequest>, planted: Planted): fc.Arbitrary<FuzzedRequest> {
  const wrong = fc.tuple(request, mutationsOf(planted)).map(([right, change]) => change(right));
  return fc.oneof({ weight: 3, arbitrary: request }, { weight: 1, arbitrary: wrong });
}

/** The message with one of its values replaced; null removes the value. */
function changedAt(message: Json, place: number, value: unknown): Json {
  const places = placesOf(message);
  const [holder, key] = places[place % places.length] ?? [];
  if (holder === undefined || key === undefined) return message;
  if (value === null) delete holder[key];
  else holder[key] = value;
  return message;
}

function placesOf(value: unknown): [holder: Json, key: string][] {
  if (value === null || typeof value !== 'object') return [];
  return Object.keys(value).flatMap((key): [Json, string][] => [
    [value as Json, key],
    ...placesOf((value as Json)[key]),
  ]);
}
