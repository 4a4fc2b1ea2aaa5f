import { describe, expect, it } from 'vitest';
import { ERRORS, type ErrorCode } from '../../contract/errors/errors.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { isRefusal } from './case.ts';
import { CASES } from './every-case.ts';

const steps = CASES.flatMap((one) => one.steps);

/** Codes that no case has, because no arguments provoke them; each with the reason. */
const NOT_BY_ARGUMENTS: Partial<Record<ErrorCode, string>> = {
  INVALID_PARAMETER: 'no operation declares it',
};

describe('the cases', () => {
  it('have a success of every operation', () => {
    const shown = new Set(steps.filter(({ expect: wanted }) => !isRefusal(wanted)).map(({ operation }) => operation));
    expect(OPERATIONS.map(({ id }) => id).filter((id) => !shown.has(id))).toEqual([]);
  });

  it('provoke every code that an operation declares and that arguments alone can provoke', () => {
    const provoked = new Set(steps.map(({ expect: wanted }) => (isRefusal(wanted) ? wanted.code : null)));
    const declared = new Set(OPERATIONS.flatMap(({ errors }) => errors));
    // Codes of availability and rate limits depend on the service and the clock. Other tests, which control both,
    // provoke them.
    const byArguments = [...declared].filter((code) => !['availability', 'rate_limit'].includes(ERRORS[code].family));
    expect(byArguments.filter((code) => !provoked.has(code) && !(code in NOT_BY_ARGUMENTS))).toEqual([]);
  });

  it('have a title each that no other has', () => {
    const titles = CASES.map(({ title }) => title);
    expect(titles).toEqual([...new Set(titles)]);
  });
});
