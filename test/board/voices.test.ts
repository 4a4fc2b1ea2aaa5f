import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openBoard, type TestBoard } from '../support/board/board.ts';
import { amendment, HOUR_MS, PROPOSAL } from '../support/board/council.ts';
import { FINDING, REVIEW } from '../support/board/findings.ts';
import { literatureSaying, populationOf } from '../support/board/results-gap.ts';

/**
 * Voices under `INDEPENDENCE=address`: another name in another group of addresses. Ada wrote the finding and the amendment
 * from 192.0.2.1.
 */

const NCT = 'NCT00000013';
let board: TestBoard;
let finding: string;
let proposed: string;
beforeEach(async () => {
  const population = await populationOf([{ nctId: NCT, completed: '2020-01-01', topics: ['type-1-diabetes'] }]);
  const literature = literatureSaying(() => 'none');
  board = await openBoard({ independence: 'address', trustedProxies: 1, population, literature });
  finding = (await board.send('/api/v1/findings', { ...FINDING, agentName: 'ada' }, from('192.0.2.1'))).body.data.id;
  const sent = await board.send('/api/v1/council', amendment('norm', PROPOSAL.norm), from('192.0.2.1'));
  proposed = sent.body.data.id;
});
afterEach(() => board[Symbol.asyncDispose]());

const from = (address: string) => ({ 'x-forwarded-for': address });
const review = (agentName: string, address: string, verdict = 'corroborates') =>
  board.send(`/api/v1/findings/${finding}/review`, { ...REVIEW, agentName, verdict }, from(address));
const act = (body: object, address: string) => board.send(`/api/v1/council/${proposed}`, body, from(address));
const vote = (agentName: string, address: string, choice = 'ratify') =>
  act({ action: 'vote', agentName, vote: choice, reasoning: 'I tried it for a day on two findings.' }, address);
const exercise = (agentName: string, address: string) =>
  act({ action: 'exercise', agentName, note: `${agentName} at ${address} wrote one finding as if it held.` }, address);
const report = (agentName: string, address: string, more: object = {}) => {
  const body = { nctId: NCT, searchStrategy: 'PubMed and Europe PMC by the id.', outcome: 'publication', ...more };
  return board.send('/api/v1/work/results-gap', { doi: '10.1000/invented', agentName, ...body }, from(address));
};

/** What agents of several names say from an address, and whether it counted as a voice. */
const SURFACES = [
  ['a review', async (name: string, at: string) => (await review(name, at)).body.data.counts],
  ['a dispute', async (name: string, at: string) => (await review(name, at, 'disputes')).body.data.counts],
  ['a vote', async (name: string, at: string) => (await vote(name, at)).body.data.vote.counts],
  ['an exercise', async (name: string, at: string) => (await exercise(name, at)).body.data.exercise.counts],
] as const;

describe.each(SURFACES)('%s', (_what, counts) => {
  it('counts once a group of addresses, whatever names it invents', async () => {
    expect(await counts('bo', '198.51.100.1')).toBe(true);
    expect([await counts('c', '198.51.100.7'), await counts('d', '198.51.100.250')]).toEqual([false, false]);
    expect(await counts('e', '2001:db8:1:1::1')).toBe(true);
    // Addresses of one /48.
    expect(await counts('f', '2001:db8:1:3::1')).toBe(false);
    expect(await counts('g', '2001:db8:2::1')).toBe(true);
  });
});

describe('the author', () => {
  it.each(['Ada', 'ada ', 'a\u200bda', 'ａｄａ', '\u0430d\u0430', '\u202eada'])(
    'cannot corroborate herself under the spelling %j, from any address',
    async (agentName) => {
      const { status, body } = await review(agentName, '198.51.100.1');
      expect([status, body.error.code, body.error.issues[0].path]).toEqual([422, 'review_rejected', 'agentName']);
    },
  );

  it('moves nothing under an invented name from her own group', async () => {
    const { body } = await review('eve', '192.0.2.250');
    expect([body.data.counts, body.data.finding.status]).toEqual([false, 'received']);
    expect((await exercise('bo', '192.0.2.9')).body.data.exercise.counts).toBe(false);
    // A voice counts with its first exercise from another group, also after one that did not.
    expect((await exercise('bo', '203.0.1.1')).body.data.exercise.counts).toBe(true);
  });
});

describe('a name', () => {
  it('has one verdict, one vote and one report in whatever spelling, from any group', async () => {
    await review('bo', '198.51.100.1');
    expect((await review('B\u043e', '203.0.113.1')).body.error.code).toBe('ALREADY_REVIEWED');
    await vote('bo', '203.0.1.1');
    expect((await vote('B\u043e\u200b', '203.0.2.1')).body.error.code).toBe('ALREADY_VOTED');
    await report('ada', '192.0.2.1');
    expect((await report('ＡＤＡ', '203.0.113.1', { note: 'again' })).body.data.state).toBe('lead');
  });
});

describe('a decision', () => {
  it('of the council is not made by the votes of one group, neither for nor against', async () => {
    for (let place = 0; place < 6; place += 1) await vote(`sock ${place}`, `192.0.2.${place}`, 'reject');
    for (let group = 1; group <= 4; group += 1) await vote(`voter ${group}`, `203.0.${group}.1`);
    for (const group of [6, 7]) await exercise(`tester ${group}`, `203.0.${group}.1`);
    board.clock.advance(49 * HOUR_MS);
    const { data } = (await board.get(`/api/v1/council/${proposed}`)).body;
    expect(data).toMatchObject({ state: 'ratified', votesTotal: 10, tally: { ratify: 4, reject: 1 } });
    const needs = ['window', 'quorum', 'exercises', 'share'].map((name) => data.tally.gates[name].need);
    expect(needs).toEqual([48, 5, 2, 4]);
  });

  it('on a lead is made by two voices, which is counted apart from what a source ties', async () => {
    for (const [name, at] of [
      ['ada', '192.0.2.1'],
      ['bo', '192.0.2.2'],
    ] as const) {
      expect((await report(name, at)).body.data.state).toBe('lead');
    }
    const { data } = (await report('c', '203.0.113.1')).body;
    expect([data.state, data.support]).toEqual(['confirmed', { agents: 3, addresses: 3, groups: 2 }]);
    const guide = (await board.get('/api/v1/results-gap')).body.data;
    expect(guide).toMatchObject({ reportingAgents: 3, reportingGroups: 2, reconnected: 1 });
    expect([guide.reconnectedBy, guide.recentlyConfirmed[0].tied]).toEqual([{ literature: 0, agents: 1 }, false]);
    expect(guide.headline).toContain('0 tied by a literature source, 1 by agreement of agents alone');
  });

  it('that nothing was published is made by two voices, whichever of the reports are the two', async () => {
    const none = { outcome: 'searched_none', doi: null };
    await report('ada', '192.0.2.1', none);
    await report('bo', '192.0.2.1', none);
    const confirmed = async () => (await board.get('/api/v1/results-gap')).body.data.confirmedNothingPublished;
    expect(await confirmed()).toBe(0);
    await report('ada', '203.0.113.1', { ...none, note: 'again' });
    expect(await confirmed()).toBe(1);
  });
});
