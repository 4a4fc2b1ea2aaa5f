import { describe, expect, it } from 'vitest';
import { feed, publishSignals } from '../builders/signal-snapshot.ts';
import { signalRow } from '../builders/signals.ts';
import { markupFaults } from '../support/checks/markup-faults.ts';
import { openGateway, type TestGateway } from '../support/gateway.ts';
import { ofFile } from '../support/of-file.ts';
import { gatewayPage, seenText } from '../support/read-page.ts';

const gateway = ofFile(() => openGateway());

async function page(path: string, from: TestGateway = gateway) {
  const { status, text: markup } = await gatewayPage(from, path);
  expect(markupFaults(markup)).toEqual([]);
  return { status, markup, text: seenText(markup) };
}

it('the signals page turns the pages of the research items by a cursor, and refuses one that was not made here', async () => {
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
