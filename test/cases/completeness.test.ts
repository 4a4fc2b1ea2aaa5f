import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../contract/operations.ts';
import { isRefusal } from './case.ts';
import { CASES } from './every-case.ts';

const steps = CASES.flatMap((one) => one.steps);

describe('the cases', () => {
  it('have a success of every operation', () => {
    const shown = new Set(steps.filter(({ expect: wanted }) => !isRefusal(wanted)).map(({ operation }) => operation));
    expect(OPERATIONS.map(({ id }) => id).filter((id) => !shown.has(id))).toEqual([]);
  });

  it('have a title each that no other has', () => {
    const titles = CASES.map(({ title }) => title);
    expect(titles).toEqual([...new Set(titles)]);
  });
});
