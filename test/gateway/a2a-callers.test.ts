import { describe, expect, it } from 'vitest';
import { callA2a, dataPart, messageOf, resultOf, textPart } from '../support/a2a.ts';
import { CLAIM } from '../support/board/board-writes.ts';
import { forAll } from '../support/for-all.ts';
import { openOrigin } from '../support/origin.ts';

/** A task belongs to whoever began it, and nobody learns a token from one. */

const origin = forAll(() => openOrigin({ trustedProxies: 1 }));

const ADA = { 'x-forwarded-for': '192.0.2.1' };
const HER_OFFICE = { 'x-forwarded-for': '192.0.2.77' };
const STRANGER = { 'x-forwarded-for': '198.51.100.9' };
const NOT_FOUND = -32001;
type From = Record<string, string>;

const call = async (method: string, params: object, from: From) =>
  (await callA2a(origin.url, method, params, from)).body;
const send = async (params: object, from: From = ADA) => resultOf((await call('message/send', params, from)).result);

let slices = 0;
const claimParts = () => {
  slices += 1;
  return [dataPart({ skill: 'claim_work', ...CLAIM, scope: `slice of a caller ${slices}` })];
};
const dataOf = (result: { envelope?: { data: unknown } }) =>
  result.envelope!.data as { id: string; releaseToken?: string };

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
