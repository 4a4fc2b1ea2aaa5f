import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filtersInWords } from '../../gateway/pages/trials/search-suggestions.ts';
import { mainOf } from '../support/checks/main-of.ts';
import { markupFaults } from '../support/checks/markup-faults.ts';
import { headlineNumber, numberLinks } from '../support/checks/number-links.ts';
import { openGateway, type TestGateway } from '../support/gateway.ts';
import { seenText } from '../support/read-page.ts';
import { amountOf } from '../support/runner/amount.ts';

/** A trial of the sample corpus that is in both registries, and a number that it states and no record has. */
const BOTH = { canonicalId: 'wt_r1r6vb1x9ja8', isrctn: 'ISRCTN90531804', mention: '2026-589004-10' };

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openGateway();
});
afterAll(() => gateway[Symbol.asyncDispose]());

interface Read {
  status: number;
  location: string | null;
  text: string;
  seen: string;
}

async function page(path: string, from: TestGateway = gateway): Promise<Read> {
  const answer = await from.app.fetch(new Request(`http://test.example${path}`, { headers: { accept: 'text/html' } }));
  const text = await answer.text();
  return { status: answer.status, location: answer.headers.get('location'), text, seen: seenText(mainOf(text)) };
}

async function total(query: string): Promise<number> {
  const { body } = await gateway.get(`/api/v1/trials/search?${query}${query === '' ? '' : '&'}pageSize=1`);
  return body._meta.pagination.totalItems;
}

const shownTrials = (text: string): string[] =>
  [...mainOf(text).matchAll(/<h3><a href="\/trials\/(wt_[0-9a-z]+)">/g)].map(([, id]) => id!);

describe('the address of a search', () => {
  it.each([
    ['/trials?q=&condition=&status=completed&startedAfter=', '/trials?status=completed'],
    ['/trials?status=completed&status=terminated', '/trials?status=completed%2Cterminated'],
    ['/trials?q=asthma&match=words&sort=updated&page=1&view=list', '/trials?q=asthma'],
    ['/trials?match=concepts', '/trials'],
    ['/trials?phaseMatch=exact&q=asthma', '/trials?q=asthma'],
    ['/trials?startYearFrom=2019&startYearTo=2020&q=a', '/trials?startedAfter=2019-01-01&startedBefore=2020-12-31&q=a'],
    ['/trials?startedAfter=2001-05-05&startYearFrom=2019', '/trials?startedAfter=2019-01-01'],
    ['/trials?q=', '/trials'],
  ])('%s is answered at %s, which says nothing that is empty', async (asked, clean) => {
    const { status, location } = await page(asked);
    expect([status, location]).toEqual([303, clean]);
    expect((await page(clean)).status).toBe(200);
  });

  it('keeps what it does not know, and names it', async () => {
    const { seen } = await page('/trials?colour=red&pageSize=100&include=eligibilityText');
    expect(seen).toContain('Ignored: colour , pageSize , include .');
  });
});

