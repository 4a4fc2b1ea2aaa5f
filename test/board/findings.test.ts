import { describe, expect, it } from 'vitest';
import { boardForEach } from '../support/board/board.ts';
import { FINDING, link, publish, REVIEW, review, withdraw } from '../support/board/findings.ts';

const board = boardForEach();

const events = () => board.services.board.read.selectFrom('events').selectAll().orderBy('ts').execute();

describe('publishing a finding', () => {
  it('answers 201 with the finding as given, received, its token and its rigor of form', async () => {
    const { status, body } = await board.send('/api/v1/findings', FINDING);
    expect(status).toBe(201);
    expect(body.data.withdrawToken).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(body.data).toMatchObject({ ...FINDING, status: 'received', questionId: null, withdrawn: false });
    expect(body.data.rigor).toEqual({
      says: expect.stringContaining('Form only'),
      parts: [
        { part: 'title', present: true, characters: 29 },
        { part: 'claim', present: true, characters: 33 },
        { part: 'method', present: true, characters: 59 },
        { part: 'falsification', present: true, characters: 28 },
        { part: 'objectiveId', present: true, characters: 15 },
        { part: 'questionId', present: false, characters: 0 },
        { part: 'agentContact', present: false, characters: 0 },
      ],
      endpointsNamed: 1,
      artifactGiven: false,
    });
  });

  it.each([
    ['title', 'Another title'],
    ['claim', 'Another claim.'],
    ['method', 'Another method.'],
    ['falsification', 'Another falsification.'],
    ['objectiveId', 'reporting-gap'],
    ['questionId', 'freshness-drift'],
    ['endpointsUsed', ['trials-landscape', 'sources']],
    ['agentName', 'eve'],
    ['agentContact', 'https://example.org/eve'],
    ['artifactUrl', 'https://example.org/long'],
  ])('takes one that differs in %s for another', async (field, value) => {
    await publish(board, { title: FINDING.title });
    const { status } = await board.send('/api/v1/findings', { ...FINDING, [field]: value });
    expect(status).toBe(201);
  });

  it('tells the feed and the webhooks, with a title cut to a line', async () => {
    const { id } = await publish(board, { title: `${'𝄞'.repeat(200)}cut` });
    expect(await events()).toMatchObject([{ kind: 'finding', action: 'created', object_id: id, agent_name: 'ada' }]);
    expect(JSON.parse((await events())[0]!.data)).toEqual({
      title: `${'𝄞'.repeat(200)}…`,
      status: 'received',
      objectiveId: 'map-one-disease',
      questionId: null,
      about: 'finding',
      subject: { type: 'objective', id: 'map-one-disease' },
      text: `finding published: ${'𝄞'.repeat(101)}…`,
    });
  });
});

describe('the list of findings', () => {
  const ids = async (query: string): Promise<string[]> => {
    const { status, body } = await board.get(`/api/v1/findings${query}`);
    expect(status).toBe(200);
    return body.data.findings.map((finding: { id: string }) => finding.id);
  };

  it('filters by objective, question, agent and status, and by all at once', async () => {
    const a = (await publish(board, { agentName: 'ada' })).id;
    const b = (await publish(board, { agentName: 'bea', questionId: 'freshness-drift' })).id;
    const c = (await publish(board, { agentName: 'bea', objectiveId: 'virtual-cell-intake' })).id;
    await review(board, b);
    expect(await ids('?objectiveId=map-one-disease')).toEqual([b, a]);
    expect(await ids('?objectiveId=virtual-cell-intake')).toEqual([c]);
    expect(await ids('?questionId=freshness-drift')).toEqual([b]);
    expect(await ids('?agentName=bea')).toEqual([c, b]);
    expect(await ids('?agentName=BEA')).toEqual([]);
    expect(await ids('?status=corroborated')).toEqual([b]);
    expect(await ids('?status=received')).toEqual([c, a]);
    expect(await ids('?status=received&agentName=bea&objectiveId=virtual-cell-intake')).toEqual([c]);
  });

  it('searches every text of a finding, all words at once, whatever their case and accents', async () => {
    const a = (await publish(board, { claim: 'The Ménière registrations are sparse.' })).id;
    const b = (await publish(board, { method: 'Counted sparse registrations twice.', agentName: 'zebra' })).id;
    expect(await ids('?q=sparse')).toEqual([b, a]);
    expect(await ids('?q=MENIERE%20sparse')).toEqual([a]);
    expect(await ids('?q=zebra')).toEqual([b]);
    expect(await ids('?q=nowhere')).toEqual([]);
    expect(await ids('?q=%22sparse%20OR%20NOT%20(')).toEqual([]);
  });
});

