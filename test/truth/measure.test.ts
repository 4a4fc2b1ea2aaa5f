import { describe, expect, test } from 'vitest';
import { compared, wilson } from './measure.ts';

describe('a share', () => {
  // 81 of 263 and 0 of 20 are examples of Newcombe, Statistics in Medicine 1998.
  test.each([
    [{ hits: 8, of: 10 }, '0.490 0.943'],
    [{ hits: 81, of: 263 }, '0.255 0.366'],
    [{ hits: 0, of: 20 }, '0.000 0.161'],
    [{ hits: 20, of: 20 }, '0.839 1.000'],
  ])('of %j has the interval %s', (share, expected) => {
    const { low, high } = wilson(share)!;
    expect(`${low.toFixed(3)} ${high.toFixed(3)}`).toBe(expected);
  });

  test('of nothing has no interval', () => {
    expect(wilson({ hits: 0, of: 0 })).toBeNull();
  });
});

test('what was found and what is right are compared both ways, with each difference named', () => {
  expect(compared(new Set(['a', 'b', 'c']), new Set(['b', 'c', 'd', 'e']))).toEqual({
    precision: { hits: 2, of: 3 },
    recall: { hits: 2, of: 4 },
    misses: [
      { id: 'a', why: 'wrong' },
      { id: 'd', why: 'missed' },
      { id: 'e', why: 'missed' },
    ],
  });
});
