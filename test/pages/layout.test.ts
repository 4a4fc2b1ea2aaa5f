import { describe, expect, it } from 'vitest';
import { headOf } from '../../gateway/pages/head.ts';
import { html } from '../../gateway/pages/html.ts';
import { openRateLimiter } from '../../server-kit/limits/limits.ts';
import { markupFaults } from '../support/checks/markup-faults.ts';
import { openGateway } from '../support/gateway.ts';
import { ofFile } from '../support/of-file.ts';

const gateway = ofFile(() => openGateway());

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

async function ask(path: string, init: RequestInit = {}) {
  const response = await gateway.app.fetch(new Request(`http://test.example${path}`, { headers: BROWSER, ...init }));
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('the navigation', () => {
  const marks = async (path: string) =>
    [...(await ask(path)).text.matchAll(/<a(?: class="home")? href="([^"]+)" aria-current="(\w+)">/g)].map(
      ([, href, mark]) => `${href} ${mark}`,
    );

  it('marks the page itself, and the one that a page is found from', async () => {
    expect(await marks('/')).toEqual(['/ page']);
    expect(await marks('/signals')).toEqual(['/board true', '/signals page']);
    expect(await marks('/docs')).toEqual(['/docs page', '/docs page']);
    expect(await marks('/docs/errors')).toEqual(['/docs true', '/docs/errors page']);
    expect(await marks('/docs/errors/NOT_FOUND')).toEqual(['/docs true', '/docs/errors true']);
    expect(await marks('/findings/none')).toEqual(['/board true', '/findings true']);
    expect(await marks('/nowhere')).toEqual([]);
    expect(await marks('/login')).toEqual([]);
  });
});

describe('an answer that is a page', () => {
  it('is asked for anew each time, and is 304 where the browser holds it', async () => {
    const { headers } = await ask('/docs/errors');
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual(['no-cache', 'Accept-Encoding']);
    const again = await ask('/docs/errors', { headers: { ...BROWSER, 'if-none-match': headers.get('etag')! } });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('has the headers of every answer, a policy of its own and none of a device', async () => {
    const { headers } = await ask('/');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('permissions-policy')).toContain('camera=()');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
  });

  it('answers HEAD without a body and OPTIONS with what it takes', async () => {
    const head = await ask('/docs/errors', { method: 'HEAD' });
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([
      200,
      '',
      (await ask('/docs/errors')).headers.get('etag'),
    ]);
    const options = await ask('/', { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });
});

describe('a refusal', () => {
  it.each([
    ['an unknown path', '/nowhere/<script>', {}, 404, 'NOT_FOUND'],
    ['an unknown code', '/docs/errors/NO_SUCH_CODE', {}, 404, 'NOT_FOUND'],
    ['another method', '/signals', { method: 'POST' }, 405, 'METHOD_NOT_ALLOWED'],
    ['a path that cannot be read', '/trials/%ff', {}, 400, 'INVALID_PARAM'],
  ])('of %s is a page to a browser and kept by nobody', async (_what, path, init, status, code) => {
    const { status: answered, headers, text } = await ask(path, init);
    expect([answered, headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual(['no-store', 'Accept, Accept-Encoding']);
    expect(text).toContain(`<a href="/docs/errors/${code}"><code>${code}</code></a>`);
    expect(text).not.toContain('<script>');
    expect(markupFaults(text)).toEqual([]);
    expect(headers.get('allow')).toBe(status === 405 ? 'GET, HEAD, OPTIONS' : null);
  });

  it.each([
    ['an agent', '/nowhere', 'application/json'],
    ['an agent that says nothing of itself', '/nowhere', '*/*'],
    ['a browser that asks the API', '/api/v1/nowhere', BROWSER.accept],
    ['a browser under another API', '/api/other', BROWSER.accept],
    ['a browser that asks for an agent card', '/.well-known/nothing', BROWSER.accept],
  ])('is JSON to %s', async (_what, path, accept) => {
    const { status, headers, text } = await ask(path, { headers: { accept } });
    expect([status, headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
    expect(JSON.parse(text).error.code).toBe('NOT_FOUND');
  });

  it('of a browser that is too fast is a page that says how long to wait, and a page costs one read', async () => {
    await using limiter = await openRateLimiter('memory');
    await using limited = await openGateway(undefined, undefined, { limiter });
    const load = (path = '/docs/errors/NOT_FOUND') =>
      limited.app.fetch(new Request(`http://test.example${path}`, { headers: BROWSER }));
    const first = await load('/');
    expect([first.status, first.headers.get('ratelimit-remaining')]).toEqual([200, '119']);
    for (let loads = 1; loads < 120; loads += 1) expect((await load()).status).toBe(200);
    const refused = await load();
    expect([refused.status, refused.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await refused.text()).toContain('RATE_LIMITED');
  });
});

describe('the head of a document', () => {
  const frame = { current: '/trials', baseUrl: 'http://a.example', address: '/trials?q=b', provenance: {} };

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

it('what search engines look for is a robots.txt that opens the pages and names the sitemap, which names pages that are there', async () => {
  const robots = (await ask('/robots.txt')).text;
  expect(robots).toContain('Disallow: /api/\n');
  expect(robots).toContain('Sitemap: http://test.example/sitemap.xml\n');
  const sitemap = await ask('/sitemap.xml');
  expect(sitemap.headers.get('content-type')).toBe('application/xml; charset=utf-8');
  const addresses = [...sitemap.text.matchAll(/<loc>http:\/\/test\.example([^<]*)<\/loc>/g)].map(([, path]) => path!);
  expect(addresses).toContain('/results-gap');
  expect(addresses).toContain('/docs');
  expect(addresses.filter((path) => path.includes('{'))).toEqual([]);
  expect((await ask('/favicon.svg')).headers.get('content-type')).toBe('image/svg+xml');
});

it('an address at which there is nothing speaks to people, offers a search, and repeats an identifier alone', async () => {
  const page = (await ask('/trials/x/NCT01234567')).text;
  expect(page).toContain('<h1>Not found</h1>');
  expect(page).toContain('<form class="search" action="/trials" role="search">');
  expect(page).toContain('value="NCT01234567"');
  expect(page.indexOf('NOT_FOUND')).toBeGreaterThan(page.indexOf('For programs, and to report this'));
  expect((await ask('/jane-doe')).text).not.toContain('jane-doe');
});
