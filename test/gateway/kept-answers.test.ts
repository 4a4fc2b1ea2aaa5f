import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { COSTLY_READS_MAX_LAG_MS, READS_MAX_LAG_MS } from '../../contract/limits/limits.ts';
import { Observer } from '../../gateway/observation/observer.ts';
import { openRateLimiter } from '../../server-kit/limits/limits.ts';
import { type BareOrigin, openBareOrigin } from '../support/bare-origin.ts';
import { keptLog } from '../support/log-lines.ts';
import { openOrigin } from '../support/origin.ts';
import { rawConnection } from '../support/raw-socket.ts';

/** An answer that is given again goes around the router: it is admitted, refused, counted and logged like any other. */

const SEARCH = '/api/v1/trials/search?q=diabetes&pageSize=2';
const GET = `GET ${SEARCH} HTTP/1.1\r\nhost: trials.example\r\n\r\n`;

let around: MockInstance<Observer['noteKept']>;
beforeEach(() => {
  around = vi.spyOn(Observer.prototype, 'noteKept');
});
afterEach(() => around.mockRestore());

async function samples(origin: BareOrigin, name: string): Promise<Record<string, number>> {
  const { text } = await origin.ask('/metrics');
  const found = [...text.matchAll(new RegExp(`^trial_board_${name}(?:\\{([^}]*)\\})? (\\S+)$`, 'gm'))];
  return Object.fromEntries(found.map(([, labels = '', value]) => [labels, Number(value)]));
}

/** All bytes of the answers on one connection, without what differs between two of them. */
async function exchanged(url: string, ...requests: string[]): Promise<string> {
  const connection = await rawConnection(url);
  const last = requests.pop()!;
  connection.write(`${requests.join('')}${last.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n')}`);
  return (await connection.closed())
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, 'ID')
    .replaceAll(/^(?:date|connection|keep-alive): .*\r\n/gim, '')
    .replaceAll(/(remaining: |reset: |r=|;t=)\d+/g, '$1N');
}

