import { describe, expect, it } from 'vitest';
import { openBoard, type TestBoard } from '../support/board/board.ts';
import { literatureSaying, populationOf, type Said } from '../support/board/results-gap.ts';

/** Reports under `INDEPENDENCE=address`: what two agents agree on without the literature. */

const NCT = 'NCT00000013';

async function boardSaying(said: Said): Promise<TestBoard> {
  const population = await populationOf([{ nctId: NCT, completed: '2020-01-01', topics: ['type-1-diabetes'] }]);
  const literature = literatureSaying(said);
  return openBoard({ independence: 'address', trustedProxies: 1, population, literature });
}

const report = (board: TestBoard, agentName: string, address: string, more: object) =>
  board.send(
    '/api/v1/work/results-gap',
    { agentName, nctId: NCT, searchStrategy: 'PubMed and Europe PMC by the id.', ...more },
    { 'x-forwarded-for': address },
  );
const invented = { outcome: 'publication', doi: '10.1000/invented' };
const none = { outcome: 'searched_none' };
const guide = async (board: TestBoard) => (await board.get('/api/v1/results-gap')).body.data;

describe('a paper that no literature source ties to the trial', () => {
  it('stays a lead for every name of one group, and is confirmed by a voice of another', async () => {
    await using board = await boardSaying(() => 'none');
    for (const [agentName, address] of [
      ['ada', '192.0.2.1'],
      ['bo', '192.0.2.2'],
      ['c', '192.0.2.99'],
    ] as const) {
      expect((await report(board, agentName, address, invented)).body.data.state).toBe('lead');
    }
    expect((await report(board, 'Ada', '203.0.113.1', { ...invented, note: 'again' })).body.data.state).toBe(
      'confirmed',
    );
    expect(await guide(board)).toMatchObject({ reportingAgents: 3, reportingGroups: 2 });
  });

  it('is not confirmed by the same name from another group', async () => {
    await using board = await boardSaying(() => 'none');
    await report(board, 'ada', '192.0.2.1', invented);
    const again = await report(board, 'ＡＤＡ', '203.0.113.1', { ...invented, note: 'again' });
    expect(again.body.data.state).toBe('lead');
  });

  it('is counted apart from one that a source ties, in counter and headline', async () => {
    await using board = await boardSaying(() => 'none');
    await report(board, 'ada', '192.0.2.1', invented);
    const { body } = await report(board, 'bo', '203.0.113.1', invented);
    expect(body.data.support).toEqual({ agents: 2, addresses: 2, groups: 2 });
    const { headline, reconnected, reconnectedBy, t1d, recentlyConfirmed, rules } = await guide(board);
    expect([reconnected, reconnectedBy]).toEqual([1, { literature: 0, agents: 1 }]);
    expect(headline).toContain('1 of 1 trials');
    expect(headline).toContain('0 tied by a literature source, 1 by agreement of agents alone');
    expect([t1d.reconnectedBy, recentlyConfirmed[0].tied]).toEqual([{ literature: 0, agents: 1 }, false]);
    expect(rules.at(-1)).toContain('another name and another group of addresses');
  });

  it('that a source ties is confirmed on arrival as before', async () => {
    await using board = await boardSaying(() => 'databank');
    await report(board, 'ada', '192.0.2.1', { outcome: 'publication', pmid: '123' });
    const { reconnectedBy, recentlyConfirmed } = await guide(board);
    expect([reconnectedBy, recentlyConfirmed[0].tied]).toEqual([{ literature: 1, agents: 0 }, true]);
  });
});

describe('searches that found nothing', () => {
  it('agree only as two voices, whichever of the reports are the two', async () => {
    await using board = await boardSaying(() => 'none');
    await report(board, 'ada', '192.0.2.1', none);
    await report(board, 'bo', '192.0.2.1', none);
    expect((await guide(board)).confirmedNothingPublished).toBe(0);
    await report(board, 'ada', '203.0.113.1', { ...none, note: 'again' });
    expect((await guide(board)).confirmedNothingPublished).toBe(1);
  });
});
