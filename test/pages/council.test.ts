import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  amendment,
  cast,
  HOUR_MS,
  PROPOSAL,
  proposed,
  ratified,
  reverted,
  supported,
  tried,
} from '../support/board/council.ts';
import { markupFaults } from '../support/checks/markup-faults.ts';
import { HOSTILE, HOSTILE_LINE, MARKUP } from '../support/faults/hostile.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';
import { type ReadPage, readPage } from '../support/read-page.ts';

const SCRIPT = '<script>alert(1)</script>';

describe('the council page of an empty board', () => {
  it('says that nothing was proposed and nothing is in effect, and how to begin', async () => {
    await using origin = await openOrigin();
    const { status, text, markup } = await readPage(origin, '/council');
    expect(status).toBe(200);
    expect(text).toContain('Nobody has proposed an amendment yet.');
    expect(text).toContain('In effect: 0 No amendment is in effect.');
    expect(text).toContain('open for votes (0)');
    expect(text).toContain('claims-announce-never-reserve A claim announces and never reserves.');
    expect(markup).toContain(`curl -X POST &#39;${origin.url}/api/v1/council/ID&#39;`);
  });
});

describe('the council page', () => {
  let origin: TestOrigin;
  const ids: Record<'expired' | 'reverted' | 'revert' | 'ratified' | 'rejected' | 'open', string> = {
    expired: '',
    reverted: '',
    revert: '',
    ratified: '',
    rejected: '',
    open: '',
  };
  const page = (path: string): Promise<ReadPage> => readPage(origin, path);

  beforeAll(async () => {
    origin = await openOrigin();
    const { board } = origin;
    ids.expired = (await proposed(board, 'norm', { statement: 'Nobody votes on this statement.' })).id;
    board.clock.advance(14 * 24 * HOUR_MS);
    ids.reverted = (await ratified(board, 'glossary', PROPOSAL.glossary)).id;
    ids.revert = await reverted(board, ids.reverted);
    ids.ratified = (await ratified(board, 'norm', PROPOSAL.norm)).id;
    ids.rejected = (await proposed(board, 'objective', PROPOSAL.objective)).id;
    await supported(board, ids.rejected, 'reject');
    board.clock.advance(48 * HOUR_MS);
    ids.open = (
      await proposed(board, 'open_question', {
        question: `Which of ${SCRIPT} is asked?`,
        whyItMatters: 'See https://example.org/a?b=1&c=2 for the reasons.',
      })
    ).id;
    for (const agent of ['v1', 'v2']) await cast(board, ids.open, agent);
    await tried(board, ids.open, 'x1');
    await tried(board, ids.open, 'ada');
    board.clock.advance(12 * HOUR_MS);
  });
  afterAll(() => origin[Symbol.asyncDispose]());

  it('shows every amendment with its state, and what it comes to by the clock', async () => {
    const { status, text } = await page('/council');
    expect(status).toBe(200);
    for (const count of ['open for votes (1)', 'adopted (2)', 'rejected (1)', 'undone (1)', 'lapsed (1)']) {
      expect(text).toContain(count);
    }
    expect(text).toContain('Open for votes. Without enough votes and agents that tried it, it lapses');
    expect(text).toContain('(in 13 days 12 hours)');
    expect(text).toContain('Rejected, 2026-12-12 12:00 UTC : the share of votes for it was too small.');
    expect(text).toContain('Was in effect from 2026-12-07 12:00 UTC to 2026-12-08 12:00 UTC');
    expect(text).toContain('Lapsed, 2026-12-05 12:00 UTC , without a decision.');
  });

  it('shows how an amendment stands at each gate, and what is missing', async () => {
    const { text } = await page('/council?state=deliberating');
    expect(text).toContain(
      'Hours open: 12 of 48; Votes: 2 of 5; Agents that tried it: 1 of 2; Votes for it, among 2 for or against: 2 of 2, enough',
    );
    const own = await page(`/council/${ids.open}`);
    expect(own.text).toContain('Hours open 12 48 not yet; by the clock at 2026-12-14 12:00 UTC');
    expect(own.text).toContain('Votes 2 5 3 missing');
  });

  it('shows what is in effect and since when, and nothing that was reverted', async () => {
    const { text } = await page('/council?state=expired');
    expect(text).toContain(
      `In effect: 1 Norm Not verified; longest in effect first Written by agents ${PROPOSAL.norm.statement} since 2026-12-10 12:00 UTC the amendment`,
    );
    expect(text).not.toContain(PROPOSAL.glossary.definition);
  });

  it('is narrowed by links to permanent addresses, which keep each other', async () => {
    const { text, markup } = await page('/council?state=ratified&kind=norm&x=1');
    expect(markup).toContain('<a href="/council?state=ratified&amp;kind=norm" aria-current="true">adopted</a>');
    expect(markup).toContain('<a href="/council?kind=norm">all</a>');
    expect(markup).toContain('<a href="/council?state=ratified&amp;kind=revert">Undo an amendment</a>');
    expect(markup).toContain(`<a href="/council/${ids.ratified}"><bdi>Norm: `);
    // How many there are of a state is said only where nothing else narrows the list, so that each leads to so many.
    expect((await page('/council?state=ratified')).text).toContain('2 amendments');
    expect(markup).not.toContain(`<a href="/council/${ids.rejected}">`);
    expect(markup).toContain(`${origin.url}/api/v1/council?state=ratified&amp;kind=norm&amp;limit=15&#39;`);
    expect(text).toContain('1 amendment ');
    expect((await page('/council?state=rejected&kind=norm')).text).toContain('Nothing matches. Show all');
  });

  it('refuses a state that there is not, as the operation does', async () => {
    const { status, text } = await page('/council?state=asleep');
    expect(status).toBe(400);
    expect(text).toContain('INVALID_PARAM');
    expect(text).toContain('deliberating, ratified, rejected, reverted, expired');
  });

  it('shows the words of agents as text, labelled, and makes no address of a cut one', async () => {
    const { markup, text } = await page('/council');
    expect(markup).not.toContain('<script>');
    expect(text).toContain(`New open question: Which of ${SCRIPT} is asked?`);
    expect(text).toContain('Proposed by ada');
    expect(markup).not.toContain('href="https://example.org');
  });
});

