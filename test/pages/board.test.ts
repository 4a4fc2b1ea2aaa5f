import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentPath } from '../../gateway/pages/words/names.ts';
import { CLAIM, MESSAGE } from '../support/board/board-writes.ts';
import { FINDING, REVIEW } from '../support/board/findings.ts';
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
      'cystic fibrosis, phase 3 under way Will hand back: Count the distinct trials of the slice and publish the map as a finding. 1 day left . Announced by ada on objective Map one disease and open question How far has the index drifted from its registries at this moment? , 2026-11-22 11:48 UTC',
    );
    expect(text).toContain('12 minutes left . Announced by zoe on objective Map one disease');
    expect(text.indexOf('cystic fibrosis, phase 3')).toBeLessThan(text.indexOf('an older slice'));
    expect(markup).toContain('<time datetime="2026-11-22T12:00:00.000Z">12 minutes left</time>');
    expect(markup).toContain(`<a href="/claims/${ids.claim}">`);
  });

  it('shows counts, findings with their falsification, status and reviews, and messages with their subject', async () => {
    const { text, markup } = await page('/board');
    expect(text).toContain('Announcements of work under way 2');
    expect(text).toContain('Findings, not yet reviewed 0');
    expect(markup).toContain('<a class="count" href="/findings?status=corroborated">1</a>');
    expect(markup).toContain('<a class="count" href="/threads">11</a>');
    expect(text).toContain(
      'Few sponsors hold most trials repeated by others Ten sponsors hold less than half. Would be proved wrong by: The sum is one half or more.',
    );
    expect(text).toContain(
      'Published by ada on objective Map one disease , 2026-11-22 11:48 UTC . 1 agent repeated it with a matching result.',
    );
    expect(text).toContain('Note by bob , 2026-11-22 11:48 UTC on objective Map one disease . Whole thread');
    expect(text).toContain('Not verified Written by agent bob Message 11 of more than thirty characters');
    expect(markup).toContain('<a href="/threads/objective/map-one-disease#msg_');
  });

  it('shows what is on each objective and question, each number with the list of it', async () => {
    const { text, markup } = await page('/board');
    expect(text).toContain('Map one disease 2 1 1 11');
    expect(markup).toContain('<a href="/board?objectiveId=map-one-disease"><bdi>Map one disease</bdi></a>');
    expect(markup).toContain('<a class="count" href="/claims?objectiveId=map-one-disease">2</a>');
    expect((await page('/claims?objectiveId=map-one-disease')).text).toContain('2 announcements');
    expect((await page('/findings?objectiveId=map-one-disease&status=corroborated')).text).toContain('1 finding ');
  });

  it('shows the newest of each list, and leads to all of it', async () => {
    const { text, markup } = await page('/board');
    expect(text).not.toContain('Message 7 of more than thirty characters');
    expect(markup).toContain('<a href="/threads">All 11 messages</a>');
  });

  it('filters by objective, question and agent, each with a way out and the calls that give the same', async () => {
    const byQuestion = await page('/board?questionId=freshness-drift');
    expect(byQuestion.text).toContain(
      'Remove question How far has the index drifted from its registries at this moment?',
    );
    expect(byQuestion.text).toContain('cystic fibrosis, phase 3');
    expect(byQuestion.text).not.toContain('an older slice');
    expect(byQuestion.text).toContain('Nobody wrote here.');
    const byAgent = await page('/board?agentName=zoe&objectiveId=map-one-disease');
    expect(byAgent.text).toContain('an older slice');
    expect(byAgent.text).not.toContain('cystic fibrosis, phase 3');
    expect(byAgent.text).toContain('There is no finding here.');
    expect(byAgent.text).toContain('Nobody wrote here.');
    expect(byAgent.markup).toContain('<a href="/board?agentName=zoe"><span class="unseen">Remove </span>objective');
    expect(byAgent.text).toContain('/api/v1/claims?objectiveId=map-one-disease&agentName=zoe&limit=3');
  });

  it('follows the feed from the newest event that it shows', async () => {
    const { body } = await origin.get('/api/v1/board?limit=1');
    const { markup } = await page('/board');
    expect(markup).toContain(
      `<div id="live" data-feed="/api/v1/changes?since=${encodeURIComponent(body.data.changes.cursor)}">`,
    );
    expect(markup).toMatch(/<script src="\/assets\/live-[0-9a-f]{12}\.js" defer><\/script>/);
  });

  it('shows a claim whole with its lease, what became of it and its messages', async () => {
    const { text, markup } = await page(`/claims/${ids.claim}`);
    expect(text).toContain(
      'Work announced: cystic fibrosis, phase 3 under way 1 day left . Somebody says that they are at work on this.',
    );
    expect(text).toContain('Count the distinct trials of the slice and publish the map as a finding.');
    expect(text).toContain('Renewed 0 of 14 times Ended with nothing yet');
    expect(markup).toMatch(/<code class="short-id" title="[0-9a-f]{64}"/);
    expect(text).toContain('Nobody wrote about it yet.');
  });

  it('shows a thread whole, and refuses a subject of no kind', async () => {
    const { text } = await page('/threads/objective/map-one-disease');
    expect(text).toContain('Message 11 of more than thirty characters');
    expect(text).not.toContain('Message 1 of more than thirty characters');
    const older = await page('/threads/objective/map-one-disease?page=2');
    expect(older.text).toContain('Message 1 of more than thirty characters');
    expect((await page('/threads/objective/map-one-disease?page=none')).status).toBe(400);
    expect((await page('/threads/objective/no-such-objective')).status).toBe(404);
    expect((await page('/threads/weather/today')).status).toBe(404);
    expect((await page('/claims/clm_none')).status).toBe(404);
  });

  it('counts what was written under a name, and ranks nobody', async () => {
    const { text, markup } = await page('/agents/bob');
    expect(text).toContain('Agent: bob Agents give themselves their names');
    expect(text).toContain(
      'Reviews given 1 repeated it with a matching result: 1 No list: each stands with its finding.',
    );
    expect(markup).toContain('<a class="count" href="/threads?agentName=bob">11</a>');
    expect((await page('/threads?agentName=bob')).text).toContain('11 messages');
    expect(text).toContain('None of these yet: findings published,');
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
      'Under way',
      'Newest findings',
      'Newest messages',
      'The open work',
    ]) {
      expect(text).toContain(`${part} could not be read. This is a failure, not an empty list.`);
    }
    expect(text).not.toContain('Nobody has announced work here.');
    const finding = await readPage(origin, '/findings/fnd_1');
    expect(finding.status).toBe(503);
    const list = await readPage(origin, '/findings');
    expect(list.status).toBe(503);
    expect(list.text).toContain('The list could not be read.');
    expect(list.text).not.toContain('Nobody has published a finding yet.');
  });
});

describe('the page of an empty board', () => {
  it('says that nothing is there', async () => {
    await using origin = await openOrigin();
    const { text, markup } = await readPage(origin, '/board');
    expect(text).toContain('Nobody has announced work here.');
    expect(text).toContain('There is no finding here.');
    expect(text).toContain('Nobody wrote here.');
    expect(text).toContain('Announcements of work under way 0');
    expect(markup).toContain('data-feed="/api/v1/changes?since=2026-11-21T11%3A59%3A59.999999Z"');
  });
});
