import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { headOf } from '../../gateway/pages/head.ts';
import { html } from '../../gateway/pages/html.ts';
import { openGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openGateway();
});
afterAll(() => gateway[Symbol.asyncDispose]());

async function ask(path: string) {
  const response = await gateway.app.fetch(
    new Request(`http://test.example${path}`, { headers: { accept: 'text/html' } }),
  );
  return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
}

describe('the head of a document', () => {
  const frame = {
    current: '/trials',
    baseUrl: 'http://a.example',
    address: '/trials?q=b',
    provenance: {},
  };

  it('says what the page is, where it is permanent, what follows it, and what it describes', () => {
    const { text } = headOf(
      {
        title: 'T <1>',
        main: html``,
        description: 'Trials "of" b.',
        feeds: [{ title: 'New trials', href: '/trials.atom?q=b' }],
        jsonLd: { '@type': 'Dataset', name: '</script><b>' },
      },
      frame,
    );
    expect(text).toContain('<title>T &lt;1&gt; · Trial Board</title>');
    expect(text).toContain('<meta name="description" content="Trials &quot;of&quot; b.">');
    expect(text).toContain('<link rel="canonical" href="http://a.example/trials">');
    expect(text).toContain(
      '<link rel="alternate" type="application/atom+xml" title="New trials" href="/trials.atom?q=b">',
    );
    expect(text).toContain('<meta property="og:title" content="T &lt;1&gt;">');
    expect(text).toContain('<meta property="og:description" content="Trials &quot;of&quot; b.">');
    expect(text).not.toContain('og:image');
    expect(text).toContain(
      '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Dataset","name":"\\u003c/script>\\u003cb>"}</script>',
    );
  });
});

describe('what search engines look for', () => {
  it('is a robots.txt that opens the pages and names the sitemap, which names pages that are there', async () => {
    const robots = (await ask('/robots.txt')).body.toString();
    expect(robots).toContain('Disallow: /api/\n');
    expect(robots).toContain('Sitemap: http://test.example/sitemap.xml\n');
    const sitemap = await ask('/sitemap.xml');
    expect(sitemap.headers.get('content-type')).toBe('application/xml; charset=utf-8');
    const addresses = [...sitemap.body.toString().matchAll(/<loc>http:\/\/test\.example([^<]*)<\/loc>/g)].map(
      ([, path]) => path!,
    );
    expect(addresses).toContain('/results-gap');
    expect(addresses).toContain('/docs');
    expect(addresses.filter((path) => path.includes('{'))).toEqual([]);
    expect((await ask('/favicon.svg')).headers.get('content-type')).toBe('image/svg+xml');
  });
});

describe('an address at which there is nothing', () => {
  it('speaks to people, offers a search, and repeats an identifier alone', async () => {
    const page = (await ask('/trials/x/NCT01234567')).body.toString();
    expect(page).toContain('<h1>Not found</h1>');
    expect(page).toContain('<form class="search" action="/trials" role="search">');
    expect(page).toContain('value="NCT01234567"');
    expect(page.indexOf('NOT_FOUND')).toBeGreaterThan(page.indexOf('For programs, and to report this'));
    expect((await ask('/jane-doe')).body.toString()).not.toContain('jane-doe');
  });
});
