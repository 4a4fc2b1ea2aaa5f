import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CURRENT_FILE } from '../../../snapshot/format/versions/current-file.ts';
import { closedLoop, type LongLoad, longLoop } from '../client.ts';
import type { Queries } from '../queries.ts';
import { startIndexServer } from './index-servers.ts';
import type { Room } from './stages.ts';

const CONNECTIONS = 16;
const SWAP_SECONDS = 60;
const SAMPLE_SECONDS = 5;
/** A short load still includes this many swaps. */
const SWAPS_MIN = 3;

interface MemorySample {
  second: number;
  rssMb: number | null;
  privateMb: number | null;
}

export interface LoadResult {
  peakPerSecond: number;
  load: LongLoad;
  seconds: number;
  swaps: number;
  memory: { start: MemorySample; end: MemorySample; growth: number | null; peakRssMb: number | null };
}

/**
 * Mixed reads at half of their own closed-loop rate, while CURRENT alternates between the two snapshots. The server has
 * served both before the load begins, so that later growth of memory is not caused by their first use.
 */
export async function measureLoad(
  room: Room,
  versions: readonly [string, string],
  { queries, ids }: { queries: Queries; ids: string[] },
  { minutes, seconds }: { minutes: number; seconds: number },
): Promise<LoadResult> {
  const reads = mixedReads(queries, ids);
  const loadSeconds = minutes * 60;
  await using server = await startIndexServer(room);
  const target = { origin: server.url, paths: reads.map(({ path }) => path), connections: CONNECTIONS };
  const { requestsPerSecond: peakPerSecond } = await closedLoop({ ...target, seconds });
  await moveCurrent(room, versions[0]);
  await closedLoop({ ...target, seconds });
  await moveCurrent(room, versions[1]);
  await closedLoop({ ...target, seconds });

  const started = performance.now();
  const sample = (): MemorySample => {
    const { rssMb, privateMb } = server.memory();
    return { second: (performance.now() - started) / 1000, rssMb, privateMb };
  };
  const samples = [sample()];
  let swaps = 0;
  // Swaps wait for each other: on a busy machine a swap may take longer than the time to the next.
  let moving = Promise.resolve();
  const faults: unknown[] = [];
  const swapMs = Math.min(SWAP_SECONDS, loadSeconds / (SWAPS_MIN + 1)) * 1000;
  const swapping = setInterval(() => {
    const version = versions[swaps % 2]!;
    moving = moving.then(() => moveCurrent(room, version)).catch((fault: unknown) => void faults.push(fault));
    swaps += 1;
  }, swapMs);
  const sampling = setInterval(() => samples.push(sample()), Math.min(SAMPLE_SECONDS * 1000, swapMs));
  const perSecond = Math.max(1, Math.round(peakPerSecond / 2));
  const kinds = reads.map(({ kind }) => kind);
  const load = await longLoop({ ...target, seconds: loadSeconds }, perSecond, kinds).finally(() => {
    clearInterval(swapping);
    clearInterval(sampling);
  });
  await moving;
  if (faults.length > 0) throw faults[0];
  samples.push(sample());
  const memory = {
    start: samples[0]!,
    end: samples.at(-1)!,
    growth: growthOf(samples.map(({ privateMb }) => privateMb)),
    peakRssMb: server.memory().peakRssMb,
  };
  return { peakPerSecond, load, seconds: loadSeconds, swaps, memory };
}

/** Median of the last third divided by that of the first, minus one; null when memory cannot be read. */
export function growthOf(samples: readonly (number | null)[]): number | null {
  if (samples.length === 0 || samples.includes(null)) return null;
  const third = Math.max(1, Math.floor(samples.length / 3));
  const median = (part: readonly (number | null)[]): number =>
    (part as number[]).toSorted((a, b) => a - b)[Math.floor(part.length / 2)]!;
  return median(samples.slice(-third)) / median(samples.slice(0, third)) - 1;
}

/** Six kinds of reads in turn; half of them are searches. */
export function mixedReads(queries: Queries, ids: readonly string[]): { kind: string; path: string }[] {
  return queries.mixed.flatMap((query, place) => {
    const q = encodeURIComponent(query);
    const trials = '/api/v1/trials';
    const other = [
      { kind: 'coverage', path: `${trials}/coverage?q=${q}` },
      { kind: 'landscape', path: `${trials}/landscape?q=${q}` },
      { kind: 'stats', path: `${trials}/stats` },
      { kind: 'batch', path: '/api/v1/batch' },
    ];
    return [
      { kind: 'search', path: `${trials}/search?q=${q}` },
      { kind: 'detail', path: `${trials}/${ids[place % ids.length]}` },
      { kind: 'search', path: `${trials}/search?q=${q}&page=2` },
      other[place % other.length]!,
    ];
  });
}

/** Changes CURRENT like publishing does: readers see the old or the new name, never half of it. */
async function moveCurrent(room: Room, version: string): Promise<void> {
  const temporary = join(room.snapshotsDir, `.${CURRENT_FILE}.bench`);
  await writeFile(temporary, `${version}\n`);
  await rename(temporary, join(room.snapshotsDir, CURRENT_FILE));
}
