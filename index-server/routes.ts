import type { H3 } from 'h3';
import { TRIAL_FILES } from '../contract/interfaces/take-away.ts';
import { INDEX_OPERATIONS } from '../contract/operations.ts';
import { type MountOptions, mount, responderOf } from '../server-kit/mount.ts';
import { atAskedVersions } from './at-version.ts';
import { exploreHandlers } from './handlers/explore.ts';
import { facetHandlers } from './handlers/facets.ts';
import { gapShareHandlers } from './handlers/gap-shares.ts';
import { pipelineHandlers } from './handlers/pipeline.ts';
import { proofHandlers } from './handlers/proof.ts';
import { receiptHandlers } from './handlers/receipts.ts';
import { registryHandlers } from './handlers/registries.ts';
import { signalHandlers } from './handlers/signals.ts';
import { snapshotLogHandlers } from './handlers/snapshot-log.ts';
import { snapshotHandlers } from './handlers/snapshots.ts';
import { trendHandlers } from './handlers/trend.ts';
import { comparisonHandlers } from './handlers/trial-comparison.ts';
import { trialFileHandlers } from './handlers/trial-files.ts';
import { historyHandlers } from './handlers/trial-history.ts';
import { siteHandlers } from './handlers/trial-sites.ts';
import { valueHandlers } from './handlers/trial-values.ts';
import { trialHandlers } from './handlers/trials.ts';
import type { IndexServices } from './services.ts';
import { twinHandlers } from './twin/twin.ts';

/** Registers the operations of the index on an app: the gateway's, or that of an index server alone. */
export function mountIndex(app: H3, options: MountOptions<IndexServices>): void {
  const handlers = {
    ...trialHandlers,
    ...trendHandlers,
    ...facetHandlers,
    ...gapShareHandlers,
    ...receiptHandlers,
    ...valueHandlers,
    ...historyHandlers,
    ...comparisonHandlers,
    ...siteHandlers,
    ...proofHandlers,
    ...registryHandlers,
    ...snapshotHandlers,
    ...snapshotLogHandlers,
    ...pipelineHandlers,
    ...signalHandlers,
    ...exploreHandlers,
    ...twinHandlers,
  };
  mount(app, INDEX_OPERATIONS, atAskedVersions(handlers), options);
}

/** Registers the files of results. A gateway with the index in it answers a refused one with a page where a browser asks. */
export function mountFiles(app: H3, options: MountOptions<IndexServices>): void {
  mount(app, TRIAL_FILES, trialFileHandlers, options);
}

/** What answers each file of a result. */
export function fileResponder(options: MountOptions<IndexServices>): ReturnType<typeof responderOf> {
  return responderOf(TRIAL_FILES, trialFileHandlers, options);
}
