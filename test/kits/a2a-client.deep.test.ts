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
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inWordsOf } from '../../gateway/door-words/in-words-of.ts';
import { withFewSites } from '../../gateway/view/sites-of-trials.ts';
import { resultOf } from '../support/a2a.ts';
import { CLAIM } from '../support/board/board-writes.ts';
import { someTrial } from '../support/gateway.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';

/** The official A2A client, over real HTTP. */

let origin: TestOrigin;
let client: Client;
beforeAll(async () => {
  origin = await openOrigin();
  client = await new ClientFactory().createFromUrl(origin.url);
});
afterAll(() => origin[Symbol.asyncDispose]());

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
    expect([card.protocolVersion, card.url, card.skills.length > 10]).toEqual([
      '0.3.0',
      `${origin.url}/api/v1/a2a`,
      true,
    ]);
  });

  it.each([
    ['of orientation', { skill: 'errors', code: 'INVALID_KIND' }, '/api/v1/errors?code=INVALID_KIND'],
    ['of the board', { skill: 'next_work', level: 'entry' }, '/api/v1/assignment?level=entry'],
    ['of the feed', { skill: 'changes', limit: 5, kind: 'claim' }, '/api/v1/changes?limit=5&kind=claim'],
    [
      'of the index',
      { skill: 'world_trial_search', q: 'diabetes', status: ['recruiting', 'completed'], pageSize: 3 },
      '/api/v1/trials/search?q=diabetes&status=recruiting,completed&pageSize=3',
    ],
  ])('gets from a skill %s what REST answers', async (_title, data, path) => {
    const task = await call({ ...data, detail: 'full' });
    const { state, envelope } = resultOf(task as never);
    expect(state).toBe('completed');
    expect(stable(envelope!)).toEqual(stable(inWordsOf('a2a', (await origin.get(path)).body)));
  });

  it('reads one trial by its id', async () => {
    const { canonicalId } = await someTrial(origin.gateway);
    const { envelope } = resultOf((await call({ skill: 'world_trial_record', canonicalId, detail: 'full' })) as never);
    expect(stable(envelope as never).data).toEqual(
      withFewSites('trials-detail', (await origin.get(`/api/v1/trials/${canonicalId}`)).body).data,
    );
  });

  it('claims work, reads the task back without the token, and posts to the claim', async () => {
    const task = await call({ skill: 'claim_work', ...CLAIM });
    const { id, releaseToken } = resultOf(task as never).envelope!.data as { id: string; releaseToken: string };
    expect(releaseToken).toMatch(/^[\w-]{43}$/);
    const readBack = await client.getTask({ id: task.id });
    expect(readBack.status.state).toBe('completed');
    expect(resultOf(readBack as never).envelope!.data).toMatchObject({ id });
    expect(JSON.stringify(readBack)).not.toContain(releaseToken);
    const posted = await call({
      skill: 'post_message',
      subjectType: 'claim',
      subjectId: id,
      body: 'The map of this slice is nearly done; ask before you begin.',
      agentName: 'ada',
    });
    expect(posted.status.state).toBe('completed');
  });

  it('is told why a skill failed by the error of REST', async () => {
    const { state, error } = resultOf((await call({ skill: 'world_trial_search', pageSize: 0 })) as never);
    expect([state, error!.code, error!.parameter, error!.retryable]).toEqual([
      'failed',
      'INVALID_PARAM',
      'pageSize',
      false,
    ]);
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

  it('cancels a task that waits', async () => {
    const { id } = await say('Hello');
    expect((await client.cancelTask({ id })).status.state).toBe('canceled');
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
        ...{
          messageId: `one-${sent}`,
          role: 1,
          contextId: '',
          taskId: '',
          extensions: [],
          referenceTaskIds: [],
        },
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
