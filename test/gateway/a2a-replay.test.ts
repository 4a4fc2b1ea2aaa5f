import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { listen } from '../../server-kit/serve.ts';
import { callA2a, dataPart, messageId, messageOf, resultOf, sendSkill, textPart } from '../support/a2a.ts';
import { CLAIM, MESSAGE } from '../support/board/board-writes.ts';
import { openGateway } from '../support/gateway.ts';
import { ofFile } from '../support/of-file.ts';
import { openOrigin } from '../support/origin.ts';

/** A message that is sent twice writes once; a task belongs to whoever began it, and nobody learns a token from one. */

const origin = ofFile(() => openOrigin({ trustedProxies: 1 }));

const ADA = { 'x-forwarded-for': '192.0.2.1' };
const HER_OFFICE = { 'x-forwarded-for': '192.0.2.77' };
const STRANGER = { 'x-forwarded-for': '198.51.100.9' };
const NOT_FOUND = -32001;
type From = Record<string, string>;

const call = async (method: string, params: object, from: From) =>
  (await callA2a(origin.url, method, params, from)).body;
const send = async (params: object, from: From = ADA) => resultOf((await call('message/send', params, from)).result);

let slices = 0;
/** Inputs of a claim that nobody has made yet. */
const newClaim = (): typeof CLAIM => {
  slices += 1;
  return { ...CLAIM, scope: `replayed slice ${slices}` };
};
const claimParts = () => [dataPart({ skill: 'claim_work', ...newClaim() })];
const dataOf = (result: { envelope?: { data: unknown } }) =>
  result.envelope!.data as { id: string; releaseToken?: string };

it('A message that is sent again, from the same address, gets the same task with the one-time token', async () => {
  const params = messageOf(claimParts());
  const first = await send(params);
  const second = await send(params);
  expect(dataOf(first).releaseToken).toMatch(/^[\w-]{43}$/);
  const { artifacts, ...task } = first.task!;
  expect(second.task).toMatchObject(task);
  expect(artifacts).toHaveLength(1);
  expect(second.envelope).toEqual(first.envelope);
});

it('The same where it is sent several times at once', async () => {
  const params = messageOf(claimParts());
  const all = await Promise.all([1, 2, 3, 4, 5].map(() => send(params)));
  expect(new Set(all.map((result) => `${result.task!.id} ${dataOf(result).releaseToken}`)).size).toBe(1);
});

it('The same messageId with other content is another message and never a conflict', async () => {
  const change = { messageId: messageId() };
  const first = await send(messageOf(claimParts(), change));
  const second = await send(messageOf(claimParts(), change));
  expect([first.state, second.state]).toEqual(['completed', 'completed']);
  expect(dataOf(second).id).not.toBe(dataOf(first).id);
});

it('The same message of a stranger, or under another key, shares neither the task nor the token', async () => {
  const params = messageOf(claimParts());
  const first = await send(params);
  const { key } = (await origin.send('/api/v1/keys', { label: 'reader' })).body.data;
  for (const stranger of [await send(params, STRANGER), await send(params, { ...ADA, 'x-api-key': key })]) {
    // The board recognises the content, and it shows a token only once.
    expect(dataOf(stranger).id).toBe(dataOf(first).id);
    expect(dataOf(stranger).releaseToken).toBeUndefined();
    expect(stranger.task!.id).not.toBe(first.task!.id);
  }
});

it('An idempotencyKey among the inputs goes before the messageId: another message with it is a replay', async () => {
  const idempotencyKey = '7c9e6679-7425-40de-944b-000000000001';
  const claim = newClaim();
  const inputs = { ...claim, idempotencyKey };
  const first = await sendSkill(origin.url, 'claim_work', inputs);
  const second = await sendSkill(origin.url, 'claim_work', inputs);
  expect(dataOf(second)).toEqual(dataOf(first));
  expect(second.envelope!._meta.idempotencyReplayed).toBe(true);
  const other = await sendSkill(origin.url, 'claim_work', { ...newClaim(), idempotencyKey });
  expect([other.state, other.error!.code]).toEqual(['failed', 'IDEMPOTENCY_KEY_REUSED']);
  const rest = await origin.send('/api/v1/claims', claim, { 'idempotency-key': idempotencyKey });
  const { id, releaseToken } = dataOf(first) as Record<string, unknown>;
  expect(rest.body.data).toMatchObject({ id, releaseToken });
});

