import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRateLimiter } from '../../server-kit/limits/limits.ts';
import { callA2a, dataPart, messageOf, postA2a } from '../support/a2a.ts';
import { CLAIM, MESSAGE } from '../support/board/board-writes.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';

/** What a request through the A2A door costs. */

let origin: TestOrigin;
beforeEach(async () => {
  origin = await openOrigin({ limiter: await openRateLimiter('memory') });
});
afterEach(() => origin[Symbol.asyncDispose]());

const skill = (name: string, inputs: Record<string, unknown> = {}, change: Record<string, unknown> = {}) =>
  callA2a(origin.url, 'message/send', messageOf([dataPart({ skill: name, ...inputs })], change));
const claim = (number: number) => skill('claim_work', { ...CLAIM, scope: `slice number ${number}` });
const message = (number: number) =>
  skill('post_message', { ...MESSAGE, body: `Message number ${number}, long enough to be one.` });

/** How many requests each bucket counted for this client. Asking costs one read, which is left out. */
async function spent(): Promise<Record<string, number>> {
  const { buckets } = (await origin.get('/api/v1/usage')).body.data as {
    buckets: { id: string; limit: number; remaining: number }[];
  };
  const counts = buckets.map(({ id, limit, remaining }) => [id, limit - remaining - (id === 'read' ? 1 : 0)] as const);
  // The ceiling of the address counts bytes too; test/gateway/one-caller.deep.test.ts holds it.
  return Object.fromEntries(counts.filter(([id, count]) => !['read-address', 'read-size'].includes(id) && count > 0));
}

it.each([
  ['a reading skill costs', () => skill('errors')],
  ['a reading skill with inputs that no request can carry costs', () => skill('changes', { since: { deep: 1 } })],
  ['a look at a task costs', () => callA2a(origin.url, 'tasks/get', { id: 'none' })],
  ['a method that is not offered costs', () => callA2a(origin.url, 'message/stream', {})],
  ['params that are wrong cost', () => callA2a(origin.url, 'message/send', {})],
  ['a body that is not JSON costs', () => postA2a(origin.url, '{')],
  ['a skill for a task that does not exist costs', () => skill('claim_work', CLAIM, { taskId: 'none' })],
  ['the agent card costs', () => origin.get('/.well-known/agent-card.json')],
  ['another method costs', () => origin.send('/api/v1/a2a', undefined, {}, 'DELETE')],
])('one read is what %s', async (_title, request) => {
  const { headers } = await request();
  expect([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual(['120', '119']);
  expect(headers.get('ratelimit')).toMatch(/^"read";r=119;t=\d+$/);
  expect(await spent()).toEqual({ read: 1 });
});

describe('a writing skill', () => {
  it('costs one in the bucket of A2A and one in the bucket of the same write over HTTP, and no read', async () => {
    const { headers, body } = await claim(1);
    expect(body.result.status.state).toBe('completed');
    expect(headers.get('ratelimit')).toMatch(/^"claim-write";r=14;t=\d+$/);
    expect(await spent()).toEqual({ 'a2a-write': 1, 'claim-write': 1 });
  });

  it('costs the same where it fails', async () => {
    await skill('claim_work', { agentName: 'ada' });
    expect(await spent()).toEqual({ 'a2a-write': 1, 'claim-write': 1 });
  });

  it('of any kind is refused after fifteen within a minute, though its own bucket has room', async () => {
    for (let number = 1; number <= 15; number += 1) {
      expect((await message(number)).body.result.status.state).toBe('completed');
    }
    const { status, headers, body } = await message(16);
    expect([status, body.error.code, body.error.retryable]).toEqual([429, 'WRITE_RATE_LIMITED', true]);
    expect(headers.get('retry-after')).toBe(headers.get('ratelimit-reset'));
    expect(headers.get('ratelimit')).toMatch(/^"a2a-write";r=0;t=\d+$/);
    expect(await spent()).toEqual({ 'a2a-write': 15, 'thread-write': 15 });
    expect((await origin.send('/api/v1/threads', { ...MESSAGE, body: 'Over HTTP there is room for it.' })).status).toBe(
      201,
    );
  });

  it('is refused where the same writes over HTTP have used its bucket up, and then no task is kept', async () => {
    for (let number = 1; number <= 15; number += 1) {
      await origin.send('/api/v1/claims', { ...CLAIM, scope: `slice number ${number}` });
    }
    const waiting = await callA2a(origin.url, 'message/send', messageOf([]));
    const { id } = waiting.body.result;
    const { status, headers, body } = await skill('claim_work', { ...CLAIM, scope: 'one more' }, { taskId: id });
    expect([status, body.error.code]).toEqual([429, 'WRITE_RATE_LIMITED']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    const after = await callA2a(origin.url, 'tasks/get', { id });
    expect([after.body.result.status.state, after.body.result.history.length]).toEqual(['input-required', 1]);
  });
});

it('A reader who is too fast is refused as over REST, whatever it sends', async () => {
  for (let number = 0; number < 120; number += 1) await origin.get('/api/v1/errors?code=NOT_FOUND');
  for (const request of [skill('hello'), postA2a(origin.url, '{'), callA2a(origin.url, 'tasks/get', { id: 'x' })]) {
    const { status, headers, body } = await request;
    expect([status, body.error.code]).toEqual([429, 'RATE_LIMITED']);
    expect(headers.get('retry-after')).toBe(headers.get('ratelimit-reset'));
  }
});

it('A key raises what may be read through skills, and a dead one is refused before anything runs', async () => {
  const { key } = (await origin.send('/api/v1/keys', { label: 'reader' })).body.data;
  const keyed = await callA2a(origin.url, 'message/send', messageOf([dataPart({ skill: 'errors' })]), {
    'x-api-key': key,
  });
  expect(keyed.headers.get('ratelimit')).toMatch(/^"read-keyed";r=999;t=\d+$/);
  for (const parts of [[dataPart({ skill: 'errors' })], [dataPart({ skill: 'claim_work', ...CLAIM })], []]) {
    const dead = await callA2a(origin.url, 'message/send', messageOf(parts), { 'x-api-key': 'nonsense' });
    expect([dead.status, dead.body.error.code]).toEqual([401, 'INVALID_API_KEY']);
  }
});
