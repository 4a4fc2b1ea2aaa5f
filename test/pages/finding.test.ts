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
});
