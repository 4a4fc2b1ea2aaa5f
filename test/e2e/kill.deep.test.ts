import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SNAPSHOTS_LOCK } from '../../pipeline/lock.ts';
import { verify } from '../../pipeline/publish/verify/verify.ts';
import { readCurrent, readManifest, snapshotPath } from '../../snapshot/format/versions/current.ts';
import { LOG_DIR } from '../../snapshot/format/versions/publication-log.ts';
import { RUN_LOG_FILE, readRunLog } from '../../snapshot/format/versions/run-log.ts';
import { quietEffects } from '../builders/working-database.ts';
import { folderOfFile } from '../support/folders.ts';
import { startPipeline } from '../support/pipeline-process.ts';
import { writeTestSample } from '../support/runner/sample-snapshot.ts';

/** These tests start real processes and kill them. */

/** What a run prints at the start of a step; the test kills it there. */
const KILLED_AT = [
  'fetch isrctn',
  'normalise',
  'dedup links',
  'signals feeds',
  'publish trials',
  'publish canonical_ids',
];

const { path: root } = folderOfFile();

async function complete(words: string[], environment: Record<string, string>): Promise<void> {
  const { code, errors } = await startPipeline(words, environment).ended;
  expect(code, errors).toBe(0);
}

/** Kills the process once it has printed `label`, so that each kill hits another stage on a machine of any speed. */
async function killAt(label: string, words: string[], environment: Record<string, string>): Promise<void> {
  const { child, ended } = startPipeline(words, environment);
  child.stderr!.on('data', (chunk: Buffer) => {
    if (chunk.toString().includes(label)) child.kill('SIGKILL');
  });
  await ended;
}

describe('a run that is killed', () => {
  it('in any stage leaves nothing half published, and the next run ends as if nothing had happened', async () => {
    const sample = await writeTestSample(root, { seed: 1, ctgov: 250, isrctn: 60 });
    const words = ['run', '--source', 'sample', '--sample', sample];
    const whole = { DATA_DIR: join(root, 'whole'), SNAPSHOTS_DIR: join(root, 'whole-snapshots') };
    await complete(words, whole);
    const expected = await readManifest(snapshotPath(whole.SNAPSHOTS_DIR, (await readCurrent(whole.SNAPSHOTS_DIR))!));
    const broken = { DATA_DIR: join(root, 'broken'), SNAPSHOTS_DIR: join(root, 'broken-snapshots') };
    for (const label of KILLED_AT) {
      await killAt(label, words, broken);
      expect(existsSync(broken.SNAPSHOTS_DIR) ? await readCurrent(broken.SNAPSHOTS_DIR) : null).toBeNull();
    }
    await complete(words, broken);
    const version = (await readCurrent(broken.SNAPSHOTS_DIR))!;
    expect((await readManifest(snapshotPath(broken.SNAPSHOTS_DIR, version))).contentHash).toBe(expected.contentHash);
    expect((await verify(broken.SNAPSHOTS_DIR, version, quietEffects())).problems).toEqual([]);
    // The lock's file stays; what holds the lock is the process, not the file.
    const kept = [SNAPSHOTS_LOCK, version, 'CURRENT', LOG_DIR, RUN_LOG_FILE];
    expect((await readdir(broken.SNAPSHOTS_DIR)).sort()).toEqual(kept.sort());
    const states = (await readRunLog(broken.SNAPSHOTS_DIR)).map(({ state }) => state);
    expect(states).toEqual(['ended', ...KILLED_AT.map(() => 'killed')]);
  });
});
