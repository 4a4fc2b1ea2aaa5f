import { totalmem } from 'node:os';
import type { RegistryId } from '../../contract/ids.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { type FreeBytes, freeBytes, RAW_BYTES_EACH, SNAPSHOT_BYTES_EACH, WORK_BYTES_EACH } from '../space.ts';
import type { Finding } from './finding.ts';

/** What a whole live run will need, from what the registries count; figures of docs/performance.md, its table by size. */
export interface Forecast {
  registrations: number;
  /** Where the number of registrations comes from, by registry. */
  basis: string[];
  /** What the newest recorded run that published took; null where there is none. */
  lastRun: { run: string; fetchSeconds: number; stageSeconds: number } | null;
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
/** Two full raw sets are kept. */
const DATA_BYTES_EACH = 2 * RAW_BYTES_EACH + WORK_BYTES_EACH;
/** Peak RSS: 493 MB at 6,290 registrations, 3,343 MB at 629,000. */
const MEMORY_BYTES_LEAST = 500e6;
const MEMORY_BYTES_EACH = 4520;

/** What each registry was last seen to count itself: the size of a whole run where nothing else tells it. */
const LAST_SEEN: Readonly<Record<RegistryId, { count: number; day: string }>> = {
  clinicaltrials_gov: { count: 597_913, day: '2026-08-10' },
  isrctn: { count: 28_804, day: '2026-10-04' },
};

export interface RegistryCounts {
  ctgov: number;
  isrctn: number;
  basis: string[];
}

/**
 * What the registries count themselves now. Of one that does not answer: what the last snapshot holds, if it is a whole sweep; else what it
 * counted itself in the last live run; else what it was once seen to count, or the part that the snapshot holds, whichever is more.
 */
export function countsOf(
  findings: readonly Pick<Finding, 'source' | 'count'>[],
  last: Pick<Manifest, 'version' | 'registries'> | null,
): RegistryCounts {
  const basis: string[] = [];
  const countOf = (registry: RegistryId): number => {
    const asked = findings.find(({ source }) => source === registry)?.count ?? null;
    if (asked !== null) {
      basis.push(`${registry}: ${asked}, its own count of now`);
      return asked;
    }
    const one = last?.registries.find((held) => held.registry === registry) ?? null;
    const found = countWithoutAnswer(registry, one, last?.version);
    basis.push(`${registry}: ${found.count}, ${found.words}`);
    return found.count;
  };
  return { ctgov: countOf('clinicaltrials_gov'), isrctn: countOf('isrctn'), basis };
}

function countWithoutAnswer(
  registry: RegistryId,
  last: Manifest['registries'][number] | null,
  version: string | undefined,
): { count: number; words: string } {
  const { count, day } = LAST_SEEN[registry];
  const held = last?.registrations ?? null;
  if (last === null || held === null)
    return { count, words: `its own count of ${day}, since it tells no count now and no snapshot holds it` };
  if (last.complete) return { count: held, words: `as snapshot ${version} holds, since it tells no count now` };
  const part = `since it tells no count now and snapshot ${version} holds a part of it, ${held}`;
  if (last.expectedRecords !== null)
    return { count: last.expectedRecords, words: `its own count of ${last.lastSuccessAt}, ${part}` };
  if (held > count)
    return { count: held, words: `as the part holds that is in snapshot ${version}, since it tells no count now` };
  return { count, words: `its own count of ${day}, ${part}` };
}

export async function forecast(
  { basis, ...counts }: RegistryCounts,
  { dataDir, snapshotsDir, rate }: Place,
  lastRun: Forecast['lastRun'] = null,
  free: FreeBytes = freeBytes,
  presentBytes: number = Math.min(process.constrainedMemory() || totalmem(), totalmem()),
): Promise<Forecast> {
  const registrations = counts.ctgov + counts.isrctn;
  const answers = Math.max(counts.ctgov / CTGOV_PAGE, (counts.isrctn / ISRCTN_PAGE) * ISRCTN_ANSWERS);
  const disk = await Promise.all([
    roomIn(dataDir, registrations * DATA_BYTES_EACH, free),
    // The old snapshot stays while the new one is written.
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
  return { registrations, basis, lastRun, fetchSeconds: Math.ceil(answers / rate), stageSeconds, disk, memory, faults };
}

async function roomIn(directory: string, neededBytes: number, free: FreeBytes): Promise<Forecast['disk'][number]> {
  return { directory, neededBytes: Math.round(neededBytes), freeBytes: await free(directory) };
}
