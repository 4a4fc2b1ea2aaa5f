import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mainOf } from '../support/checks/main-of.ts';
import { markupFaults } from '../support/checks/markup-faults.ts';
import { headlineNumber, numberLinks } from '../support/checks/number-links.ts';
import { openGateway, type TestGateway } from '../support/gateway.ts';
import { ofFile } from '../support/of-file.ts';
import { gatewayPage } from '../support/read-page.ts';
import { amountOf } from '../support/runner/amount.ts';

/** A trial of the sample corpus that is in both registries, and a number that it states and no record has. */
const BOTH = { canonicalId: 'wt_r1r6vb1x9ja8', isrctn: 'ISRCTN90531804', mention: '2026-589004-10' };
const ITS_PAGE = `/trials/${BOTH.canonicalId}`;

const gateway = ofFile(() => openGateway());
const page = (path: string, from: TestGateway = gateway) => gatewayPage(from, path);

describe('an address', () => {
  it.for([
    // A search says nothing that is empty or usual.
    ['/trials?q=&condition=&status=completed&startedAfter=', 303, '/trials?status=completed'],
    ['/trials?status=completed&status=terminated', 303, '/trials?status=completed%2Cterminated'],
    ['/trials?q=asthma&match=words&sort=updated&page=1&view=list', 303, '/trials?q=asthma'],
    ['/trials?match=concepts', 303, '/trials'],
    ['/trials?phaseMatch=exact&q=asthma', 303, '/trials?q=asthma'],
    ['/trials?startYearFrom=2019&startYearTo=2020', 303, '/trials?startedAfter=2019-01-01&startedBefore=2020-12-31'],
    ['/trials?startedAfter=2001-05-05&startYearFrom=2019', 303, '/trials?startedAfter=2019-01-01'],
    // An identifier leads to its trial, and one of no registry held here to the one trial that states it.
    [`/trials?q=${BOTH.isrctn.toLowerCase()}`, 303, ITS_PAGE],
    [`/trials?q=${BOTH.isrctn.slice(6)}`, 303, ITS_PAGE],
    [`/trials?q=${BOTH.canonicalId}`, 303, ITS_PAGE],
    [`/trials?q=${BOTH.mention}`, 303, ITS_PAGE],
    ['/countries/UK', 301, '/countries/United%20Kingdom'],
    ['/countries/gb', 301, '/countries/United%20Kingdom'],
    ['/countries/Czech%20Republic', 301, '/countries/Czechia'],
    ['/countries/germany', 301, '/countries/Germany'],
    ['/sponsors/HARROWGATE%20UNIVERSITY', 301, '/sponsors/Harrowgate%20University'],
    ['/conditions/T1D', 303, '/conditions/Diabetes%20Mellitus%2C%20Type%201'],
  ] as const)('%s leads with %i to %s', async ([asked, code, clean]) => {
    const { status, location } = await page(asked);
    expect([status, location]).toEqual([code, clean]);
    if (clean.startsWith('/trials')) expect((await page(clean)).status).toBe(200);
  });

  it.for(['/sponsors', '/conditions', '/countries'])('%s leads by a form to the page of a name', async (path) => {
    const { status, location } = await page(`${path}?name=+A+%26+B%2F+`);
    expect([status, location]).toEqual([303, `${path}/A%20%26%20B%2F`]);
    expect((await page(`${path}?name=`)).status).toBe(200);
  });

  it('that is longer than servers take is refused instead of being repeated in a redirect', async () => {
    const { status, location, seen } = await page(`/trials?q=&condition=${'%F0%9F%98%80'.repeat(1000)}`);
    expect([status, location]).toEqual([414, null]);
    expect(seen).toContain('has to fit into an address of 8,000 characters.');
    const fits = await page(`/trials?q=&condition=${'a'.repeat(7000)}`);
    expect(fits.status).toBe(303);
    expect(fits.location!.length).toBeLessThan(8000);
  });

  it('keeps what it does not know, and names it', async () => {
    const { seen } = await page('/trials?colour=red&pageSize=100&include=eligibilityText');
    expect(seen).toContain('Ignored: colour , pageSize , include .');
  });
});

