import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openBoard, type TestBoard } from '../support/board/board.ts';
import { announced, CLAIM, move, storedFinding } from '../support/board/board-writes.ts';
import { filledIn } from '../support/filled-in.ts';

const HOUR = 3_600_000;
let board: TestBoard;
beforeEach(async () => {
  board = await openBoard();
});
afterEach(() => board[Symbol.asyncDispose]());

const scopes = async (query: string): Promise<string[]> => {
  const { body } = await board.get(`/api/v1/claims${query}`);
  return body.data.claims.map((claim: { scope: string }) => claim.scope);
};

describe('announcing a claim', () => {
  it('answers 201 with the whole claim and a token of 32 bytes', async () => {
    const { status, body } = await board.send('/api/v1/claims', { ...CLAIM, agentContact: 'https://ada.example' });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^clm_[0-9a-z]{18}$/),
      state: 'active',
      objectiveId: 'map-one-disease',
      questionId: null,
      scope: 'cystic fibrosis, phase 3',
      intent: 'Count the distinct trials of the slice and publish the map as a finding.',
      agentName: 'ada',
      agentContact: 'https://ada.example',
      claimHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      leaseHours: 24,
      leaseExpiresAt: '2026-11-22T12:00:00.000000Z',
      renewals: 0,
      renewalsLeft: 14,
      maxRenewals: 14,
      findingId: null,
      createdAt: '2026-11-21T12:00:00.000000Z',
      updatedAt: '2026-11-21T12:00:00.000000Z',
      releaseToken: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      otherLiveClaims: { count: 0, more: false, ids: [] },
    });
    expect(body._meta.duplicate).toBeUndefined();
    expect(body._meta.honesty[0]).toContain('never reserves');
  });

  it('keeps the token nowhere but in its answer', async () => {
    const { id, token } = await announced(board);
    const listed = await board.get('/api/v1/claims');
    const read = await board.get(`/api/v1/claims/${id}`);
    const rows = await board.services.board.read.selectFrom('claims').selectAll().execute();
    const events = await board.services.board.read.selectFrom('events').selectAll().execute();
    expect(JSON.stringify([listed.body, read.body, rows, events])).not.toContain(token);
  });

  it('returns an identical live claim as it is, with 200 and without a token', async () => {
    const { id } = await announced(board);
    const again = await board.send('/api/v1/claims', { ...CLAIM, questionId: null, agentContact: 'elsewhere' });
    expect(again.status).toBe(200);
    expect(again.body.data).toMatchObject({ id, agentContact: null });
    expect(again.body.data).not.toHaveProperty('releaseToken');
    expect(again.body._meta.duplicate).toBe(true);
  });

  it('takes an identical claim anew once the first is released, delivered or expired', async () => {
    await storedFinding(board, 'fnd_1');
    const first = await announced(board);
    await move(board, first, 'release');
    const second = await announced(board);
    await move(board, second, 'deliver', { findingId: 'fnd_1' });
    const third = await announced(board);
    board.clock.advance(24 * HOUR);
    const fourth = await announced(board);
    expect(new Set([first.id, second.id, third.id, fourth.id]).size).toBe(4);
  });

  it('lets several agents claim one slice and names the other live claims, latest end of lease first', async () => {
    const ada = await announced(board);
    board.clock.advance(HOUR);
    const bob = await announced(board, { agentName: 'bob', questionId: 'freshness-drift' });
    const gone = await announced(board, { agentName: 'cy' });
    await move(board, gone, 'release');
    await announced(board, { agentName: 'dee', objectiveId: 'reporting-gap' });
    const { body } = await board.send('/api/v1/claims', { ...CLAIM, agentName: 'eve', questionId: 'freshness-drift' });
    expect(body.data.otherLiveClaims).toEqual({ count: 2, more: false, ids: [bob.id, ada.id] });
  });

  it('counts at most 20 other live claims and names at most 10', async () => {
    for (let agent = 0; agent < 22; agent += 1) await announced(board, { agentName: `agent ${agent}` });
    const { body } = await board.send('/api/v1/claims', CLAIM);
    expect(body.data.otherLiveClaims).toMatchObject({ count: 20, more: true });
    expect(body.data.otherLiveClaims.ids).toHaveLength(10);
  });

  it('lists every fault of a body at once', async () => {
    const { status, body } = await board.send('/api/v1/claims', {
      scope: ' ab ',
      intent: 'x'.repeat(39),
      agentName: 7,
    });
    expect(status).toBe(422);
    expect(body.error.code).toBe('claim_rejected');
    expect(body.error.issues.map((issue: { path: string }) => issue.path).sort()).toEqual([
      'agentName',
      'intent',
      'objectiveId',
      'scope',
    ]);
  });

  it('names each id that is not in the catalogue, and accepts a module objective', async () => {
    const refused = await board.send('/api/v1/claims', { ...CLAIM, objectiveId: 'nope', questionId: '' });
    expect(refused.status).toBe(422);
    expect(refused.body.error.issues.map((issue: { path: string }) => issue.path)).toEqual([
      'objectiveId',
      'questionId',
    ]);
    await announced(board, { objectiveId: 'virtual-cell-intake' });
  });

  it('keeps text as given: control characters, bidi marks, markup', async () => {
    const scope = '\u0000json: \u202e <script>alert(1)</script>\u0007';
    const { id } = await announced(board, { scope, agentName: 'x\u202e' });
    const { body } = await board.get(`/api/v1/claims/${id}`);
    expect(body.data).toMatchObject({ scope, agentName: 'x\u202e' });
  });

  it('accepts a body of 8000 bytes and refuses one of 8001', async () => {
    const of = (bytes: number) => {
      const rest = bytes - JSON.stringify({ ...CLAIM, intent: '' }).length;
      return board.send('/api/v1/claims', { ...CLAIM, intent: 'x'.repeat(rest) });
    };
    expect((await of(8000)).status).toBe(201);
    expect((await of(8001)).status).toBe(413);
  });

  it('tells the feed and the webhooks of each change under its name', async () => {
    await storedFinding(board, 'fnd_1');
    const claim = await announced(board);
    await move(board, claim, 'renew');
    await move(board, claim, 'deliver', { findingId: 'fnd_1' });
    await move(board, await announced(board, { agentName: 'bob', scope: 'x'.repeat(300) }), 'release');
    const events = await board.services.board.read.selectFrom('events').selectAll().orderBy('ts').execute();
    expect(events.map(({ kind, action, agent_name }) => [kind, action, agent_name])).toEqual([
      ['claim', 'created', 'ada'],
      ['claim', 'renewed', 'ada'],
      ['claim', 'delivered', 'ada'],
      ['claim', 'created', 'bob'],
      ['claim', 'released', 'bob'],
    ]);
    expect(JSON.parse(events[2]!.data)).toEqual({
      objectiveId: 'map-one-disease',
      questionId: null,
      scope: 'cystic fibrosis, phase 3',
      state: 'delivered',
      leaseExpiresAt: '2026-11-22T12:00:00.000000Z',
      findingId: 'fnd_1',
      about: 'claim',
      subject: { type: 'objective', id: 'map-one-disease' },
      text: 'claim delivered: cystic fibrosis, phase 3',
    });
    expect(JSON.parse(events[4]!.data).scope).toBe(`${'x'.repeat(200)}…`);
  });
});

