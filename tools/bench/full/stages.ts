import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readCurrent, readManifest, snapshotPath } from '../../../snapshot/format/versions/current.ts';
import type { Manifest } from '../../../snapshot/format/versions/manifest.ts';
import { feedFiles, SAMPLE_FEED_LIST } from '../../generator/feeds.ts';
import { type Measured, measureRun } from '../process.ts';
import { AS_OF, type CorpusDump } from './corpus.ts';

/** The stages in their order, each a process of its own. */
export const STAGES = ['fetch', 'normalise', 'dedup', 'signals', 'publish'] as const;
export type Stage = (typeof STAGES)[number];
/** Stages of a day's change, whose records are already stored. */
export const DAY_STAGES = ['normalise', 'dedup', 'publish'] as const;

export type Figures = Omit<Measured, 'output'>;

/** Folders of one pipeline, and the environment that its programs and servers get. */
export interface Room {
  dataDir: string;
  snapshotsDir: string;
  feedsDir: string;
  environment: Record<string, string>;
}

/** Makes a workspace under `root` with a small directory of feeds. No program in it uses a service outside this machine. */
export async function makeRoom(root: string, seed: number): Promise<Room> {
  const at = (name: string): string => join(root, name);
  const [dataDir, snapshotsDir, feedsDir] = [at('data'), at('snapshots'), at('feeds')];
  await mkdir(feedsDir, { recursive: true });
  for (const { name, text } of feedFiles({ seed, asOf: AS_OF })) await writeFile(join(feedsDir, name), text);
  await writeFile(at('feeds.json'), JSON.stringify(SAMPLE_FEED_LIST));
  const environment = {
    PATH: '',
    DATA_DIR: dataDir,
    SNAPSHOTS_DIR: snapshotsDir,
    FEEDS_FILE: at('feeds.json'),
    PUBMED_URL: 'off',
    EUROPEPMC_URL: 'off',
    LOG_LEVEL: 'info',
  };
  return { dataDir, snapshotsDir, feedsDir, environment };
}

export async function runStage(stage: Stage, room: Room, dump: CorpusDump): Promise<Figures> {
  const more: Partial<Record<Stage, string[]>> = {
    fetch: ['--ctgov', dump.ctgov, '--isrctn', dump.isrctn],
    signals: ['--feeds', room.feedsDir],
  };
  return figuresOf(
    await measureRun(['pipeline/cli.ts', stage, '--source', 'dump', ...(more[stage] ?? [])], room.environment),
  );
}

export async function runDiff(room: Room, from: string, to: string): Promise<Figures> {
  return figuresOf(await measureRun(['pipeline/cli.ts', 'diff', from, to], room.environment));
}

export async function runVerify(room: Room): Promise<Figures> {
  return figuresOf(await measureRun(['pipeline/cli.ts', 'verify', 'current'], room.environment));
}

function figuresOf({ seconds, cpuSeconds, peakRssMb, takenShare }: Measured): Figures {
  return { seconds, cpuSeconds, peakRssMb, takenShare };
}

/** The sum of seconds, the largest peak and the mean of the host's shares; null when a stage is missing. */
export function together(stages: Partial<Record<Stage, Figures>>, names: readonly Stage[]): Figures | null {
  const all = names.map((name) => stages[name]);
  if (all.some((one) => one === undefined)) return null;
  const found = all as Figures[];
  const whole = (values: (number | null)[]): number[] | null => (values.includes(null) ? null : (values as number[]));
  const cpu = whole(found.map(({ cpuSeconds }) => cpuSeconds));
  const peaks = whole(found.map(({ peakRssMb }) => peakRssMb));
  const taken = whole(found.map(({ takenShare }) => takenShare));
  const seconds = found.reduce((sum, one) => sum + one.seconds, 0);
  return {
    seconds,
    cpuSeconds: cpu?.reduce((sum, seconds) => sum + seconds, 0) ?? null,
    peakRssMb: peaks && Math.max(...peaks),
    takenShare: taken && taken.reduce((sum, share, place) => sum + share * found[place]!.seconds, 0) / seconds,
  };
}

/** Bytes on disk of each table and each serving file. */
export interface SnapshotBytes {
  version: string;
  total: number;
  tables: Record<string, number>;
  serving: Record<string, number>;
}

export async function currentVersion(room: Room): Promise<string> {
  const version = await readCurrent(room.snapshotsDir);
  if (version === null) throw new Error('the pipeline published nothing');
  return version;
}

export async function snapshotBytes(room: Room): Promise<SnapshotBytes> {
  const version = await currentVersion(room);
  return bytesOf(await readManifest(snapshotPath(room.snapshotsDir, version)));
}

export function bytesOf({ version, tables, serving }: Pick<Manifest, 'version' | 'tables' | 'serving'>): SnapshotBytes {
  const ofTables = Object.fromEntries(Object.entries(tables).map(([name, { bytes }]) => [name, bytes]));
  const ofServing = Object.fromEntries(serving.files.map(({ path, bytes }) => [path, bytes]));
  const total = [...Object.values(ofTables), ...Object.values(ofServing)].reduce((sum, bytes) => sum + bytes, 0);
  return { version, total, tables: ofTables, serving: ofServing };
}