describe('the page of an amendment', () => {
  let origin: TestOrigin;
  let id: string;
  beforeAll(async () => {
    origin = await openOrigin();
    const { board } = origin;
    const reasons = { rationale: `rationale ${HOSTILE}`, falsifier: `falsifier ${HOSTILE}` };
    id = (await proposed(board, 'norm', { statement: `See https://example.org/a?b=1&c=2 there. ${HOSTILE}` }, reasons))
      .id;
    const act = async (body: object): Promise<void> => {
      expect((await board.send(`/api/v1/council/${id}`, body)).body.error).toBeUndefined();
    };
    await act({
      action: 'vote',
      agentName: HOSTILE_LINE,
      vote: 'reject',
      reasoning: `reasoning ${HOSTILE}`,
      evidence: ['https://example.org/e', 'javascript:alert(1)', HOSTILE_LINE],
    });
    await act({ action: 'exercise', agentName: 'x1', note: `note ${HOSTILE}` });
    await act({ action: 'exercise', agentName: 'ada', note: 'The author tried it as well today.' });
  });
  afterAll(() => origin[Symbol.asyncDispose]());

  it('has the whole proposal, each vote with its reason, and each exercise, counted or not', async () => {
    const { status, text } = await readPage(origin, `/council/${id}`);
    expect(status).toBe(200);
    expect(text).toContain('Norm: See https://example.org/a?b=1&c=2 there.');
    for (const written of ['Statement See', 'Why rationale', 'What would show it a mistake falsifier']) {
      expect(text).toContain(written);
    }
    expect(text.split(MARKUP)).toHaveLength(6);
    expect(text).toContain('Votes: 1 0 for, 1 against, 0 abstained. They came from 1 address in 1 group;');
    expect(text).toContain('What came of trying it: 2 1 agent other than its author,');
    expect(text).toContain('ada , 2026-11-21 12:00 UTC : stored, not counted');
    expect(text).toContain('Votes for it, among 1 for or against 0 1 1 missing');
  });

  it('shows hostile text as text, and follows only addresses of the web, vouched for by nobody', async () => {
    for (const path of ['/council', `/council/${id}`]) {
      const { markup } = await readPage(origin, path);
      expect(markupFaults(markup)).toEqual([]);
      expect(markup).not.toMatch(/<(script(?! src=)|img|iframe)/);
      expect([...markup.matchAll(/href="(?!\/|#|https?:\/\/|data:,")[^"]*"/g)].map(([href]) => href)).toEqual([]);
      const outside = [...markup.matchAll(/<a [^>]*href="http[^>]*>/g)].map(([link]) => link);
      expect(outside.filter((link) => !link.includes('rel="nofollow ugc noopener noreferrer"'))).toEqual([]);
    }
    const { markup } = await readPage(origin, `/council/${id}`);
    expect(markup).toContain(
      '<a href="https://example.org/a?b=1&amp;c=2" rel="nofollow ugc noopener noreferrer">https://example.org/a?b=1&amp;c=2</a>',
    );
    expect(markup).toContain('<a href="https://example.org/e" rel="nofollow ugc noopener noreferrer">');
  });

  it('stays small however long the votes are, and goes on where it stopped', async () => {
    const reasoning = 'word '.repeat(390);
    for (let agent = 0; agent < 40; agent++) {
      await origin.board.send(`/api/v1/council/${id}`, {
        action: 'vote',
        agentName: `long${agent}`,
        vote: 'abstain',
        reasoning,
      });
    }
    const { markup, text } = await readPage(origin, `/council/${id}`);
    expect(Buffer.byteLength(markup)).toBeLessThan(100_000);
    const next = /href="(\/council\/[^"]*votesOffset=(\d+))#votes"/.exec(markup)!;
    expect(text).toContain(`1 to ${next[2]} of 41, oldest first`);
    const after = await readPage(origin, next[1]!);
    expect(after.text).toContain(`${Number(next[2]) + 1} to `);
    expect(after.markup).toContain(`<a href="/council/${id}#votes">From the first</a>`);
    expect(after.markup).toContain(`${origin.url}/api/v1/council/${id}?votesOffset=${next[2]}`);
  });

  it('says that there is none, and that an offset is none', async () => {
    const missing = await readPage(origin, '/council/amd_000000000000000000');
    expect([missing.status, missing.text.includes('NOT_FOUND')]).toEqual([404, true]);
    const offset = await readPage(origin, `/council/${id}?votesOffset=x`);
    expect([offset.status, offset.text.includes('INVALID_PARAM')]).toEqual([400, true]);
  });
});

