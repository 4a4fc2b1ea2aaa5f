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

describe('the page of a country', () => {
  it.each([
    ['UK', 'United%20Kingdom'],
    ['gb', 'United%20Kingdom'],
    ['Czech%20Republic', 'Czechia'],
    ['germany', 'Germany'],
  ])('by another name, %s, leads to its own address', async (asked, name) => {
    const { status, location } = await page(`/countries/${asked}`);
    expect([status, location]).toEqual([301, `/countries/${name}`]);
  });
});

describe('the page of a sponsor', () => {
  it('in other capitals leads to the name as a record writes it', async () => {
    const { status, location } = await page(`/sponsors/${encodeURIComponent(sponsor.title.toUpperCase())}`);
    expect([status, location]).toEqual([301, `/sponsors/${encodeURIComponent(sponsor.title)}`]);
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

const SHORT = [
  '/sponsors/Harrowgate%20University',
  '/countries/Germany',
  '/sponsors',
  '/conditions/Asthma',
  '/trials/by/startYear?q=asthma',
];
const LONG = [
  ...['/sponsors/university', '/conditions/diabetes', '/conditions', '/countries'],
  ...['/trials/by/country?q=diabetes', '/trials/by/sponsor?text=univ'],
];

describe('the ways to count a disease', () => {
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
