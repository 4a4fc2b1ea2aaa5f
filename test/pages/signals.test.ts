import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { feed, publishSignals } from '../builders/signal-snapshot.ts';
import { signalRow } from '../builders/signals.ts';
import { markupFaults } from '../support/checks/markup-faults.ts';
import { openGateway, type TestGateway } from '../support/gateway.ts';
import { seenText } from '../support/read-page.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openGateway();
});
afterAll(() => gateway[Symbol.asyncDispose]());

const number = (value: number): string => value.toLocaleString('en-GB');

async function page(
  path: string,
  from: TestGateway = gateway,
): Promise<{ status: number; markup: string; text: string }> {
  const answer = await from.app.fetch(new Request(`http://test.example${path}`, { headers: { accept: 'text/html' } }));
  const markup = await answer.text();
  expect(markupFaults(markup)).toEqual([]);
  return { status: answer.status, markup, text: seenText(markup) };
}

describe('the signals page', () => {
  it('has what mind, trends and hope answer, with how it may be read and the calls', async () => {
    const mind = (await gateway.get('/api/v1/mind')).body;
    const trends = (await gateway.get('/api/v1/trends')).body;
    const hope = (await gateway.get('/api/v1/hope')).body;
    const { status, text, markup } = await page('/signals');
    expect(status).toBe(200);
    const [material] = mind.data.capitals;
    expect(text).toContain(
      `${number(mind.data.items.inWindow)} items from ${mind.data.window.from} to ${mind.data.window.to} , 30 days`,
    );
    expect(text).toContain(`Material ${number(material.count)} ${(material.share * 100).toFixed(1)} %`);
    expect(text).toContain(mind.data.conscienceIndex.value.toFixed(2));
    expect(markup).toMatch(/aria-label="Items a day from [0-9-]+ to [0-9-]+ by capital\./);
    expect(text).toContain(`${number(trends.data.signal.volume.inWindow)} items in 30 days`);
    expect(text).toMatch(/This week against the week before: (up|down) by [\d.]+ %/);
    expect(text).toContain(trends.data.crypto.events[0].project);
    for (const note of mind._meta.honesty) expect(text).toContain(note);
    for (const call of ['mind', 'trends'])
      expect(markup).toContain(`curl &#39;http://test.example/api/v1/${call}&#39;`);
    const research = await page('/signals/research');
    expect(research.text).toContain(
      `Running in ClinicalTrials.gov alone ${number(hope.data.trials.census.activeTrials)}`,
    );
    expect(research.text).toContain(hope.data.research.items[0].finding);
    for (const note of hope._meta.honesty.filter((one: string) => !one.includes('/api/'))) {
      expect(research.text).toContain(note);
    }
    expect(research.markup).toContain('curl &#39;http://test.example/api/v1/hope&#39;');
  });

  it('has a permanent address for a window and a keyword, and the calls with both', async () => {
    const { body } = await gateway.get('/api/v1/mind?days=7&disease=diabetes');
    const { text, markup } = await page('/signals?days=7&disease=diabetes');
    expect(text).toContain(
      `${number(body.data.items.inWindow)} items from ${body.data.window.from} to ${body.data.window.to} , 7 days`,
    );
    expect(markup).toContain('name="days" aria-describedby="days-hint" inputmode="numeric" value="7"');
    expect(markup).toContain('curl &#39;http://test.example/api/v1/mind?days=7&amp;disease=diabetes&#39;');
    expect((await page('/signals/research?disease=diabetes')).text).toMatch(
      /For diabetes : [\d,]+ running in the census/,
    );
  });

  it('says at its field what is wrong with a parameter, and shows nothing beside', async () => {
    const { status, text, markup } = await page('/signals?days=900&disease=%22%3E%3Cscript%3E');
    expect(status).toBe(400);
    expect(markup).toContain('aria-describedby="days-hint days-fault" aria-invalid="true"');
    expect(text).toContain('expected a whole number from 1 to 120');
    expect(markup).toContain('value="&quot;&gt;&lt;script&gt;"');
    expect(markup).not.toContain('<script>');
    expect(text).not.toContain('What research gets');
    const wordless = await page('/signals?disease=%3F%3F');
    expect([wordless.status, wordless.markup.includes('id="disease-fault"')]).toEqual([400, true]);
  });

  it('turns the pages of the research items by a cursor, and refuses one that was not made here', async () => {
    const { body } = await gateway.get('/api/v1/hope');
    const { nextCursor, total } = body._meta.pagination;
    const { markup } = await page('/signals/research');
    expect(markup).toContain(`<a rel="next" href="/signals/research?cursor=${nextCursor}#research">More items</a>`);
    const second = await page(`/signals/research?cursor=${nextCursor}`);
    expect(second.text).toContain(`6 to 10 of ${total}`);
    expect(second.markup).toContain('<a href="/signals/research#research">First items</a>');
    const refused = await page('/signals/research?cursor=none');
    expect([refused.status, refused.text.includes('Begin with the first page of the list')]).toEqual([400, true]);
  });
});

describe('feeds', () => {
  it('that gave no answer are named, and their items are not known', async () => {
    using snapshot = await publishSignals({
      rows: [signalRow('a1', '2026-10-01', { title: 'Islets funded', capital: 'M', capital_terms: ['funded'] })],
      feeds: [
        feed('sample-news'),
        feed('dead', { state: 'unanswered', items: null, lastSuccessAt: null, reason: 'html' }),
      ],
    });
    await using served = await openGateway(snapshot.snapshotsDir);
    const { text } = await page('/signals', served);
    expect(text).toContain('No answer from dead. Their items are unknown and in no count above.');
    expect(text).toContain('dead no answer (html) not known not stated not known');
    expect(text).toContain('not known: 1 classified items, fewer than 10');
  });

  it('that never answered at all leave a failure, never a window of zeros, beside what does not need them', async () => {
    using snapshot = await publishSignals({
      feeds: [feed('dead', { state: 'unanswered', items: null, lastSuccessAt: null })],
    });
    await using served = await openGateway(snapshot.snapshotsDir);
    const { status, text } = await page('/signals', served);
    expect(status).toBe(200);
    expect(text).toContain('What research gets could not be read. This is a failure, not an empty list.');
    expect(text).toContain('MIND_DEPENDENCY_UNAVAILABLE');
    expect(text).toContain('How much is published could not be read.');
    expect(text).not.toContain('0 items');
    expect((await page('/signals/research', served)).text).toContain('Published work on restoring');
  });

  it('that nobody ever asked are said not to be read, which is no failure', async () => {
    using snapshot = await publishSignals({
      feeds: [feed('never', { state: 'unanswered', items: null, lastSuccessAt: null, reason: 'not asked' })],
    });
    await using served = await openGateway(snapshot.snapshotsDir);
    const { status, text } = await page('/signals', served);
    expect(status).toBe(200);
    expect(text).toContain('No announcements are read here. This deployment has never asked a feed');
    expect(text).not.toMatch(/could not be read|UNAVAILABLE/);
  });

  it('cannot put markup, scripts or a link that runs into the page', async () => {
    const hostile = { title: '<img src=x onerror=alert(1)>', url: 'javascript:alert(1)', publisher: '"><script>' };
    const row = signalRow('a1', '2026-10-01', { ...hostile, capital: 'M', capital_terms: ['<b>'] });
    using snapshot = await publishSignals({ rows: [row] });
    await using served = await openGateway(snapshot.snapshotsDir);
    const { markup } = await page('/signals', served);
    expect(markup).toContain('<bdi>&lt;img src=x onerror=alert(1)&gt;</bdi>');
    expect(markup).not.toMatch(/<img|<script(?! src=)|href="javascript:/);
    expect(markup).toContain('<code>&lt;b&gt;</code>');
  });
});
