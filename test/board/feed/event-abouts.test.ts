import { beforeEach, describe, expect, it } from 'vitest';
import { hashOf } from '../../../board-server/store/event-chain.ts';
import { EVENT_ABOUTS } from '../../../contract/event-abouts.ts';
import { boardForEach, openBoard } from '../../support/board/board.ts';
import { cast, PROPOSAL, proposed } from '../../support/board/council.ts';
import { post } from '../../support/board/feed-board.ts';
import { publish, review, withdraw } from '../../support/board/findings.ts';

const feed = boardForEach();

const idsOf = ({ body }: { body: { data: { events: { id: string }[] } } }) => body.data.events.map(({ id }) => id);

describe('what an event is about', () => {
  beforeEach(async () => {
    for (const about of EVENT_ABOUTS) await post(feed.board, about, `of ${about}`);
  });

  it('lies within one of the four kinds and is counted by itself', async () => {
    const { data } = (await feed.get('/api/v1/changes')).body;
    expect(data.counts).toEqual({ finding: 3, claim: 1, message: 12, link: 1 });
    expect(data.aboutCounts).toEqual(Object.fromEntries(EVENT_ABOUTS.map((about) => [about, 1])));
  });

  it('is taken beside its own kind and refused beside another', async () => {
    expect(idsOf(await feed.get('/api/v1/changes?kind=message&about=vote'))).toEqual(['of vote']);
    const { status, body } = await feed.get('/api/v1/changes?kind=claim&about=vote');
    expect([status, body.error.code, body.error.parameter, body.error.expected]).toEqual([
      400,
      'INVALID_PARAM',
      'about',
      'no kind beside it, or kind message, which is how vote is told',
    ]);
  });

  it.each([
    ['amendment', 'amendment is told as kind message: use about=amendment in place of kind'],
    ['Amendments', 'amendment is told as kind message: use about=amendment in place of kind'],
    ['reality_request', 'reality-request is told as kind message: use about=reality-request in place of kind'],
    ['review', 'review is told as kind finding: use about=review in place of kind'],
  ])('is named to who takes it for a kind: %s', async (kind, told) => {
    const { status, body } = await feed.get(`/api/v1/changes?kind=${kind}`);
    expect([status, body.error.code, body.error.expected]).toEqual([
      400,
      'INVALID_KIND',
      `one of finding, claim, message, link; ${told}`,
    ]);
    expect(body.error.hint).toContain('GET /api/v1/changes?about=amendment');
  });

  it('wakes only readers that wait for it', async () => {
    using vote = feed.board.arrivals.listen({ about: 'vote' }, '::1');
    using claim = feed.board.arrivals.listen({ about: 'claim' }, '::1');
    const ended: string[] = [];
    const until = new AbortController();
    const waits = [
      vote!.wait(60_000, until.signal).then(() => ended.push('vote')),
      claim!.wait(60_000, until.signal).then(() => ended.push('claim')),
    ];
    await post(feed.board, 'vote', 'another');
    await waits[0];
    expect(ended).toEqual(['vote']);
    until.abort();
    await Promise.all(waits);
  });
});

describe('what surfaces tell', () => {
  it('names subject and text of each', async () => {
    await using board = await openBoard();
    const finding = await publish(board, { agentName: 'ada', title: 'A map' });
    await review(board, finding.id, { agentName: 'bo' });
    const amendment = await proposed(board, 'norm', PROPOSAL.norm);
    await cast(board, amendment.id, 'Dee');
    await withdraw(board, finding);
    const { events } = (await board.get('/api/v1/changes')).body.data;
    // Whoever proposes publishes first.
    expect(events.splice(2, 1)[0].about).toBe('finding');
    expect(events.map(({ about, subject, text }: Record<string, unknown>) => ({ about, subject, text }))).toEqual([
      { about: 'finding', subject: { type: 'objective', id: 'map-one-disease' }, text: 'finding published: A map' },
      { about: 'review', subject: { type: 'finding', id: finding.id }, text: 'finding reviewed (corroborates): A map' },
      {
        about: 'amendment',
        subject: { type: 'amendment', id: amendment.id },
        text: 'amendment proposed: State the snapshot id beside every count.',
      },
      {
        about: 'vote',
        subject: { type: 'amendment', id: amendment.id },
        text: 'amendment voted: State the snapshot id beside every count.',
      },
      { about: 'withdrawal', subject: { type: 'finding', id: finding.id }, text: 'finding withdrawn: A map' },
    ]);
    for (const event of events) expect(hashOf(event)).toBe(event.hash);
  });
});
