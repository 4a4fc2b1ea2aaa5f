import { doorOf } from '../../contract/interfaces/doors.ts';
import type { FuzzedRequest } from './fuzzed-request.ts';
import { PROTOTYPE_NAMES } from './values.ts';

/** Requests that are always tried: what once broke something, here or elsewhere. A case that the fuzz finds is added. */

const get = (path: string, headers: Record<string, string> = {}): FuzzedRequest => ({
  ...{ method: 'GET', path, headers, body: null },
});
const post = (path: string, body: unknown, headers: Record<string, string> = {}): FuzzedRequest => ({
  ...{ method: 'POST', path, headers: { 'content-type': 'application/json', ...headers } },
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});
const deep = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

export const REQUEST_EXAMPLES: readonly FuzzedRequest[] = [
  get('/api/v1/claims?scope=%00json:1'),
  get('/api/v1/claims?trialId=,,,'),
  get('/api/v1/claims?q=NEAR(a%20b)%20OR%20%22c%22%20AND%20NOT%20d%5E'),
  get(`/api/v1/claims?cursor=${Buffer.from('{"v":1,"f":"x","k":1e400}').toString('base64url')}`),
  get('/api/v1/claims/%ed%a0%80'),
  get('//api/v1/claims'),
  get('/api/v1/changes?since=-271821-04-19T23:59:59.999Z'),
  get('/api/v1/changes', { accept: 'text/event-stream', 'last-event-id': 'seven' }),
  get('/api/v1/trials/search?q=%22%22'),
  get('/api/v1/trials/search?q[$ne]=1'),
  post('/api/v1/findings', { endpointsUsed: Array(4_000).fill(1) }),
  post('/api/v1/findings', `{"title":${deep(3_900)}}`),
  post('/api/v1/claims', '{"a":1}{"b":2}'),
  post('/api/v1/claims', '{"__proto__":{"objectiveId":"map-one-disease"},"constructor":{"prototype":{}}}'),
  post('/api/v1/claims', `{"scope":"\\ud800","intent":"\\u0000${'x'.repeat(50)}","agentName":"\\udfff"}`),
  post('/api/v1/calibration', '{"confidence":1e999,"horizonDays":-1e999}'),
  ...PROTOTYPE_NAMES.flatMap((name) => [
    get(`/api/v1/trials/values?field=${name}`),
    get(`/api/v1/agents/${name}?${name}=${name}`),
    post('/api/v1/claims', { [name]: name, scope: name }, { 'content-encoding': name }),
  ]),
];

const MCP_HEADERS = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' };
const rpc = (method: string, params: unknown) => ({ jsonrpc: '2.0', id: 1, method, params });

/** A name of every object as a method, tool, argument, prompt and resource. */
export const MCP_EXAMPLES: readonly FuzzedRequest[] = PROTOTYPE_NAMES.flatMap((name) =>
  [
    rpc(name, {}),
    rpc('tools/call', { name, arguments: {} }),
    rpc('tools/call', { name: 'search_world_trials', arguments: { [name]: name, q: name } }),
    rpc('prompts/get', { name, arguments: { [name]: name } }),
    rpc('resources/read', { uri: name }),
  ].map((message) => post(doorOf('mcp').path, message, MCP_HEADERS)),
);

/** Such a name as a skill, a text and a member of the metadata. */
export const A2A_EXAMPLES: readonly FuzzedRequest[] = PROTOTYPE_NAMES.flatMap((name) =>
  [[{ kind: 'data', data: { skill: name } }], [{ kind: 'text', text: name }]].map((parts) => {
    const message = { kind: 'message', messageId: name, role: 'user', parts };
    return post(doorOf('a2a').path, rpc('message/send', { message, metadata: { [name]: name } }));
  }),
);
