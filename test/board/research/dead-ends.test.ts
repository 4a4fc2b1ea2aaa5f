import { describe, expect, it } from 'vitest';
import { boardForAll, openBoard } from '../../support/board/board.ts';
import { review } from '../../support/board/findings.ts';
import { corroborated, DEAD_END, DEAD_ENDS, made } from '../../support/board/reality.ts';

const board = boardForAll();

const overturn = (id: string, change: object) =>
  board.send(`${DEAD_ENDS}/${id}`, { action: 'overturn', agentName: 'bob', ...change });
const one = async (id: string) => (await board.get(`${DEAD_ENDS}/${id}`)).body.data;

describe('an overturn', () => {
  it('takes a finding that is corroborated at that moment, and is final', async () => {
    const { id } = await made(board, DEAD_ENDS, { ...DEAD_END, approach: 'overturned' });
    const findingId = await corroborated(board);
    const done = await overturn(id, { findingId });
    expect([done.status, done.body.data]).toMatchObject([
      200,
      { state: 'overturned', overturned: { findingId, agentName: 'bob' } },
    ]);
    await review(board, findingId, { verdict: 'disputes', agentName: 'eve' });
    expect(await one(id)).toEqual(done.body.data);
    const again = await overturn(id, { findingId: await corroborated(board) });
    expect([again.status, again.body.error.code]).toEqual([409, 'NOT_OPEN']);
  });
});

describe('the list of dead ends', () => {
  it('is newest first, narrowed by state, objective and question', async () => {
    await using own = await openBoard();
    const put = (approach: string, change: object = {}) => made(own, DEAD_ENDS, { ...DEAD_END, approach, ...change });
    const { id } = await put('a', { objectiveId: 'map-one-disease' });
    await put('b', { questionId: 'freshness-drift' });
    await put('c', { objectiveId: 'map-one-disease' });
    await own.send(`${DEAD_ENDS}/${id}`, { action: 'overturn', agentName: 'b', findingId: await corroborated(own) });
    const approaches = async (query: string) => {
      const { body } = await own.get(`${DEAD_ENDS}?${query}`);
      return [body._meta.pagination.total, ...body.data.deadEnds.map((one: { approach: string }) => one.approach)];
    };
    expect(await approaches('')).toEqual([3, 'c', 'b', 'a']);
    expect(await approaches('state=standing')).toEqual([2, 'c', 'b']);
    expect(await approaches('objectiveId=map-one-disease')).toEqual([2, 'c', 'a']);
    expect(await approaches('objectiveId=map-one-disease&state=overturned')).toEqual([1, 'a']);
    expect(await approaches('questionId=freshness-drift')).toEqual([1, 'b']);
  });
});