describe('an identifier in the search box', () => {
  it.each([BOTH.isrctn, BOTH.canonicalId, BOTH.isrctn.toLowerCase(), BOTH.isrctn.slice(6)])(
    '%s leads to its trial',
    async (id) => {
      const { status, location } = await page(`/trials?q=${id}`);
      expect([status, location]).toEqual([303, `/trials/${BOTH.canonicalId}`]);
    },
  );

  it('of no registry held here leads to the one trial that states it', async () => {
    const { status, location } = await page(`/trials?q=${BOTH.mention}`);
    expect([status, location]).toEqual([303, `/trials/${BOTH.canonicalId}`]);
  });

  it.each([
    ['NCT04280705', '<a href="https://clinicaltrials.gov/study/NCT04280705">'],
    ['NCT4280705', 'an NCT number has eight digits; this one has seven'],
  ])('%s, which no trial has, is told of in the sentence of the answer', async (id, told) => {
    const { status, text, seen } = await page(`/trials?q=${id}`);
    expect(status).toBe(200);
    const { body } = await gateway.get(`/api/v1/trials/search?q=${id}`);
    const [sentence = ''] = (body._meta.notices as string[]).filter((notice) => notice.startsWith(id));
    expect(seen).toContain(sentence.replace(/ https:.*/, ''));
    expect(text).toContain(told);
    expect(seen).not.toContain('no known word is near');
  });

  it('is shown as an example that leads to a trial, also where nothing was found', async () => {
    for (const query of ['', '?q=zyzzyva']) {
      const { seen } = await page(`/trials${query}`);
      const [, id] = /For example: type 1 diabetes, (\w+) ?, insulin\./.exec(seen) ?? [];
      expect((await page(`/trials?q=${id}`)).status).toBe(303);
    }
  });

  it('whose own record is missing is told apart from one that is held', async () => {
    const { body } = await gateway.get('/api/v1/trials/search?pageSize=100');
    type Trial = {
      canonicalId: string;
      identifiers: { type: string; value: string; inIndex: boolean; role: string }[];
    };
    const missing = (body.data.trials as Trial[]).flatMap(({ canonicalId, identifiers }) =>
      identifiers
        .filter(({ type, inIndex, role }) => type === 'nct' && !inIndex && role === 'declared')
        .map(({ value }) => ({ canonicalId, value })),
    )[0]!;
    const { status, text, seen } = await page(`/trials?q=${missing.value}`);
    expect(status).toBe(200);
    expect(seen).toContain(`${missing.value} is not held here: its own record is missing from this index.`);
    expect(text).toContain(`<a href="/trials/${missing.canonicalId}">`);
  });
});

describe('words that name filters', () => {
  it('are offered as the filters that they name, with the number that the link finds', async () => {
    const { text, seen } = await page('/trials?q=completed+trials+in+the+UK');
    const found = await total('country=United+Kingdom&status=completed');
    expect(found).toBeGreaterThan(0);
    expect(seen).toContain(`Read as: status Completed, country United Kingdom: ${found} trial`);
    expect(text).toContain('href="/trials?status=completed&amp;country=United+Kingdom"');
  });

  it('are the heading of a list that is empty, in place of a zero, once and as a link; the search itself stays strict', async () => {
    const { text, seen } = await page('/trials?q=completed+trials+in+the+uk');
    expect(await total('q=completed+trials+in+the+uk')).toBe(0);
    expect(mainOf(text)).toContain('<h2 class="reading" id="found"><a href="/trials?status=completed');
    expect(seen).not.toContain('0 trials found');
    expect(seen).toContain(
      'No trial held here has all of these words in its titles, acronym, conditions, interventions or sponsor.',
    );
    expect(seen.split('Completed, country United Kingdom')).toHaveLength(2);
    expect(seen).not.toContain('Only Completed, United Kingdom');
  });

  it('and a city are read with it where that finds more', async () => {
    const { text } = await page('/trials?q=diabetes+london');
    const found = await total('q=diabetes&sitePlace=london');
    expect(text).toContain(
      `<a href="/trials?q=diabetes&amp;sitePlace=london">Read as: city of a site <bdi>london</bdi>, words “<bdi>diabetes</bdi>”: ${found} trial`,
    );
    expect(filtersInWords({ status: 'completed', sitePlace: 'london' }).text).toBe(
      'Completed, a site in <bdi>london</bdi>',
    );
    const all = await total('sitePlace=london&country=UK');
    expect(await total('q=london&country=UK')).toBeLessThan(all);
    expect((await page('/trials?q=trials+in+london+uk')).seen).toContain(
      `Read as: city of a site london , country United Kingdom: ${all} trial`,
    );
  });

  it('keep the other words, and are never applied by themselves', async () => {
    const { text, seen } = await page('/trials?q=diabetes+Germany');
    expect(seen).toContain('Showing only Remove Words: diabetes Germany');
    expect(text).toContain('href="/trials?q=diabetes&amp;country=Germany"');
  });

  it.each(['q=diabetes', 'q="completed"', 'q=-completed', 'q=asthma&country=Germany'])(
    'are not looked for in ?%s',
    async (query) => {
      expect((await page(`/trials?${query}`)).seen).not.toMatch(/Only (Completed|Germany)/);
    },
  );
});

