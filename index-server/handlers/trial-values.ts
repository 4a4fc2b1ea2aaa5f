import type { VALUE_OPERATIONS } from '../../contract/operations/trials/trial-values.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import { snapshotValidator, trialMeta } from '../meta.ts';
import { fieldValues } from '../search/field-values.ts';
import type { IndexServices } from '../services.ts';

export const valueHandlers: Handlers<typeof VALUE_OPERATIONS, IndexServices> = {
  'trials-values': ({ query: { field, text = '', limit } }, context, { holder, sources }, fail) => {
    using lease = holder.acquire() ?? fail('TRIALS_UNAVAILABLE');
    const { image, manifest } = lease;
    return {
      data: { field, ...fieldValues(image, field, text, limit) },
      meta: trialMeta(manifest, sources, context, false),
      validator: snapshotValidator(manifest, sources, context.now),
    };
  },
};
