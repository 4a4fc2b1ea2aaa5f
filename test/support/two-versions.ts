import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import { CURRENT_FILE } from '../../snapshot/format/versions/current-file.ts';
import { BOTH_DAYS } from './runner/sample-snapshot.ts';

export interface TwoVersions extends AsyncDisposable {
  snapshotsDir: string;
  older: string;
  newer: string;
}

/** Snapshots of the sample corpus's two days in a new directory; CURRENT names the `served` one. */
export async function twoVersions(served: 'older' | 'newer' = 'newer'): Promise<TwoVersions> {
  const root = await mkdtemp(join(tmpdir(), 'trial-board-versions-'));
  const snapshotsDir = join(root, 'snapshots');
  await cp(join(dirname(inject('sampleData')), BOTH_DAYS), snapshotsDir, { recursive: true });
  const versions = (await readdir(snapshotsDir)).filter((name) => /^\d{8}T/.test(name)).sort();
  const [older, newer] = versions as [string, string];
  if (served === 'older') await writeFile(join(snapshotsDir, CURRENT_FILE), `${older}\n`);
  return { snapshotsDir, older, newer, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) };
}
