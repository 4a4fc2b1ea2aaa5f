import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mainOf } from '../support/checks/main-of.ts';
import { markupFaults } from '../support/checks/markup-faults.ts';
import { headlineNumber, numberLinks } from '../support/checks/number-links.ts';
import { openGateway, type TestGateway } from '../support/gateway.ts';
import { seenText } from '../support/read-page.ts';
import { amountOf } from '../support/runner/amount.ts';

let gateway: TestGateway;
/** The lead sponsor with the most trials of the sample. */
let sponsor: { title: string; trials: number };
beforeAll(async () => {
  gateway = await openGateway();
  const { body } = await gateway.get('/api/v1/trials/facets?facet=sponsor');
  sponsor = body.data.facets[0].values[0];
});
afterAll(() => gateway[Symbol.asyncDispose]());

interface Read {
  status: number;
  location: string | null;
  text: string;
  seen: string;
}

async function page(path: string): Promise<Read> {
  const answer = await gateway.app.fetch(
    new Request(`http://test.example${path}`, { headers: { accept: 'text/html' } }),
  );
  const text = await answer.text();
  return { status: answer.status, location: answer.headers.get('location'), text, seen: seenText(mainOf(text)) };
}

const parts = ['What kinds of trials', 'Results', 'Phases over time', 'Newest trials', 'Newest changes', 'Take away'];

describe('the page of a country', () => {
  it('shows number, statuses, results, phases over time, newest trials and changes, feed and files', async () => {
    const { status, text } = await page('/countries/Germany');
    expect(status).toBe(200);
    for (const part of parts) expect([part, text.includes(`>${part}</h2>`)]).toEqual([part, true]);
    expect(text).toContain('<a href="/trials.csv?country=Germany">');
    expect(text).toContain('<a href="/trials.atom?country=Germany">');
    expect(text).toContain('<link rel="canonical" href="http://test.example/countries/Germany">');
    expect(markupFaults(text)).toEqual([]);
  });

  it.each([
    ['UK', 'United%20Kingdom'],
    ['gb', 'United%20Kingdom'],
    ['Czech%20Republic', 'Czechia'],
    ['germany', 'Germany'],
  ])('by another name, %s, leads to its own address', async (asked, name) => {
    const { status, location } = await page(`/countries/${asked}`);
    expect([status, location]).toEqual([301, `/countries/${name}`]);
  });

  it('nobody knows, or without a trial here, is not found and leads to near names', async () => {
    const { status, text, seen } = await page('/countries/Germoney');
    expect(status).toBe(404);
    expect(seen).toContain('No trial of this index has the country “ Germoney ”');
    expect(text).toContain('<a href="/countries/Germany">');
    expect((await page('/countries/Tuvalu')).status).toBe(404);
  });
});

