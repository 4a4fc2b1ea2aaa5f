import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { loadConfig } from '../../config/config.ts';
import { run } from '../../pipeline/run/run.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Holds one snapshot of a small sample corpus; tests only read it. */
    sampleSnapshots: string;
    /** Data directory it was made in. */
    sampleData: string;
  }
}

/** The sample corpus that server tests stand on. */
export const SAMPLE = { seed: 1, ctgov: 600, isrctn: 220, day: 0 } as const;

/** Made once for the whole test run, as every server test stands on it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const root = await mkdtemp(join(tmpdir(), 'trial-board-sample-'));
  const config = loadConfig({ DATA_DIR: join(root, 'data'), SNAPSHOTS_DIR: join(root, 'snapshots') }, root);
  await run({ source: 'sample', mode: 'auto', accept: [], sample: SAMPLE }, config, {
    now: () => new Date(),
    progress: () => {},
    checkpoint: () => {},
  });
  project.provide('sampleSnapshots', config.snapshotsDir);
  project.provide('sampleData', config.dataDir);
  return () => rm(root, { recursive: true, force: true });
}
