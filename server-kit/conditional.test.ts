import { describe, expect, it } from 'vitest';
import { acceptsGzip } from './conditional.ts';

describe('gzip is sent only to a caller that accepts it', () => {
  it.each([
    ...['gzip', 'GZIP', 'gzip;q=1.0', 'gzip;q=0.001', ' gzip ; q=0.5 ', 'br, gzip;q=0.5', 'gzip, deflate, br, zstd'],
    ...['*', '*;q=0, gzip', 'identity;q=0, gzip', 'identity;q=0, *'],
  ])('%s: gzip', (header) => {
    expect(acceptsGzip(header)).toBe(true);
  });

  it.each([
    ...['', 'br', 'identity', 'gzip;q=0', 'gzip;q=0.0', 'gzip;q=0.000', 'GZIP;Q=0', 'gzip ; q=0', 'gzip;q=0, *'],
    ...['*, gzip;q=0', '*;q=0', 'identity;q=0', 'identity, gzip;q=0.5', 'gzipped', 'x'.repeat(2_000)],
  ])('%s: the plain body', (header) => {
    expect(acceptsGzip(header)).toBe(false);
  });

  it('no header: the plain body', () => {
    expect(acceptsGzip(null)).toBe(false);
  });

  it('answers every header alike after it has seen more of them than it remembers', () => {
    for (let other = 0; other < 1_000; other++) expect(acceptsGzip(`gzip, x-${other}`)).toBe(true);
    expect(acceptsGzip('gzip;q=0.0')).toBe(false);
    expect(acceptsGzip('gzip')).toBe(true);
  });
});