describe('the list of claims', () => {
  it('shows live claims by default, newest first, and each state by its name', async () => {
    await storedFinding(board, 'fnd_1');
    await announced(board, { scope: 'expired one' });
    board.clock.advance(24 * HOUR);
    await move(board, await announced(board, { scope: 'released one' }), 'release');
    await move(board, await announced(board, { scope: 'delivered one' }), 'deliver', { findingId: 'fnd_1' });
    await announced(board, { scope: 'live one' });
    await announced(board, { scope: 'live two' });
    expect(await scopes('')).toEqual(['live two', 'live one']);
    expect(await scopes('?state=active')).toEqual(['live two', 'live one']);
    expect(await scopes('?state=released')).toEqual(['released one']);
    expect(await scopes('?state=delivered')).toEqual(['delivered one']);
    expect(await scopes('?state=expired')).toEqual(['expired one']);
  });

  it('ANDs its filters, and says which were applied', async () => {
    await announced(board, { scope: 'Type 1 Diabetes in children' });
    await announced(board, { scope: 'Diabetes, type 2', agentName: 'bob' });
    await announced(board, { scope: 'ÉPILEPSIE', objectiveId: null, questionId: 'freshness-drift' });
    expect(await scopes('?objectiveId=map-one-disease')).toEqual(['Diabetes, type 2', 'Type 1 Diabetes in children']);
    expect(await scopes('?questionId=freshness-drift')).toEqual(['ÉPILEPSIE']);
    expect(await scopes('?agentName=bob')).toEqual(['Diabetes, type 2']);
    expect(await scopes('?scope=PE%201%20dia')).toEqual(['Type 1 Diabetes in children']);
    expect(await scopes('?scope=%C3%A9pil')).toEqual(['ÉPILEPSIE']);
    expect(await scopes('?q=diabetes%20type')).toEqual(['Diabetes, type 2', 'Type 1 Diabetes in children']);
    expect(await scopes('?q=epilepsie')).toEqual(['ÉPILEPSIE']);
    expect(await scopes('?q=diabetes%20bob')).toEqual(['Diabetes, type 2']);
    expect(await scopes('?agentName=bob&scope=children')).toEqual([]);
    const { body } = await board.get('/api/v1/claims?q=bob&colour=red');
    expect(body._meta.filters).toEqual({ q: 'bob', state: 'active' });
    expect(body._meta.ignored).toEqual(['colour']);
  });

  it('finds what names a trial by any of the given ids, whole and in any case', async () => {
    await announced(board, { scope: 'NCT00000013 and its sites' });
    await announced(board, { scope: 'outcomes', intent: 'To compare isrctn12345678 with NCT00000013, by field.' });
    await announced(board, { scope: 'the record wt_0123456789ab' });
    await announced(board, { scope: 'NCT000000130 is another; wt 0123456789abc too' });
    expect(await scopes('?trialId=NCT00000013')).toEqual(['outcomes', 'NCT00000013 and its sites']);
    expect(await scopes('?trialId=ISRCTN12345678,wt_0123456789ab')).toEqual(['the record wt_0123456789ab', 'outcomes']);
    expect(await scopes('?trialId=NCT00000099')).toEqual([]);
    const { body } = await board.get('/api/v1/claims?trialId=nct00000013,%20wt_0123456789AB&limit=1');
    expect(body._meta.pagination).toMatchObject({ total: 3, hasMore: true });
    expect(body._meta.filters).toMatchObject({ trialId: 'nct00000013, wt_0123456789AB' });
    const { nextCursor } = body._meta.pagination;
    expect(await scopes(`?trialId=nct00000013,wt_0123456789AB&limit=1&cursor=${nextCursor}`)).toEqual(['outcomes']);
    expect((await board.get(`/api/v1/claims?trialId=nct00000013&cursor=${nextCursor}`)).status).toBe(400);
  });

  it('pages without loss or repeat and counts exactly', async () => {
    for (let agent = 0; agent < 5; agent += 1) await announced(board, { agentName: `agent ${agent}` });
    const first = await board.get('/api/v1/claims?limit=2');
    const last = await board.get('/api/v1/claims?limit=2&offset=4');
    const names = ({ body }: typeof first) => body.data.claims.map((claim: { agentName: string }) => claim.agentName);
    expect(names(first)).toEqual(['agent 4', 'agent 3']);
    expect(first.body._meta.pagination).toEqual({
      limit: 2,
      offset: 0,
      returned: 2,
      total: 5,
      hasMore: true,
      nextCursor: expect.any(String),
    });
    expect(names(last)).toEqual(['agent 0']);
    expect(last.body._meta.pagination).toEqual({
      limit: 2,
      offset: 4,
      returned: 1,
      total: 5,
      hasMore: false,
      nextCursor: null,
    });
  });

  it.each([
    'limit=0',
    'limit=101',
    'offset=-1',
    'offset=100001',
    'scope=ab',
    'q=%22%20-%20*',
    'trialId=NCT00000013,,',
    `trialId=${Array.from({ length: 21 }, (_, place) => `NCT${place}`)}`,
    'objectiveId=nope',
    'questionId=nope',
  ])('refuses %s with INVALID_PARAM that names the parameter and what was expected', async (query) => {
    const { status, body } = await board.get(`/api/v1/claims?${query}`);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'INVALID_PARAM', parameter: query.split('=')[0] });
    expect(body.error.expected).not.toBe('');
  });

  it('takes any text as words, never as a query language', async () => {
    await announced(board, { scope: 'say "AND" OR near( NEAR/2 x* ^scope: -y' });
    for (const text of [
      '"',
      '"a',
      'AND',
      'a OR b',
      'NEAR(a b)',
      'x*',
      '^x',
      'scope:x',
      '-y',
      '(',
      '{a b}',
      "it's; DROP TABLE claims",
    ]) {
      const { status } = await board.get(`/api/v1/claims?q=${encodeURIComponent(`${text} x`)}`);
      expect([text, status]).toEqual([text, 200]);
      expect((await board.get(`/api/v1/claims?scope=${encodeURIComponent(`${text} x`)}`)).status).toBe(200);
    }
    expect(await scopes('?q=or%20and%20near')).toHaveLength(1);
    expect(await scopes(`?scope=${encodeURIComponent('NEAR/2 x* ^')}`)).toHaveLength(1);
    expect(await scopes(`?q=${encodeURIComponent('say nothing')}`)).toEqual([]);
    expect((await board.get(`/api/v1/claims?q=${'a%20b%20c1%20'.repeat(60)}`)).status).toBe(200);
  });

  it('prints a call whose scope and intent are for the caller to say', async () => {
    const { body } = await board.get('/api/v1/claims');
    const { call, body: printed, rules } = body.data.howToClaim;
    const [, path] = call.split(' ');
    const unread = await board.send(path, printed);
    expect([unread.status, unread.body.error.issues.map(({ path: at }: { path: string }) => at)]).toEqual([
      422,
      ['scope', 'intent'],
    ]);
    expect((await board.send(path, filledIn(printed))).status).toBe(201);
    for (const [, read] of rules.join(' ').matchAll(/GET (\/api\/v1\/[a-z-]+)/g)) {
      expect([read, (await board.get(read)).status]).toEqual([read, 200]);
    }
    expect(Object.keys(body.data.stateMeaning)).toEqual(['active', 'released', 'delivered', 'expired']);
  });
});
