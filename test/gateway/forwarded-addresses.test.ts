import type { H3Event } from 'h3';
import { describe, expect, it } from 'vitest';
import { clientAddress, clientIp } from '../../server-kit/limits/address.ts';
import { openRateLimiter } from '../../server-kit/limits/limits.ts';
import { openBareOrigin } from '../support/bare-origin.ts';

/** Attack 15: behind a proxy that adds ports, all clients were one `unknown` client. */

const PROXY = '10.0.0.9';
const from = (forwarded: string | null): H3Event => {
  const headers = new Headers(forwarded === null ? {} : { 'x-forwarded-for': forwarded });
  return { req: { ip: PROXY, headers } } as unknown as H3Event;
};

describe('the address of a client behind one proxy', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:5511', '203.0.113.7', '203.0.113.7'],
    ['"203.0.113.7:5511"', '203.0.113.7', '203.0.113.7'],
    ['  203.0.113.7 ', '203.0.113.7', '203.0.113.7'],
    ['198.51.100.1, 203.0.113.7:5511', '203.0.113.7', '203.0.113.7'],
    ['198.51.100.1,, 203.0.113.7:5511 , ', '203.0.113.7', '203.0.113.7'],
    ['[2001:db8::1]:443', '2001:db8::/64', '2001:db8::1'],
    ['"[2001:db8::1]:443"', '2001:db8::/64', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::/64', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::/64', '2001:db8::1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::/64', '2001:db8::1'],
    ['::ffff:203.0.113.7', '203.0.113.7', '203.0.113.7'],
    ['[::ffff:203.0.113.7]:8080', '203.0.113.7', '203.0.113.7'],
  ])('is read from %j', (forwarded, counted, whole) => {
    expect([clientAddress(from(forwarded), 1), clientIp(from(forwarded), 1)]).toEqual([counted, whole]);
  });

  it.each([
    [null],
    [''],
    ['unknown'],
    ['_hidden'],
    ['203.0.113.7:'],
    ['203.0.113.7:port'],
    ['203.0.113.7:5511:1'],
    ['203.0.113.999'],
    ['203.0.113'],
    ['3405803783'],
    ['0x7f.1'],
    ['[2001:db8::1'],
    ['2001:db8::1]:443'],
    ['for=203.0.113.7'],
    [`${'1'.repeat(70)}`],
    ['203.0.113.7; 203.0.113.8'],
  ])('is that of the proxy where %j cannot be read', (forwarded) => {
    expect([clientAddress(from(forwarded), 1), clientIp(from(forwarded), 1)]).toEqual([PROXY, PROXY]);
  });

  it('is believed from no more proxies than there are', () => {
    const forged = '192.0.2.66, 203.0.113.7:5511, 10.0.0.1:80';
    expect(clientAddress(from(forged), 0)).toBe(PROXY);
    expect(clientAddress(from(forged), 1)).toBe('10.0.0.1');
    expect(clientAddress(from(forged), 2)).toBe('203.0.113.7');
    expect(clientAddress(from(forged), 4)).toBe(PROXY);
  });
});

it('gives clients behind a proxy that adds ports a bucket each', async () => {
  await using origin = await openBareOrigin({ trustedProxies: 1, limiter: await openRateLimiter('memory') });
  const left = async (forwarded: string) => {
    const { headers } = await origin.ask('/api/v1/errors', { headers: { 'x-forwarded-for': forwarded } });
    return headers['ratelimit-remaining'];
  };
  expect(await left('203.0.113.7:5511')).toBe('119');
  expect(await left('203.0.113.8:5511')).toBe('119');
  expect(await left('203.0.113.7:6000')).toBe('118');
  expect(await left('[2001:db8::1]:443')).toBe('119');
  expect(await left('[2001:db8::2]:444')).toBe('118');
});
