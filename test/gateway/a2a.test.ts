import { describe, expect, it } from 'vitest';
import { withNextCalls } from '../../contract/interfaces/next-calls.ts';
import { MODEL_RUN_BODY_MAX_BYTES } from '../../contract/limits/limits.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { withoutStatements } from '../../contract/own-words.ts';
import { SKILLS } from '../../gateway/a2a/skills.ts';
import { inWordsOf } from '../../gateway/door-words/in-words-of.ts';
import { readableText } from '../../gateway/view/readable-text.ts';
import { viewed } from '../../gateway/view/viewed.ts';
import { callA2a, dataPart, messageOf, postA2a, sendSkill, textPart } from '../support/a2a.ts';
import { CLAIM, MESSAGE } from '../support/board/board-writes.ts';
import { rpcResultShape } from '../support/checks/a2a-shapes.ts';
import { filledIn } from '../support/filled-in.ts';
import { someTrial } from '../support/gateway.ts';
import { ofFile } from '../support/of-file.ts';
import { openOrigin, rawRequest } from '../support/origin.ts';

const origin = ofFile(() => openOrigin());

const send = async (parts: unknown, change: Record<string, unknown> = {}, configuration: object = {}) => {
  const params = { ...messageOf(parts, change), configuration };
  const { body } = await callA2a(origin.url, 'message/send', params);
  return body.error ?? rpcResultShape.parse(body).result;
};
const dataOf = ({ parts }: { parts: { kind: string; data?: unknown }[] }) =>
  parts.find(({ kind }) => kind === 'data')!.data as Record<string, never>;
const textOf = ({ parts }: { parts: { kind: string; text?: string }[] }) =>
  parts.find(({ kind }) => kind === 'text')!.text!;
/** An envelope without the fields that differ between requests. */
const stable = ({ data, _meta }: { data: unknown; _meta: Record<string, unknown> }) => {
  const { correlationId, generatedAt, ...meta } = _meta;
  return { data, _meta: meta };
};

describe('the skills', () => {
  it('are every operation with a skill name, and no input of one is called skill', () => {
    const named = OPERATIONS.flatMap(({ names }) => (names?.a2a === undefined ? [] : [names.a2a]));
    expect([...SKILLS.keys()]).toEqual(named);
    expect(named).toEqual([...new Set(named)]);
    const taken = [...SKILLS.values()].filter(({ inputSchema }) => 'skill' in (inputSchema.properties as object));
    expect(taken).toEqual([]);
  });

  // Of the others the examples name objects that this board does not hold, run a model, or tell the time.
  const reads = [...SKILLS.values()].filter(
    ({ writes, operation, example }) =>
      !writes &&
      operation.method === 'GET' &&
      !['batch', 'scoreboard', 'status'].includes(operation.id) &&
      (operation.server === 'index' || !JSON.stringify(example).includes('<')),
  );

  it.each(reads.map((skill) => [skill.name, skill] as const))(
    '%s completes with its example, with the concise form and a text to read',
    async (_name, { operation, example }) => {
      const { canonicalId } = await someTrial(origin.gateway);
      const filled = JSON.parse(JSON.stringify(example).replaceAll(/<\w+>/g, canonicalId));
      const task = await send([dataPart(filled)]);
      expect(task.status.state).toBe('completed');
      const [artifact, ...others] = task.artifacts;
      expect(others).toEqual([]);
      const asked = operation.example.replaceAll(/\{\w+\}/g, canonicalId);
      const [path = ''] = asked.split('?');
      const rest = await origin.get(asked);
      const shown = viewed(operation, rest.body, { detail: 'concise', fields: null });
      const concise = withNextCalls(rest.body, shown, { concise: true, fields: null, kept: {}, path });
      expect(stable(dataOf(artifact) as never)).toEqual(stable(inWordsOf('a2a', concise)));
      expect(textOf(artifact)).toBe(readableText(operation, dataOf(artifact) as never));
      expect(task.metadata).toEqual({ authentication: 'none required', skill: example.skill });
    },
  );

  it('that fail end the task as failed, with the error of REST in its status and its artifact', async () => {
    const rest = await origin.send('/api/v1/claims', { agentName: 'ada' });
    const task = await send([dataPart({ skill: 'claim_work', agentName: 'ada' })]);
    expect(task.status.state).toBe('failed');
    const { correlationId, ...error } = dataOf(task.status.message);
    expect(correlationId).toMatch(/^[\w-]{8,}$/);
    const { correlationId: _another, ...expected } = rest.body.error;
    expect(error).toEqual(inWordsOf('a2a', { error: expected }).error);
    expect(error).toMatchObject({ code: 'claim_rejected', retryable: false });
    expect(task.artifacts[0].parts).toEqual(task.status.message.parts);
    expect(textOf(task.status.message)).toContain('claim_rejected');
  });

  it('keep the byte ceiling of their operation', async () => {
    const { state, error } = await sendSkill(origin.url, 'post_message', { ...MESSAGE, body: 'a'.repeat(9_000) });
    expect([state, error!.code]).toEqual(['failed', 'BODY_TOO_LARGE']);
  });

  it('refuse arguments that no request could carry as REST refuses them', async () => {
    for (const inputs of [{ since: 'x'.repeat(30_000) }, { since: { deep: 1 } }]) {
      const { state, error } = await sendSkill(origin.url, 'changes', inputs);
      expect([state, error!.code, error!.parameter]).toEqual(['failed', 'INVALID_PARAM', 'since']);
    }
    const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`k${index}`, 'v']));
    expect((await sendSkill(origin.url, 'changes', many)).error!.code).toBe('INVALID_PARAM');
    const { error } = await sendSkill(origin.url, 'claim_work', { ...CLAIM, idempotencyKey: 'x'.repeat(30_000) });
    expect(error!.code).toBe('INVALID_IDEMPOTENCY_KEY');
    const record = (canonicalId: string) => sendSkill(origin.url, 'world_trial_record', { canonicalId });
    expect((await record('..')).error!.code).toBe('INVALID_PARAM');
    expect((await record('../claims')).error!.code).toBe('TRIAL_NOT_FOUND');
  });
});

