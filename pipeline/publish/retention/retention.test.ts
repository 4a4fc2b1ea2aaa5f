import { expect, test } from 'vitest';
import { DEFAULT_RETENTION, retained } from './retention.ts';

/** Newest first; a version a night at three o'clock, each of another content. */
function nightly(days: number, last = '2026-11-23') {
  const end = Date.parse(`${last}T03:00:00Z`);
  return Array.from({ length: days }, (_, back) => {
    const stamp = new Date(end - back * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
    const name = (day: string) => `${day}T030000Z-${day}`;
    const before = new Date(end - (back + 1) * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
    return { version: name(stamp), contentHash: stamp, parent: name(before) };
  });
}

const none = { current: null, pins: new Set<string>() };
const days = (kept: Map<string, string[]>) => [...kept.keys()].map((version) => version.slice(0, 8)).sort();

test('a year of nightly runs leaves a week of days, a month of weeks and half a year of months', () => {
  const stored = nightly(365);
  const kept = retained(stored, { current: stored[0]!.version, pins: new Set() }, DEFAULT_RETENTION);
  const months = '20260630 20260731 20260831 20260930 20261031';
  const weeks = '20261108 20261115';
  const week = '20261117 20261118 20261119 20261120 20261121 20261122 20261123';
  expect(days(kept).join(' ')).toBe(`${months} ${weeks} ${week}`);
  expect(kept.get('20261115T030000Z-20261115')).toEqual(['week 2026-11-09']);
  expect(kept.get('20261031T030000Z-20261031')).toEqual(['month 2026-10']);
});

test('days without a version do not count, so a service that stood still for a month loses nothing', () => {
  const old = nightly(10, '2026-01-10');
  expect(days(retained([...nightly(1), ...old], none, { keep: 1, daily: 3, weekly: 0, monthly: 0 }))).toEqual([
    '20260109',
    '20260110',
    '20261123',
  ]);
});

test('seven versions of equal content are one, and it is the newest', () => {
  const stored = nightly(9).map((one, index) => (index < 7 ? { ...one, contentHash: 'same' } : one));
  expect(days(retained(stored, none, { keep: 2, daily: 0, weekly: 0, monthly: 0 }))).toEqual(['20261116', '20261123']);
});

test('a year begins in the week of its Monday', () => {
  const kept = retained(nightly(8, '2026-01-04'), none, { keep: 1, daily: 0, weekly: 2, monthly: 0 });
  expect(kept.get('20251228T030000Z-20251228')).toEqual(['week 2025-12-22']);
  expect(kept.get('20260104T030000Z-20260104')).toEqual(['newest', 'week 2025-12-29']);
});
