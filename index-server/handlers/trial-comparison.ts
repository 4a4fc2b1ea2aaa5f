import type { COMPARISON_OPERATIONS } from '../../contract/operations/trial-comparison.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import { snapshotValidator, trialMeta } from '../meta.ts';
import { compareRegistrations } from '../registration-comparison.ts';
import { heldRow, readTrial } from '../search/held-trial.ts';
import { unheldId } from '../search/unheld-id.ts';
import type { IndexServices } from '../services.ts';

export const comparisonHandlers: Handlers<typeof COMPARISON_OPERATIONS, IndexServices> = {
  'trials-compare': ({ params }, context, { holder, sources }, fail) => {
    using lease = holder.acquire() ?? fail('TRIALS_UNAVAILABLE');
    const { image, manifest } = lease;
    const row = heldRow(image, params.id) ?? fail('TRIAL_NOT_FOUND', unheldId(image, params.id));
    return {
      data: compareRegistrations(readTrial(image, row)),
      meta: trialMeta(manifest, sources, context, false),
      validator: snapshotValidator(manifest, sources, context.now),
    };
  },
};
