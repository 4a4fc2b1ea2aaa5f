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