it('A message that went on with a task is a replay where it begins one of its own', async () => {
  const waiting = await send(messageOf([]));
  const change = { messageId: messageId() };
  const parts = claimParts();
  const first = await send(messageOf(parts, { ...change, taskId: waiting.task!.id }));
  const again = await send(messageOf(parts, change));
  expect(dataOf(again)).toEqual(dataOf(first));
  expect(again.envelope!._meta.idempotencyReplayed).toBe(true);
});

it('A message that failed is carried out anew', async () => {
  const params = messageOf([
    dataPart({ skill: 'post_message', subjectType: 'claim', subjectId: 'none', agentName: 'ada' }),
  ]);
  const first = await send(params);
  const second = await send(params);
  expect([first.state, second.state]).toEqual(['failed', 'failed']);
  expect(second.task!.id).not.toBe(first.task!.id);
});

it('After a restart a task is not known, and a message that is sent again does not write again', async () => {
  const params = messageOf([dataPart({ skill: 'post_message', ...MESSAGE })]);
  const first = await callA2a(origin.url, 'message/send', params);
  await using restarted = await openGateway(undefined, origin.board.clock.now, { board: origin.upstream });
  const server = await listen(restarted.app, { host: '127.0.0.1', port: 0, log: pino({ level: 'silent' }) });
  await using _ = { [Symbol.asyncDispose]: () => server.close() };
  const { body } = await callA2a(server.url, 'tasks/get', { id: first.body.result.id });
  expect(body.error.code).toBe(-32001);
  const again = await callA2a(server.url, 'message/send', params);
  const written = ({ body }: typeof again) => body.result.artifacts[0].parts[0].data.data.id;
  expect(written(again)).toBe(written(first));
});

describe('a task of one caller', () => {
  it('is not found by an address of another group: neither read, nor gone on with, nor canceled', async () => {
    const { id } = (await call('message/send', messageOf([textPart('Hello')]), ADA)).result;
    const further = messageOf([dataPart({ skill: 'hello' })], { taskId: id });
    for (const [method, params] of [
      ['tasks/get', { id }],
      ['message/send', further],
      ['tasks/cancel', { id }],
    ] as const) {
      expect([method, (await call(method, params, STRANGER)).error?.code]).toEqual([method, NOT_FOUND]);
    }
    expect((await call('tasks/get', { id }, HER_OFFICE)).result.status.state).toBe('input-required');
    expect((await call('message/send', further, ADA)).result.status.state).toBe('completed');
  });

  it('that sent an API key is found with that key alone, from anywhere', async () => {
    const { key } = (await origin.send('/api/v1/keys', { label: 'ada' })).body.data;
    const { id } = (await call('message/send', messageOf([textPart('Hello')]), { ...ADA, 'x-api-key': key })).result;
    expect((await call('tasks/get', { id }, ADA)).error.code).toBe(NOT_FOUND);
    expect((await call('tasks/get', { id }, { ...STRANGER, 'x-api-key': key })).result.id).toBe(id);
  });
});

describe('a one-time token', () => {
  it('stands in the answer that creates its object, and not in tasks/get', async () => {
    const first = await send(messageOf(claimParts()));
    const { id, releaseToken } = dataOf(first);
    expect(releaseToken).toMatch(/^[\w-]{43}$/);
    const given = (await call('tasks/get', { id: first.task!.id }, ADA)).result;
    expect(JSON.stringify(given)).not.toContain(releaseToken);
    expect(dataOf(resultOf(given)).id).toBe(id);
    expect(resultOf(given).envelope!._meta.withheld).toEqual({
      fields: ['releaseToken'],
      why: expect.stringContaining('random UUID'),
    });
    for (const part of [
      dataPart({ skill: 'renew_claim', claimId: id, releaseToken }),
      textPart(JSON.stringify({ skill: 'renew_claim', claimId: id, releaseToken })),
    ]) {
      const renewed = await send(messageOf([part]));
      const kept = (await call('tasks/get', { id: renewed.task!.id }, ADA)).result;
      expect(kept.history).toHaveLength(1);
      expect(JSON.stringify(kept)).not.toContain(releaseToken);
    }
  });

  it.each(['claim-1', '00000000-0000-4000-8000-000000000000', '11111111-1111-4111-8111-111111111111'])(
    'is not shown to whoever repeats a message under the guessable messageId %s, and nothing is written twice',
    async (messageId) => {
      const params = messageOf(claimParts(), { messageId });
      const first = await send(params);
      const again = await send(params);
      expect([again.task!.id, dataOf(again).id]).toEqual([first.task!.id, dataOf(first).id]);
      expect([dataOf(again).releaseToken, again.envelope!._meta.withheld]).toMatchObject([
        undefined,
        { fields: ['releaseToken'] },
      ]);
    },
  );
});
