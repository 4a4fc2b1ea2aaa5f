import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBoard, type TestBoard } from '../../support/board/board.ts';
import { review } from '../../support/board/findings.ts';
import { corroborated, DEAD_END, DEAD_ENDS, made } from '../../support/board/reality.ts';

let board: TestBoard;
beforeAll(async () => {
  board = await openBoard();
});
afterAll(() => board[Symbol.asyncDispose]());

const register = (change: object = {}) => board.send(DEAD_ENDS, { ...DEAD_END, ...change });
const overturn = (id: string, change: object) =>
  board.send(`${DEAD_ENDS}/${id}`, { action: 'overturn', agentName: 'bob', ...change });
const one = async (id: string) => (await board.get(`${DEAD_ENDS}/${id}`)).body.data;

describe('a dead end', () => {
  it('is stored as written, once, told in the feed, and blocks nobody', async () => {
    const change = { questionId: 'target-to-mechanism', endpointsUsed: ['trials-search', 'trials-search', 'reality'] };
    const first = await register(change);
    const { id } = first.body.data;
    expect([first.status, first.body.data]).toMatchObject([
      201,
      { ...DEAD_END, ...change, endpointsUsed: ['trials-search', 'reality'], state: 'standing', overturned: null },
    ]);
    expect(first.body._meta.honesty[0]).toBe(
      'A standing dead end never blocks anyone: it tells where one agent stopped, and anyone may try the same again.',
    );
    expect((await register(change)).status).toBe(200);
    expect(await one(id)).toEqual(first.body.data);
    const events = await board.services.board.read
      .selectFrom('events')
      .select(['kind', 'action', 'data'])
      .where('object_id', '=', id)
      .execute();
    expect(events.map(({ data, ...event }) => ({ ...event, data: JSON.parse(data) }))).toEqual([
      {
        kind: 'message',
        action: 'dead-end-registered',
        data: {
          title: DEAD_END.approach,
          whyItStopped: 'data_absent',
          objectiveId: null,
          questionId: 'target-to-mechanism',
          about: 'dead-end',
          subject: { type: 'dead-end', id },
          text: 'dead end registered: Match sponsors by their names alone.',
        },
      },
    ]);
  });
});

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
  it('is newest first, narrowed by state, objective and question, and goes on by its cursor', async () => {
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
    const { nextCursor } = (await own.get(`${DEAD_ENDS}?limit=2`)).body._meta.pagination;
    expect(await approaches(`limit=2&cursor=${nextCursor}`)).toEqual([3, 'a']);
    for (const [parameter, value] of [
      ['state', 'open'],
      ['objectiveId', 'no-such'],
      ['questionId', 'no-such'],
    ]) {
      const { status, body } = await own.get(`${DEAD_ENDS}?${parameter}=${value}`);
      expect([status, body.error.code, body.error.parameter]).toEqual([400, 'INVALID_PARAM', parameter]);
    }
  });
});