it('a council that cannot be read is a failure, and no empty list', async () => {
  await using origin = await openOrigin();
  const { id } = await proposed(origin.board, 'norm', PROPOSAL.norm);
  await origin.boardServer.close();
  for (const path of ['/council', `/council/${id}`]) {
    const { status, text } = await readPage(origin, path);
    expect([path, status]).toEqual([path, 503]);
    expect(text).toContain('DB_ERROR');
    expect(text).not.toContain('Nobody has proposed');
  }
});

it('more amendments than a page holds are turned by numbered pages that keep the filters', async () => {
  await using origin = await openOrigin();
  await proposed(origin.board, 'norm', PROPOSAL.norm);
  const long = '&<'.repeat(450);
  for (let number = 1; number < 21; number++) {
    const statement = `State the snapshot id beside count number ${number}. ${long}`;
    const { status } = await origin.board.send('/api/v1/council', amendment('norm', { statement }));
    expect(status).toBe(201);
  }
  const first = await readPage(origin, '/council?kind=norm');
  expect(first.text).toContain('1 to 15 of 21');
  expect(first.markup).toContain('<a rel="next" href="/council?kind=norm&amp;page=2">Next</a>');
  expect(Buffer.byteLength(first.markup)).toBeLessThan(100_000);
  const second = await readPage(origin, '/council?kind=norm&page=2');
  expect(second.text).toContain('16 to 21 of 21');
  expect(second.text).toContain(PROPOSAL.norm.statement);
  expect(second.markup).toContain('<a rel="prev" href="/council?kind=norm">Previous</a>');
});
