import { describe, expect, test } from 'vitest';
import { nameKey, namePairs } from './other-names.ts';

describe('names that are stated beside each other for one intervention', () => {
  test('are paired in both directions, without trade marks and in lower case', () => {
    expect(namePairs('drug', ['LCZ696', 'Entresto®', null])).toEqual(['lcz696\tentresto', 'entresto\tlcz696']);
  });

  test('of one substance are one, however they are joined', () => {
    expect(nameKey('AZD9291')).toBe('azd9291');
    expect(nameKey('AZD-9291')).toBe('azd9291');
    expect(nameKey('azd 9291')).toBe('azd9291');
    expect(namePairs('biological', ['AZD9291', 'AZD-9291'])).toEqual([]);
  });

  test('in brackets after a name stand beside it', () => {
    expect(namePairs('drug', ['Vericiguat (Verquvo, BAY1021189) (5 mg)'])).toEqual([
      'vericiguat\tverquvo',
      'vericiguat\tbay1021189',
      'verquvo\tvericiguat',
      'verquvo\tbay1021189',
      'bay1021189\tvericiguat',
      'bay1021189\tverquvo',
    ]);
  });

  test.each([
    ['of a device', 'device', ['Stent', 'Xience']],
    ['of no type', null, ['Stent', 'Xience']],
    ['that is a placebo', 'drug', ['Entresto', 'Matching placebo']],
    ['that is a dose', 'drug', ['Entresto', '200 mg']],
    ['that is a group', 'drug', ['Entresto', 'Arm A']],
    ['of more than six words', 'drug', ['Entresto', 'a combination of sacubitril and then also valsartan']],
    ['of digits alone', 'drug', ['Entresto', '12345']],
  ])('do not count %s', (_what, type, names) => expect(namePairs(type, names)).toEqual([]));
});
