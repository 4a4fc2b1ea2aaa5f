import { describe, expect, it } from 'vitest';
import type { AmendmentRow } from '../../../board-server/council/tables.ts';
import { boardForAll, openBoard, type TestBoard } from '../../support/board/board.ts';
import { PROPOSAL, proposed } from '../../support/board/council.ts';
import { ladder } from '../../support/board/ladders.ts';
import { CALIBRATION, fulfil, made, PREDICTION, REALITY, REQUEST } from '../../support/board/reality.ts';

const DAY = 86_400_000;

const board = boardForAll();

let asked = 0;
async function request(on: TestBoard = board): Promise<string> {
  asked += 1;
  return (await made(on, REALITY, { ...REQUEST, ask: `request ${asked}` })).id;
}

/** An amendment with this outcome that has closed, as the council leaves it. */
async function amendment(on: TestBoard, outcome: AmendmentRow['outcome']): Promise<string> {
  asked += 1;
  const { id } = await proposed(on, 'norm', { statement: `State the snapshot id beside count ${asked}.` });
  const closes_at = on.clock.now().getTime() * 1000;
  await on.board.write((tx) => tx.updateTable('amendments').set({ outcome, closes_at }).where('id', '=', id).execute());
  return id;
}
const rung = async (on: TestBoard): Promise<string> => (await ladder(on)).rungs[0].id;
const satisfy = (on: TestBoard, id: string) =>
  on.services.board.write((tx) =>
    tx.updateTable('rungs').set({ state: 'satisfied', satisfied_at: tx.nextTime() }).where('id', '=', id).execute(),
  );

const predict = (subjectId: string, change: object = {}, on: TestBoard = board) =>
  made(on, CALIBRATION, { ...PREDICTION, subjectId, ...change });
const withToken = (token: string) => ({ headers: { 'x-prediction-token': token } });
const own = async ({ id, predictionToken }: { id: string; predictionToken: string }, on: TestBoard = board) =>
  (await on.get(`${CALIBRATION}/${id}`, withToken(predictionToken))).body.data.own;

describe('a prediction', () => {
  it('is about something that exists and is undecided', async () => {
    const code = async (change: object) =>
      (await board.send(CALIBRATION, { ...PREDICTION, ...change })).body.error?.code;
    for (const subjectType of ['amendment', 'rung', 'reality_request']) {
      expect(await code({ subjectType, subjectId: 'none' })).toBe('NOT_FOUND');
      // The id of a reality request names no amendment and no rung.
      if (subjectType !== 'reality_request')
        expect(await code({ subjectType, subjectId: await request() })).toBe('NOT_FOUND');
    }
    const fulfilled = await request();
    await fulfil(board, fulfilled);
    expect(await code({ subjectId: fulfilled })).toBe('NOT_OPEN');
    const satisfied = await rung(board);
    await satisfy(board, satisfied);
    expect(await code({ subjectType: 'rung', subjectId: satisfied })).toBe('NOT_OPEN');
    for (const outcome of ['ratified', 'rejected', 'expired'] as const) {
      const subjectId = await amendment(board, outcome);
      expect([outcome, await code({ subjectType: 'amendment', subjectId })]).toEqual([outcome, 'NOT_OPEN']);
    }
  });
});

describe('the outcome', () => {
  const HORIZON_DAYS = 10;

  /**
   * What decides each kind of subject; calibration/outcome.test.ts has the times. Each row: subject type, what becomes of the subject, after how many days, whether that is before the horizon, and
   * the day on which the prediction is settled.
   */
  const TABLE: ['amendment' | 'rung' | 'reality_request', string, number, boolean, number][] = [
    ['reality_request', 'fulfilled', 3, true, 3],
    ['rung', 'satisfied', 3, true, 3],
    ['rung', 'nothing', 0, false, 10],
    ['amendment', 'ratified', 3, true, 3],
    ['amendment', 'rejected', 3, false, 3],
  ];

  it.each(TABLE)('of %s that is %s after %i days: happened in time %s, settled on day %i', async (...row) => {
    const [type, fate, after, came, day] = row;
    await using at = await openBoard();
    const subjects = {
      amendment: async () => (await proposed(at, 'norm', PROPOSAL.norm)).id,
      rung: () => rung(at),
      reality_request: () => request(at),
    };
    const subjectId = await subjects[type]();
    const change = { subjectType: type, horizonDays: HORIZON_DAYS };
    const yes = await predict(subjectId, change, at);
    const no = await predict(subjectId, { ...change, expects: 'no' }, at);
    const last = (await at.services.board.read.selectFrom('predictions').select('horizon_at').execute()).at(-1)!;
    if (type === 'amendment') {
      const ends = {
        outcome: fate as AmendmentRow['outcome'],
        closes_at: last.horizon_at + (after - HORIZON_DAYS) * DAY * 1000,
      };
      await at.services.board.write((tx) => tx.updateTable('amendments').set(ends).execute());
    }
    at.clock.advance(day * DAY - 1);
    expect(await own(yes, at)).toMatchObject({ state: 'open', happened: null, resolvedAt: null });
    at.clock.advance(2);
    if (fate === 'fulfilled') await fulfil(at, subjectId);
    if (fate === 'satisfied') await satisfy(at, subjectId);
    at.clock.advance(HORIZON_DAYS * DAY);
    const seen = await own(yes, at);
    expect(seen).toMatchObject({ state: came ? 'came_true' : 'did_not', happened: came });
    const days = (Date.parse(seen.resolvedAt) - Date.parse(yes.createdAt)) / DAY;
    expect(Math.round(days * 1000) / 1000).toBe(day);
    expect(await own(no, at)).toMatchObject({ state: came ? 'did_not' : 'came_true', happened: came });
  });
});

