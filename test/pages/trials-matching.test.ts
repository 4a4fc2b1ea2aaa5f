import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mainOf } from '../support/checks/main-of.ts';
import { headlineNumber, numberLinks } from '../support/checks/number-links.ts';
import { openGateway, type TestGateway } from '../support/gateway.ts';
import { seenText } from '../support/read-page.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openGateway();
});
afterAll(() => gateway[Symbol.asyncDispose]());

async function page(path: string): Promise<{ status: number; text: string; seen: string }> {
  const answer = await gateway.app.fetch(
    new Request(`http://test.example${path}`, { headers: { accept: 'text/html' } }),
  );
  const text = await answer.text();
  return { status: answer.status, text, seen: seenText(mainOf(text)) };
}

/** The part "What finds more". */
const waysOut = (text: string): string => text.split('<h3>What finds more</h3>')[1]?.split('</div>')[0] ?? '';

describe('the switch between words and concepts', () => {
  it('is a checkbox that sends nothing until it is checked', async () => {
    const box = '<input type="checkbox" name="match" value="concepts" aria-describedby="match-help"';
    expect((await page('/trials?q=T1D')).text).toContain(`${box}>`);
    expect((await page('/trials?q=T1D&match=concepts')).text).toContain(`${box} checked>`);
  });

  it('says beside an answer by words how many trials it finds, as what, and leads to them', async () => {
    const { text, seen } = await page('/trials?q=T1D&status=completed,running');
    expect(seen).toMatch(
      /With other names and narrower kinds: \d+ trials , reading “ T1D ” as Diabetes Mellitus, Type 1 \./,
    );
    const link = numberLinks(text).find(({ address }) => address.includes('match=concepts'))!;
    expect(headlineNumber((await page(link.address)).text)).toBe(link.shown);
  });

  it('shows what the words were read as in chips, and each link takes one reading away', async () => {
    const { text, seen } = await page('/trials?q=T1D&match=concepts');
    expect(headlineNumber(text)).toBe(20);
    expect(seen).toContain('Also searched Remove “ T1D ” as Diabetes Mellitus, Type 1');
    const chips = text.split('<span>Also searched</span>')[1]!.split('</ul>')[0]!;
    expect(chips).toContain('href="/trials?q=%22T1D%22&amp;match=concepts"');
    const without = await page('/trials?q=%22T1D%22&match=concepts');
    expect(without.seen).not.toContain('Also searched');
    expect(text).toContain('<a href="/trials?q=T1D">The words alone: 0</a>');
  });

  it('leaves the other words as they are where one reading is taken away', async () => {
    const { text } = await page('/trials?q=asthma+T1D&match=concepts');
    expect(text).toContain('href="/trials?q=%22asthma%22+T1D&amp;match=concepts"');
    expect(text).toContain('href="/trials?q=asthma+%22T1D%22&amp;match=concepts"');
  });

  it('says of each trial found by concepts what matched', async () => {
    const { seen } = await page('/trials?q=T1D&match=concepts');
    expect(seen.match(/Found by: its /g)?.length).toBe(10);
    expect((await page('/trials?q=diabetes')).seen).not.toContain('Found by');
  });

  it('says how a word was mended, and that operators are words', async () => {
    expect((await page('/trials?q=diabetis&match=concepts')).seen).toContain('“ diabetis ” was read as “ diabetic ”');
    expect((await page('/trials?q=(diabetes)')).seen).toContain('OR, -word and parentheses are read as words here');
  });

  it.each(['diabetes OR asthma', 'diabetes AND asthma', 'diabetes -asthma'])(
    'reads %s as what it says, and compares it with no count of other words',
    async (q) => {
      const given = new URLSearchParams({ q });
      const sent = await gateway.app.fetch(new Request(`http://test.example/trials?${given}`));
      expect(sent.headers.get('location')).toBe(`/trials?${given}&match=concepts`);
      const { text, seen } = await page(`/trials?${given}&match=concepts`);
      const { body } = await gateway.get(`/api/v1/trials/search?${given}&match=concepts`);
      expect(headlineNumber(text)).toBe(body._meta.pagination.totalItems);
      expect(seen).not.toContain('The words alone');
    },
  );

  it('matches operators as words where an address says so, and in every link of such a page', async () => {
    const { status, text } = await page('/trials?q=diabetes+-with&match=words');
    expect(status).toBe(200);
    const links = numberLinks(text).filter(({ address }) => address.startsWith('/trials?q=diabetes+-with'));
    expect(new Set(links.map(({ address }) => new URLSearchParams(address.split('?')[1]).get('match')))).toEqual(
      new Set(['words']),
    );
  });

  it('keeps a hyphen before a number with its words', async () => {
    expect((await page('/trials?q=covid+-19')).status).toBe(200);
  });

  it('offers either of the two where "or" is written in small letters', async () => {
    const { text } = await page('/trials?q=diabetes+or+asthma');
    expect(text).toContain('href="/trials?q=diabetes+OR+asthma&amp;match=concepts"');
  });
});

describe('few trials or none', () => {
  it('come with near spellings, each a link that mends this word alone', async () => {
    const { text, seen } = await page('/trials?q=diabetis+type&condition=Asthma');
    expect(headlineNumber(text)).toBe(0);
    expect(seen).toMatch(/“ diabetes ” for “ diabetis ” \(\d+ trials with the word by itself\)/);
    expect(waysOut(text)).toContain('<a href="/trials?q=diabetes+type&amp;condition=Asthma">');
  });

  it.each([
    'q=asthma+zyzzyva&status=completed',
    'q=%22type+2+diabetes%22+zyzzyva',
    'q=T1D&status=withdrawn&match=concepts',
  ])('come with what each word and filter of ?%s costs', async (query) => {
    expect(numberLinks(waysOut((await page(`/trials?${query}`)).text)).length).toBeGreaterThan(0);
  });

  it('never stand alone as a zero, and of one word alone lead to no list of all trials', async () => {
    const { text, seen } = await page('/trials?q=zyzzyva');
    expect(seen).toContain('No trial held here matches all of this.');
    expect(seen).toContain(
      'No trial has “ zyzzyva ” in its titles, acronym, conditions, interventions or sponsor, and no known word is near.',
    );
    expect(waysOut(text)).not.toContain('<a ');
  });

  it('are not explained where there are enough', async () => {
    expect((await page('/trials?q=diabetes')).seen).not.toContain('What finds more');
  });
});
