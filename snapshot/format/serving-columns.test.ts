import { expect, test } from 'vitest';
import { COMPLETENESS_NAMES, completenessOf, isStatedTitle } from './serving-columns.ts';

test('an image counts the fields that it names, and one of before those of then', () => {
  expect(completenessOf(COMPLETENESS_NAMES).slice(28)).toEqual([
    'eligibilityText',
    'eligibility.sex',
    'eligibility.ages',
    'sites',
  ]);
  const before = completenessOf(undefined);
  expect([before.length, before[0], before.at(-1)]).toEqual([29, 'title', 'eligibilityText']);
});

test('the number of a record is no title that it states', () => {
  expect(['ISRCTN12345679', 'NCT01234567', 'ISRCTN12345679: walking', 'Walking'].map(isStatedTitle)).toEqual([
    false,
    false,
    true,
    true,
  ]);
});
