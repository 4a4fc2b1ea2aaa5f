import { describe, expect, it } from 'vitest';
import { SNAPSHOT_TABLE_DESCRIPTIONS } from '../../contract/fields/snapshot-tables.ts';
import { agentPath } from '../../gateway/pages/words/names.ts';
import { CLAIM, MESSAGE } from '../support/board/board-writes.ts';
import { PROPOSAL, proposed } from '../support/board/council.ts';
import { publish, withdraw } from '../support/board/findings.ts';
import { markupFaults } from '../support/checks/markup-faults.ts';
import { ofFile } from '../support/of-file.ts';
import { openOrigin } from '../support/origin.ts';
import { readPage } from '../support/read-page.ts';

const origin = ofFile(() => openOrigin());
const page = (path: string) => readPage(origin, path);

async function post(path: string, body: object): Promise<void> {
  const { status, body: answer } = await origin.board.send(path, body);
  expect([status, answer.error]).toEqual([201, undefined]);
}

describe('the board page', () => {
  it('filters by objective, question and agent, each with a way out and the calls that give the same', async () => {
    await post('/api/v1/claims', { ...CLAIM, scope: 'an older slice', agentName: 'zoe' });
    await post('/api/v1/claims', { ...CLAIM, questionId: 'freshness-drift' });
    const byQuestion = await page('/board?questionId=freshness-drift');
    expect(byQuestion.text).toContain('Remove question How far has the index drifted');
    expect(byQuestion.text).toContain(CLAIM.scope);
    expect(byQuestion.text).not.toContain('an older slice');
    const byAgent = await page('/board?agentName=zoe&objectiveId=map-one-disease');
    expect(byAgent.text).toContain('an older slice');
    expect(byAgent.text).not.toContain(CLAIM.scope);
    expect(byAgent.markup).toContain('<a href="/board?agentName=zoe"><span class="unseen">Remove </span>objective');
    expect(byAgent.text).toContain('/api/v1/claims?objectiveId=map-one-disease&agentName=zoe&limit=3');
  });

  it('follows the feed from the newest event that it shows', async () => {
    const { body } = await origin.get('/api/v1/board?limit=1');
    const since = encodeURIComponent(body.data.changes.cursor);
    expect((await page('/board')).markup).toContain(`<div id="live" data-feed="/api/v1/changes?since=${since}">`);
  });

  it('shows a thread page by page, and refuses a subject of no kind', async () => {
    for (let number = 1; number <= 11; number += 1) {
      await post('/api/v1/threads', { ...MESSAGE, body: `Message ${number} of more than thirty characters` });
    }
    const thread = '/threads/objective/map-one-disease';
    const { text } = await page(thread);
    expect(text).toContain('Message 11 of more than thirty characters');
    expect(text).not.toContain('Message 1 of more than thirty characters');
    expect((await page(`${thread}?page=2`)).text).toContain('Message 1 of more than thirty characters');
    expect((await page(`${thread}?page=none`)).status).toBe(400);
    for (const path of ['/threads/objective/no-such-objective', '/threads/weather/today', '/claims/clm_none']) {
      expect([path, (await page(path)).status]).toEqual([path, 404]);
    }
  });

  it('links a name to its page where an address can carry it', () => {
    expect(agentPath('a/b?c#d é')).toBe('/agents/a%2Fb%3Fc%23d%20%C3%A9');
    expect(['..', ' ada', 'a\u0000b', '\ud800'].map(agentPath)).toEqual([null, null, null, null]);
  });
});

describe('the page of a finding', () => {
  it('says of a withdrawn one that it is', async () => {
    const gone = await publish(origin.board, { title: 'The one taken back' });
    await withdraw(origin.board, gone);
    const { status, text } = await page(`/findings/${gone.id}`);
    expect(status).toBe(200);
    expect(text).toMatch(/Withdrawn by its author , [\d: -]+UTC \. It stays readable, but do not rely on it\./);
  });
});

describe('the council', () => {
  it('has pages of amendments that stay small and go on where they stopped, however long the votes are', async () => {
    const { id } = await proposed(origin.board, 'norm', PROPOSAL.norm);
    for (let agent = 0; agent < 40; agent++) {
      const reasoning = 'word '.repeat(390);
      await post(`/api/v1/council/${id}`, { action: 'vote', agentName: `long${agent}`, vote: 'abstain', reasoning });
    }
    const { markup, text } = await page(`/council/${id}`);
    expect(Buffer.byteLength(markup)).toBeLessThan(100_000);
    const next = /href="(\/council\/[^"]*votesOffset=(\d+))#votes"/.exec(markup)!;
    expect(text).toContain(`1 to ${next[2]} of 40, oldest first`);
    const after = await page(next[1]!);
    expect(after.text).toContain(`${Number(next[2]) + 1} to `);
    expect(after.markup).toContain(`<a href="/council/${id}#votes">From the first</a>`);
    expect(after.markup).toContain(`${origin.url}/api/v1/council/${id}?votesOffset=${next[2]}`);
    expect((await page(`/council/${id}?votesOffset=x`)).status).toBe(400);
    expect((await page('/council/amd_000000000000000000')).status).toBe(404);
  });
});

it('the dictionary has each column of each table once, with its source and its defect', async () => {
  const { status, markup, text } = await page('/dictionary');
  expect([status, markupFaults(markup)]).toEqual([200, []]);
  const shown = [...markup.matchAll(/<th scope="row" role="rowheader"><code>(\w+)<\/code>/g)].map((match) => match[1]);
  expect(shown).toEqual(
    Object.values(SNAPSHOT_TABLE_DESCRIPTIONS).flatMap(({ columns }) => columns.map(({ name }) => name)),
  );
  expect(text).toContain('protocolSection.statusModule.overallStatus');
  expect(text).toContain('known defect: ISRCTN interventions in different phases read as not-stated');
});
