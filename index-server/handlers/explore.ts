import type { EXPLORE_OPERATIONS } from '../../contract/operations/twin-explore.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import { parseQuery } from '../../snapshot-format/query.ts';
import { explore } from '../exploration/explore.ts';
import { snapshotValidator, trialMeta } from '../meta.ts';
import type { IndexServices } from '../services.ts';

const WORDS = 'texts with at least one letter or digit each';

export const exploreHandlers: Handlers<typeof EXPLORE_OPERATIONS, IndexServices> = {
  'twin-explore': ({ query }, context, { holder, sources, explorationWords }, fail) => {
    using lease = holder.acquire() ?? fail('TRIALS_UNAVAILABLE');
    const { image, manifest } = lease;
    // A search without a word would ask for nothing, and so find every trial.
    if (query.markers?.some((marker) => parseQuery(marker).length === 0)) {
      fail('INVALID_PARAM', {
        message: `The parameter markers is not usable: expected ${WORDS}.`,
        parameter: 'markers',
        expected: WORDS,
        issues: [{ path: 'markers', message: `expected ${WORDS}` }],
      });
    }
    return {
      data: explore(image, query, explorationWords),
      meta: trialMeta(manifest, sources, context, false),
      validator: snapshotValidator(manifest, sources, context.now),
    };
  },
};