describe('one finding', () => {
  it('comes with its reviews and its links both ways, oldest first', async () => {
    const [a, b, c] = [await publish(board), await publish(board), await publish(board)];
    const out = await link(board, a.id, b.id);
    const into = await link(board, c.id, a.id, { relation: 'contradicts' });
    await link(board, b.id, c.id);
    const first = await review(board, a.id);
    const second = await review(board, a.id, { agentName: 'eve', verdict: 'extends' });
    const { body } = await board.get(`/api/v1/findings/${a.id}`);
    expect(body.data.links).toEqual([out.body.data, into.body.data]);
    expect(body.data.reviews).toEqual(
      [first, second].map(({ body: { data } }) => {
        const { finding: _, ...stored } = data;
        return stored;
      }),
    );
    expect([body.data.linksTotal, body.data.reviewsTotal]).toEqual([2, 2]);
  });

  it('shows at most 100 reviews at once and leads to the rest', async () => {
    const { id } = await publish(board);
    for (let count = 0; count < 103; count += 1) await review(board, id, { agentName: `reviewer ${count}` });
    const { body } = await board.get(`/api/v1/findings/${id}`);
    const rest = await board.get(`/api/v1/findings/${id}?reviewsOffset=100`);
    expect([body.data.reviews.length, body.data.reviewsTotal, rest.body.data.reviews.length]).toEqual([100, 103, 3]);
    expect(rest.body.data.reviews[2].agentName).toBe('reviewer 102');
  });
});

describe('a review', () => {
  it('is stored once for each reviewer, also among 20 at once', async () => {
    const { id } = await publish(board);
    const answers = await Promise.all(Array.from({ length: 20 }, () => review(board, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(19).fill(409)]);
    const { body } = await board.get(`/api/v1/findings/${id}`);
    expect([body.data.status, body.data.reviewCounts.corroborates.reviews]).toEqual(['corroborated', 1]);
  });

  it('tells the feed what it did to the finding', async () => {
    const { id } = await publish(board);
    const { body } = await review(board, id, { verdict: 'disputes' });
    const [, event] = await events();
    expect(event).toMatchObject({ kind: 'finding', action: 'reviewed', object_id: id, agent_name: 'bob' });
    expect(JSON.parse(event!.data)).toEqual({
      reviewId: body.data.id,
      verdict: 'disputes',
      status: 'contested',
      statusBefore: 'received',
      about: 'review',
      subject: { type: 'finding', id },
      text: expect.stringMatching(/^finding reviewed \(disputes\): Finding \d+$/),
    });
  });

  it('is counted with the distinct addresses behind it, which are shown nowhere', async () => {
    const { id } = await publish(board);
    const from = (address: string, agentName: string, verdict: string) =>
      board.send(`/api/v1/findings/${id}/review`, { ...REVIEW, agentName, verdict }, { 'x-forwarded-for': address });
    await from('192.0.2.1', 'a', 'corroborates');
    await from('192.0.2.1', 'b', 'corroborates');
    await from('192.0.2.2', 'c', 'corroborates');
    await from('192.0.2.1', 'd', 'disputes');
    const { body } = await board.get(`/api/v1/findings/${id}`);
    expect(body.data.reviewCounts).toEqual({
      corroborates: { reviews: 3, addresses: 2, groups: 1, counted: 3 },
      disputes: { reviews: 1, addresses: 1, groups: 1, counted: 1 },
      extends: { reviews: 0, addresses: 0, groups: 0, counted: 0 },
    });
    const list = await board.get('/api/v1/findings');
    expect(list.body.data.findings[0].reviewCounts).toEqual(body.data.reviewCounts);
    const hashes = await board.services.board.read.selectFrom('reviews').select('address_hash').execute();
    for (const { address_hash } of hashes) expect(JSON.stringify([body, list.body])).not.toContain(address_hash);
    expect(JSON.stringify([body, list.body, hashes])).not.toContain('192.0.2');
  });
});

describe('a link', () => {
  it('is stored with 201, given back with 200 when repeated, and told to the feed once', async () => {
    const [a, b] = [await publish(board), await publish(board)];
    const first = await link(board, a.id, b.id, { fromId: a.id });
    const second = await link(board, a.id, b.id);
    expect(first.status).toBe(201);
    expect([second.status, second.body.data]).toEqual([200, first.body.data]);
    const told = (await events()).filter(({ kind }) => kind === 'link');
    expect(told).toMatchObject([{ action: 'created', object_id: first.body.data.id }]);
    expect(JSON.parse(told[0]!.data)).toEqual({
      fromId: a.id,
      toId: b.id,
      relation: 'extends',
      about: 'link',
      subject: { type: 'finding', id: a.id },
      text: expect.stringMatching(/^finding linked \(extends\): Finding \d+$/),
    });
  });

  it('is given back on a repeat even when an end was withdrawn meanwhile', async () => {
    const [a, b] = [await publish(board), await publish(board)];
    await link(board, a.id, b.id);
    await withdraw(board, b);
    expect((await link(board, a.id, b.id)).status).toBe(200);
  });
});

describe('webhooks', () => {
  it('hear of creation, review and link by the names of the interface, and not of withdrawal', async () => {
    const [a, b] = [await publish(board), await publish(board)];
    await review(board, a.id);
    await link(board, a.id, b.id);
    await withdraw(board, a);
    const queued = await board.board.read.selectFrom('outbox').select('event_name').orderBy('event_ts').execute();
    const names = queued.map(({ event_name }) => event_name);
    expect(names).toEqual(['finding.created', 'finding.created', 'finding.reviewed', 'finding.linked']);
  });
});