describe('an identifier in the search box', () => {
  it('is shown as an example that leads to a trial, also where nothing was found', async () => {
    for (const query of ['', '?q=zyzzyva']) {
      const { seen } = await page(`/trials${query}`);
      const [, id] = /For example: type 1 diabetes, (\w+) ?, insulin\./.exec(seen) ?? [];
      expect((await page(`/trials?q=${id}`)).status).toBe(303);
    }
  });

  it('whose own record is missing is told apart from one that is held', async () => {
    const { body } = await gateway.get('/api/v1/trials/search?pageSize=100');
    type Identifier = { type: string; value: string; inIndex: boolean; role: string };
    const isMissing = ({ type, inIndex, role }: Identifier) => type === 'nct' && !inIndex && role === 'declared';
    const trials: { canonicalId: string; identifiers: Identifier[] }[] = body.data.trials;
    const { canonicalId, identifiers } = trials.find((one) => one.identifiers.some(isMissing))!;
    const { value } = identifiers.find(isMissing)!;
    const { status, text, seen } = await page(`/trials?q=${value}`);
    expect(status).toBe(200);
    expect(seen).toContain(`${value} is not held here: its own record is missing from this index.`);
    expect(text).toContain(`<a href="/trials/${canonicalId}">`);
  });
});

describe('the search page', () => {
  it('lists what the search gives, in its order, as cards and as a table', async () => {
    const { body } = await gateway.get('/api/v1/trials/search?q=diabetes&pageSize=10');
    const ids = body.data.trials.map(({ canonicalId }: { canonicalId: string }) => canonicalId);
    const { text, seen } = await page('/trials?q=diabetes');
    expect(headlineNumber(text)).toBe(body._meta.pagination.totalItems);
    const cards = [...mainOf(text).matchAll(/<h3><a href="\/trials\/(wt_[0-9a-z]+)">/g)];
    expect(cards.map(([, id]) => id)).toEqual(ids);
    const table = await page('/trials?q=diabetes&view=table');
    const rows = [...table.text.matchAll(/role="rowheader"><a href="\/trials\/(wt_[0-9a-z]+)">/g)];
    expect(rows.map(([, id]) => id)).toEqual(ids);
    expect(table.text).toContain('<a href="/trials?q=diabetes&amp;view=table&amp;sort=enrollment">People</a>');
    expect((await page('/trials?q=diabetes&sort=enrollment&view=table')).text).not.toMatch(/<a [^>]*>People</);
    expect(seen).toContain("curl 'http://test.example/api/v1/trials/search?q=diabetes&pageSize=10'");
  });

  it('escapes what was asked wherever it repeats it', async () => {
    const hostile = '<script>alert("1")</script>\u202e diabetes';
    const { text } = await page(`/trials?q=${encodeURIComponent(hostile)}&<b>=1`);
    expect(text).not.toContain('<script>alert');
    expect(text).toContain('value="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;');
    expect(text).toContain('<code><bdi>&lt;b&gt;</bdi></code>');
    expect(markupFaults(text)).toEqual([]);
    for (const name of ['<script>alert(1)</script>', '"><b>', '\u202egpj', '%', 'a/b']) {
      const sponsor = await page(`/sponsors/${encodeURIComponent(name)}`);
      expect([name, sponsor.status, markupFaults(sponsor.text)]).toEqual([name, 404, []]);
      expect(sponsor.text).not.toMatch(/<script>alert|"><b>/);
    }
  });

  it('leads from a name that is not found to near ones', async () => {
    const sponsor = await page('/sponsors/univercity');
    expect(sponsor.status).toBe(404);
    expect(sponsor.text).toContain('<a href="/sponsors/university">');
    const condition = await page('/conditions/diabet');
    expect(condition.status).toBe(404);
    expect(condition.text).toMatch(/<h2>Near names<\/h2><ul><li><a href="\/conditions\//);
  });

  it('and those of its subjects are failure pages where the index has no snapshot', async () => {
    const nothing = await mkdtemp(join(tmpdir(), 'trial-board-empty-'));
    await using empty = await openGateway(nothing);
    const subjects = ['/trials/by/country', '/sponsors', '/sponsors/x', '/conditions/x', '/countries/UK'];
    for (const path of ['/trials', ITS_PAGE, ...subjects]) {
      expect([path, (await page(path, empty)).status]).toEqual([path, 503]);
    }
    await rm(nothing, { recursive: true });
  });

  it('calls a part that could not be read a failure in its place, and shows the rest', async () => {
    const { modalities } = gateway.index;
    const { rowsWith, mix } = modalities;
    const gone = () => Promise.reject(new Error('the vocabulary is gone'));
    Object.assign(modalities, { rowsWith: gone, mix: gone });
    // No other test counts this search, so that no counted answer is at hand.
    const { status, seen } = await page('/trials?q=diabetes&startedAfter=2001-02-03').finally(() =>
      Object.assign(modalities, { rowsWith, mix }),
    );
    expect(status).toBe(200);
    expect(seen).toContain('The counts by value could not be read.');
    expect(seen).not.toContain('vocabulary is gone');
    expect(seen).toContain('trials found');
  });
});

const SHORT = [
  ...['/trials', '/trials?q=diabetes', '/trials?status=recruiting,completed', '/countries/Germany', '/sponsors'],
  ...['/trials?q=asthma+zyzzyva&status=completed', '/sponsors/Harrowgate%20University', '/conditions/Asthma'],
  '/trials/by/startYear?q=asthma',
];
const LONG = [
  ...['/trials?q=T1D&match=concepts', '/trials?status=active', '/trials?phase=1', '/trials?phase=2,3&country=Germany'],
  ...['/trials?registry=isrctn', '/trials?q=T1D&status=withdrawn&match=concepts', '/conditions', '/countries'],
  ...['/trials?modality=antibody,vaccine', '/trials?resultsGap=true&sort=daysOverdue', '/sponsors/university'],
  ...['/conditions/diabetes', '/trials/by/country?q=diabetes', '/trials/by/sponsor?text=univ'],
];

it.for(amountOf({ quick: SHORT, deep: [...SHORT, ...LONG] }))(
  'every number of %s is a link whose page shows exactly that number',
  async (path) => {
    const links = numberLinks(mainOf((await page(path)).text));
    expect(links.length).toBeGreaterThan(1);
    for (const { address, shown } of links) {
      expect([address, headlineNumber((await page(address)).text)]).toEqual([address, shown]);
    }
  },
);

describe('the switch between words and concepts', () => {
  it('leaves the other words as they are where one reading is taken away', async () => {
    const { text } = await page('/trials?q=asthma+T1D&match=concepts');
    expect(text).toContain('href="/trials?q=%22asthma%22+T1D&amp;match=concepts"');
    expect(text).toContain('href="/trials?q=asthma+%22T1D%22&amp;match=concepts"');
  });

  it('says how a word was mended, and that operators are words, and keeps a hyphen before a number', async () => {
    expect((await page('/trials?q=diabetis&match=concepts')).seen).toContain('“ diabetis ” was read as “ diabetic ”');
    expect((await page('/trials?q=(diabetes)')).seen).toContain('OR, -word and parentheses are read as words here');
    expect((await page('/trials?q=covid+-19')).status).toBe(200);
    const { text } = await page('/trials?q=diabetes+or+asthma');
    expect(text).toContain('href="/trials?q=diabetes+OR+asthma&amp;match=concepts"');
  });

  it.for(['diabetes OR asthma', 'diabetes AND asthma', 'diabetes -asthma'])(
    'reads %s as what it says, and compares it with no count of other words',
    async (q) => {
      const given = new URLSearchParams({ q });
      const { location } = await page(`/trials?${given}`);
      expect(location).toBe(`/trials?${given}&match=concepts`);
      const { text, seen } = await page(location!);
      const { body } = await gateway.get(`/api/v1/trials/search?${given}&match=concepts`);
      expect(headlineNumber(text)).toBe(body._meta.pagination.totalItems);
      expect(seen).not.toContain('The words alone');
    },
  );

  it('matches operators as words where an address says so, and in every link of such a page', async () => {
    const { status, text } = await page('/trials?q=diabetes+-with&match=words');
    expect(status).toBe(200);
    const links = numberLinks(text).filter(({ address }) => address.startsWith('/trials?q=diabetes+-with'));
    const matches = links.map(({ address }) => new URLSearchParams(address.split('?')[1]).get('match'));
    expect([...new Set(matches)]).toEqual(['words']);
  });
});
