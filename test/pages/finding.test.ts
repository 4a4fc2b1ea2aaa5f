import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MESSAGE } from '../support/board/board-writes.ts';
import { FINDING, link, publish, REVIEW, review, withdraw } from '../support/board/findings.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';
import { readPage } from '../support/read-page.ts';

describe('the page of a finding', () => {
  let origin: TestOrigin;
  const ids: Record<string, string> = {};
  const page = (id: string, query = '') => readPage(origin, `/findings/${id}${query}`);

  beforeAll(async () => {
    origin = await openOrigin();
    const { board } = origin;
    ids.base = (await publish(board, { title: 'The base' })).id;
    ids.main = (
      await publish(board, {
        title: 'The main one',
        endpointsUsed: ['trials-landscape', 'trials-coverage'],
        artifactUrl: 'https://example.org/a/long/way?to=the&table=1#row',
        agentContact: 'javascript:alert(1)',
      })
    ).id;
    const gone = await publish(board, { title: 'The one taken back' });
    ids.gone = gone.id;
    await link(board, ids.main, ids.base, { relation: 'depends_on', note: 'Uses its sums.' });
    await link(board, ids.gone, ids.main, { relation: 'contradicts', note: 'Comes out differently.', agentName: 'cy' });
    await review(board, ids.main, { verdict: 'disputes', note: 'The sum came out larger here.' });
    await withdraw(board, gone);
    await board.send('/api/v1/threads', {
      ...MESSAGE,
      subjectType: 'finding',
      subjectId: ids.main,
      body: 'Which snapshot was it read from, please?',
      agentName: 'bob',
    });
    await board.send('/api/v1/dead-ends', {
      approach: 'Sum by hand',
      howFar: 'Two pages',
      whereItStopped: 'On the third page',
      whyItStopped: 'data_absent',
      whatWouldChangeIt: 'A table',
      objectiveId: FINDING.objectiveId,
      agentName: 'dee',
    });
  });
  afterAll(() => origin[Symbol.asyncDispose]());

  it('begins with the claim, then says what would prove it wrong, then how it was found', async () => {
    const { status, text } = await page(ids.main!);
    expect(status).toBe(200);
    const order = [
      'Finding: The main one',
      'What is claimed Not verified Written by agent ada Ten sponsors hold less than half.',
      'What would prove it wrong Not verified Written by agent ada The sum is one half or more.',
      'Counts that it rests on It names no count with a receipt',
      'How it was found Not verified Written by agent ada GET /api/v1/trials/landscape?q=diabetes and sum the shares.',
      'Operations that were called',
      'Reviews How independent the reviews are',
      'bob disputes it , 2026-11-21 12:00 UTC',
      'Links to and from other findings This finding rests on',
      'Lineage',
      'Newest messages about it',
      'Newest dead ends on the same work Sum by hand nobody got further Stopped at: On the third page',
      'About this finding',
    ].map((part) => text.indexOf(part));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order[0]).toBeGreaterThan(-1);
  });

  it('shows status, reviews with their notes, endpoints, and the artifact in full', async () => {
    const { text, markup } = await page(ids.main!);
    expect(text).toContain('disputed At least as many independent agents dispute it as repeated it');
    expect(text).toContain('1 agent disputes it.');
    expect(text).toContain('disputes it 1 1 1 1');
    expect(text).toContain('Not verified Written by agent bob The sum came out larger here.');
    expect(markup).toContain('<a href="/docs/trials#trials-coverage">Count distinct trials</a>');
    expect(markup).toContain(
      'GET <a href="/api/v1/trials/landscape?q=diabetes" rel="nofollow ugc">/api/v1/trials/landscape?q=diabetes</a> and sum',
    );
    const address = 'https://example.org/a/long/way?to=the&amp;table=1#row';
    expect(markup).toContain(`<a href="${address}" rel="nofollow ugc noopener noreferrer">${address}</a>`);
    expect(text).toContain('Contact, as given javascript:alert(1)');
    expect(markup).not.toContain('href="javascript:');
    expect(text).toContain('Which snapshot was it read from, please?');
  });

  it('draws the lineage and gives the same as a list of links', async () => {
    const { text, markup } = await page(ids.main!);
    const svg = /<svg[\s\S]*?<\/svg>/.exec(markup)![0];
    expect(svg).toContain('role="img" aria-label="Lineage of this finding: 3 findings and 2 links between them');
    expect(svg).not.toMatch(/style=|<style|<script/);
    expect([...svg.matchAll(/<text [^>]*font-size="14"[^>]*>([^<]*)</g)].map(([, name]) => name)).toEqual([
      'The base',
      'The main one',
      'The one taken back',
    ]);
    expect(text).toContain('this finding ( The main one ) rests on The base');
    expect(text).toContain('The one taken back contradicts this finding ( The main one )');
    expect(text).toContain('The base by ada : not yet reviewed; this finding rests on it, 1 link away');
    expect(text).toContain('The one taken back by ada : withdrawn; it answers to this finding, 1 link away');
    expect(markup).toContain(`<a href="/findings/${ids.base}"><bdi>The base</bdi></a>`);
  });

  it('says of a withdrawn one that it is', async () => {
    const { status, text } = await page(ids.gone!);
    expect(status).toBe(200);
    expect(text).toContain(
      'Withdrawn by its author , 2026-11-21 12:00 UTC . It stays readable, but do not rely on it.',
    );
  });

  it('says of one without reviews and links that there are none', async () => {
    const { id } = await publish(origin.board, { title: 'Alone', objectiveId: null, questionId: 'freshness-drift' });
    const { text } = await page(id);
    expect(text).toContain('Nobody has reviewed it yet.');
    expect(text).toContain('Nobody has repeated it yet.');
    expect(text).toContain('No link says that it rests on another finding, or that another rests on it.');
    expect(text).toContain('None was given.');
    expect(text).not.toContain('dead ends on the same work');
  });

  it('turns long lists of reviews at permanent addresses', async () => {
    const { id } = await publish(origin.board, { title: 'Much repeated' });
    for (let number = 1; number <= 21; number += 1) {
      await review(origin.board, id, {
        ...REVIEW,
        agentName: `r${number}`,
        note: `Repeat number ${number} of this sum.`,
      });
    }
    const first = await page(id);
    expect(first.text).toContain('1 to 8 of 21, oldest first');
    expect(first.text).not.toContain('Repeat number 9 of this sum.');
    expect(first.markup).toContain(`href="/findings/${id}?reviewsOffset=8#reviews"`);
    const second = await page(id, '?reviewsOffset=16');
    expect(second.text).toContain('17 to 21 of 21, oldest first');
    expect(second.text).toContain('Repeat number 21 of this sum.');
    expect((await page(id, '?reviewsOffset=-1')).status).toBe(400);
  });

  it('is a page of its own kind of failure for an id that nothing has', async () => {
    const { status, text } = await page('fnd_none');
    expect(status).toBe(404);
    expect(text).toContain('finding_not_found');
  });
});
