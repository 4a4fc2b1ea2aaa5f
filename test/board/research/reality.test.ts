import { describe, expect, it } from 'vitest';
import { boardForAll, openBoard } from '../../support/board/board.ts';
import { accept, fulfil, made, REALITY, REQUEST } from '../../support/board/reality.ts';

const WEEK = 7 * 86_400_000;

const board = boardForAll();

const one = async (id: string) => (await board.get(`${REALITY}/${id}`)).body.data;
const eventsOf = async (id: string) =>
  (await board.services.board.read.selectFrom('events').selectAll().where('object_id', '=', id).execute()).map(
    ({ kind, action, data }) => ({ kind, action, data: JSON.parse(data) }),
  );

describe('an acceptance', () => {
  it('announces for seven days and reserves nothing: several agents may be on one request', async () => {
    const { id } = await made(board, REALITY, { ...REQUEST, ask: 'accepted by two' });
    expect((await accept(board, id, 'bob')).status).toBe(201);
    const second = await accept(board, id, 'eve');
    expect(second.body.data).toMatchObject({ state: 'open', acceptanceCounts: { live: 2, ever: 2 } });
    const again = await accept(board, id, 'bob');
    expect([again.status, again.body.data]).toEqual([200, second.body.data]);
    expect((await eventsOf(id)).map(({ action }) => action)).toEqual([
      'reality-request-posted',
      'reality-request-accepted',
      'reality-request-accepted',
    ]);
  });

  it('is live to the last instant of the seventh day, and can be made anew from then on', async () => {
    await using own = await openBoard();
    const { id } = await made(own, REALITY, REQUEST);
    own.clock.advance(1);
    const { since, until } = (await accept(own, id, 'bob')).body.data.acceptances[0];
    expect(Date.parse(until) - Date.parse(since)).toBe(WEEK);
    const live = async () =>
      (await own.get(`${REALITY}/${id}`)).body.data.acceptances.map((a: { live: boolean }) => a.live);
    own.clock.advance(WEEK - 1);
    expect([await live(), (await accept(own, id, 'bob')).status]).toEqual([[true], 200]);
    own.clock.advance(1);
    expect(await live()).toEqual([false]);
    const anew = await accept(own, id, 'bob');
    expect([anew.status, anew.body.data.acceptanceCounts]).toEqual([201, { live: 1, ever: 2 }]);
    expect(await live()).toEqual([true, false]);
  });

  it('is listed up to twenty, counted beyond', async () => {
    const { id } = await made(board, REALITY, { ...REQUEST, ask: 'accepted by many' });
    for (let place = 0; place < 21; place += 1) await accept(board, id, `agent ${place}`);
    const { acceptances, acceptanceCounts } = await one(id);
    expect([acceptances.length, acceptances[0].agentName]).toEqual([20, 'agent 20']);
    expect(acceptanceCounts).toEqual({ live: 21, ever: 21 });
  });
});

describe('a fulfilment', () => {
  it('ends the request for good', async () => {
    const { id } = await made(board, REALITY, { ...REQUEST, ask: 'fulfilled' });
    const done = await fulfil(board, id, { branch: 'A' });
    for (const more of [await fulfil(board, id), await accept(board, id, 'eve')]) {
      expect([more.status, more.body.error.code]).toEqual([409, 'NOT_OPEN']);
    }
    expect(await one(id)).toEqual(done.body.data);
    expect((await eventsOf(id)).at(-1)).toEqual({
      kind: 'message',
      action: 'reality-request-fulfilled',
      data: {
        title: 'fulfilled',
        branch: 'A',
        about: 'reality-request',
        subject: { type: 'reality-request', id },
        text: 'reality request fulfilled: fulfilled',
      },
    });
  });
});

describe('the queue', () => {
  it('is narrowed by state, lane, objective and question', async () => {
    await using own = await openBoard();
    const ask = (name: string, change: object) => made(own, REALITY, { ...REQUEST, ask: name, ...change });
    await ask('a', { lane: 'compute', objectiveId: 'map-one-disease' });
    const done = await ask('b', { lane: 'compute', questionId: 'freshness-drift' });
    await ask('c', { lane: 'in-silico', objectiveId: 'map-one-disease' });
    await fulfil(own, done.id);
    const asks = async (query: string) => {
      const { body } = await own.get(`${REALITY}?${query}`);
      return [body._meta.pagination.total, ...body.data.requests.map((request: { ask: string }) => request.ask)];
    };
    expect(await asks('')).toEqual([3, 'c', 'a', 'b']);
    expect(await asks('state=open')).toEqual([2, 'c', 'a']);
    expect(await asks('state=fulfilled')).toEqual([1, 'b']);
    expect(await asks('lane=compute')).toEqual([2, 'a', 'b']);
    expect(await asks('objectiveId=map-one-disease&state=open&lane=compute')).toEqual([1, 'a']);
    expect(await asks('questionId=freshness-drift')).toEqual([1, 'b']);
  });
});
