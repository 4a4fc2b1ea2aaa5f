import { describe, expect, it } from 'vitest';
import { openGateway, type TestGateway } from '../support/gateway.ts';
import { ofFile } from '../support/of-file.ts';

const PATH = '/api/v1/trials/search?q=diabetes&pageSize=5';
const gateway = ofFile(() => openGateway());

describe('a read over a snapshot', () => {
  it('has a strong ETag, may be kept for a minute, and is answered 304 without a body when held', async () => {
    const first = await gateway.get(PATH);
    const etag = first.headers.get('etag')!;
    expect(etag).toMatch(/^"[A-Za-z0-9_-]{22}"$/);
    expect(first.headers.get('cache-control')).toBe('public, max-age=60');
    for (const held of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await gateway.get(PATH, { headers: { 'if-none-match': held } });
      expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, null, etag]);
    }
    expect((await gateway.get(PATH, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  it.each(['gzip;q=0', 'gzip;q=0.0', 'gzip;q=0, *'])('is not compressed for who refuses it: %s', async (refusal) => {
    const { headers } = await gateway.get(PATH, { headers: { 'accept-encoding': refusal } });
    expect(headers.get('content-encoding')).toBeNull();
  });
});

describe('a search that was asked before', () => {
  const SEARCHES = [
    'q=diabetes&pageSize=5',
    'pageSize=3&page=2&q=diabetes&bogus=1',
    'pageSize=3&page=2&q=diabetes',
    'pageSize=3&page=2&q=diabetes&q2=1',
    'q=diabetes&match=concepts&include=explain&sort=relevance',
    'q=nothing%20has%20this',
    'q=NCT90000001',
    'modality=vaccine&include=eligibilityText',
    'registry=isrctn&sort=start',
    'q=it%27s%20(a)%20~test!*&sort=relevance',
  ];
  const ask = async ({ app }: TestGateway, query: string, host = 'test.example'): Promise<string> => {
    const headers = { 'x-correlation-id': 'asked-again' };
    const answer = await app.fetch(new Request(`http://${host}/api/v1/trials/search?${query}`, { headers }));
    return (await answer.text()).replace(/"generatedAt":"[^"]*"/, '');
  };

  it('has the same bytes each time, whatever was asked between, and those of a server that was asked nothing', async () => {
    const first = [];
    for (const query of SEARCHES) first.push(await ask(gateway, query));
    const again = [];
    for (const query of SEARCHES) again.push(await ask(gateway, query));
    await using other = await openGateway();
    const cold = [];
    for (const query of SEARCHES.toReversed()) cold.unshift(await ask(other, query));
    expect(again).toEqual(first);
    expect(cold).toEqual(first);
  });

  it('links to the name of the server that is asked, whatever name was asked before', async () => {
    await using named = await openGateway(undefined, undefined, { baseUrl: null });
    const [one, other] = [await ask(named, SEARCHES[0]!), await ask(named, SEARCHES[0]!, 'other.example')];
    expect(one).toContain('"self":"http://test.example/api/v1/trials/search?');
    expect(other).toBe(one.replaceAll('http://test.example/', 'http://other.example/'));
  });
});

describe('what must not be kept', () => {
  it.each(['/api/v1/freshness', '/healthz', '/api/v1/trials/search?page=0', '/nowhere'])(
    '%s says no-store',
    async (path) => {
      expect((await gateway.get(path)).headers.get('cache-control')).toBe('no-store');
    },
  );
});
