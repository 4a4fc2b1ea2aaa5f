import type { Message, Task } from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  ContentTypeNotSupportedError,
  PushNotificationNotSupportedError,
  TaskNotCancelableError,
  TaskNotFoundError,
} from '@a2a-js/sdk/client';
import { type Client as ClientOf1, ClientFactory as FactoryOf1 } from '@a2a-js/sdk-1/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { resultOf } from '../support/a2a.ts';
import { ofFile } from '../support/of-file.ts';
import { openOrigin } from '../support/origin.ts';

/** The official A2A client, over real HTTP. */

const origin = ofFile(() => openOrigin());
let client: Client;
beforeAll(async () => {
  client = await new ClientFactory().createFromUrl(origin.url);
});

let sent = 0;
const message = (parts: Message['parts'], change: Partial<Message> = {}): { message: Message } => {
  sent += 1;
  return { message: { kind: 'message', messageId: `official-${sent}`, role: 'user', parts, ...change } };
};
const call = async (data: Record<string, unknown>, change: Partial<Message> = {}): Promise<Task> =>
  (await client.sendMessage(message([{ kind: 'data', data }], change))) as Task;
const say = async (text: string, change: Partial<Message> = {}): Promise<Task> =>
  (await client.sendMessage(message([{ kind: 'text', text }], change))) as Task;
/** An envelope without the fields that differ between requests, and without the next calls that this door adds. */
const stable = ({ data, _meta }: { data: unknown; _meta: Record<string, unknown> }) => {
  const { correlationId, generatedAt, nextCalls: _added, ...meta } = _meta;
  const { nextCalls, ...rest } = data as { nextCalls?: unknown };
  return { data: rest, _meta: meta };
};

describe('the official client', () => {
  it('finds the agent by its card', async () => {
    const card = await client.getAgentCard();
    expect([card.protocolVersion, card.url]).toEqual(['0.3.0', `${origin.url}/api/v1/a2a`]);
    expect(card.skills.length).toBeGreaterThan(10);
  });

  it('is told why a skill failed by the error of REST', async () => {
    const { state, error } = resultOf((await call({ skill: 'world_trial_search', pageSize: 0 })) as never);
    expect([state, error!.code, error!.parameter]).toEqual(['failed', 'INVALID_PARAM', 'pageSize']);
  });

  it('gets the directory for conversation, goes on with its task and completes it', async () => {
    const waiting = await say('Hello, what can you do?');
    expect(waiting.status.state).toBe('input-required');
    const still = await say('Please tell me again.', { taskId: waiting.id, contextId: waiting.contextId });
    expect([still.id, still.history!.length]).toEqual([waiting.id, 2]);
    const done = await call({ skill: 'hello' }, { taskId: waiting.id, contextId: waiting.contextId });
    expect([done.id, done.status.state, done.history!.length]).toEqual([waiting.id, 'completed', 3]);
    const short = await client.getTask({ id: waiting.id, historyLength: 1 });
    expect(short.history!.length).toBe(1);
  });

  it('knows every error by its own class', async () => {
    const { id } = await call({ skill: 'errors' });
    await expect(client.cancelTask({ id })).rejects.toThrow(TaskNotCancelableError);
    await expect(client.getTask({ id: 'none' })).rejects.toThrow(TaskNotFoundError);
    await expect(say('Hello', { taskId: 'none' })).rejects.toThrow(TaskNotFoundError);
    await expect(say('Hello', { taskId: id })).rejects.toThrow('takes no more messages');
    const configuration = { acceptedOutputModes: ['image/png'] };
    await expect(client.sendMessage({ ...message([]), configuration })).rejects.toThrow(ContentTypeNotSupportedError);
    const pushNotificationConfig = { url: 'https://example.com/hook' };
    const withHook = { ...message([]), configuration: { pushNotificationConfig } };
    await expect(client.sendMessage(withHook)).rejects.toThrow(PushNotificationNotSupportedError);
  });

  it('gets a whole answer where it asks for a stream, since the card offers none', async () => {
    const events: { kind: string }[] = [];
    const params = message([{ kind: 'data', data: { skill: 'errors' } }]);
    for await (const event of client.sendMessageStream(params)) events.push(event);
    expect(events.map(({ kind }) => kind)).toEqual(['task']);
  });
});

describe('the official client of A2A 1.0', () => {
  let ofOne: ClientOf1;
  beforeAll(async () => {
    ofOne = await new FactoryOf1().createFromUrl(origin.url);
  });
  const given = (value: unknown, $case: 'data' | 'text', more: object = {}) => {
    sent += 1;
    return {
      ...{ tenant: '', metadata: undefined, configuration: undefined },
      message: {
        messageId: `one-${sent}`,
        role: 1,
        contextId: '',
        taskId: '',
        extensions: [],
        referenceTaskIds: [],
        ...{ parts: [{ content: { $case, value }, filename: '', mediaType: '', metadata: undefined }], ...more },
        metadata: undefined,
      },
    } as unknown as Parameters<ClientOf1['sendMessage']>[0];
  };
  /** biome-ignore lint/suspicious/noExplicitAny: the client's own type of a task is looked into by its members. */
  const task = async (...sending: Parameters<typeof given>): Promise<any> => ofOne.sendMessage(given(...sending));

  it('finds the same address on the card, in version 1.0', async () => {
    const card = await ofOne.getAgentCard();
    expect(ofOne.protocolVersion).toBe('1.0');
    expect(card.supportedInterfaces.map(({ url, protocolVersion }) => [url, protocolVersion])).toEqual([
      [`${origin.url}/api/v1/a2a`, '1.0'],
      [`${origin.url}/api/v1/a2a`, '0.3.0'],
    ]);
    expect(card.skills.length).toBeGreaterThan(10);
  });

  it('gets from a skill what a client of 0.3 gets', async () => {
    const asked = { skill: 'world_trial_coverage', q: 'diabetes' };
    const answered = await task(asked, 'data');
    // TASK_STATE_COMPLETED
    expect(answered.status.state).toBe(3);
    const { envelope } = resultOf((await call(asked)) as never);
    const [data] = answered.artifacts[0].parts;
    expect(stable(data.content.value)).toEqual(stable(envelope! as never));
  });

  it('goes on with a task, reads it back and cancels it', async () => {
    const asked = await task('good morning', 'text');
    // TASK_STATE_INPUT_REQUIRED
    expect(asked.status.state).toBe(6);
    const went = await task('and again', 'text', { taskId: asked.id, contextId: asked.contextId });
    expect([went.id, went.history.length]).toEqual([asked.id, 2]);
    const read = await ofOne.getTask({ tenant: '', id: asked.id });
    expect(read.history.map(({ role }) => role)).toEqual([1, 1]);
    // TASK_STATE_CANCELED
    expect((await ofOne.cancelTask({ tenant: '', id: asked.id, metadata: undefined })).status?.state).toBe(5);
    await expect(ofOne.cancelTask({ tenant: '', id: asked.id, metadata: undefined })).rejects.toThrow(
      /cannot be canceled/i,
    );
    await expect(ofOne.getTask({ tenant: '', id: 'no-such-task' })).rejects.toThrow(/not found/i);
  });
});
