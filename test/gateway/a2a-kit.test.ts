import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callA2a, dataPart, messageOf, postA2a, textPart } from '../support/a2a.ts';
import { cardShape, rpcErrorShape, rpcResultShape } from '../support/checks/a2a-shapes.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';

/** The assertions of the official A2A 0.3 test kit that apply to every server, with one test for each. */

let origin: TestOrigin;
beforeAll(async () => {
  origin = await openOrigin();
});
afterAll(() => origin[Symbol.asyncDispose]());

const call = async (method: string, params: unknown) => (await callA2a(origin.url, method, params)).body;
const send = async (parts: unknown, change: Record<string, unknown> = {}) =>
  (await call('message/send', messageOf(parts, change))).result;
const codeOf = async (body: unknown): Promise<number> => {
  const answer = await postA2a(origin.url, body);
  expect(answer.status).toBe(200);
  return rpcErrorShape.parse(answer.body).error.code;
};
const conversation = () => send([textPart('Hello from a test kit')]);

describe('JSON-RPC', () => {
  it('answers a body that is not JSON with -32700 and the id null', async () => {
    const { status, body } = await postA2a(
      origin.url,
      '{"jsonrpc": "2.0", "method": "message/send", "params": {"a": 1',
    );
    expect([status, body.error.code, body.id]).toEqual([200, -32700, null]);
  });

  it('answers a jsonrpc that is not 2.0 with -32600 and the id of the request', async () => {
    const { body } = await postA2a(origin.url, { jsonrpc: '1.0', id: 'seven', method: 'message/send', params: {} });
    expect([body.error.code, body.id]).toEqual([-32600, 'seven']);
  });

  it('answers a request without jsonrpc with -32600', async () => {
    expect(await codeOf({ id: 1, method: 'message/send', params: {} })).toBe(-32600);
  });

  it('answers a request without method with -32600 and the id of the request', async () => {
    const { body } = await postA2a(origin.url, { jsonrpc: '2.0', id: 'eight', params: messageOf([textPart('Hello')]) });
    expect([body.error.code, body.id]).toEqual([-32600, 'eight']);
  });

  it('answers an id that is neither text nor a whole number with -32600 and the id null', async () => {
    const { body } = await postA2a(origin.url, {
      jsonrpc: '2.0',
      id: { bad: 'type' },
      method: 'message/send',
      params: {},
    });
    expect([body.error.code, body.id]).toEqual([-32600, null]);
    expect(await codeOf({ jsonrpc: '2.0', id: 1.5, method: 'message/send', params: {} })).toBe(-32600);
  });

  it('answers an unknown method with -32601 and the id of the request', async () => {
    const { body } = await postA2a(origin.url, {
      jsonrpc: '2.0',
      id: 'nine',
      method: 'nonexistent/method',
      params: {},
    });
    expect([body.error.code, body.id]).toEqual([-32601, 'nine']);
  });

  it('answers params that are no object with -32602', async () => {
    expect(await codeOf({ jsonrpc: '2.0', id: 4, method: 'message/send', params: 'not_a_dict' })).toBe(-32602);
    expect(await codeOf({ jsonrpc: '2.0', id: 4, method: 'message/send', params: { '': 'not_a_dict' } })).toBe(-32602);
    expect(await codeOf({ jsonrpc: '2.0', id: 4, method: 'message/send' })).toBe(-32602);
  });

  it('answers parts that are no list with -32602', async () => {
    expect(
      await codeOf({ jsonrpc: '2.0', id: 4, method: 'message/send', params: { message: { parts: 'invalid' } } }),
    ).toBe(-32602);
  });

  it('answers two requests with one id each on its own', async () => {
    const ids = [];
    for (const text of ['first', 'second']) {
      const request = { jsonrpc: '2.0', id: 'twice', method: 'message/send', params: messageOf([textPart(text)]) };
      ids.push(rpcResultShape.parse((await postA2a(origin.url, request)).body).id);
    }
    expect(ids).toEqual(['twice', 'twice']);
  });

  it('answers errors with HTTP status 200 and Content-Type application/json', async () => {
    const { status, headers } = await callA2a(origin.url, 'nonexistent/method', {});
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
  });
});

