import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { run } from '../../../pipeline/run/run.ts';
import { loadConfig } from '../../../server-kit/config/config.ts';
import type { CorpusOptions } from '../../../tools/generator/corpus.ts';
import { writeSample } from '../../../tools/generator/write-sample.ts';
import { leaveRemovedVersions } from '../snapshots/removed-version.ts';
import { cachedSample } from './sample-cache.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Holds one snapshot of a small sample corpus, and what gc left of two others; tests only read it. */
    sampleSnapshots: string;
    /** Data directory in which it was made. */
    sampleData: string;
  }
}

/**
 * The sample corpus of the server tests, 600 studies and 220 trials on two days, in the form of `data/sample`. Its first
 * records are the cases of test/e2e/planted-cases.json.
 */
const SAMPLE = join(import.meta.dirname, '../sample');
/** Folder beside the sample's data with the snapshots of both days of the sample. */
export const BOTH_DAYS = 'both-days';
/** Brotli's fastest level, because files of tests are read once. */
const QUALITY = 0;

/** Writes a sample of another size to a new directory below `root`, which it returns. */
export async function writeTestSample(
  root: string,
  sample: Pick<CorpusOptions, 'seed' | 'ctgov' | 'isrctn'>,
): Promise<string> {
  const directory = join(root, 'sample');
  await writeSample(directory, sample, QUALITY);
  return directory;
}

/** Publishes the second day of the sample after the first, in copies of its data and snapshots. */
async function publishSecondDay(root: string): Promise<void> {
  const [data, snapshots] = [join(root, 'second-data'), join(root, BOTH_DAYS)];
  await cp(join(root, 'data'), data, { recursive: true });
  await cp(join(root, 'snapshots'), snapshots, { recursive: true });
  const sample = { directory: SAMPLE, day: 1 } as const;
  await run(
    { source: 'sample', mode: 'auto', accept: [], sample },
    loadConfig({ DATA_DIR: data, SNAPSHOTS_DIR: snapshots }, root),
    {
      now: () => new Date(),
      progress: () => {},
      checkpoint: () => {},
    },
  );
  await rm(data, { recursive: true, force: true });
}

/** Ready before any test, because every server test uses it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const root = await mkdtemp(join(tmpdir(), 'trial-board-sample-'));
  const config = loadConfig({ DATA_DIR: join(root, 'data'), SNAPSHOTS_DIR: join(root, 'snapshots') }, root);
  await cachedSample(root, async () => {
    process.stderr.write('Publishing the sample of the tests, 820 synthetic records, kept in node_modules/.cache …\n');
    const asked = { command: 'run', words: ['--source', 'sample', '--sample', SAMPLE] } as const;
    const effects = { now: () => new Date(), progress: () => {}, checkpoint: () => {} };
    await run({ source: 'sample', mode: 'auto', accept: [], sample: { directory: SAMPLE } }, config, effects, asked);
    await leaveRemovedVersions(config.snapshotsDir);
    await publishSecondDay(root);
  });
  project.provide('sampleSnapshots', config.snapshotsDir);
  project.provide('sampleData', config.dataDir);
  return () => rm(root, { recursive: true, force: true });
}