describe('the search page', () => {
  it('lists what the search gives, in its order, as cards and as a table', async () => {
    const { body } = await gateway.get('/api/v1/trials/search?q=diabetes&pageSize=10');
    const ids = body.data.trials.map(({ canonicalId }: { canonicalId: string }) => canonicalId);
    const { status, text } = await page('/trials?q=diabetes');
    expect(status).toBe(200);
    expect(headlineNumber(text)).toBe(body._meta.pagination.totalItems);
    expect(shownTrials(text)).toEqual(ids);
    const table = await page('/trials?q=diabetes&view=table');
    const rows = [...table.text.matchAll(/role="rowheader"><a href="\/trials\/(wt_[0-9a-z]+)">/g)].map(([, id]) => id);
    expect(rows).toEqual(ids);
    expect(table.text).toContain('<a href="/trials?q=diabetes&amp;view=table&amp;sort=enrollment">People</a>');
    expect((await page('/trials?q=diabetes&sort=enrollment&view=table')).text).not.toMatch(/<a [^>]*>People</);
    expect(seenText(mainOf(text))).toContain("curl 'http://test.example/api/v1/trials/search?q=diabetes&pageSize=10'");
  });

  it('keeps order and view on the next page, at a removed filter and in the form', async () => {
    const { body } = await gateway.get('/api/v1/trials/search?status=completed&sort=enrollment&page=2&pageSize=10');
    const { text } = await page('/trials?status=completed&sort=enrollment&page=2');
    expect(shownTrials(text)).toEqual(body.data.trials.map((one: { canonicalId: string }) => one.canonicalId));
    expect(text).toContain('rel="next" href="/trials?status=completed&amp;sort=enrollment&amp;page=3"');
    expect(text).toContain(
      '<a href="/trials?sort=enrollment"><span class="unseen">Remove </span>Status: <bdi>Completed',
    );
    expect(text).toContain('<input type="hidden" name="sort" value="enrollment">');
    expect(text).toContain('<summary>Most people first</summary>');
    expect((await page('/trials?sort=size')).seen).toContain('sort : Please use one of updated, relevance, start');
  });

  it('leads from one phase to the combined phases that it is part of, with their count', async () => {
    const { text } = await page('/trials?phase=3&phaseMatch=exact');
    expect(text).toContain('<a href="/trials?phase=3">Take the combined phases in too</a>');
    expect((await page('/trials?phase=3')).text).not.toContain('Take the combined phases in too');
  });

  it('says how far beyond its last page an address is', async () => {
    const beyond = await page('/trials?status=completed&page=900');
    const last = Math.ceil((await total('status=completed')) / 10);
    expect(beyond.seen).toContain(`Page 900 is beyond the last, which is ${last}`);
  });

  it('shows each applied filter as a chip whose link takes it out and keeps the others', async () => {
    const { text } = await page('/trials?q=diabetes&status=completed,terminated&country=Germany');
    const chips = text.split('<ul class="chips"')[1]!.split('</ul>')[0]!;
    expect([...chips.matchAll(/href="([^"]*)"/g)].map(([, address]) => address)).toEqual([
      '/trials?status=completed%2Cterminated&amp;country=Germany',
      '/trials?q=diabetes&amp;country=Germany',
      '/trials?q=diabetes&amp;status=completed%2Cterminated',
    ]);
    expect(seenText(chips)).toContain('Status: Completed or Terminated');
  });

  it('says at the field what to write, keeps what was given, and leads past a value without a field', async () => {
    const { status, text, seen } = await page('/trials?q=diabetes&startedAfter=yesterday&phase=5');
    expect(status).toBe(400);
    expect(text).toContain(
      '<div id="startedAfter-fault"><p class="fault">Write a date as year, month and day, such as 2026-01-31.</p>',
    );
    expect(text).toContain('aria-describedby="startedAfter-fault" aria-invalid="true" type="text" value="yesterday"');
    expect(text).toContain('<details class="more" open>');
    expect(seen).toContain('Phase : Please use ');
    expect(text).toContain('<a href="/trials?q=diabetes&amp;startedAfter=yesterday">Search without it</a>');
    expect(headlineNumber(text)).toBe(null);
    expect((await page(`/trials?q=${'x'.repeat(9000)}`)).text).toContain('id="q-fault"');
  });

  it('escapes what was asked wherever it repeats it', async () => {
    const hostile = '<script>alert("1")</script>\u202e diabetes';
    const { text } = await page(`/trials?q=${encodeURIComponent(hostile)}&<b>=1`);
    expect(text).not.toContain('<script>alert');
    expect(text).toContain('value="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;');
    expect(text).toContain('<code><bdi>&lt;b&gt;</bdi></code>');
    expect(markupFaults(text)).toEqual([]);
  });

  it('leads to files and a feed of the same query, without page and view', async () => {
    const { text } = await page('/trials?q=diabetes&sort=start&view=table&page=2');
    for (const ending of ['csv', 'jsonl', 'ris']) {
      expect(text).toContain(`<a href="/trials.${ending}?q=diabetes&amp;sort=start">`);
    }
    expect(text).toContain('<a href="/trials.atom?q=diabetes">');
    expect(text).toContain(
      '<link rel="alternate" type="application/atom+xml" title="Trials of this search" href="/trials.atom?q=diabetes">',
    );
  });

  it('is a failure page where the index has no snapshot', async () => {
    const nothing = await mkdtemp(join(tmpdir(), 'trial-board-empty-'));
    try {
      await using empty = await openGateway(nothing);
      for (const path of [
        '/trials',
        `/trials/${BOTH.canonicalId}`,
        '/trials/by/country',
        '/sponsors',
        '/sponsors/x',
        '/conditions/x',
        '/countries/UK',
      ]) {
        expect([path, (await page(path, empty)).status]).toEqual([path, 503]);
      }
    } finally {
      await rm(nothing, { recursive: true });
    }
  });
});

