import { describe, expect, it } from 'vitest';
import { inWordsOf } from './in-words-of.ts';

const SEARCH = { call: 'GET /api/v1/trials/search?q=type%201%20diabetes&pageSize=5', why: 'Look at some of them.' };
const hinted = (door: 'mcp' | 'a2a' | 'rest', hint: string) => inWordsOf(door, { error: { hint } }).error.hint;

describe('a next call', () => {
  it('is a tool with typed arguments over MCP, a skill with data over A2A, method and URL over REST', () => {
    expect(inWordsOf('mcp', { nextCalls: [SEARCH] })).toEqual({
      nextCalls: [
        { tool: 'search_world_trials', arguments: { q: 'type 1 diabetes', pageSize: 5 }, why: 'Look at some of them.' },
      ],
    });
    expect(inWordsOf('a2a', { nextCalls: [SEARCH] })).toEqual({
      nextCalls: [
        { skill: 'world_trial_search', data: { q: 'type 1 diabetes', pageSize: 5 }, why: 'Look at some of them.' },
      ],
    });
    expect(inWordsOf('rest', { nextCalls: [SEARCH] })).toEqual({ nextCalls: [SEARCH] });
  });

  it('has what REST puts into the path and the body among its arguments', () => {
    const review = { call: 'POST /api/v1/findings/fnd_1/review', body: { verdict: 'disputes' }, rules: ['Once.'] };
    expect(inWordsOf('mcp', review)).toEqual({
      tool: 'board_review_finding',
      arguments: { findingId: 'fnd_1', verdict: 'disputes' },
      rules: ['Once.'],
    });
  });

  it('of an operation without a tool goes through call_operation, without a skill stays a REST call', () => {
    const snapshots = { call: 'GET /api/v1/twin/patient-model/references', why: 'See what was published.' };
    expect(inWordsOf('mcp', snapshots)).toEqual({
      tool: 'call_operation',
      arguments: { id: 'patient-model-references', arguments: {} },
      why: 'See what was published.',
    });
    expect(inWordsOf('a2a', snapshots)).toEqual(snapshots);
  });

  it('that no operation answers stays as it is', () => {
    for (const call of ['POST /api/v1/a2a', 'GET /api/v1/nothing', 'GET /api/v1/hello?colour=red', 'read it']) {
      expect(inWordsOf('mcp', { call, why: 'So.' })).toEqual({ call, why: 'So.' });
    }
    expect(inWordsOf('mcp', { call: null, count: 0 })).toEqual({ call: null, count: 0 });
  });
});

describe('a text of the service', () => {
  it('names its calls as the door has them, with what only the reader knows in angle brackets', () => {
    const hint = 'Find it with GET /api/v1/trials/search?q={words}, then GET /api/v1/trials/{canonicalId}.';
    expect(hinted('mcp', hint)).toBe(
      'Find it with search_world_trials {"q":"<words>"}, then get_world_trial {"canonicalId":"<canonicalId>"}.',
    );
    expect(hinted('a2a', hint)).toBe(
      'Find it with skill world_trial_search {"q":"<words>"}, then skill world_trial_record {"canonicalId":"<canonicalId>"}.',
    );
    expect(hinted('rest', hint)).toBe(hint);
    expect(hinted('mcp', 'POST /api/v1/threads. Or GET /api/v1/snapshots')).toMatch(/^post_message\. Or /);
  });

  it('speaks of arguments where REST has headers, and not at all of headers that no argument carries', () => {
    const hint =
      'Wait the seconds in Retry-After, then repeat it with the same Idempotency-Key. Send the ETag in If-None-Match: unchanged is 304. DELETE /api/v1/findings/{id} takes it in the header X-Withdraw-Token.';
    expect(hinted('a2a', hint)).toContain(
      'Wait the seconds in error.retryAfterSeconds, then repeat it with the same idempotencyKey. ',
    );
    expect(hinted('mcp', hint)).toMatch(/takes it as withdrawToken\.$/);
    expect(hinted('mcp', hint)).not.toMatch(/ETag|304/);
    expect(hinted('mcp', 'Use one of the methods in the header Content-Type.')).toMatch(/Content-Type/);
  });

  it('is one in a list of rules, in guidance, in a budget, in an issue', () => {
    const call = 'GET /api/v1/hello';
    const given = {
      rules: [call],
      guidance: { text: call, calls: [] },
      budget: { text: call },
      error: { message: call, issues: [{ path: call, message: call }] },
    };
    expect(inWordsOf('mcp', given)).toEqual({
      rules: ['hello'],
      guidance: { text: 'hello', calls: [] },
      budget: { text: 'hello' },
      error: { message: 'hello', issues: [{ path: call, message: 'hello' }] },
    });
  });
});

it('what agents and registries wrote stays as it is, also where it looks like a call of the service', () => {
  const call = 'GET /api/v1/hello with the header Idempotency-Key';
  const written = {
    data: {
      finding: { title: call, claim: call, method: call, falsification: call, endpointsUsed: [call] },
      messages: [{ body: call, text: call, note: call }],
      rungs: [{ input: { call: 'GET /api/v1/hello', hint: call }, rules: [{ rule: { message: call }, path: call }] }],
      evidence: { value: { hint: call }, claimText: call },
      trial: { title: call, citation: { text: call }, whyStopped: call },
    },
  };
  expect(inWordsOf('mcp', written)).toEqual(written);
  expect(inWordsOf('a2a', written)).toEqual(written);
});
