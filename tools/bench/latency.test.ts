import { expect, test } from 'vitest';
import { hostTicksOf, takenShare } from './host.ts';
import { countedRounds } from './latency.ts';

test('what the host took is read from the line of all cores', () => {
  const before = hostTicksOf('cpu  100 0 50 800 20 0 10 20 7 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n');
  expect(before).toEqual({ taken: 20, all: 1000 });
  const after = hostTicksOf('cpu  150 0 60 900 20 0 10 60 7 0\n');
  expect(takenShare(before, after)).toBe(0.2);
  expect(takenShare(before, before)).toBeNull();
  expect(takenShare(null, after)).toBeNull();
  expect(hostTicksOf('intr 1 2 3\n')).toBeNull();
});

test('the first five rounds with our own cores count, and all where there are fewer', () => {
  const rounds = (...shares: (number | null)[]) => shares.map((takenShare) => ({ takenShare }));
  expect(countedRounds(rounds(0.2, 0, 0.005, 0.01, 0.011, 0, 0, 0))).toEqual([1, 2, 3, 5, 6]);
  expect(countedRounds(rounds(0, 0.3, 0, 0, 0))).toEqual([0, 1, 2, 3, 4]);
  expect(countedRounds(rounds(null, null, null, null, null))).toEqual([0, 1, 2, 3, 4]);
});
