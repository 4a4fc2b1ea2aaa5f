import { describe, expect, it } from 'vitest';
import { callA2a, dataPart, messageOf, postA2a, textPart } from '../support/a2a.ts';
import { cardShape, rpcErrorShape } from '../support/checks/a2a-shapes.ts';
import { ofFile } from '../support/of-file.ts';
import { openOrigin } from '../support/origin.ts';

/** The assertions of the official A2A 0.3 test kit that apply to every server, with one test for each. */

const origin = ofFile(() => openOrigin());

const call = async (method: string, params: unknown) => (await callA2a(origin.url, method, params)).body;
const send = async (parts: unknown, change: Record<string, unknown> = {}) =>
  (await call('message/send', messageOf(parts, change))).result;
const conversation = () => send([textPart('Hello from a test kit')]);

const rpc = (change: object) => ({ jsonrpc: '2.0', id: 7, method: 'message/send', params: {}, ...change });
const hello = (change: Record<string, unknown> = {}) => messageOf([textPart('Hello')], change);
const binary = { name: 'test.bin', mimeType: 'application/x-totally-unsupported', bytes: 'VGVzdA==' };
const pushing = { pushNotificationConfig: { url: 'https://example.com/webhook' } };
const REFUSED: readonly (readonly [what: string, body: unknown, code: number, id: number | null])[] = [
  ['a body that is not JSON', '{"jsonrpc": "2.0", "method": "message/send", "params": {"a": 1', -32700, null],
  ['a jsonrpc that is not 2.0', rpc({ jsonrpc: '1.0' }), -32600, 7],
  ['a request without jsonrpc', rpc({ jsonrpc: undefined }), -32600, 7],
  ['a request without method', rpc({ method: undefined }), -32600, 7],
  ['an id that is an object', rpc({ id: { bad: 'type' } }), -32600, null],
  ['an id that is a fraction', rpc({ id: 1.5 }), -32600, null],
  ['an unknown method', rpc({ method: 'nonexistent/method' }), -32601, 7],
  ['params that are a text', rpc({ params: 'not_a_dict' }), -32602, 7],
  ['params without a message', rpc({ params: { '': 'not_a_dict' } }), -32602, 7],
  ['no params', rpc({ params: undefined }), -32602, 7],
  ['parts that are no list', rpc({ params: { message: { parts: 'invalid' } } }), -32602, 7],
  ['a message without its fields', rpc({ params: { message: { kind: 'message' } } }), -32602, 7],
  ['a part of an unknown kind', rpc({ params: messageOf([{ kind: 'video', url: 'x' }]) }), -32602, 7],
  ['a message to an unknown task', rpc({ params: hello({ taskId: 'nonexistent-task-id' }) }), -32001, 7],
  ['a file that no skill reads', rpc({ params: messageOf([{ kind: 'file', file: binary }]) }), -32005, 7],
  ['a push config in a message', rpc({ params: { ...hello(), configuration: pushing } }), -32003, 7],
  ['a negative historyLength', rpc({ method: 'tasks/get', params: { id: 'any', historyLength: -1 } }), -32602, 7],
  ['a look at an unknown task', rpc({ method: 'tasks/get', params: { id: 'nonexistent-task-id' } }), -32001, 7],
  ['a look at no task', rpc({ method: 'tasks/get' }), -32602, 7],
  ['a cancellation of an unknown task', rpc({ method: 'tasks/cancel', params: { id: 'none' } }), -32001, 7],
];

it.each(REFUSED)(
  'JSON-RPC answers %s with its code, HTTP status 200 and the id of the request',
  async (_what, sent, code, id) => {
    const { status, headers, body } = await postA2a(origin.url, sent);
    expect([status, headers.get('content-type'), rpcErrorShape.parse(body).error.code, body.id]).toEqual([
      ...[200, 'application/json', code, id],
    ]);
  },
);

describe('message/send', () => {
  it.each(['kind', 'messageId', 'role', 'parts'])(
    'answers a message without %s with -32602 that names it',
    async (name) => {
      const { message } = messageOf([textPart('Hello')]);
      delete message[name];
      const { error } = await call('message/send', { message });
      expect([error.code, error.data.issues.map(({ path }: { path: string }) => path)]).toEqual([
        -32602,
        [`message.${name}`],
      ]);
    },
  );

  it('answers output modes that it cannot give with -32005, in the words of the specification', async () => {
    const configuration = { acceptedOutputModes: ['application/x-unsupported'] };
    const { error } = await call('message/send', { ...messageOf([textPart('Hello')]), configuration });
    expect([error.code, error.message]).toEqual([
      -32005,
      'Incompatible content types: answers are application/json and text/plain',
    ]);
  });
});

