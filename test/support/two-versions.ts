import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import { run } from '../../pipeline/run/run.ts';
import { loadConfig } from '../../server-kit/config/config.ts';
import { CURRENT_FILE } from '../../snapshot/format/versions/current-file.ts';

export interface TwoVersions extends AsyncDisposable {
  snapshotsDir: string;
  older: string;
  newer: string;
}

/** Snapshots of the sample corpus's two days in a new directory; CURRENT names the `served` one. */
export async function twoVersions(served: 'older' | 'newer' = 'newer'): Promise<TwoVersions> {
  const root = await mkdtemp(join(tmpdir(), 'trial-board-versions-'));
  const snapshotsDir = join(root, 'snapshots');
  await cp(await bothDays(), snapshotsDir, { recursive: true });
  const versions = (await readdir(snapshotsDir)).filter((name) => /^\d{8}T/.test(name)).sort();
  const [older, newer] = versions as [string, string];
  if (served === 'older') await writeFile(join(snapshotsDir, CURRENT_FILE), `${older}\n`);
  return { snapshotsDir, older, newer, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) };
}

/**
 * Snapshots of both days beside the sample's own, which tests only read. The first process that needs them publishes the
 * second day; where two do so at the same time, those of one are kept.
 */
async function bothDays(): Promise<string> {
  const shared = join(dirname(inject('sampleData')), 'both-days');
  if (existsSync(shared)) return shared;
  const root = await mkdtemp(`${shared}-`);
  const config = loadConfig({ DATA_DIR: join(root, 'data'), SNAPSHOTS_DIR: join(root, 'snapshots') }, root);
  await cp(inject('sampleData'), config.dataDir, { recursive: true });
  await cp(inject('sampleSnapshots'), config.snapshotsDir, { recursive: true });
  const sample = { directory: inject('sampleDirectory'), day: 1 } as const;
  await run({ source: 'sample', mode: 'auto', accept: [], sample }, config, {
    now: () => new Date(),
    progress: () => {},
    checkpoint: () => {},
  });
  await rename(config.snapshotsDir, shared).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
  return shared;
}