describe('the page of a sponsor', () => {
  it('counts the trials of its name alone', async () => {
    const { status, text } = await page(`/sponsors/${encodeURIComponent(sponsor.title)}`);
    expect([status, headlineNumber(text)]).toEqual([200, sponsor.trials]);
    for (const part of parts) expect([part, text.includes(`>${part}</h2>`)]).toEqual([part, true]);
    expect(markupFaults(text)).toEqual([]);
  });

  it('names the longer names with their pages, and has the share of all of them beside its own', async () => {
    const name = 'Harrowgate University';
    const { text, seen } = await page(`/sponsors/${encodeURIComponent(name)}`);
    const longer = `/sponsors/${encodeURIComponent('Harrowgate University Hospital')}`;
    expect(text).toContain(`<a href="${longer}"><bdi>Harrowgate University Hospital</bdi>: 2 trials</a>`);
    expect(text).not.toContain(`<a href="/sponsors/${encodeURIComponent(name)}"><bdi>`);
    const asked = new URLSearchParams({ sponsor: name });
    const { numerator, denominator } = (await gateway.get(`/api/v1/trials/results-gap?${asked}`)).body.data;
    const own = (await gateway.get(`/api/v1/trials/results-gap?${asked}&sponsorMatch=exact`)).body.data;
    expect(denominator).toBeGreaterThan(own.denominator);
    expect(seen).toMatch(
      new RegExp(`Under this name alone: [\\d.]+ % : ${own.numerator} of ${own.denominator} trials`),
    );
    expect(seen).toMatch(
      new RegExp(`Under all names with these words: [\\d.]+ % : ${numerator} of ${denominator} trials`),
    );
    const links = numberLinks(text).filter(
      ({ address }) => address.startsWith('/sponsors/') || address.includes('resultsDue'),
    );
    expect(links.length).toBeGreaterThanOrEqual(6);
    for (const { address, shown } of links)
      expect([address, headlineNumber((await page(address)).text)]).toEqual([address, shown]);
  });

  it('in other capitals leads to the name as a record writes it', async () => {
    const { status, location } = await page(`/sponsors/${encodeURIComponent(sponsor.title.toUpperCase())}`);
    expect([status, location]).toEqual([301, `/sponsors/${encodeURIComponent(sponsor.title)}`]);
  });

  it('by words that are no whole name is about every sponsor with these words', async () => {
    const { body } = await gateway.get('/api/v1/trials/search?sponsor=university&pageSize=1');
    const { status, text, seen } = await page('/sponsors/university');
    expect([status, headlineNumber(text)]).toEqual([200, body._meta.pagination.totalItems]);
    expect(seen).toContain('Sponsors named “university”');
  });

  it('that is misspelt is not found and leads to the mended name', async () => {
    const { status, text } = await page('/sponsors/univercity');
    expect(status).toBe(404);
    expect(text).toContain('<a href="/sponsors/university">');
  });

  it.each(['<script>alert(1)</script>', '"><b>', '\u202egpj', '%', 'a/b'])('escapes the name %j', async (name) => {
    const { status, text } = await page(`/sponsors/${encodeURIComponent(name)}`);
    expect(status).toBe(404);
    expect(text).not.toMatch(/<script>alert|"><b>/);
    expect(markupFaults(text)).toEqual([]);
  });
});

describe('the page of a condition', () => {
  it('by the id of a topic says what belongs to the topic', async () => {
    const { body } = await gateway.get('/api/v1/trials/search?topic=diabetes&match=concepts&pageSize=1');
    const { status, text, seen } = await page('/conditions/diabetes');
    expect([status, headlineNumber(text)]).toEqual([200, body._meta.pagination.totalItems]);
    expect(seen).toContain('A trial belongs to the topic if it is about Diabetes Mellitus');
  });

  it('by the heading of a disease counts its other names and narrower kinds', async () => {
    const { body } = await gateway.get('/api/v1/trials/search?condition=Asthma&match=concepts&pageSize=1');
    const { status, text, seen } = await page('/conditions/Asthma');
    expect([status, headlineNumber(text)]).toEqual([200, body._meta.pagination.totalItems]);
    expect(seen).toContain('trials about Asthma , by any of its names or as a narrower kind.');
  });

  it('by another name leads to the heading', async () => {
    const { status, location } = await page('/conditions/T1D');
    expect([status, location]).toEqual([303, '/conditions/Diabetes%20Mellitus%2C%20Type%201']);
  });

  it('nobody states is not found and leads to conditions that begin with its words', async () => {
    const { status, text } = await page('/conditions/diabet');
    expect(status).toBe(404);
    expect(text).toMatch(/<h2>Near names<\/h2><ul><li><a href="\/conditions\//);
  });
});

describe('the lists of sponsors, conditions and countries', () => {
  it.each(['/sponsors', '/conditions', '/countries'])('%s lead by a form to the page of a name', async (path) => {
    const { status, location } = await page(`${path}?name=+A+%26+B%2F+`);
    expect([status, location]).toEqual([303, `${path}/A%20%26%20B%2F`]);
    expect((await page(`${path}?name=`)).status).toBe(200);
  });
});

const SHORT = ['/countries/Germany', '/sponsors', '/conditions/Asthma', '/trials/by/startYear?q=asthma'];
const LONG = [
  ...['/sponsors/university', '/conditions/diabetes', '/conditions', '/countries'],
  ...['/trials/by/country?q=diabetes', '/trials/by/sponsor?text=univ'],
];

describe('the ways to count a disease', () => {
  it('say on the page of a topic and of a disease what each counts and what it is for, each number with its list', async () => {
    for (const [path, ways] of [
      ['/conditions/heart-failure', ['topic=heart-failure&amp;match=concepts', 'q=Heart+failure']],
      ['/conditions/Asthma', ['condition=Asthma&amp;match=concepts', 'q=Asthma']],
    ] as const) {
      const { text: markup, seen: text } = await page(path);
      const part = markup.split('<h2 id="ways">')[1]!.split('</section>')[0]!;
      for (const query of ways) expect(part).toContain(`href="/trials?${query}"`);
      expect(text).toContain('Use it to find a trial, not to count a disease.');
    }
  });

  it('are led to from a search whose words are the name of a topic', async () => {
    expect((await page('/trials?q=heart+failure')).text).toContain('<a href="/conditions/heart-failure#ways">');
    expect((await page('/trials?q=asthma')).text).not.toContain('#ways');
  });
});

describe('every number', () => {
  it.each(amountOf({ quick: SHORT, deep: [...SHORT, ...LONG] }))(
    'of %s is a link whose page shows exactly that number',
    async (path) => {
      const links = numberLinks(mainOf((await page(path)).text));
      expect(links.length).toBeGreaterThan(2);
      for (const { address, shown } of links) {
        expect([address, headlineNumber((await page(address)).text)]).toEqual([address, shown]);
      }
    },
  );
});

describe('a part that could not be read', () => {
  it('is called a failure in its place, and the rest is shown', async () => {
    const { modalities } = gateway.index;
    const { rowsWith, mix } = modalities;
    Object.assign(modalities, {
      rowsWith: () => Promise.reject(new Error('the vocabulary is gone')),
      mix: () => Promise.reject(new Error('the vocabulary is gone')),
    });
    try {
      const { status, seen } = await page('/trials?q=diabetes');
      expect(status).toBe(200);
      expect(seen).toContain('The counts by value could not be read.');
      expect(seen).not.toContain('vocabulary is gone');
      expect(seen).toContain('trials found');
    } finally {
      Object.assign(modalities, { rowsWith, mix });
    }
  });
});
