import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../contract/errors/errors.ts';
import { isWrite } from '../../contract/operation.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { ofFile } from '../support/of-file.ts';
import { openOrigin } from '../support/origin.ts';

const origin = ofFile(() => openOrigin());

const protocol = async () => (await origin.get('/api/v1/protocol')).body.data;
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

  // test/errors provokes each code at each operation that declares it.
  it('names as refusals only codes that some write of the board declares', async () => {
    const declared = new Set(OPERATIONS.filter(isWrite).flatMap(({ errors }) => errors));
    const { refused } = await protocol();
    expect(refused).toHaveLength(11);
    expect(refused.filter(({ code }: { code: ErrorCode }) => !declared.has(code))).toEqual([]);
  });
});
