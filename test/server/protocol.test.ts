import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openOrigin, type TestOrigin } from '../support/origin.ts';

let origin: TestOrigin;
beforeAll(async () => {
  origin = await openOrigin();
});
afterAll(() => origin[Symbol.asyncDispose]());

const protocol = async () => (await origin.get('/api/v1/protocol')).body.data;

interface Transition {
  from: string[];
  trigger: string;
  to: string | null;
  error: string | null;
}
const rows = (transitions: Transition[]) =>
  transitions.map(
    ({ from, trigger, to, error }) => `${from.join(', ') || '(new)'} | ${trigger} | ${error ?? to ?? 'unchanged'}`,
  );

const CLAIM = {
  objectiveId: 'map-one-disease',
  intent: 'Count the distinct trials of the slice and publish the map as a finding.',
  agentName: 'ada',
};
const FINDING = {
  objectiveId: 'map-one-disease',
  title: 'A title',
  claim: 'A claim',
  method: 'A method',
  falsification: 'An observation',
  endpointsUsed: ['trials-coverage'],
  agentName: 'ada',
};

describe('the protocol', () => {
  it('has the states and transitions of the interface', async () => {
    const { version, claim, finding } = await protocol();
    expect(version).toBe('1.0.0');
    expect(rows(claim.transitions)).toEqual([
      '(new) | create | active',
      'active | renew | active',
      'active | renew | MAX_RENEWALS_REACHED',
      'active | deliver | delivered',
      'active | release | released',
      'active | the lease runs out | expired',
      'released, delivered, expired | renew, deliver or release | CLAIM_NOT_ACTIVE',
    ]);
    expect(rows(finding.transitions)).toEqual([
      '(new) | submit | received',
      'received, contested | a review corroborates | corroborated',
      'received, corroborated | a review disputes | contested',
      'received, corroborated, contested | a review extends | unchanged',
      'received, corroborated, contested | withdraw | withdrawn',
      'withdrawn | review, link or withdraw | FINDING_WITHDRAWN',
    ]);
    expect(Object.keys(claim.states)).toEqual(['active', 'released', 'delivered', 'expired']);
    expect(Object.keys(finding.states)).toEqual(['received', 'corroborated', 'contested', 'withdrawn']);
  });

  it('tells the laws, the states and the limits in the words of hello and of the lists', async () => {
    const told = await protocol();
    const hello = (await origin.get('/api/v1/hello')).body.data;
    expect(told.laws).toEqual(hello.protocol.laws);
    expect(told.version).toBe(hello.protocol.version);
    expect(told.claim.states).toEqual((await origin.get('/api/v1/claims')).body.data.stateMeaning);
    expect(told.finding.states).toEqual((await origin.get('/api/v1/findings')).body.data.statusMeaning);
    expect(told.limits).toMatchObject({ claimLeaseHours: 24, claimMaxRenewals: 14, findingBodyMaxBytes: 20000 });
    expect(told.rates).toContainEqual({
      bucket: 'claim-write',
      perMinute: 15,
      countedBy: 'address',
      appliesTo: 'POST /api/v1/claims',
    });
  });

  it('states of each token what the service does without it and with another one', async () => {
    const claim = (await origin.send('/api/v1/claims', { ...CLAIM, scope: 'tokens' })).body.data;
    const finding = (await origin.send('/api/v1/findings', FINDING)).body.data;
    const hook = (await origin.send('/api/v1/webhooks', { url: 'https://93.184.215.14/hook' })).body.data;
    const ids: Record<string, string> = { claims: claim.id, findings: finding.id, webhooks: hook.id };
    const bodies: Record<string, unknown> = { 'POST claims': { action: 'renew' }, 'POST webhooks': { action: 'ping' } };
    const { rules } = (await protocol()).tokens;
    expect(rules).toHaveLength(5);
    for (const { header, neededFor, missing, wrong } of rules) {
      for (const call of neededFor) {
        const [method, path] = call.split(' ');
        const kind = path.split('/')[3];
        const target = path.replace('{id}', ids[kind]);
        const body = method === 'GET' ? undefined : (bodies[`${method} ${kind}`] ?? {});
        const code = async (headers: Record<string, string>) =>
          (await origin.send(target, body, headers, method)).body.error?.code;
        expect([call, await code({}), await code({ [header]: 'another' })]).toEqual([call, missing, wrong]);
      }
    }
  });

  it('names for each refusal the code that comes', async () => {
    const theirs = (await origin.send('/api/v1/findings', { ...FINDING, title: 'Another' })).body.data;
    const other = (await origin.send('/api/v1/findings', { ...FINDING, title: 'A third' })).body.data;
    const gone = (await origin.send('/api/v1/findings', { ...FINDING, title: 'Gone' })).body.data;
    const withdraw = { 'x-withdraw-token': gone.withdrawToken };
    await origin.send(`/api/v1/findings/${gone.id}`, {}, withdraw, 'DELETE');
    const review = { verdict: 'extends', note: 'I built on this finding and added a condition.', agentName: 'bob' };
    const message = { subjectType: 'objective', body: 'A message of at least thirty characters.', agentName: 'bob' };
    const reviewed = `/api/v1/findings/${theirs.id}/review`;
    await origin.send(reviewed, review);
    await origin.send('/api/v1/claims', { ...CLAIM, scope: 'keyed' }, { 'idempotency-key': 'protocol-test' });
    const link = { toId: theirs.id, relation: 'extends', note: 'n', agentName: 'bob' };
    const provoked = [
      await origin.send('/api/v1/claims', { ...CLAIM, scope: 'x' }),
      await origin.send('/api/v1/threads', { ...message, subjectId: 'nothing' }),
      await origin.send('/api/v1/threads', { ...message, subjectId: 'map-one-disease', body: 'short' }),
      await origin.send('/api/v1/findings', { ...FINDING, falsification: undefined }),
      await origin.send(reviewed, { ...review, agentName: 'ada' }),
      await origin.send(reviewed, review),
      await origin.send(`/api/v1/findings/${theirs.id}/link`, link),
      await origin.send(`/api/v1/findings/${gone.id}/review`, review),
      await origin.send('/api/v1/claims', { ...CLAIM, scope: 'other' }, { 'idempotency-key': 'protocol-test' }),
      await origin.send('/api/v1/claims', { ...CLAIM, scope: 'x'.repeat(9000) }),
    ];
    const { refused } = await protocol();
    // The last code needs rate limits; limits.test.ts provokes it.
    expect([...provoked.map(({ body }) => body.error?.code), 'WRITE_RATE_LIMITED']).toEqual(
      refused.map(({ code }: { code: string }) => code),
    );
    expect((await origin.send(`/api/v1/findings/${other.id}/link`, { ...link, toId: gone.id })).body.error.code).toBe(
      'FINDING_WITHDRAWN',
    );
  });
});
