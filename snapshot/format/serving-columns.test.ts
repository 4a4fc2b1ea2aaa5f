import { expect, test } from 'vitest';
import { isStatedTitle } from './serving-columns.ts';

test('the number of a record is no title that it states', () => {
  expect(['ISRCTN12345679', 'NCT01234567', 'ISRCTN12345679: walking', 'Walking'].map(isStatedTitle)).toEqual([
    false,
    false,
    true,
    true,
  ]);
});
