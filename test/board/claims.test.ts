import { describe, expect, it } from 'vitest';
import { boardForEach } from '../support/board/board.ts';
import { announced, CLAIM, move, storedFinding } from '../support/board/board-writes.ts';

const HOUR = 3_600_000;
const board = boardForEach();

const scopes = async (query: string): Promise<string[]> => {
  const { body } = await board.get(`/api/v1/claims${query}`);
  return body.data.claims.map((claim: { scope: string }) => claim.scope);
};

describe('announcing a claim', () => {
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

  it('tells the feed and the webhooks of each change under its name', async () => {
    await storedFinding(board, 'fnd_1');
    const claim = await announced(board);
    await move(board, claim, 'renew');
    await move(board, claim, 'deliver', { findingId: 'fnd_1' });
    await move(board, await announced(board, { agentName: 'bob', scope: 'x'.repeat(300) }), 'release');
    const all = await board.board.read.selectFrom('events').selectAll().orderBy('ts').execute();
    const events = all.filter(({ kind }) => kind === 'claim');
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
});
