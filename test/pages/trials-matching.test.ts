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

describe('the switch between words and concepts', () => {
  it('leaves the other words as they are where one reading is taken away', async () => {
    const { text } = await page('/trials?q=asthma+T1D&match=concepts');
    expect(text).toContain('href="/trials?q=%22asthma%22+T1D&amp;match=concepts"');
    expect(text).toContain('href="/trials?q=asthma+%22T1D%22&amp;match=concepts"');
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
