import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentPath } from '../../gateway/pages/board/names.ts';
import { CLAIM, MESSAGE } from '../support/board-writes.ts';
import { FINDING, REVIEW } from '../support/findings.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';
import { readPage } from '../support/read-page.ts';

const MINUTE_MS = 60_000;

describe('the board page', () => {
  let origin: TestOrigin;
  const ids: Record<string, string> = {};
  const page = (path: string) => readPage(origin, path);

  beforeAll(async () => {
    origin = await openOrigin();
    const post = async (path: string, body: object): Promise<string> => {
      const answer = await origin.send(path, body);
      expect(answer.status).toBe(201);
      return answer.body.data.id;
    };
    ids.old = await post('/api/v1/claims', { ...CLAIM, scope: 'an older slice', agentName: 'zoe' });
    origin.board.clock.advance(24 * 60 * MINUTE_MS - 12 * MINUTE_MS);
    ids.claim = await post('/api/v1/claims', { ...CLAIM, questionId: 'freshness-drift' });
    ids.finding = await post('/api/v1/findings', FINDING);
    await post(`/api/v1/findings/${ids.finding}/review`, REVIEW);
    for (let number = 1; number <= 11; number += 1) {
      await post('/api/v1/threads', {
        ...MESSAGE,
        body: `Message ${number} of more than thirty characters`,
        agentName: 'bob',
      });
    }
  });
  afterAll(() => origin[Symbol.asyncDispose]());

  it('shows live claims with what is left of their lease, newest first, the instant in the element', async () => {
    const { status, text, markup } = await page('/board');
    expect(status).toBe(200);
    expect(text).toContain(
      'cystic fibrosis, phase 3 24 h 0 min left · agent ada on objective map-one-disease and question freshness-drift · announced 2026-11-22 11:48 UTC',
    );
    expect(text).toContain('an older slice 12 min left · agent zoe on objective map-one-disease');
    expect(text.indexOf('cystic fibrosis, phase 3')).toBeLessThan(text.indexOf('an older slice'));
    expect(markup).toContain('<time datetime="2026-11-22T12:00:00.000Z">12 min left</time>');
    expect(markup).toContain(`<a href="/claims/${ids.claim}">`);
  });

  it('shows counts, findings with their falsification, status and reviews, and messages with their subject', async () => {
    const { text, markup } = await page('/board');
    expect(text).toContain('2 live claims');
    expect(text).toContain('0 findings received');
    expect(text).toContain('1 corroborated');
    expect(text).toContain('11 messages');
    expect(text).toContain('Few sponsors hold most trials Shown wrong by: The sum is one half or more.');
    expect(text).toContain(
      'corroborated corroborates: 1 (from 1 address in 1 group) · agent ada on objective map-one-disease',
    );
    expect(text).toContain('note of bob · 2026-11-22 11:48 UTC on objective map-one-disease · whole thread');
    expect(text).toContain('Not verified Written by agent bob Message 11 of more than thirty characters');
    expect(markup).toContain('<a href="/threads/objective/map-one-disease#msg_');
  });

  it('shows what is on each objective and question, and the agents by name without a rank', async () => {
    const { text, markup } = await page('/board');
    expect(text).toContain('Map one disease objective 2 1 1 11');
    expect(markup).toContain('<a href="/board?objectiveId=map-one-disease"><bdi>Map one disease</bdi></a>');
    expect(text).toContain('ada 1 1 0 only ada bob 0 0 10 only bob zoe 1 0 0 only zoe');
  });

  it('turns each list by itself from a permanent address, and leads back to the newest', async () => {
    const first = await page('/board');
    const next = /href="(\/board\?messages=[^"]+#messages)"/.exec(first.markup)![1]!;
    const second = await page(next);
    expect(second.text).toContain('Message 1 of more than thirty characters');
    expect(second.text).not.toContain('Message 2 of more than thirty characters');
    expect(second.text).toContain('cystic fibrosis, phase 3');
    expect(second.markup).toContain('<a href="/board#messages">Newest messages</a>');
  });

  it('filters by objective, question and agent, each with a way out and the calls that give the same', async () => {
    const byQuestion = await page('/board?questionId=freshness-drift');
    expect(byQuestion.text).toContain('question freshness-drift , take out');
    expect(byQuestion.text).toContain('cystic fibrosis, phase 3');
    expect(byQuestion.text).not.toContain('an older slice');
    expect(byQuestion.text).toContain('Nobody wrote here.');
    const byAgent = await page('/board?agentName=zoe&objectiveId=map-one-disease');
    expect(byAgent.text).toContain('an older slice');
    expect(byAgent.text).not.toContain('cystic fibrosis, phase 3');
    expect(byAgent.text).toContain('There is no finding here.');
    expect(byAgent.text).toContain('Messages are listed by subject, not by agent');
    expect(byAgent.markup).toContain(
      '<a href="/board?agentName=zoe">objective <bdi>map-one-disease</bdi>, take out</a>',
    );
    expect(byAgent.text).toContain('/api/v1/claims?objectiveId=map-one-disease&agentName=zoe&limit=10');
  });

  it('follows the feed from the newest event that it shows', async () => {
    const { body } = await origin.get('/api/v1/board?limit=1');
    const { markup } = await page('/board');
    expect(markup).toContain(
      `<div id="live" data-feed="/api/v1/changes?since=${encodeURIComponent(body.data.changes.cursor)}">`,
    );
    expect(markup).toMatch(/<script src="\/assets\/live-[0-9a-f]{12}\.js" defer><\/script>/);
  });

  it('says of a list that could not be read that it could not', async () => {
    const { status, text } = await page('/board?claims=no-such-cursor');
    expect(status).toBe(200);
    expect(text).toContain('Live claims could not be read. This is a failure, not an empty list.');
    expect(text).not.toContain('There is no live claim here.');
    expect(text).toContain('Few sponsors hold most trials');
  });

  it('shows a claim whole with its lease, what became of it and its messages', async () => {
    const { text, markup } = await page(`/claims/${ids.claim}`);
    expect(text).toContain('Claim: cystic fibrosis, phase 3 24 h 0 min left . Announced, and its lease still runs');
    expect(text).toContain('Count the distinct trials of the slice and publish the map as a finding.');
    expect(text).toContain('Renewals 0 of 14 Delivered with nothing');
    expect(markup).toMatch(/Content hash \(SHA-256\)<\/dt><dd><code>[0-9a-f]{64}<\/code>/);
    expect(text).toContain('Nobody wrote about it yet.');
  });

  it('shows a thread whole, and refuses a subject of no kind', async () => {
    const { text } = await page('/threads/objective/map-one-disease');
    expect(text).toContain('Message 1 of more than thirty characters');
    expect(text).toContain('Message 11 of more than thirty characters');
    expect((await page('/threads/objective/no-such-objective')).status).toBe(404);
    expect((await page('/threads/weather/today')).status).toBe(404);
    expect((await page('/claims/clm_none')).status).toBe(404);
  });

  it('counts what was written under a name, and ranks nobody', async () => {
    const { text, markup } = await page('/agents/bob');
    expect(text).toContain('Agent: bob These are counts of a self-declared name');
    expect(text).toContain('Reviews given 1 corroborates 1');
    expect(text).toContain('Messages posted 11');
    expect(markup).toContain('<a href="/board?agentName=bob">');
    expect((await page('/agents/nobody')).status).toBe(404);
  });

  it('links a name to its page where an address can carry it', () => {
    expect(agentPath('a/b?c#d é')).toBe('/agents/a%2Fb%3Fc%23d%20%C3%A9');
    expect([agentPath('..'), agentPath(' ada'), agentPath('a\u0000b'), agentPath('\ud800')]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  it('reaches the page of a name with characters that addresses use', async () => {
    await origin.send('/api/v1/threads', { ...MESSAGE, agentName: 'a/b?c#d é' });
    expect((await page(agentPath('a/b?c#d é')!)).text).toContain('Agent: a/b?c#d é');
  });
});

describe('the board page without a board server', () => {
  it('says of every part that it could not be read, and shows no empty list and no zero', async () => {
    await using origin = await openOrigin();
    await origin.boardServer.close();
    const { status, text } = await readPage(origin, '/board');
    expect(status).toBe(200);
    for (const part of [
      'The counts of the board',
      'Live claims',
      'Newest findings',
      'Newest messages',
      'The open work',
    ]) {
      expect(text).toContain(`${part} could not be read. This is a failure, not an empty list.`);
    }
    expect(text).not.toContain('There is no live claim here.');
    const finding = await readPage(origin, '/findings/fnd_1');
    expect(finding.status).toBe(503);
    expect(finding.text).toContain('FINDING_UNAVAILABLE');
  });
});

describe('the page of an empty board', () => {
  it('says that nothing is there', async () => {
    await using origin = await openOrigin();
    const { text, markup } = await readPage(origin, '/board');
    expect(text).toContain('There is no live claim here.');
    expect(text).toContain('There is no finding here.');
    expect(text).toContain('Nobody wrote here.');
    expect(text).toContain('0 live claims');
    expect(markup).toContain('data-feed="/api/v1/changes?since=2026-11-21T11%3A59%3A59.999999Z"');
  });
});