describe('tasks/get', () => {
  it('gives the task back with its status', async () => {
    const sent = await conversation();
    const { result } = await call('tasks/get', { id: sent.id });
    expect(result).toEqual(sent);
  });

  it('limits a history of four messages to its newest two', async () => {
    const { id } = await conversation();
    for (const number of [1, 2, 3]) await send([textPart(`Follow-up ${number}`)], { taskId: id });
    const texts = async (params: object): Promise<string[]> =>
      (await call('tasks/get', { id, ...params })).result.history.map(
        ({ parts }: { parts: { text: string }[] }) => parts[0]!.text,
      );
    expect(await texts({})).toEqual(['Hello from a test kit', 'Follow-up 1', 'Follow-up 2', 'Follow-up 3']);
    expect(await texts({ historyLength: 2 })).toEqual(['Follow-up 2', 'Follow-up 3']);
    expect(await texts({ historyLength: 0 })).toEqual([]);
    expect((await texts({ historyLength: 999_999 })).length).toBe(4);
  });
});

describe('tasks/cancel', () => {
  it('cancels a task that waits for input', async () => {
    const { id } = await conversation();
    const { result } = await call('tasks/cancel', { id });
    expect([result.id, result.status.state]).toEqual([id, 'canceled']);
    expect((await call('tasks/get', { id })).result.status.state).toBe('canceled');
  });

  it('answers a task that has ended with -32002', async () => {
    const { id } = await conversation();
    await call('tasks/cancel', { id });
    expect((await call('tasks/cancel', { id })).error.code).toBe(-32002);
    const completed = await send([dataPart({ skill: 'errors' })]);
    expect((await call('tasks/cancel', { id: completed.id })).error.code).toBe(-32002);
  });
});

it.each([
  ['message/stream', -32004, 'This operation is not supported'],
  ['tasks/pushNotificationConfig/set', -32003, 'Push Notification is not supported'],
  ['tasks/pushNotificationConfig/list', -32003, 'Push Notification is not supported'],
  ['tasks/list', -32601, 'Method not found'],
  ['ListTasks', -32004, 'This operation is not supported'],
  ['constructor', -32601, 'Method not found'],
])('what is not offered %s is answered with %d, whatever its params', async (method, code, message) => {
  for (const params of [messageOf([textPart('Hello')]), { id: 'any' }, undefined]) {
    const { error } = await call(method, params);
    expect([error.code, error.message]).toEqual([code, message]);
  }
});

describe('the agent card', () => {
  it.each(['/.well-known/agent-card.json', '/.well-known/agent.json', '/api/v1/a2a'])(
    'at %s has every field that the protocol requires or recommends',
    async (path) => {
      const { status, headers, body } = await origin.get(path);
      expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
      expect(cardShape.parse(body)).toEqual(body);
    },
  );

  it('declares what is not offered, and its own address as the preferred one', async () => {
    const { body } = await origin.get('/.well-known/agent-card.json');
    const url = `${origin.url}/api/v1/a2a`;
    expect(body).toMatchObject({
      url,
      preferredTransport: 'JSONRPC',
      additionalInterfaces: [{ url, transport: 'JSONRPC' }],
      supportedInterfaces: [
        { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { url, protocolBinding: 'JSONRPC', protocolVersion: '0.3.0' },
      ],
      capabilities: {
        ...{ streaming: false, pushNotifications: false, stateTransitionHistory: false, extendedAgentCard: true },
      },
      supportsAuthenticatedExtendedCard: true,
      documentationUrl: `${origin.url}/docs`,
      defaultInputModes: ['application/json', 'text/plain'],
      defaultOutputModes: ['application/json', 'text/plain'],
    });
    expect(body).not.toHaveProperty('securitySchemes');
  });

  it('has an extended form, given to everybody since nothing asks for a credential', async () => {
    const { body } = await origin.get('/.well-known/agent-card.json');
    for (const params of [undefined, {}, { id: 'any' }]) {
      const { skills, ...extended } = (await call('agent/getAuthenticatedExtendedCard', params)).result;
      expect(cardShape.parse({ ...extended, skills })).toEqual({ ...extended, skills });
      const { skills: known, ...card } = body;
      expect(extended).toEqual(card);
      expect(skills.map(({ id }: { id: string }) => id)).toEqual(known.map(({ id }: { id: string }) => id));
      const claim = skills.find(({ id }: { id: string }) => id === 'claim_work').description;
      expect(claim).toContain('Required inputs: scope, intent, agentName.');
      expect(claim).toContain('At most 15 a minute, shared with the same call over HTTP.');
      expect(claim).toContain('All writes over A2A together: at most 15 a minute.');
      expect(claim).toContain('At most 8000 bytes.');
    }
  });

  it('has an ETag under which it is not sent again', async () => {
    const { headers } = await origin.get('/.well-known/agent-card.json');
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    const again = await origin.get('/.well-known/agent-card.json', { 'if-none-match': headers.get('etag')! });
    expect([again.status, again.body]).toEqual([304, null]);
  });
});
