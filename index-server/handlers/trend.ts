import type { TREND_OPERATIONS } from '../../contract/operations/trials/trial-trend.ts';
import { TREND_MAX_PERIODS, type TrendRecord } from '../../contract/schemas/trials/trend.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import { refuseParameter } from '../../server-kit/parameters.ts';
import { dataEnds, trendNotices } from '../data-ends.ts';
import { snapshotValidator, withModality } from '../meta.ts';
import { trendReply } from '../present-trend.ts';
import { receiptMeta } from '../receipts/receipt-meta.ts';
import { trend } from '../search/counting/trend.ts';
import { splitOf } from '../search/counting/trend-splits.ts';
import type { IndexServices } from '../services.ts';
import { withNotices } from './search-order.ts';
import { filtersOf, helpOf, metaOf, validatorOf } from './trials.ts';

const TOO_MANY = `at most ${TREND_MAX_PERIODS} periods from the first start to the last: longer ones (by=year), or a range of starts (startedAfter, startedBefore)`;

export const trendHandlers: Handlers<typeof TREND_OPERATIONS, IndexServices> = {
  'trials-trend': async ({ query }, context, { holder, sources, modalities }, fail) => {
    using lease = holder.acquire() ?? fail('TRIALS_UNAVAILABLE');
    const { image, manifest } = lease;
    const { by, split = null } = query;
    const asked = await filtersOf(lease, query, modalities, fail);
    const values = split && (await splitOf(image, split, modalities, query));
    const counts = trend(image, asked.compiled, by, values) ?? refuseParameter('by', TOO_MANY, fail);
    const ends = dataEnds(lease, query.registry, sources);
    const data: TrendRecord = trendReply(counts, { by, split, registries: query.registry, ends }, manifest);
    const inferred = query.modality !== undefined || split === 'modality';
    const meta = metaOf(lease, query, asked, context, sources);
    const notices = trendNotices(data.periods, ends, manifest);
    const receipt = await receiptMeta('trend', lease, asked.compiled, context, modalities);
    const help = await helpOf(lease, query, counts.trials, asked, { context, modalities, fail });
    return {
      data,
      meta: withNotices(inferred ? withModality(meta, modalities.vocabulary) : meta, { notices }, receipt, help),
      validator: validatorOf(snapshotValidator(manifest, sources, context.now), inferred, modalities),
    };
  },
};
