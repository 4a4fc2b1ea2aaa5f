import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openGateway, type TestGateway } from '../support/gateway.ts';
import { plainTables } from '../support/plain-tables.ts';

/** A trial of the sample corpus that is in both registries. */
const BOTH = { canonicalId: 'wt_r1r6vb1x9ja8', nct: 'NCT90000183', isrctn: 'ISRCTN90531804' };

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openGateway();
});
afterAll(() => gateway[Symbol.asyncDispose]());

async function page(path: string, from: TestGateway = gateway): Promise<{ status: number; text: string }> {
  const response = await from.app.fetch(
    new Request(`http://test.example${path}`, { headers: { accept: 'text/html' } }),
  );
  return { status: response.status, text: plainTables(await response.text()) };
}

const plain = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

async function total(query: string): Promise<number> {
  const { body } = await gateway.get(`/api/v1/trials/search?${query}${query === '' ? '' : '&'}pageSize=1`);
  return body._meta.pagination.totalItems;
}

describe('the search page', () => {
  it('keeps the asked order on the next page, at a removed filter and in the form, and says which it is', async () => {
    const { body } = await gateway.get('/api/v1/trials/search?status=completed&sort=enrollment&page=2');
    const { text } = await page('/trials?status=completed&sort=enrollment&page=2');
    const shown = [...text.matchAll(/<h3><a href="\/trials\/(wt_[0-9a-z]+)">/g)].map(([, id]) => id);
    expect(shown).toEqual(body.data.trials.map(({ canonicalId }: { canonicalId: string }) => canonicalId));
    expect(text).toContain('however often it is registered; most people first.');
    expect(text).toContain('rel="next" href="/trials?status=completed&amp;sort=enrollment&amp;page=3"');
    expect(text).toContain('<a href="/trials?sort=enrollment" aria-label="Remove the filter Status: Completed"');
    expect(text).toContain('<option value="enrollment" selected>Most people first</option>');
    expect((await page('/trials?sort=size')).text).toContain('id="sort-fault"');
    expect((await page('/trials')).text).toContain('however often it is registered; newest update first.');
  });

  it('lists what the search gives, in its order, each with its page and its registrations', async () => {
    const { body } = await gateway.get('/api/v1/trials/search?q=diabetes');
    const { status, text } = await page('/trials?q=diabetes');
    expect(status).toBe(200);
    expect(text).toContain(`${body._meta.pagination.totalItems} trials found`);
    const shown = [...text.matchAll(/<h3><a href="\/trials\/(wt_[0-9a-z]+)">/g)].map(([, id]) => id);
    expect(shown).toEqual(body.data.trials.map(({ canonicalId }: { canonicalId: string }) => canonicalId));
    const [first] = body.data.trials;
    expect(text).toContain(
      `<a href="${first.registrations[0].url}" rel="noopener noreferrer">${first.registrations[0].id}</a>`,
    );
    expect(plain(text)).toContain("curl 'http://test.example/api/v1/trials/search?q=diabetes'");
    expect(plain(text)).toContain("curl 'http://test.example/api/v1/trials/landscape?q=diabetes'");
  });

  it.each([
    '',
    'q=diabetes',
    'status=active',
    'status=recruiting,completed',
    'status=running,completed',
    'phase=1',
    'phase=2,3',
    'registry=isrctn',
    'studyType=interventional&resultsAvailable=false',
    'modality=antibody,vaccine',
  ])('gives with each facet of ?%s the number of trials that its link finds', async (query) => {
    const { text } = await page(`/trials?${query}`);
    const links = [
      ...text.matchAll(/<li><a href="\/trials\?([^"]*)">[^<]*<\/a> <span class="soft">([\d,]+)<\/span><\/li>/g),
    ];
    expect(links.length).toBeGreaterThan(2);
    for (const [, address, number] of links) {
      const found = await total(plain(address!));
      expect([address, found]).toEqual([address, Number(number!.replaceAll(',', ''))]);
    }
  });

  it('shows each applied filter as a chip whose link takes it out and keeps the others', async () => {
    const { text } = await page('/trials?q=diabetes&status=completed,terminated&country=Germany');
    const chips = text.split('<ul class="chips"')[1]!.split('</ul>')[0]!;
    expect([...chips.matchAll(/href="([^"]*)"/g)].map(([, address]) => plain(address!))).toEqual([
      '/trials?status=completed%2Cterminated&country=Germany',
      '/trials?q=diabetes&country=Germany',
      '/trials?q=diabetes&status=completed%2Cterminated',
    ]);
    expect(plain(chips)).toContain('Status: Completed or Terminated');
  });

  it('takes the empty fields of its form as nothing asked, and a list name by name', async () => {
    const { text } = await page('/trials?q=&condition=&status=completed&status=terminated&startedAfter=');
    expect(text).toContain(`${await total('status=completed,terminated')} trials found`);
    expect(text).toContain('<option value="completed,terminated" selected>Completed or Terminated</option>');
    expect(text).not.toContain('Ignored');
  });

  it('names what it does not know and what it does not take', async () => {
    const { text } = await page('/trials?colour=red&pageSize=100&include=eligibilityText');
    expect(plain(text)).toContain('Ignored: colour, pageSize, include.');
  });

  it('says at the field what was expected, and keeps what was given', async () => {
    const { status, text } = await page('/trials?q=diabetes&startedAfter=yesterday&phase=5');
    expect(status).toBe(400);
    expect(text).toContain('<p class="fault" id="startedAfter-fault">Expected a calendar day as YYYY-MM-DD.</p>');
    expect(text).toContain('aria-describedby="phase-note phase-fault" aria-invalid="true"');
    expect(text).toContain('aria-invalid="true" type="text" value="yesterday"');
    expect(text).toContain('value="diabetes"');
    expect(text).not.toContain('trials found');
  });

  it('says a fault that no field has, and refuses what no request could carry', async () => {
    const refused = await page('/trials?page=0');
    expect(refused.status).toBe(400);
    expect(plain(refused.text)).toContain('page: expected a whole number from 1 to 1000000');
    const long = await page(`/trials?q=${'x'.repeat(9000)}`);
    expect(long.status).toBe(400);
    expect(long.text).toContain('id="q-fault"');
  });

  it('says plainly that nothing matches, and what was asked', async () => {
    const { status, text } = await page('/trials?q=zyzzyva&status=completed');
    expect(status).toBe(200);
    expect(plain(text)).toContain('No trial of this index matches all of this:');
    expect(text).toContain('<li>Words: <bdi>zyzzyva</bdi></li><li>Status: <bdi>Completed</bdi></li>');
    expect(plain(text)).toContain('That does not prove that there is none');
  });

  it('leads from the number of a registration, where words are searched, to its trial', async () => {
    const { text } = await page(`/trials?q=${BOTH.isrctn}`);
    expect(plain(text)).toContain(`But the identifier ${BOTH.isrctn} leads to:`);
    expect(text).toContain(`<a href="/trials/${BOTH.canonicalId}">`);
  });

  it('turns its pages at permanent addresses', async () => {
    const second = await page('/trials?status=completed&page=2');
    expect(second.text).toContain('<a rel="prev" href="/trials?status=completed">Previous</a>');
    expect(second.text).toContain('<a rel="next" href="/trials?status=completed&amp;page=3">Next</a>');
    expect(second.text).toContain('21 to 40 of ');
    const beyond = await page('/trials?status=completed&page=900');
    const last = Math.ceil((await total('status=completed')) / 20);
    expect(beyond.text).toContain(`Page 900 is beyond the last, which is ${last}`);
    expect(beyond.text).toContain(`<a rel="prev" href="/trials?status=completed&amp;page=${last}">Previous</a>`);
  });

  it('escapes what was asked wherever it repeats it', async () => {
    const hostile = '<script>alert("1")</script>\u202e diabetes';
    const { text } = await page(`/trials?q=${encodeURIComponent(hostile)}&<b>=1`);
    expect(text).not.toContain('<script>alert');
    expect(text).toContain('value="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;');
    expect(text).toContain('<code><bdi>&lt;b&gt;</bdi></code>');
  });

  it('says that counts failed where they could not be read, and still lists the trials', async () => {
    const { modalities } = gateway.index;
    modalities.mix = () => Promise.reject(new Error('the vocabulary is gone'));
    const { status, text } = await page('/trials?modality=antibody');
    Reflect.deleteProperty(modalities, 'mix');
    expect(status).toBe(200);
    expect(plain(text)).toContain('The counts by value could not be read. This is a failure, not an empty list.');
    expect(text).not.toContain('vocabulary is gone');
    expect(text).toContain('<ol class="cards"><li>');
  });

  it('is a failure page where the index has no snapshot', async () => {
    const nothing = await mkdtemp(join(tmpdir(), 'trial-board-empty-'));
    try {
      await using empty = await openGateway(nothing);
      for (const path of ['/trials', `/trials/${BOTH.canonicalId}`]) {
        const { status, text } = await page(path, empty);
        expect([path, status]).toEqual([path, 503]);
        expect(text).toContain('TRIALS_UNAVAILABLE');
      }
    } finally {
      await rm(nothing, { recursive: true });
    }
  });
});