describe('what is shown', () => {
  it('is the outcome to the author, the public part to everyone, and nothing to another token', async () => {
    const mine = await predict(await request());
    const theirs = await predict(await request(), { agentName: 'eve' });
    const path = `${CALIBRATION}/${mine.id}`;
    const { predictionToken, ...prediction } = mine;
    expect((await board.get(path)).body.data).toEqual({ ...prediction, own: null });
    expect((await board.get(path, withToken(predictionToken))).body.data).toEqual(prediction);
    for (const token of [theirs.predictionToken, 'another', predictionToken.slice(1)]) {
      const { status, body } = await board.get(path, withToken(token));
      expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
    }
  });

  it('under one token is one record, by header or body, and the token is not shown again', async () => {
    const first = await predict(await request());
    const { predictionToken } = first;
    const second = await predict(await request(), { predictionToken, confidence: 0.9 });
    const third = await made(
      board,
      CALIBRATION,
      { ...PREDICTION, subjectId: await request(), predictionToken: 'ignored where the header is sent' },
      { 'x-prediction-token': predictionToken },
    );
    expect([second.predictionToken, third.predictionToken]).toEqual([null, null]);
    const { body } = await board.get(`${CALIBRATION}?view=mine&limit=2`, withToken(predictionToken));
    expect(body.data.predictions.map(({ id }: { id: string }) => id)).toEqual([third.id, second.id]);
    expect(body.data.mine).toMatchObject({ predictions: 3, open: 3, resolved: 0, hitRate: null, brierScore: null });
    expect(body._meta.pagination).toMatchObject({ total: 3, hasMore: true });
    const rest = `${CALIBRATION}?view=mine&limit=2&cursor=${body._meta.pagination.nextCursor}`;
    expect((await board.get(rest, withToken(predictionToken))).body.data.predictions).toHaveLength(1);
    // The cursor of one list is refused by another list.
    expect((await board.get(rest.replace('view=mine', 'view=open'))).body.error.parameter).toBe('cursor');
    const wrong = await board.send(CALIBRATION, { ...PREDICTION, subjectId: await request(), predictionToken: 'none' });
    expect([wrong.status, wrong.body.error.code]).toEqual([403, 'FORBIDDEN']);
  });

  it('does not let a guess tell what another predicted: the same words by two authors are two predictions', async () => {
    const subjectId = await request();
    const first = await predict(subjectId);
    const second = await predict(subjectId);
    expect(second.id).not.toBe(first.id);
    const { predictionToken } = first;
    const again = await board.send(CALIBRATION, { ...PREDICTION, subjectId, predictionToken });
    expect([again.status, again.body.data.id, again.body.data.predictionToken]).toEqual([200, first.id, null]);
  });

  it('has hits, rates and a Brier score of one’s own, and of all together no name and no id', async () => {
    await using at = await openBoard();
    const ids: string[] = [];
    for (let place = 0; place < 6; place += 1) ids.push(await request(at));
    const first = await predict(ids[0]!, { confidence: 0.75, agentName: 'ada the secret' }, at);
    const { predictionToken } = first;
    await predict(ids[1]!, { confidence: 0.75, predictionToken, expects: 'no' }, at);
    await predict(ids[2]!, { confidence: 0.5, predictionToken }, at);
    for (const place of [3, 4, 5]) await predict(ids[place]!, { confidence: 0.75, agentName: 'eve the other' }, at);
    for (const place of [0, 1, 3, 4]) await fulfil(at, ids[place]!);
    const view = async (name: string) =>
      (await at.get(`${CALIBRATION}?view=${name}`, withToken(predictionToken))).body.data;
    expect((await view('mine')).mine).toMatchObject({
      predictions: 3,
      open: 1,
      resolved: 2,
      cameTrue: 1,
      hitRate: 0.5,
      brierScore: 0.3125,
      bands: [{ status: 'none' }, {}, { resolved: 2, status: 'shown', cameTrue: 1, hitRate: 0.5 }, {}, {}],
    });
    expect((await view('aggregate')).aggregate).toMatchObject({
      predictions: 6,
      open: 2,
      resolved: 4,
      bands: [{}, {}, { resolved: 4, status: 'too_few', cameTrue: null, hitRate: null }, {}, {}],
    });
    await fulfil(at, ids[5]!);
    at.clock.advance(59_999);
    expect((await view('aggregate')).aggregate).toMatchObject({ asOf: '2026-11-21T12:00:00.000000Z', resolved: 4 });
    at.clock.advance(1);
    const pooled = await view('aggregate');
    expect(pooled.aggregate.asOf).toBe('2026-11-21T12:01:00.000000Z');
    expect(pooled.aggregate.bands[2]).toMatchObject({ resolved: 5, status: 'shown', cameTrue: 4, hitRate: 0.8 });
    expect(pooled.predictions).toEqual([]);
    expect(JSON.stringify(pooled)).not.toMatch(/secret|other"|prd_|rea_0|eve the/);
    const open = await view('open');
    expect(open.predictions).toHaveLength(6);
    expect(JSON.stringify([open.predictions, open.mine, open.aggregate])).not.toMatch(
      /confidence|expects|came_true|did_not|happened|token/i,
    );
  });
});
