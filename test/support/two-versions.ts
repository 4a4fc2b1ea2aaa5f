import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { loadConfig } from '../../config/config.ts';
import { run } from '../../pipeline/run/run.ts';
import { CURRENT_FILE } from '../../snapshot-format/current-file.ts';

export interface TwoVersions extends AsyncDisposable {
  snapshotsDir: string;
  older: string;
  newer: string;
}

/** Snapshots of the sample corpus's two days in a new directory; CURRENT names the `served` one. */
export async function twoVersions(served: 'older' | 'newer' = 'newer'): Promise<TwoVersions> {
  const root = await mkdtemp(join(tmpdir(), 'trial-board-versions-'));
  const config = loadConfig({ DATA_DIR: join(root, 'data'), SNAPSHOTS_DIR: join(root, 'snapshots') }, root);
  await cp(inject('sampleData'), config.dataDir, { recursive: true });
  await cp(inject('sampleSnapshots'), config.snapshotsDir, { recursive: true });
  const versions = async (): Promise<string[]> =>
    (await readdir(config.snapshotsDir)).filter((name) => /^\d{8}T/.test(name)).sort();
  const [older] = await versions();
  const sample = { directory: inject('sampleDirectory'), day: 1 } as const;
  await run({ source: 'sample', mode: 'auto', accept: [], sample }, config, {
    now: () => new Date(),
    progress: () => {},
    checkpoint: () => {},
  });
  const newer = (await versions()).at(-1)!;
  if (served === 'older') await writeFile(join(config.snapshotsDir, CURRENT_FILE), `${older}\n`);
  return {
    snapshotsDir: config.snapshotsDir,
    older: older!,
    newer,
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}
