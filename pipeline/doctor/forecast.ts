import { totalmem } from 'node:os';
import { type FreeBytes, freeBytes } from '../space.ts';

/** What a whole live run will need, from what the registries count; figures of docs/performance.md, its table by size. */
export interface Forecast {
  registrations: number;
  /** Seconds; requests wait for their rate, and the stages were measured on two cores. */
  fetchSeconds: number;
  stageSeconds: number;
  disk: { directory: string; neededBytes: number; freeBytes: number }[];
  memory: { neededBytes: number; presentBytes: number };
  faults: { fault: string; mend: string }[];
}

interface Place {
  dataDir: string;
  snapshotsDir: string;
  /** Requests a second to each registry. */
  rate: number;
}

/** Studies in one answer of ClinicalTrials.gov, and trials in one of ISRCTN, where as many answers only count. */
const CTGOV_PAGE = 1000;
const ISRCTN_PAGE = 250;
const ISRCTN_ANSWERS = 2;
const STAGE_SECONDS_EACH = 425 / 629_000;
/** Two full raw sets as received (2.1 GB of dumps), the payloads (717 MB) and the working database (713 MB). */
const DATA_BYTES_EACH = (2 * 2.1e9 + 717e6 + 713e6) / 629_000;
/** Beside the payloads, which it shares: the old snapshot stays while the new one is written. */
const SNAPSHOT_BYTES_EACH = (3.97e9 - 717e6) / 629_000;
/** Peak RSS: 493 MB at 6,290 registrations, 3,343 MB at 629,000. */
const MEMORY_BYTES_LEAST = 500e6;
const MEMORY_BYTES_EACH = 4520;

export async function forecast(
  counts: { ctgov: number; isrctn: number },
  { dataDir, snapshotsDir, rate }: Place,
  free: FreeBytes = freeBytes,
  presentBytes: number = Math.min(process.constrainedMemory() || totalmem(), totalmem()),
): Promise<Forecast> {
  const registrations = counts.ctgov + counts.isrctn;
  const answers = Math.max(counts.ctgov / CTGOV_PAGE, (counts.isrctn / ISRCTN_PAGE) * ISRCTN_ANSWERS);
  const disk = await Promise.all([
    roomIn(dataDir, registrations * DATA_BYTES_EACH, free),
    roomIn(snapshotsDir, registrations * SNAPSHOT_BYTES_EACH, free),
  ]);
  const memory = { neededBytes: MEMORY_BYTES_LEAST + registrations * MEMORY_BYTES_EACH, presentBytes };
  const faults = disk
    .filter(({ neededBytes, freeBytes: left }) => left < neededBytes)
    .map(({ directory }) => ({
      fault: `${directory} has less free than a whole run needs`,
      mend: 'free space there, or set DATA_DIR and SNAPSHOTS_DIR to a larger disk',
    }));
  if (memory.presentBytes < memory.neededBytes) {
    faults.push({ fault: 'the machine has less memory than a whole run needs', mend: 'run it on a larger machine' });
  }
  const stageSeconds = Math.ceil(registrations * STAGE_SECONDS_EACH);
  return { registrations, fetchSeconds: Math.ceil(answers / rate), stageSeconds, disk, memory, faults };
}

async function roomIn(directory: string, neededBytes: number, free: FreeBytes): Promise<Forecast['disk'][number]> {
  return { directory, neededBytes: Math.round(neededBytes), freeBytes: await free(directory) };
}
