import { inject } from 'vitest';
import { TrialIds } from '../../../board-server/kit/trial-ids.ts';
import { readCurrent, snapshotPath } from '../../../snapshot/format/versions/current.ts';

/** The trial ids of the sample corpus. */
export async function sampleTrialIds(): Promise<{ current: TrialIds | null }> {
  const snapshots = inject('sampleSnapshots');
  const version = await readCurrent(snapshots);
  return { current: version === null ? null : await TrialIds.open(snapshotPath(snapshots, version), version) };
}
