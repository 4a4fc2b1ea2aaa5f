import type { Operation } from '../contract/operation.ts';
import { runBetaCell } from '../contract/operations/research/twin-beta-cell.ts';
import { getSources } from '../contract/operations/trials/registries.ts';
import { getMind, getTrends } from '../contract/operations/trials/signals.ts';
import { getTrialResultsGap } from '../contract/operations/trials/trial-results-gap.ts';
import { getTrialTrend } from '../contract/operations/trials/trial-trend.ts';
import {
  getTrial,
  getTrialCoverage,
  getTrialLandscape,
  getTrialRelatedResearch,
} from '../contract/operations/trials/trials.ts';
import type { Handler } from '../server-kit/mount.ts';
import { refuseParameter } from '../server-kit/parameters.ts';
import { Problem } from '../server-kit/problem.ts';
import { heldVersion, reading } from './handlers/snapshots.ts';
import { NO_MODALITY } from './handlers/trial-files.ts';
import type { IndexServices } from './services.ts';
import type { SnapshotHolder, SnapshotLease } from './snapshot/snapshot-holder.ts';

/** Answers of a version that is held and not served, for permanent files. */

/** Operations whose answers follow from one image and its manifest, so that any held version can give them. */
const OF_ANY_VERSION: ReadonlySet<string> = new Set(
  [
    getSources,
    getTrialCoverage,
    getTrialLandscape,
    getTrialTrend,
    getTrialResultsGap,
    getTrial,
    getTrialRelatedResearch,
    getMind,
    getTrends,
    runBetaCell,
  ].map(({ id }) => id),
);

type AnyHandler = Handler<Operation, IndexServices>;

/** Handlers of one image answer from the version that a request asks for; all others stay as they are. */
export function atAskedVersions<Handlers extends object>(handlers: Handlers): Handlers {
  const entries = Object.entries(handlers) as [string, AnyHandler][];
  return Object.fromEntries(
    entries.map(([id, handler]) => [id, OF_ANY_VERSION.has(id) ? atAskedVersion(handler) : handler]),
  ) as Handlers;
}

function atAskedVersion(handler: AnyHandler): AnyHandler {
  return async (input, context, services, fail) => {
    const { askedVersion } = context;
    if (askedVersion === null || askedVersion === services.holder.version) {
      return handler(input, context, services, fail);
    }
    const refuse = (code: 'NOT_FOUND' | 'INVALID_PARAM' | 'TRIALS_UNAVAILABLE', details = {}): never => {
      throw new Problem(code, details);
    };
    const { modality } = (input.query ?? {}) as { modality?: unknown };
    if (modality !== undefined) refuseParameter('snapshot', NO_MODALITY, refuse);
    const known = await heldVersion(askedVersion, services, refuse);
    using lease = await reading(services.holder.acquireVersion(known), `The version ${askedVersion}`, refuse);
    // The lease of the handler ends with this one.
    const acquire = (): SnapshotLease => ({ ...lease, [Symbol.dispose]: () => {} });
    const holder = { acquire, version: askedVersion } as unknown as SnapshotHolder;
    return await handler(input, context, { ...services, holder }, fail);
  };
}