describe('a message that names no skill', () => {
  it.each([
    ['without parts', []],
    ['with data that has no skill', [dataPart({ question: 'What can you do?' })]],
    ['with a skill that is no text', [dataPart({ skill: 7 })]],
    ['with the name of a property of every object', [dataPart({ skill: 'constructor' }), textPart('toString')]],
  ])('%s gets the names of all as a task that waits for input', async (_title, parts) => {
    const task = await send(parts);
    expect(task.status.state).toBe('input-required');
    const directory = dataOf(task.artifacts[0]) as unknown as { authentication: string; skills: string[] };
    expect(directory.authentication).toBe('none required');
    expect(directory.skills.map((line) => line.split(/:| \(/)[0])).toEqual([...SKILLS.keys()]);
    expect(directory.skills).toContain('claim_work (writes): Start working on a task');
    expect(task.metadata).toEqual({ authentication: 'none required' });
    expect(textOf(task.status.message)).toContain('Authentication: none required.');
  });

  it('takes at most 2,000 tokens for it, at four characters each', async () => {
    expect(JSON.stringify(await send([])).length / 4).toBeLessThan(2_000);
  });

  it('is told why it names none', async () => {
    const why = async (parts: unknown) => (dataOf((await send(parts)).artifacts[0]) as Record<string, unknown>).why;
    expect(await why([])).toBe('No part of the message names a skill.');
    expect(await why([dataPart({ skill: 'claim_works' })])).toContain(
      'No skill is called "claim_works". The nearest names are claim_work,',
    );
    expect(await why([dataPart({ skill: 'a'.repeat(500) })])).toContain(`No skill is called "${'a'.repeat(64)}".`);
  });
});

describe('a message in plain words', () => {
  it.each([
    ['vote on an amendment', 'council_vote_or_exercise'],
    ['{"skill": "claim_work"', 'claim_work'],
  ])('gets the three likeliest skills with an example each: %s', async (text, first) => {
    const task = await send([textPart(text)]);
    expect(task.status.state).toBe('input-required');
    expect(JSON.stringify(task).length / 4).toBeLessThan(600);
    const { skills } = dataOf(task.artifacts[0]) as unknown as {
      skills: { skill: string; example: { skill: string } }[];
    };
    expect(skills.map(({ example }) => example.skill)).toEqual(skills.map(({ skill }) => skill));
    expect([skills.length, skills[0]!.skill]).toEqual([3, first]);
  });

  it('is given an example that works once its author says it in words of its own', async () => {
    const task = await send([textPart('start working on a task')]);
    const { skills } = dataOf(task.artifacts[0]) as unknown as { skills: { example: Record<string, unknown> }[] };
    const { example } = skills[0]!;
    expect((await send([dataPart(example)])).status.state).toBe('failed');
    expect((await send([dataPart(filledIn(withoutStatements(example)))])).status.state).toBe('completed');
  });
});

describe('text', () => {
  it.each(['  world_trial_stats\n', 'get_trial_stats'])('%j calls the skill of that name or tool', async (name) => {
    const task = await send([textPart(name)]);
    expect([task.status.state, task.metadata.skill]).toEqual(['completed', 'world_trial_stats']);
  });

  it('that is a skill and its inputs as JSON calls it', async () => {
    const task = await send([textPart('{"skill": "errors", "code": "NOT_FOUND"}')]);
    expect(dataOf(task.artifacts[0])).toMatchObject({ data: { errors: [{ code: 'NOT_FOUND' }] } });
  });

  it('beside a data part that names a skill is not read', async () => {
    const task = await send([textPart('hello'), dataPart({ skill: 'errors', code: 'NOT_FOUND' })]);
    expect([task.status.state, task.metadata.skill]).toEqual(['completed', 'errors']);
  });
});

describe('a task', () => {
  const begun = () => send([textPart('What can you do?')]);

  it('that waits is completed by a message that names a skill, in the same context, with both in its history', async () => {
    const { id, contextId } = await begun();
    const task = await send([dataPart({ skill: 'errors', code: 'NOT_FOUND' })], { taskId: id, contextId });
    expect([task.id, task.contextId, task.status.state]).toEqual([id, contextId, 'completed']);
    const both = { taskId: id, contextId };
    expect(task.history).toMatchObject([both, both]);
  });

  it('that has ended takes no more messages: -32600', async () => {
    const completed = await send([dataPart({ skill: 'errors' })]);
    const failed = await send([dataPart({ skill: 'errors', code: 'NO_SUCH_CODE' })]);
    const canceled = await begun();
    await callA2a(origin.url, 'tasks/cancel', { id: canceled.id });
    for (const { id } of [completed, failed, canceled]) {
      const error = await send([textPart('More')], { taskId: id });
      expect([error.code, error.data.code]).toEqual([-32600, 'InvalidRequest']);
    }
  });

  it('is not gone on with from another context: -32602', async () => {
    const { id } = await begun();
    const error = await send([textPart('More')], { taskId: id, contextId: 'another' });
    expect([error.code, error.data.issues]).toEqual([
      -32602,
      [{ path: 'message.contextId', message: 'is not the context of the task' }],
    ]);
  });

  it('keeps the context that its first message names, and has one made where it names none', async () => {
    expect((await send([], { contextId: 'my-context' })).contextId).toBe('my-context');
    expect((await send([])).contextId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('that two messages go on with at once is completed by one of them', async () => {
    const { id } = await begun();
    const both = ['world_trial_stats', 'errors'].map((skill) => send([dataPart({ skill })], { taskId: id }));
    const answers = await Promise.all(both);
    expect(answers.map(({ status, code }) => status?.state ?? code).sort()).toEqual([-32600, 'completed']);
    const { body } = await callA2a(origin.url, 'tasks/get', { id });
    expect(body.result.history.length).toBe(2);
  });

  it('keeps the newest of many messages', async () => {
    const { id } = await begun();
    for (let number = 1; number <= 25; number += 1) await send([textPart(`message ${number}`)], { taskId: id });
    const { body } = await callA2a(origin.url, 'tasks/get', { id });
    const texts = body.result.history.map(({ parts }: { parts: { text: string }[] }) => parts[0]!.text);
    expect([texts.length, texts[0], texts.at(-1)]).toEqual([20, 'message 6', 'message 25']);
  });

  it('keeps the newest of large messages', async () => {
    const { id } = await begun();
    for (let number = 1; number <= 4; number += 1) {
      await send([textPart(`${number}${'x'.repeat(60_000)}`)], { taskId: id });
    }
    const { body } = await callA2a(origin.url, 'tasks/get', { id });
    const texts = body.result.history.map(({ parts }: { parts: { text: string }[] }) => parts[0]!.text[0]);
    expect(texts).toEqual(['3', '4']);
  });

  it('is answered in the media types that the message takes', async () => {
    const kinds = async (acceptedOutputModes: string[]) => {
      const task = await send([dataPart({ skill: 'errors' })], {}, { acceptedOutputModes });
      return task.artifacts[0].parts.map(({ kind }: { kind: string }) => kind);
    };
    expect(await kinds(['text/plain'])).toEqual(['text']);
    expect(await kinds(['application/json; charset=utf-8', 'image/png'])).toEqual(['data']);
    expect(await kinds(['*/*'])).toEqual(['data', 'text']);
    expect(await kinds(['text/*'])).toEqual(['text']);
    expect(await kinds([])).toEqual(['data', 'text']);
  });
});

describe('a request', () => {
  const post = (body: unknown, headers: Record<string, string> = {}) => postA2a(origin.url, body, headers);

  it('in a list is refused with -32600, however many there are', async () => {
    const one = { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 'x' } };
    for (const list of [[], [one], [one, one]]) {
      const { status, body } = await post(list);
      expect([status, body.error.code, body.id]).toEqual([200, -32600, null]);
    }
  });

  it.each(['null', '7', '"text"', 'true', '{}'])('that is %s is refused with -32600', async (body) => {
    expect((await post(body)).body.error.code).toBe(-32600);
  });

  it('that is nested beyond every use is refused, at any depth', async () => {
    for (const depth of [65, 20_000]) {
      const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
      expect((await post(nested)).body.error.code).toBe(-32600);
    }
    const params = JSON.stringify(messageOf([dataPart({ skill: 'errors', x: 'deep' })]));
    const deep = params.replace('"deep"', `${'['.repeat(70)}${']'.repeat(70)}`);
    const { body } = await post(`{"jsonrpc":"2.0","id":1,"method":"message/send","params":${deep}}`);
    expect([body.error.code, body.error.message]).toEqual([
      -32600,
      'Request payload validation error: the body is nested deeper than 64 levels; send a flatter one',
    ]);

    const inner = `{"skill":"errors","x":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
    const { error } = (await callA2a(origin.url, 'message/send', messageOf([textPart(inner)]))).body;
    expect([error.code, error.message]).toEqual([
      -32602,
      'Invalid parameters: the JSON of a text part is nested deeper than 64 levels; send a flatter one',
    ]);
  });

  it('without an id is answered with the id null', async () => {
    const { body } = await post({ jsonrpc: '2.0', method: 'message/send', params: messageOf([]) });
    expect([body.id, body.result.status.state]).toEqual([null, 'input-required']);
  });

  it('that is not UTF-8 is refused with -32700', async () => {
    const { body } = await rawRequest(`${origin.url}/api/v1/a2a`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      chunks: [Buffer.from([0x22, 0xff, 0x22])],
    });
    expect(JSON.parse(body).error.code).toBe(-32700);
  });

  it('of the largest size is read, and one byte more is BODY_TOO_LARGE as over REST', async () => {
    const sized = (bytes: number): string => {
      const empty = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x', params: { pad: '' } });
      return empty.replace('""', `"${'a'.repeat(bytes - empty.length)}"`);
    };
    expect((await post(sized(MODEL_RUN_BODY_MAX_BYTES))).body.error.code).toBe(-32601);
    const { status, body } = await post(sized(MODEL_RUN_BODY_MAX_BYTES + 1));
    expect([status, body.error.code]).toEqual([413, 'BODY_TOO_LARGE']);
  });
});

it('The agent card has the public address that is configured', async () => {
  await using named = await openOrigin({ baseUrl: 'https://board.example/base' });
  const { body } = await named.get('/.well-known/agent-card.json');
  expect([body.url, body.provider.url]).toEqual([
    'https://board.example/base/api/v1/a2a',
    'https://board.example/base',
  ]);
});
