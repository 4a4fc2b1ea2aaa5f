import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readCurrent } from '../../snapshot-format/current.ts';
import {
  buildTestImage,
  makeWorkingDatabase,
  publishInputs,
  quietEffects,
  temporaryDirectory,
  tinyCorpus,
} from '../../test/builders/working-database.ts';
import { openWorkingDatabase } from '../store/database.ts';
import { publish } from './publish.ts';
import { verify } from './verify.ts';

const CHILD = fileURLToPath(new URL('crash-child.ts', import.meta.url));

/** Exit code, or the signal that ended it. */
function runChild(root: string, killAt: number): Promise<number | NodeJS.Signals | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CHILD, root, String(killAt)], { stdio: 'inherit' });
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(signal ?? code));
  });
}

// Each kill leaves a snapshots directory that the next publish must cope with, so one chain tests recovery as well.
test('a kill at any checkpoint leaves CURRENT at the old or the new snapshot, whole, and the next publish works', async () => {
  await using root = await temporaryDirectory();
  const snapshots = join(root.path, 'snapshots');
  await (await makeWorkingDatabase(join(root.path, 'data'), tinyCorpus)).close();
  const publishHere = async (checkpoint: (name: string) => void = () => undefined): Promise<string> => {
    await using db = await openWorkingDatabase(join(root.path, 'data'));
    return (await publish(publishInputs(root.path, tinyCorpus), db, buildTestImage, quietEffects({ checkpoint }))).version;
  };
  const checkpoints: string[] = [];
  let old = await publishHere((name) => checkpoints.push(name));
  expect(checkpoints.length).toBeGreaterThan(30);

  const moved: string[] = [];
  for (const [index, name] of checkpoints.entries()) {
    const known = new Set(await readdir(snapshots));
    expect(await runChild(root.path, index + 1), name).toBe('SIGKILL');
    const current = (await readCurrent(snapshots))!;
    if (current !== old) {
      moved.push(name);
      expect(known.has(current), name).toBe(false);
    }
    expect((await verify(snapshots, current, quietEffects())).problems, name).toEqual([]);
    old = await publishHere();
    expect(await readCurrent(snapshots), name).toBe(old);
    expect((await readdir(snapshots)).filter((entry) => entry.startsWith('.tmp-')), name).toEqual([]);
  }
  // The new snapshot shows from the rename of CURRENT on, not earlier and not later.
  expect(moved).toEqual(['current:renamed', 'current:durable']);
  expect(await runChild(root.path, checkpoints.length + 1)).toBe(0);
  expect((await verify(snapshots, (await readCurrent(snapshots))!, quietEffects())).problems).toEqual([]);
}, 120_000);
