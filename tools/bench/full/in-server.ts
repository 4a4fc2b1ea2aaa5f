import { snapshotPath } from '../../../snapshot/format/versions/current.ts';
import type { Latency } from '../latency.ts';
import { measureRun } from '../process.ts';
import type { Queries } from '../queries.ts';
import { AS_OF } from './corpus.ts';
import { currentVersion, type Room } from './stages.ts';

/** Results of a process that opened a snapshot. */
export interface InServer {
  trials: number;
  calls: Record<string, Latency>;
  queries: Queries;
  /** Some canonical ids. */
  ids: string[];
}

/** Searches in a process of its own, so that its memory and garbage affect no other measurement. */
export async function searchInServer(room: Room): Promise<InServer & { peakRssMb: number | null }> {
  const dir = snapshotPath(room.snapshotsDir, await currentVersion(room));
  const { output, peakRssMb } = await measureRun(
    ['tools/bench/full/in-server-process.ts', dir, AS_OF],
    room.environment,
  );
  return { ...(JSON.parse(output) as InServer), peakRssMb };
}
