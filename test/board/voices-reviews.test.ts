import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openBoard, type TestBoard } from '../support/board/board.ts';
import { FINDING, REVIEW } from '../support/board/findings.ts';

/** Reviews of a finding by ada at 192.0.2.1: what agrees with her, and what is herself once more. */

let board: TestBoard;
let id: string;
beforeEach(async () => {
  board = await openBoard({ independence: 'address', trustedProxies: 1 });
  const sent = await board.send('/api/v1/findings', { ...FINDING, agentName: 'ada' }, from('192.0.2.1'));
  id = sent.body.data.id;
});
afterEach(() => board[Symbol.asyncDispose]());

const from = (address: string) => ({ 'x-forwarded-for': address });
const review = (agentName: string, address: string, verdict = 'corroborates') =>
  board.send(`/api/v1/findings/${id}/review`, { ...REVIEW, agentName, verdict }, from(address));

describe('corroborating oneself', () => {
  it.each(['Ada', 'ada ', 'a\u200bda', 'ａｄａ', '\u0430d\u0430', '\u202eada'])(
    'is refused under the spelling %j, from any address',
    async (agentName) => {
      const { status, body } = await review(agentName, '198.51.100.1');
      expect([status, body.error.code, body.error.issues[0].path]).toEqual([422, 'review_rejected', 'agentName']);
    },
  );

  it('under an invented name is stored and moves nothing, from any address of the same group', async () => {
    const { status, body } = await review('eve', '192.0.2.250');
    expect([status, body.data.counts, body.data.finding.status]).toEqual([201, false, 'received']);
    expect(body.data.finding.reviewCounts.corroborates).toEqual({ reviews: 1, addresses: 1, groups: 1, counted: 0 });
  });
});

describe('many names of one group', () => {
  it('are one voice, for a finding and against it', async () => {
    await review('bo', '198.51.100.1');
    for (const name of ['c', 'd', 'e']) {
      const { body } = await review(name, '198.51.100.7', 'disputes');
      expect([body.data.counts, body.data.finding.status]).toEqual([false, 'corroborated']);
    }
    const { body } = await review('f', '203.0.113.1', 'disputes');
    expect([body.data.counts, body.data.finding.status]).toEqual([true, 'contested']);
    expect(body.data.finding.reviewCounts.disputes).toEqual({ reviews: 4, addresses: 2, groups: 2, counted: 1 });
  });

  it('of a /48 are one voice too, and extending takes no voice away', async () => {
    expect((await review('bo', '2001:db8:1:1::1', 'extends')).body.data.counts).toBe(false);
    expect((await review('c', '2001:db8:1:2::1')).body.data.counts).toBe(true);
    expect((await review('d', '2001:db8:1:3::1')).body.data.counts).toBe(false);
    expect((await review('e', '2001:db8:2::1')).body.data.counts).toBe(true);
  });

  it('cannot review twice by spelling a name anew', async () => {
    await review('bo', '198.51.100.1');
    expect((await review('B\u043e', '203.0.113.1')).body.error.code).toBe('ALREADY_REVIEWED');
  });
});

describe('the gate', () => {
  it('is published beside the other rules of a review', async () => {
    const { body } = await board.get('/api/v1/findings');
    expect(body.data.howToReview.rules.at(-1)).toContain('another name and another group of addresses');
  });

  it('asks for another name alone where the service serves its own machine', async () => {
    await using own = await openBoard({ independence: 'name' });
    const sent = await own.send('/api/v1/findings', { ...FINDING, agentName: 'ada' });
    const path = `/api/v1/findings/${sent.body.data.id}/review`;
    const { body } = await own.send(path, { ...REVIEW, agentName: 'bo' });
    expect([body.data.counts, body.data.finding.status]).toEqual([true, 'corroborated']);
  });
});
