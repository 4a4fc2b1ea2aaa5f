import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { amendment, PROPOSAL, proposed } from '../support/board/council.ts';
import { markupFaults } from '../support/checks/markup-faults.ts';
import { HOSTILE, HOSTILE_LINE } from '../support/faults/hostile.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';
import { readPage } from '../support/read-page.ts';

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