describe('message/send', () => {
  it('takes a text part and answers with a task', async () => {
    const task = await conversation();
    expect([task.kind, task.status.state]).toEqual(['task', 'input-required']);
  });

  it('takes a data part of any content and answers with a task', async () => {
    const task = await send([dataPart({ key: 'value', number: 123, nested: { array: [1, 2, 3] } })]);
    expect([task.kind, task.status.state]).toEqual(['task', 'input-required']);
  });

  it('takes a file part of a media type that it knows and answers with a task', async () => {
    const task = await send([{ kind: 'file', file: { mimeType: 'text/plain', uri: 'https://example.com/test.txt' } }]);
    expect([task.kind, task.status.state]).toEqual(['task', 'input-required']);
  });

  it('answers a message without messageId, role and parts with -32602', async () => {
    expect((await call('message/send', { message: { kind: 'message' } })).error.code).toBe(-32602);
  });

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

  it('answers a part of an unknown kind with -32602', async () => {
    const { error } = await call('message/send', messageOf([{ kind: 'video', url: 'x' }]));
    expect(error.code).toBe(-32602);
  });

  it('goes on with a task that is named by its id', async () => {
    const { id } = await conversation();
    const task = await send([textPart('Follow-up message')], { taskId: id });
    expect([task.id, task.status.state]).toEqual([id, 'input-required']);
  });

  it('answers a message to a task that does not exist with -32001', async () => {
    const { error } = await call('message/send', messageOf([textPart('Hello')], { taskId: 'nonexistent-task-id' }));
    expect(error.code).toBe(-32001);
  });

  it('answers output modes that it cannot give with -32005, in the words of the specification', async () => {
    const configuration = { acceptedOutputModes: ['application/x-unsupported'] };
    const { error } = await call('message/send', { ...messageOf([textPart('Hello')]), configuration });
    expect([error.code, error.message]).toEqual([
      -32005,
      'Incompatible content types: answers are application/json and text/plain',
    ]);
  });

  it('answers a file of a media type that no skill reads with -32005', async () => {
    const file = { name: 'test.bin', mimeType: 'application/x-totally-unsupported', bytes: 'VGVzdA==' };
    const { error } = await call('message/send', messageOf([textPart('Process this'), { kind: 'file', file }]));
    expect(error.code).toBe(-32005);
  });
});

describe('tasks/get', () => {
  it('gives the task back with its status', async () => {
    const sent = await conversation();
    const { result } = await call('tasks/get', { id: sent.id });
    expect(result).toEqual(sent);
  });

  it('has a history where historyLength is given', async () => {
    const { id } = await conversation();
    const { result } = await call('tasks/get', { id, historyLength: 1 });
    expect(result.history.map(({ parts }: { parts: unknown }) => parts)).toEqual([[textPart('Hello from a test kit')]]);
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

  it('answers a negative historyLength with -32602', async () => {
    expect((await call('tasks/get', { id: 'any', historyLength: -1 })).error.code).toBe(-32602);
  });

  it('answers a task that does not exist with -32001', async () => {
    const { error } = await call('tasks/get', { id: 'nonexistent-task-id' });
    expect([error.code, error.message]).toEqual([-32001, 'Task not found']);
  });

  it('answers params without id with -32602', async () => {
    expect((await call('tasks/get', {})).error.code).toBe(-32602);
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

  it('answers a task that does not exist with -32001', async () => {
    expect((await call('tasks/cancel', { id: 'nonexistent-task-id' })).error.code).toBe(-32001);
  });
});

describe('what is not offered', () => {
  it.each([
    ['message/stream', -32004, 'This operation is not supported'],
    ['tasks/resubscribe', -32004, 'This operation is not supported'],
    ['tasks/pushNotificationConfig/set', -32003, 'Push Notification is not supported'],
    ['tasks/pushNotificationConfig/get', -32003, 'Push Notification is not supported'],
    ['tasks/pushNotificationConfig/list', -32003, 'Push Notification is not supported'],
    ['tasks/pushNotificationConfig/delete', -32003, 'Push Notification is not supported'],
    ['tasks/list', -32601, 'Method not found'],
    ['SendStreamingMessage', -32004, 'This operation is not supported'],
    ['ListTasks', -32004, 'This operation is not supported'],
    ['CreateTaskPushNotificationConfig', -32003, 'Push Notification is not supported'],
    ['constructor', -32601, 'Method not found'],
  ])('%s is answered with %d, whatever its params', async (method, code, message) => {
    for (const params of [messageOf([textPart('Hello')]), { id: 'any' }, undefined]) {
      const { error } = await call(method, params);
      expect([error.code, error.message]).toEqual([code, message]);
    }
  });

  it('a push notification config within message/send is answered with -32003', async () => {
    const configuration = { pushNotificationConfig: { url: 'https://example.com/webhook' } };
    const { error } = await call('message/send', { ...messageOf([textPart('Hello')]), configuration });
    expect(error.code).toBe(-32003);
  });
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
