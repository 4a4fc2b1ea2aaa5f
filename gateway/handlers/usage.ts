import { RATE_BUCKETS, RATE_WINDOW_SECONDS } from '../../contract/limits/limits.ts';
import type { USAGE_OPERATIONS } from '../../contract/operations/service/usage.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import { type Admission, callerId } from '../admission/admission.ts';
import type { CallerCounts } from '../common/common.ts';

interface UsageServices {
  admission: Admission;
  counts: Pick<CallerCounts, 'requestsOf' | 'heldIn'>;
}

export const usageHandlers: Handlers<typeof USAGE_OPERATIONS, UsageServices> = {
  usage: async (_input, context, { admission, counts }) => {
    const caller = await admission.identify(context.address, context.header('x-api-key'));
    const keyed = caller.state === 'live';
    const others: readonly string[] = keyed ? ['read', 'read-size'] : ['read-keyed'];
    const own = RATE_BUCKETS.filter(({ id }) => !others.includes(id));
    const looked = await Promise.all(own.map(({ id }) => admission.look(id, caller)));
    return {
      data: {
        countedBy: keyed ? 'key' : 'address',
        keyId: keyed ? caller.id : null,
        enforced: looked.every((allowance) => allowance !== null),
        windowSeconds: RATE_WINDOW_SECONDS,
        buckets: own.map(({ id, scope, perMinute, appliesTo }, place) => {
          const { limit, remaining, resetSeconds } = looked[place] ?? {
            limit: perMinute,
            remaining: perMinute,
            resetSeconds: 0,
          };
          return { id, countedBy: scope, limit, remaining, resetSeconds, appliesTo };
        }),
        requestsToday: { ...(await counts.requestsOf(callerId(caller))), heldIn: counts.heldIn },
      },
    };
  },
};
