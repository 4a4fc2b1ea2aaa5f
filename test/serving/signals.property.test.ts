import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mind, trends } from '../../index-server/signals/windows.ts';
import { buildSignals, type SignalRow, signalRow } from '../builders/signals.ts';
import { plainConcentration, plainMind, plainWindow } from '../support/plain/plain-signals.ts';
import { amountOf } from '../support/runner/amount.ts';

/** 2026-10-01, the last day of every window. Items lie before and after it. */
const LAST_DAY = 20_727;
const WORDS = ['islet', 'funding', 'tumour', 'trial', 'safety'];
const iso = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);

const item = fc.record({
  day: fc.integer({ min: LAST_DAY - 140, max: LAST_DAY + 3 }),
  undated: fc.boolean(),
  words: fc.subarray(WORDS),
  inSummary: fc.boolean(),
  capital: fc.constantFrom('M', 'I', 'N', 'D', null),
  lexiconClass: fc.constantFrom('research', 'treatment', 'policy', null),
  category: fc.constantFrom('news', 'funder', 'journal'),
  domain: fc.constantFrom('a.example', 'b.example', 'c.example', 'd.example'),
});
const table = fc.array(item, { maxLength: 150 }).map((items) =>
  items.map(({ day, undated, words, inSummary, capital, lexiconClass, category, domain }, place): SignalRow => {
    const text = words.join(' ');
    return signalRow(String(place).padStart(4, '0'), iso(day), {
      ...(undated ? { published_at: null, date_basis: 'first_seen' } : {}),
      title: inSummary ? 'untitled' : `untitled ${text}`,
      summary: inSummary ? text : null,
      capital,
      lexicon_class: lexiconClass,
      category,
      domain,
    });
  }),
);
const question = fc.record({ days: fc.integer({ min: 1, max: 120 }), words: fc.subarray(WORDS, { maxLength: 2 }) });

describe('the signals', () => {
  it('are what plain filtering and counting of the items gives, for every window and keyword', async () => {
    const check = fc.asyncProperty(
      table,
      fc.array(question, { minLength: 4, maxLength: 6 }),
      async (rows, questions) => {
        await using built = await buildSignals(rows);
        for (const { days, words } of questions) {
          const disease = words.length === 0 ? undefined : words.join(' ');
          expectMind(mind(built.image, { days, lastDay: LAST_DAY, disease }), plainMind(rows, days, LAST_DAY, words));
          const read = trends(built.image, { lastDay: LAST_DAY, disease, series: true });
          expectTrends(read, plainWindow(rows, LAST_DAY - 29, LAST_DAY, words));
        }
      },
    );
    await fc.assert(check, { numRuns: amountOf({ quick: 6, deep: 20 }), seed: 20_261_122 });
  });
});

function expectMind(read: ReturnType<typeof mind>, plain: ReturnType<typeof plainMind>): void {
  expect(read.items).toEqual({ ...plain.items, unclassified: plain.items.inWindow - plain.items.classified });
  expect(
    read.capitals.map(({ capital, count, share, direction, topItems }) => ({
      ...{ capital, count, share },
      recent: direction.recent?.items ?? null,
      before: direction.before?.items ?? null,
      topItems: topItems.map(({ id }) => id),
    })),
  ).toEqual(plain.capitals);
  expect(read.sparkline).toEqual(plain.sparkline);
  expect(read.conscienceIndex.value).toBe(plain.conscience);
  expect(read.curePulse.value).toBe(plain.curePulse.value);
  expect(read.curePulse.series.map(({ items }) => items)).toEqual(plain.curePulse.series);
}

function expectTrends(read: ReturnType<typeof trends>, rows: readonly SignalRow[]): void {
  expect(read.volume.inWindow).toBe(rows.length);
  const days = new Map(read.series!.map(({ day, items }) => [day, items]));
  expect([...days.values()].reduce((sum, items) => sum + items, 0)).toBe(rows.length);
  for (const row of rows) expect(days.get((row.published_at ?? row.first_seen_at).slice(0, 10))).toBeGreaterThan(0);
  for (const [held, names] of [
    [read.concentration.byCategory, rows.map(({ category }) => category)],
    [read.concentration.byDomain, rows.map(({ domain }) => domain)],
  ] as const) {
    const plain = plainConcentration(names);
    expect(held.groups).toBe(plain.groups);
    if (plain.hhi === null) expect([held.hhi, held.gini, held.top]).toEqual([null, null, null]);
    else {
      expect(held.hhi).toBeCloseTo(plain.hhi, 3);
      expect(held.gini).toBeCloseTo(plain.gini, 3);
      expect(held.top!.items).toBe(Math.max(...names.map((name) => names.filter((other) => other === name).length)));
    }
  }
}
