import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { headOf } from '../../gateway/pages/head.ts';
import { html } from '../../gateway/pages/html.ts';
import { previewSvg } from '../../gateway/pages/preview-picture.ts';
import { pathWithin } from '../../gateway/pages/theme.ts';
import { openGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openGateway();
});
afterAll(() => gateway[Symbol.asyncDispose]());

const PROGRAM = { headers: { accept: 'application/json' } };

async function ask(path: string, init: RequestInit = {}) {
  const headers = { accept: 'text/html', ...init.headers };
  const response = await gateway.app.fetch(new Request(`http://test.example${path}`, { ...init, headers }));
  return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
}

describe('the theme', () => {
  it('is kept in a cookie by a form, which leads back to the page', async () => {
    const { status, headers } = await ask('/theme?to=dark&back=%2Ftrials%3Fq%3Dinsulin', { method: 'POST' });
    expect([status, headers.get('location')]).toEqual([303, '/trials?q=insulin']);
    expect(headers.get('set-cookie')).toBe('theme=dark; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax');
    expect(headers.get('cache-control')).toBe('no-store');
    const forgotten = await ask('/theme?to=device', { method: 'POST' });
    expect(forgotten.headers.get('set-cookie')).toBe('theme=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax');
    expect(forgotten.headers.get('location')).toBe('/');
    expect((await ask('/theme?to=blue', { method: 'POST', ...PROGRAM })).status).toBe(400);
    const foreign = { method: 'POST', headers: { accept: 'application/json', 'sec-fetch-site': 'cross-site' } };
    const refused = await ask('/theme?to=dark', foreign);
    expect([refused.status, refused.headers.get('set-cookie')]).toEqual([403, null]);
    expect((await ask('/theme?to=dark', PROGRAM)).status).toBe(405);
    expect((await ask('/theme?to=dark', { method: 'POST', body: 'a'.repeat(1024) })).status).toBe(303);
    const large = await ask('/theme?to=dark', {
      method: 'POST',
      body: 'a'.repeat(1025),
      headers: { accept: 'application/json' },
    });
    expect([large.status, large.headers.get('set-cookie')]).toEqual([413, null]);
  });

  it.each(['/docs', '/docs/errors/NOT_FOUND'])(
    'of the cookie is in %s, which is another document to a cache',
    async (path) => {
      const plain = await ask(path);
      const dark = await ask(path, { headers: { cookie: 'a=b; theme=dark' } });
      expect(plain.body.toString()).toContain('<html lang="en">');
      expect(dark.body.toString()).toContain('<html lang="en" data-theme="dark">');
      expect(dark.body.toString()).toContain('<meta name="color-scheme" content="dark">');
      expect(dark.headers.get('vary')).toBe('Accept-Encoding, Cookie');
      expect(dark.headers.get('etag')).not.toBe(plain.headers.get('etag'));
      const odd = await ask(path, { headers: { cookie: 'theme="><script>' } });
      expect(odd.headers.get('etag')).toBe(plain.headers.get('etag'));
    },
  );

  it.each([
    ['/trials?q=a', '/trials?q=a'],
    ['', '/'],
    ['/\\elsewhere.example/', '/'],
    ['javascript:alert(1)', '/'],
    [`/trials?q=${'a'.repeat(8000)}`, '/'],
  ])('leads from %j back to %s', (back, expected) => {
    expect(pathWithin(back, 'http://test.example')).toBe(expected);
  });

  it('never leads to another site, whatever the address', () => {
    const parts = fc.constantFrom('/', '\\', '.', '..', '\t', '@', ':', 'http:', 'a.example', '?', '#', '%2f');
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 8 }), (some) => {
        const to = pathWithin(some.join(''), 'http://test.example');
        expect(new URL(to, 'http://test.example').origin).toBe('http://test.example');
        expect(to).toMatch(/^\/(?![/\\])/);
      }),
    );
  });
});

describe('the head of a document', () => {
  const frame = {
    current: '/trials',
    baseUrl: 'http://a.example',
    address: '/trials?q=b',
    theme: null,
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
    expect(text).toContain('<meta property="og:image" content="http://a.example/preview.png?of=%2Ftrials%3Fq%3Db">');
    expect(text).toContain(
      '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Dataset","name":"\\u003c/script>\\u003cb>"}</script>',
    );
  });
});

describe('the picture of a page', () => {
  it('is a PNG of the size of previews, for pages alone', async () => {
    const { status, headers, body } = await ask('/preview.png?of=%2Ftrials');
    expect([status, headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(body.subarray(1, 4).toString()).toBe('PNG');
    expect([body.readUInt32BE(16), body.readUInt32BE(20)]).toEqual([1200, 630]);
    expect((await ask('/preview.png?of=%2Fapi%2Fv1', PROGRAM)).status).toBe(404);
    expect((await ask('/preview.png?of=%2Ftrials%2Fwt_none', PROGRAM)).status).toBe(404);
  });

  it('shows title, figure and note; what does not fit is cut', () => {
    const svg = previewSvg({
      title: `${'word '.repeat(40)}<end>`,
      figure: { value: '39.4 %', label: 'a & b' },
      note: 'n',
    });
    expect(svg).toContain('word word word word word word word</text>');
    expect(svg).toContain('…</text>');
    expect(svg).toContain('>39.4 %</text>');
    expect(svg).toContain('>a &amp; b</text>');
    expect(svg).not.toContain('end');
    expect(svg.match(/<text/g)).toHaveLength(7);
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
