import { describe, expect, it } from 'vitest';
import { contradictoryRange } from './filters.ts';

describe('a range', () => {
  it.each([
    ['startedAfter', 'startedBefore'],
    ['completedAfter', 'completedBefore'],
    ['updatedAfter', 'updatedBefore'],
    ['primaryCompletionAfter', 'primaryCompletionBefore'],
    ['firstPostedAfter', 'firstPostedBefore'],
    ['resultsPostedAfter', 'resultsPostedBefore'],
    ['enrollmentMin', 'enrollmentMax'],
  ])('from %s to %s contradicts itself where it ends before it begins', (least, most) => {
    expect(contradictoryRange({ [least]: 20, [most]: 19 })).toEqual({
      parameter: least,
      expected: expect.stringContaining(most),
    });
    expect(contradictoryRange({ [least]: 20, [most]: 20 })).toBeNull();
    expect(contradictoryRange({ [least]: 20 })).toBeNull();
    expect(contradictoryRange({ [most]: 0 })).toBeNull();
  });
});
