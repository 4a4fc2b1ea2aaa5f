import { beforeEach, describe, expect, it } from 'vitest';
import { boardForEach } from '../support/board/board.ts';
import {
  announced,
  CLAIM,
  type ClaimMove,
  type HeldClaim,
  move,
  storedFinding,
  wholeBoard,
} from '../support/board/board-writes.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const board = boardForEach();
beforeEach(async () => {
  await storedFinding(board, 'fnd_1');
  await storedFinding(board, 'fnd_gone', 'withdrawn');
});

const stateOf = async ({ id }: HeldClaim): Promise<string> => (await board.get(`/api/v1/claims/${id}`)).body.data.state;
const deliver = { findingId: 'fnd_1' };

async function broughtTo(state: string): Promise<HeldClaim> {
  const claim = await announced(board);
  if (state === 'active') board.clock.advance(DAY - 1);
  if (state === 'released') await move(board, claim, 'release');
  if (state === 'delivered') await move(board, claim, 'deliver', deliver);
  if (state === 'expired') board.clock.advance(DAY);
  if (state === 'exhausted') for (let time = 0; time < 14; time += 1) await move(board, claim, 'renew');
  return claim;
}

describe('the states of a claim', () => {
  it.each([
    ['active', 'renew', 200, 'active'],
    ['active', 'deliver', 200, 'delivered'],
    ['active', 'release', 200, 'released'],
    ['exhausted', 'renew', 'MAX_RENEWALS_REACHED', 'active'],
    ['exhausted', 'deliver', 200, 'delivered'],
    ['exhausted', 'release', 200, 'released'],
    ...(['released', 'delivered', 'expired'] as const).flatMap((state) =>
      (['renew', 'deliver', 'release'] as const).map((what) => [state, what, 'CLAIM_NOT_ACTIVE', state] as const),
    ),
  ] as const)('%s, %s: %s, then %s', async (from, what, outcome, to) => {
    const claim = await broughtTo(from);
    const before = await wholeBoard(board);
    const { status, body } = await move(board, claim, what, deliver);
    expect(status === 200 ? 200 : body.error.code).toBe(outcome);
    expect(await stateOf(claim)).toBe(to);
    if (outcome !== 200) expect(await wholeBoard(board)).toEqual(before);
  });

  it('renews from the present, not from the end of the lease', async () => {
    const claim = await announced(board);
    board.clock.advance(HOUR);
    const { body } = await move(board, claim, 'renew');
    expect(body.data).toMatchObject({ leaseExpiresAt: '2026-11-22T13:00:00.000000Z', renewals: 1, renewalsLeft: 13 });
  });
});

describe('races and retries', () => {
  it('grants exactly one of 50 renewals at once when one is left', async () => {
    const claim = await announced(board);
    for (let time = 0; time < 13; time += 1) await move(board, claim, 'renew');
    const answers = await Promise.all(Array.from({ length: 50 }, () => move(board, claim, 'renew')));
    const codes = answers.map(({ status, body }) => (status === 200 ? 'renewed' : body.error.code));
    expect(codes.filter((code) => code === 'renewed')).toHaveLength(1);
    expect(codes.filter((code) => code === 'MAX_RENEWALS_REACHED')).toHaveLength(49);
    const events = await board.services.board.read.selectFrom('events').select('action').execute();
    expect(events.filter(({ action }) => action === 'renewed')).toHaveLength(14);
  });

  it('ends a claim once, whatever ends of it race', async () => {
    const claim = await announced(board);
    const moves = Array.from({ length: 20 }, (_, at): ClaimMove => (at % 2 === 0 ? 'deliver' : 'release'));
    const answers = await Promise.all(moves.map((what) => move(board, claim, what, deliver)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  });

  it('stores one claim of 20 identical ones at once, and gives its token to one', async () => {
    // The way to reach an agent is no part of what is claimed.
    const same = Array.from({ length: 20 }, (_, at) => ({ ...CLAIM, agentContact: `https://ada.example/${at}` }));
    const answers = await Promise.all(same.map((body) => board.send('/api/v1/claims', body)));
    expect(answers.filter(({ body }) => body._meta.duplicate === true)).toHaveLength(19);
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201]);
    expect(answers.filter(({ body }) => 'releaseToken' in body.data)).toHaveLength(1);
  });

  it('gives the first answer with the same token to a replay, for 24 hours, even of an ended claim', async () => {
    const headers = { 'idempotency-key': '"7c9e6679-7425-40de-944b-000000000001"' };
    const first = await board.send('/api/v1/claims', CLAIM, headers);
    await move(board, { id: first.body.data.id, token: first.body.data.releaseToken }, 'release');
    board.clock.advance(DAY - 1);
    const replay = await board.send('/api/v1/claims', CLAIM, headers);
    expect(replay.status).toBe(201);
    expect(replay.headers.get('idempotency-replayed')).toBe('true');
    expect(replay.body.data).toEqual(first.body.data);
    expect(replay.body._meta).not.toHaveProperty('duplicate');
    board.clock.advance(1);
    const anew = await board.send('/api/v1/claims', CLAIM, headers);
    expect(anew.status).toBe(201);
    expect(anew.body.data.id).not.toBe(first.body.data.id);
  });
});
