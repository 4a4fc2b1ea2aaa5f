import { describe, expect, it } from 'vitest';
import { countsDifference, type SearchAnswer, searchDifference } from './answers.ts';
import { askingOrder } from './measure.ts';

const answer = (total: number, ...ids: string[]): SearchAnswer => ({
  total,
  page: ids.map((id) => ({ id, title: null, status: 'completed' })),
});

describe('answers of two engines', () => {
  it('differ by a total, an order, a missing or a further id', () => {
    expect(searchDifference(answer(2, 'a', 'b'), answer(2, 'a', 'b'))).toBeNull();
    expect(searchDifference(answer(2, 'a', 'b'), answer(3, 'a', 'b'))).toBe('total 3, ours 2');
    expect(searchDifference(answer(2, 'a', 'b'), answer(2, 'b', 'a'))).toBe('b at place 1, ours a');
    expect(searchDifference(answer(2, 'a', 'b'), answer(2, 'a'))).toBe('none at place 2, ours b');
    expect(searchDifference(answer(2, 'a'), answer(2, 'a', 'b'))).toBe('b at place 2, ours none');
  });

  it('differ by a count, where a missing name counts as none', () => {
    expect(countsDifference({ running: 1, completed: 0 }, { running: 1 })).toBeNull();
    expect(countsDifference({ running: 1 }, { running: 1, completed: 2 })).toBe('completed 2, ours 0');
  });
});

describe('the order of asking', () => {
  it('has every query once, and all forms of mixed queries at its beginning', () => {
    const queries = Array.from(
      { length: 200 },
      (_, place) => `${['one', 'two', 'three', 'phrase'][place % 4]}-${place}`,
    );
    const order = askingOrder(queries);
    expect([...order].sort()).toEqual([...queries].sort());
    const forms = order.slice(0, 8).map((query) => query.split('-')[0]);
    expect([...new Set(forms)].sort()).toEqual(['one', 'phrase', 'three', 'two']);
  });
});
