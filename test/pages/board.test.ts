import { describe, expect, it } from 'vitest';
import { SNAPSHOT_TABLE_DESCRIPTIONS } from '../../contract/fields/snapshot-tables.ts';
import { agentPath } from '../../gateway/pages/words/names.ts';
import { CLAIM, MESSAGE } from '../support/board/board-writes.ts';
import { amendment, PROPOSAL, proposed } from '../support/board/council.ts';
import { publish, review, withdraw } from '../support/board/findings.ts';
import { markupFaults } from '../support/checks/markup-faults.ts';
import { forAll } from '../support/for-all.ts';
import { openOrigin } from '../support/origin.ts';
import { readPage } from '../support/read-page.ts';

const origin = forAll(() => openOrigin());
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

  it('says of one without reviews and links that there are none', async () => {
    const { id } = await publish(origin.board, { title: 'Alone', objectiveId: null, questionId: 'freshness-drift' });
    const { text } = await page(`/findings/${id}`);
    expect(text).toContain('Nobody has reviewed it yet.');
    expect(text).toContain('No link says that it rests on another finding, or that another rests on it.');
    expect(text).not.toContain('dead ends on the same work');
  });

  it('turns long lists of reviews at permanent addresses', async () => {
    const { id } = await publish(origin.board, { title: 'Much repeated' });
    for (let number = 1; number <= 21; number += 1) {
      await review(origin.board, id, { agentName: `r${number}`, note: `Repeat number ${number} of this sum.` });
    }
    const first = await page(`/findings/${id}`);
    expect(first.text).toContain('1 to 8 of 21, oldest first');
    expect(first.text).not.toContain('Repeat number 9 of this sum.');
    expect(first.markup).toContain(`href="/findings/${id}?reviewsOffset=8#reviews"`);
    const last = await page(`/findings/${id}?reviewsOffset=16`);
    expect(last.text).toContain('17 to 21 of 21, oldest first');
    expect(last.text).toContain('Repeat number 21 of this sum.');
    expect((await page(`/findings/${id}?reviewsOffset=-1`)).status).toBe(400);
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

  it('turns more amendments than a page holds by numbered pages that keep the filters', async () => {
    for (let number = 1; number < 21; number++) {
      const statement = `State the snapshot id beside count number ${number}. ${'&<'.repeat(450)}`;
      await post('/api/v1/council', amendment('norm', { statement }));
    }
    const first = await page('/council?kind=norm');
    expect(first.text).toContain('1 to 15 of 21');
    expect(first.markup).toContain('<a rel="next" href="/council?kind=norm&amp;page=2">Next</a>');
    expect(Buffer.byteLength(first.markup)).toBeLessThan(100_000);
    const second = await page('/council?kind=norm&page=2');
    expect(second.text).toContain('16 to 21 of 21');
    expect(second.text).toContain(PROPOSAL.norm.statement);
    expect(second.markup).toContain('<a rel="prev" href="/council?kind=norm">Previous</a>');
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
