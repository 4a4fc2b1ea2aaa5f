import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openGateway();
});
afterAll(() => gateway[Symbol.asyncDispose]());

async function page(path: string): Promise<{ status: number; text: string; plain: string }> {
  const response = await gateway.app.fetch(
    new Request(`http://test.example${path}`, { headers: { accept: 'text/html' } }),
  );
  const text = await response.text();
  return { status: response.status, text, plain: decoded(text.replaceAll(/<[^>]*>/g, '')) };
}

const decoded = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&');

/** Links of the part "What finds more", with the count that stands after each. */
function waysOut(text: string): [address: string, count: number | null][] {
  const part = text.split('<h3>What finds more</h3>')[1]?.split('</div>')[0] ?? '';
  return [...part.matchAll(/<a href="([^"]*)">.*?<\/a>(?:: ([\d,]+) trial)?/g)].map(([, address, number]) => [
    decoded(address!),
    number === undefined ? null : Number(number.replaceAll(',', '')),
  ]);
}

describe('the switch between words and concepts', () => {
  it('is a checkbox that sends nothing until it is checked', async () => {
    const strict = await page('/trials?q=T1D');
    expect(strict.text).toContain(
      '<input type="checkbox" id="match" name="match" value="concepts" aria-describedby="match-note">',
    );
    const expanded = await page('/trials?q=T1D&match=concepts');
    expect(expanded.text).toContain('aria-describedby="match-note" checked> Match by concepts</label>');
    expect(expanded.text).not.toContain('<select id="match"');
  });

  it('says beside an answer by words how many trials concepts add, and links to them', async () => {
    const { text, plain } = await page('/trials?q=T1D&status=completed,running');
    expect(plain).toMatch(
      /By concepts \d+ more: “T1D” as Diabetes Mellitus, Type 1 \(Reviewed table of synonyms \(.*\), 2026\)\./,
    );
    expect(decoded(text)).toContain('<a href="/trials?q=T1D&status=completed%2Crunning&match=concepts">By concepts');
  });

  it('says beside an answer by concepts what the words alone find, and links back', async () => {
    const { text, plain } = await page('/trials?q=T1D&match=concepts');
    expect(plain).toContain('20 trials found');
    expect(plain).toContain('20 trials by concepts; 0 by the words alone.');
    expect(text).toContain('<a href="/trials?q=T1D">0 by the words alone</a>');
    expect(plain).not.toContain('Each trial has every word');
  });

  it('says of each trial found by concepts what matched', async () => {
    const { plain } = await page('/trials?q=T1D&match=concepts');
    expect(
      plain.match(/Matched: “T1D” means Diabetes Mellitus, Type 1 \(reviewed table of synonyms\): its /g)?.length,
    ).toBe(20);
    expect((await page('/trials?q=diabetes')).plain).not.toContain('Matched: ');
  });

  it('says how a word was mended, and what an operator is read as', async () => {
    expect((await page('/trials?q=diabetis&match=concepts')).plain).toContain('“diabetis” was read as “diabetes”.');
    expect((await page('/trials?q=diabetes+OR+asthma')).plain).toContain('q takes no operators (OR)');
  });

  it('says at the switch that another value is not usable', async () => {
    const { status, text } = await page('/trials?q=T1D&match=concept');
    expect(status).toBe(400);
    expect(text).toContain('<p class="fault" id="match-fault">Expected one of words, concepts');
  });
});

describe('few trials or none', () => {
  it('come with near spellings, each a link that mends this word alone', async () => {
    const { text, plain } = await page('/trials?q=diabetis+type&condition=Asthma');
    expect(plain).toContain('0 trials found');
    expect(plain).toMatch(/diabetes for “diabetis” \(in \d+ trials by itself\)/);
    expect(waysOut(text)).toContainEqual(['/trials?q=diabetes+type&condition=Asthma', null]);
  });

  it.each([
    'q=asthma+zyzzyva&status=completed',
    'q=%22type+2+diabetes%22+zyzzyva',
    'q=T1D&status=withdrawn&match=concepts',
  ])('come with what each word and filter of ?%s costs, and each link finds that number', async (query) => {
    const { text } = await page(`/trials?${query}`);
    const counted = waysOut(text).filter(([, number]) => number !== null);
    expect(counted.length).toBeGreaterThan(0);
    for (const [address, number] of counted) {
      const { body } = await gateway.get(`/api/v1/trials/search${address.slice('/trials'.length)}`);
      expect([address, body._meta.pagination.totalItems]).toEqual([address, number]);
    }
  });

  it('never stand alone as a zero, and of one word alone lead to no list of all trials', async () => {
    const { plain, text } = await page('/trials?q=zyzzyva');
    expect(plain).toContain('No trial has “zyzzyva”, and no known word is near.');
    expect(waysOut(text)).toEqual([]);
  });

  it('come with the question that their words may mean, as a link that finds its number', async () => {
    const { text, plain } = await page('/trials?q=diabetes+Germany+trials');
    const [, address, number] = /Perhaps: <a href="([^"]*)">.*?<\/a> \(([\d,]+) trials?\)/.exec(text) ?? [];
    expect(decoded(address!)).toBe('/trials?q=diabetes&country=Germany');
    expect(plain).toContain('Perhaps: “diabetes”, Country: Germany (');
    const { body } = await gateway.get('/api/v1/trials/search?q=diabetes&country=Germany');
    expect(body._meta.pagination.totalItems).toBe(Number(number));
  });

  it('of an identifier that no trial has are told as such', async () => {
    const { plain } = await page('/trials?q=NCT04280705');
    expect(plain).toContain('NCT04280705 is an identifier (nct), and no trial of this index has it or states it.');
  });

  it('are not explained where there are enough', async () => {
    expect((await page('/trials?q=diabetes')).plain).not.toContain('What finds more');
  });
});
