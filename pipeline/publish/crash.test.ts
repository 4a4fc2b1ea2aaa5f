import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
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

const CHILD = fileURLToPath(new URL('../../test/support/crash-child.ts', import.meta.url));

/** Exit code, or the signal that ended it. */
function runChild(root: string, killAt: number): Promise<number | NodeJS.Signals | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CHILD, root, String(killAt)], { stdio: 'inherit' });
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(signal ?? code));
  });
}

/** Checkpoints are dealt out to this many chains, each in a directory of its own, which run beside each other. */
const CHAINS = 2;

// Each kill leaves a snapshots directory that the next publish must cope with, so a chain tests recovery as well.
describe.concurrent('a kill at any checkpoint', () => {
  test.each(Array.from({ length: CHAINS }, (_, chain) => [chain]))(
    'leaves CURRENT at the old or the new snapshot, whole, and the next publish works (chain %i)',
    async (chain) => {
      await using root = await temporaryDirectory();
      const snapshots = join(root.path, 'snapshots');
      await (await makeWorkingDatabase(join(root.path, 'data'), tinyCorpus)).close();
      const publishHere = async (checkpoint: (name: string) => void = () => undefined): Promise<string> => {
        await using db = await openWorkingDatabase(join(root.path, 'data'));
        const inputs = publishInputs(root.path, tinyCorpus);
        return (await publish(inputs, db, buildTestImage, quietEffects({ checkpoint }))).version;
      };
      const checkpoints: string[] = [];
      let old = await publishHere((name) => checkpoints.push(name));
      expect(checkpoints.length).toBeGreaterThan(30);

      for (const [index, name] of checkpoints.entries()) {
        if (index % CHAINS !== chain) continue;
        const known = new Set(await readdir(snapshots));
        expect(await runChild(root.path, index + 1), name).toBe('SIGKILL');
        const current = (await readCurrent(snapshots))!;
        // The new snapshot shows from the rename of CURRENT on, not earlier and not later.
        expect(current !== old, name).toBe(['current:renamed', 'current:durable'].includes(name));
        expect(current === old || !known.has(current), name).toBe(true);
        expect((await verify(snapshots, current, quietEffects())).problems, name).toEqual([]);
        old = await publishHere();
        expect(await readCurrent(snapshots), name).toBe(old);
        expect(
          (await readdir(snapshots)).filter((entry) => entry.startsWith('.tmp-')),
          name,
        ).toEqual([]);
      }
      expect(await runChild(root.path, checkpoints.length + 1)).toBe(0);
      expect((await verify(snapshots, (await readCurrent(snapshots))!, quietEffects())).problems).toEqual([]);
    },
    240_000,
  );
});