const QUERIES = ['', 'q=diabetes', 'status=recruiting,completed', 'q=asthma+zyzzyva&status=completed'];
const MORE = [
  ...['q=T1D&match=concepts', 'status=active', 'phase=1', 'phase=2,3&country=Germany', 'registry=isrctn'],
  ...['q=T1D&status=withdrawn&match=concepts', 'modality=antibody,vaccine', 'resultsGap=true&sort=daysOverdue'],
];

describe('every number of the search page', () => {
  it.each(amountOf({ quick: QUERIES, deep: [...QUERIES, ...MORE] }))(
    'of ?%s is a link whose page shows exactly that number',
    async (query) => {
      const { text } = await page(`/trials?${query}`);
      const links = numberLinks(mainOf(text));
      expect(links.length).toBeGreaterThan(1);
      for (const { address, shown } of links) {
        expect([address, headlineNumber((await page(address)).text)]).toEqual([address, shown]);
      }
    },
  );
});

it('a longer address than servers take is refused instead of being repeated in a redirect', async () => {
  const { status, location, seen } = await page(`/trials?q=&condition=${'%F0%9F%98%80'.repeat(1000)}`);
  expect([status, location]).toEqual([414, null]);
  expect(seen).toContain('has to fit into an address of 8,000 characters.');
  const fits = await page(`/trials?q=&condition=${'a'.repeat(7000)}`);
  expect(fits.status).toBe(303);
  expect(fits.location!.length).toBeLessThan(8000);
});
