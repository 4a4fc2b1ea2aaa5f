import type { EXPLORE_OPERATIONS } from '../../contract/operations/research/twin-explore.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import { refuseParameter } from '../../server-kit/parameters.ts';
import { explore } from '../exploration/explore.ts';
import { snapshotValidator, trialMeta } from '../meta.ts';
import type { IndexServices } from '../services.ts';

const WORDS = 'texts with at least one letter or digit each';

export const exploreHandlers: Handlers<typeof EXPLORE_OPERATIONS, IndexServices> = {
  'twin-explore': ({ query }, context, { holder, sources, explorationWords }, fail) => {
    using lease = holder.acquire() ?? fail('TRIALS_UNAVAILABLE');
    const { image, manifest } = lease;
    const found = explore(image, query, explorationWords) ?? refuseParameter('markers', WORDS, fail);
    return {
      data: found,
      meta: trialMeta(manifest, sources, context, false),
      validator: snapshotValidator(manifest, sources, context.now),
    };
  },
};
