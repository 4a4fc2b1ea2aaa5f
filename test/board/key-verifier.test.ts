import { expect, it } from 'vitest';
import { type KeyLookup, KeyVerifier } from '../../gateway/admission/key-verifier.ts';
import { loadConfig } from '../../server-kit/config/config.ts';
import { openRateLimiter } from '../../server-kit/limits/limits.ts';
import { TestClock } from '../support/board/board.ts';
import { openOrigin } from '../support/origin.ts';

const KEY = `tbk_${'K'.repeat(43)}`;
const LIVE = { id: 'key_1', rateLimit: 500 };

function verifierOver(answer: KeyLookup): { verifier: KeyVerifier; clock: TestClock; asked: string[] } {
  const clock = new TestClock();
  const asked: string[] = [];
  const lookup: KeyLookup = (hash) => {
    asked.push(hash);
    return answer(hash);
  };
  return { verifier: new KeyVerifier(lookup, clock.now), clock, asked };
}

it('a live key is asked for once in 60 seconds, by its hash', async () => {
  const { verifier, clock, asked } = verifierOver(async () => LIVE);
  const both = await Promise.all([verifier.verify(KEY), verifier.verify(KEY)]);
  expect(both).toEqual([
    { state: 'live', ...LIVE },
    { state: 'live', ...LIVE },
  ]);
  clock.advance(59_999);
  await verifier.verify(KEY);
  expect(asked).toHaveLength(1);
  clock.advance(1);
  await verifier.verify(KEY);
  expect(asked).toHaveLength(2);
  expect(asked[0]).toMatch(/^[0-9a-f]{64}$/);
});

it('a dead key is asked for again after 5 seconds, an unanswered question after one', async () => {
  const dead = verifierOver(async () => null);
  const unanswered = verifierOver(() => Promise.reject(new Error('down')));
  for (const [{ verifier, clock, asked }, state, kept] of [
    [dead, 'dead', 5_000],
    [unanswered, 'unverified', 1_000],
  ] as const) {
    expect(await verifier.verify(KEY)).toEqual({ state });
    clock.advance(kept - 1);
    await verifier.verify(KEY);
    expect(asked).toHaveLength(1);
    clock.advance(1);
    await verifier.verify(KEY);
    expect(asked).toHaveLength(2);
  }
});

it('what cannot be a key is dead without a question', async () => {
  const { verifier, asked } = verifierOver(async () => LIVE);
  for (const text of ['', 'tbk_', `${KEY}x`, 'x'.repeat(10_000)])
    expect(await verifier.verify(text)).toEqual({ state: 'dead' });
  expect(asked).toEqual([]);
});

it('a changed key is asked for anew', async () => {
  const { verifier, asked } = verifierOver(async () => LIVE);
  await verifier.verify(KEY);
  verifier.forget(KEY);
  await verifier.verify(KEY);
  expect(asked).toHaveLength(2);
});

it('an address that guesses keys is limited as any reader, and then no longer looked up', async () => {
  await using origin = await openOrigin({ limiter: await openRateLimiter('memory') });
  const guess = (number: number) =>
    origin.get('/api/v1/errors', { 'x-api-key': `tbk_${String(number).padStart(43, '0')}` });
  for (let number = 0; number < 120; number += 1) expect((await guess(number)).body.error.code).toBe('INVALID_API_KEY');
  const refused = await guess(120);
  expect([refused.body.error.code, refused.headers.get('x-api-key-status')]).toEqual([
    'RATE_LIMITED',
    'unverified; served under the anonymous limits',
  ]);
});

it('faulty settings of board, proxies and limits are all named at once', () => {
  const faulty = {
    BOARD_URL: 'ftp://board',
    BOARD_PORT: '70000',
    TRUST_PROXY: '-1',
    RATE_LIMITS: 'maybe',
    RATE_STORE: 'mysql://x',
    WEBHOOK_ALLOW: '10.0.0.0/33',
  };
  expect(() => loadConfig(faulty, '/root')).toThrow(
    'BOARD_URL: expected http(s) addresses without query, separated by commas, none twice\n' +
      '  BOARD_PORT: expected a whole number from 0 to 65535\n' +
      '  TRUST_PROXY: expected a whole number from 0 to 10\n' +
      '  RATE_LIMITS: expected on or off\n' +
      '  RATE_STORE: expected memory, or a redis:// or postgres:// address\n' +
      '  WEBHOOK_ALLOW: expected IP addresses or ranges such as 10.0.0.0/8, separated by commas',
  );
});
