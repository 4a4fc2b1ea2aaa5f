import type { TREND_OPERATIONS } from '../../contract/operations/trials/trial-trend.ts';
import { TREND_MAX_PERIODS } from '../../contract/schemas/trials/trend.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import { refuseParameter } from '../../server-kit/parameters.ts';
import { dataEnds, trendNotices } from '../data-ends.ts';
import { trendReply } from '../present-trend.ts';
import { trend } from '../search/counting/trend.ts';
import { groupingBy } from '../search/groupings/of-trials.ts';
import type { IndexServices } from '../services.ts';
import { answer } from './answer.ts';

const TOO_MANY = `at most ${TREND_MAX_PERIODS} periods from the first start to the last: longer ones (by=year), or a range of starts (startedAfter, startedBefore)`;

export const trendHandlers: Handlers<typeof TREND_OPERATIONS, IndexServices> = {
  'trials-trend': ({ query }, context, services, fail) =>
    answer('trend', { query, context, services, fail }, async ({ image, manifest, rows }) => {
      const { by, split = null, registry } = query;
      const grouping = split && (await groupingBy(split, image, query, services.modalities));
      const counts = trend(image, rows, by, grouping) ?? refuseParameter('by', TOO_MANY, fail);
      const ends = dataEnds({ image, manifest }, registry, services.sources);
      const data = trendReply(counts, { by, split, registries: registry, ends }, manifest);
      const notices = trendNotices(data.periods, ends, manifest);
      return { data, meta: { notices }, inferred: split === 'modality' };
    }),
};