/** An answer as a caller gets it that accepts gzip, not unpacked. */
async function askPacked(url: string): Promise<{ rawHeaders: string[]; headers: IncomingHttpHeaders; packed: Buffer }> {
  const sent = request(url, { headers: { 'accept-encoding': 'gzip, deflate' } }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { rawHeaders: answer.rawHeaders, headers: answer.headers, packed: await buffer(answer) };
}

describe('a kept answer', () => {
  it('is sent byte for byte as the first time, but for time, id and rates, also between others on one connection', async () => {
    await using origin = await openBareOrigin({ limiter: await openRateLimiter('memory') });
    const first = await exchanged(origin.url, GET);
    expect(around).toHaveBeenCalledTimes(0);
    expect(await exchanged(origin.url, GET)).toBe(first);
    expect(around).toHaveBeenCalledTimes(1);
    const other = GET.replace('diabetes', 'asthma');
    const three = await exchanged(origin.url, GET, other, GET);
    const asthma = three.slice(first.length, -first.length);
    expect(three).toBe(`${first}${asthma}${first}`);
    expect(asthma).toMatch(/^HTTP\/1.1 200 [^{]+\{"data":/);
    expect(around).toHaveBeenCalledTimes(3);
  });

  it.each([1, 20])(
    'is packed once for callers that accept gzip, with all characters: %i trials a page',
    async (pageSize) => {
      await using origin = await openBareOrigin();
      const path = `/api/v1/trials/search?q=%C3%A9tude+na%C3%AFve&pageSize=${pageSize}`;
      const { text: plain, body: first } = await origin.ask(path);
      const names: string[][] = [];
      for (let round = 0; round < 3; round += 1) {
        const { rawHeaders, headers, packed } = await askPacked(`${origin.url}${path}`);
        const unpacked = gunzipSync(packed).toString();
        const { correlationId } = JSON.parse(unpacked)._meta;
        expect(unpacked).toBe(plain.replace(first._meta.correlationId, correlationId));
        expect(headers).toMatchObject({
          ...{ 'x-correlation-id': correlationId, 'content-encoding': 'gzip', 'content-length': String(packed.length) },
          etag: expect.stringMatching(/^"[\w-]{22}-gzip"$/),
        });
        names.push(rawHeaders.filter((_, place) => place % 2 === 0));
      }
      expect(names[1]).toEqual(names[0]);
      expect(names[2]).toEqual(names[0]);
      expect(around).toHaveBeenCalledTimes(2);
      expect(await samples(origin, 'http_requests_in_flight')).toEqual({ '': 1 });
    },
  );

  it('is what the app answers to a request with any of the fields that change nothing', async () => {
    const fields = [
      ['user-agent', 'curl/8.5.0'],
      ['accept', 'text/html'],
      ['accept-language', 'de, en;q=0.5'],
      ['accept-encoding', 'br'],
      ['origin', 'https://pages.example'],
      ['referer', 'https://pages.example/a'],
      ['sec-fetch-dest', 'document'],
      ['sec-fetch-mode', 'cors'],
      ['sec-fetch-site', 'cross-site'],
      ['priority', 'u=1, i'],
      ['sec-ch-ua', '"Chromium";v="140"'],
      ['sec-ch-ua-mobile', '?0'],
      ['sec-ch-ua-platform', '"Linux"'],
      ['x-forwarded-for', '192.0.2.1'],
      ['x-forwarded-host', 'trials.example'],
      ['x-forwarded-port', '443'],
      ['x-forwarded-proto', 'https'],
      ['x-real-ip', '192.0.2.1'],
      ['via', '1.1 proxy.example'],
    ];
    await using one = await openBareOrigin();
    await using other = await openBareOrigin();
    for (const [place, [name, value]] of fields.entries()) {
      const plain = GET.replace('pageSize=2', `pageSize=${place + 1}`);
      const first = await exchanged(one.url, plain);
      expect(await exchanged(other.url, plain.replace('\r\n\r\n', `\r\n${name}: ${value}\r\n\r\n`))).toBe(first);
      expect(around).toHaveBeenCalledTimes(place);
      expect(await exchanged(other.url, plain)).toBe(first);
      expect(around).toHaveBeenCalledTimes(place + 1);
    }
  });

  it('is limited, refused, counted and logged', async () => {
    const kept = keptLog();
    await using origin = await openBareOrigin({ limiter: await openRateLimiter('memory'), log: kept.log });
    for (let left = 119; left >= 0; left -= 1) {
      const { status, headers } = await origin.ask(SEARCH);
      expect([status, headers['ratelimit-remaining']]).toEqual([200, String(left)]);
    }
    expect(around).toHaveBeenCalledTimes(119);
    const refused = await origin.ask(SEARCH);
    expect([refused.status, refused.body.error.code, refused.headers['ratelimit-remaining']]).toEqual([
      ...[429, 'RATE_LIMITED', '0'],
    ]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(around).toHaveBeenCalledTimes(119);
    const line = { event: 'request', method: 'GET', route: 'trials-search', door: 'rest', ms: expect.any(Number) };
    expect(kept.lines()).toMatchObject([
      ...Array.from({ length: 120 }, () => ({ ...line, status: 200, correlationId: expect.any(String) })),
      { ...line, status: 429, code: 'RATE_LIMITED', correlationId: refused.headers['x-correlation-id'] },
    ]);
    expect(await samples(origin, 'rate_limited_total')).toEqual({ 'bucket="read"': 1 });
    expect(await samples(origin, 'http_requests_total')).toMatchObject({
      'route="trials-search",method="GET",status="2xx"': 120,
      'route="trials-search",method="GET",status="4xx"': 1,
    });
    expect(await samples(origin, 'operation_seconds_count')).toMatchObject({ 'operation="trials-search"': 121 });
    expect(await samples(origin, 'http_requests_in_flight')).toEqual({ '': 1 });
  });

  it('costs its address what the first one cost, by its bytes and by the proxy that is trusted', async () => {
    const limiter = await openRateLimiter('memory');
    await using origin = await openBareOrigin({ limiter, trustedProxies: 1 });
    const costOf = async (address: string): Promise<number> => {
      await origin.ask('/api/v1/trials/search?q=diabetes&pageSize=100', { headers: { 'x-forwarded-for': address } });
      return 2000 - (await limiter.look('read-address', address)).remaining;
    };
    const first = await costOf('192.0.2.1');
    expect(first).toBeGreaterThan(2);
    expect([await costOf('192.0.2.2'), await costOf('192.0.2.2')]).toEqual([first, 2 * first]);
    expect(around).toHaveBeenCalledTimes(2);
  });

  it('is refused while the event loop lags, and for a host that the server does not serve', async () => {
    let lagMs = 0;
    await using origin = await openBareOrigin({ lagMs: () => lagMs, allowedHosts: ['127.0.0.1'] });
    await origin.ask(SEARCH);
    await origin.ask(SEARCH);
    expect(around).toHaveBeenCalledTimes(1);
    const foreign = await origin.ask(SEARCH, { headers: { host: 'rebound.example' } });
    expect([foreign.status, foreign.body.error.code]).toEqual([403, 'FORBIDDEN']);
    lagMs = READS_MAX_LAG_MS;
    expect((await origin.ask(SEARCH)).body.error.code).toBe('TRIALS_UNAVAILABLE');
    expect(await samples(origin, 'reads_shed_total')).toEqual({ '': 1 });
    lagMs = COSTLY_READS_MAX_LAG_MS - 1;
    expect((await origin.ask(SEARCH)).status).toBe(200);
    expect(around).toHaveBeenCalledTimes(2);
  });

  it('is no answer to a request that asks for more than its address', async () => {
    await using origin = await openBareOrigin();
    const { headers: first } = await origin.ask(SEARCH);
    const asked = async (headers: Record<string, string>, method = 'GET'): Promise<unknown[]> => {
      const { status, headers: fields } = await origin.ask(SEARCH, { headers, method });
      return [status, fields['content-encoding'], fields['x-correlation-id'] === 'of-the-caller'];
    };
    expect(await asked({ 'if-none-match': first.etag! })).toEqual([304, undefined, false]);
    expect(await asked({ 'accept-encoding': 'gzip' })).toEqual([200, 'gzip', false]);
    expect(await asked({ 'x-correlation-id': 'of-the-caller' })).toEqual([200, undefined, true]);
    expect(await asked({ 'x-api-key': 'tbk_wrong' })).toEqual([401, undefined, false]);
    expect(await asked({}, 'HEAD')).toEqual([200, undefined, false]);
    expect(await asked({ 'content-type': 'text/plain' })).toEqual([200, undefined, false]);
    expect(around).toHaveBeenCalledTimes(0);
    const concise = await origin.ask(`${SEARCH}&detail=concise`);
    expect([concise.status, concise.text.length < Number(first['content-length'])]).toEqual([200, true]);
    expect((await origin.ask(`${SEARCH}&detail=concise`)).text.length).toBe(concise.text.length);
    expect((await origin.ask(`${SEARCH}&unheard=of`)).body._meta.ignored).toEqual(['unheard']);
    expect((await origin.ask(`${SEARCH}&unheard=of`)).body._meta.ignored).toEqual(['unheard']);
    expect(around).toHaveBeenCalledTimes(0);
    expect(await asked({ 'accept-encoding': 'identity, gzip;q=0' })).toEqual([200, undefined, false]);
    expect(around).toHaveBeenCalledTimes(1);
  });

  it('is made anew when the data has aged, and not given when nothing is served', async () => {
    await using origin = await openOrigin();
    const ask = (): Promise<string> => exchanged(origin.url, GET);
    const ageIn = (answer: string): string | undefined => /"ageHours":([\d.]+)/.exec(answer)?.[1];
    const [first] = [await ask(), await ask()];
    expect(around).toHaveBeenCalledTimes(1);
    origin.board.clock.advance(3 * 3_600_000);
    const aged = await ask();
    expect(Number(ageIn(aged))).toBeCloseTo(Number(ageIn(first)) + 3, 1);
    expect(around).toHaveBeenCalledTimes(1);
    await ask();
    expect(around).toHaveBeenCalledTimes(2);
    await origin.gateway.index.holder.close();
    expect(await ask()).toMatch(/^HTTP\/1.1 503 .*"TRIALS_UNAVAILABLE"/s);
    expect(around).toHaveBeenCalledTimes(2);
  });

  it('may be left by its caller at any time', async () => {
    await using origin = await openBareOrigin();
    await origin.ask(SEARCH);
    for (let round = 0; round < 30; round += 1) {
      const connection = await rawConnection(origin.url);
      connection.write(GET.replace('trials.example', new URL(origin.url).host).repeat(1 + (round % 5)));
      if (round % 2 === 0) await turn();
      connection.socket.destroy();
    }
    expect((await origin.ask(SEARCH)).status).toBe(200);
    expect(await samples(origin, 'http_requests_in_flight')).toEqual({ '': 1 });
  });
});
