import type { Readiness } from '../server-kit/probes.ts';
import type { SnapshotHolder } from './snapshot/snapshot-holder.ts';

/** What /readyz and the status say of the snapshot that this process serves. */
export function readinessOfHolder(holder: SnapshotHolder): Readiness {
  return {
    snapshot: () => holder.version,
    refused: () => holder.refused,
    checkedAt: () => holder.checkedAt,
  };
}
