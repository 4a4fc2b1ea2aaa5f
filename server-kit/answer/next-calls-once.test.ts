import { expect, it } from 'vitest';
import { getTrial } from '../../contract/operations/trials/trials.ts';
import { nextCallsOnce } from './next-calls-once.ts';

const asked = (id: string, validator: string | undefined) => ({
  sent: { canonicalId: id },
  address: `/api/v1/trials/${id}`,
  validator,
});

it('next calls are made once for a request to a snapshot, and again for another one or another snapshot', () => {
  let made = 0;
  const answer = () => {
    made += 1;
    return { data: {}, _meta: {} };
  };
  const calls = (id: string, validator?: string) => nextCallsOnce(getTrial, asked(id, validator), answer);
  const [first] = calls('wt_1', 'a').nextCalls!;
  expect(first).toEqual({
    call: 'GET /api/v1/trials/wt_1/related',
    why: 'Papers and publications of a trial.',
  });
  expect(calls('wt_1', 'a').nextCalls![0]).toBe(first);
  expect(made).toBe(1);
  expect(calls('wt_2', 'a').nextCalls![0]!.call).toBe('GET /api/v1/trials/wt_2/related');
  calls('wt_1', 'b');
  expect(made).toBe(3);
  // Without a validator nobody knows what else the answer depends on.
  calls('wt_1');
  calls('wt_1');
  expect(made).toBe(5);
});
