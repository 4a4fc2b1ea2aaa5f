import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readCurrent } from '../../snapshot/format/versions/current.ts';
import {
  buildTestImage,
  makeWorkingDatabase,
  publishInputs,
  quietEffects,
  temporaryDirectory,
  tinyCorpus,
} from '../../test/builders/working-database.ts';
import { CRASH_KEY } from '../../test/support/faults/crash-key.ts';
import { amountOf } from '../../test/support/runner/amount.ts';
import { COMPILE_CACHE } from '../../test/support/runner/compile-cache.ts';
import { openWorkingDatabase } from '../store/database.ts';
import { checkLog } from './checks/check-log.ts';
import { publish } from './publish.ts';
import { verify } from './verify/verify.ts';

const CHILD = fileURLToPath(new URL('../../test/support/faults/crash-process.ts', import.meta.url));

/** Resolves with the exit code of the child, or with the signal that ended it. */
function runChild(root: string, killAt: number): Promise<number | NodeJS.Signals | null> {
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env.PATH, ...COMPILE_CACHE };
    const child = spawn(process.execPath, [CHILD, root, String(killAt)], { stdio: 'inherit', env });
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(signal ?? code));
  });
}

/**
 * The deep run kills at every checkpoint. It divides them among this many chains, which run at the same time in separate
 * directories.
 */
const CHAINS = amountOf({ quick: 1, deep: 3 });
/** The quick run kills where the new snapshot stands in the log, and where it has just become current. */
const SMOKE = ['log:identities:renamed', 'current:renamed'];
const chosen = amountOf({
  quick: (names: string[]) => names.filter((name) => SMOKE.includes(name)),
  deep: (names: string[]) => names,
});

// A chain tests recovery as well: the publish after a kill starts from the snapshots directory and the working database
// that the killed one left, and is itself killed a little later. The test expects leftovers of the last killed publish
// only.
describe.concurrent('a kill at any checkpoint', () => {
  test.each(Array.from({ length: CHAINS }, (_, chain) => [chain]))(
    'leaves CURRENT at the old or the new snapshot, whole, and the next publish works (chain %i)',
    async (chain) => {
      await using root = await temporaryDirectory();
      const snapshots = join(root.path, 'snapshots');
      await (await makeWorkingDatabase(join(root.path, 'data'), tinyCorpus)).close();
      const publishHere = async (checkpoint: (name: string) => void = () => undefined): Promise<string> => {
        await using db = await openWorkingDatabase(join(root.path, 'data'));
        const inputs = publishInputs(root.path, tinyCorpus, { signers: [CRASH_KEY] });
        return (await publish(inputs, db, buildTestImage, quietEffects({ checkpoint }))).version;
      };
      const checkpoints: string[] = [];
      await publishHere();
      await publishHere((name) => checkpoints.push(name));
      // A killed child writes no compile cache for the next one; this child exits normally and writes it.
      expect(await runChild(root.path, Number.MAX_SAFE_INTEGER)).toBe(0);
      let old = (await readCurrent(snapshots))!;
      expect(checkpoints.length).toBeGreaterThan(30);
      expect(chosen(checkpoints)).toHaveLength(amountOf({ quick: SMOKE.length, deep: checkpoints.length }));

      for (const [index, name] of checkpoints.entries()) {
        if (index % CHAINS !== chain || !chosen(checkpoints).includes(name)) continue;
        const known = new Set(await readdir(snapshots));
        expect(await runChild(root.path, index + 1), name).toBe('SIGKILL');
        const current = (await readCurrent(snapshots))!;
        // The new snapshot becomes current at the rename of CURRENT, neither earlier nor later.
        expect(current !== old, name).toBe(['current:renamed', 'current:durable'].includes(name));
        expect(current === old || !known.has(current), name).toBe(true);
        // What is served is in the log, whose checkpoints hold, at every moment.
        const verified = await verify(snapshots, current, quietEffects(), { trusted: [CRASH_KEY.verifier] });
        expect(verified.problems, name).toEqual([]);
        expect(verified.log.index, name).not.toBeNull();
        const left = (await readdir(snapshots)).flatMap((entry) => /^\.tmp-(\d+)/.exec(entry)?.[1] ?? []);
        expect(new Set(left).size, name).toBeLessThanOrEqual(1);
        old = current;
        // From these checkpoints on, each kill leaves a different state.
        if (!/^(synced:\/|snapshot:|log:|current:)/.test(name)) continue;
        old = await publishHere();
        expect(await readCurrent(snapshots), name).toBe(old);
        expect(
          (await readdir(snapshots)).filter((entry) => entry.startsWith('.tmp-')),
          name,
        ).toEqual([]);
      }
      expect(await runChild(root.path, checkpoints.length + 1)).toBe(0);
      expect((await verify(snapshots, (await readCurrent(snapshots))!, quietEffects())).problems).toEqual([]);
      const log = await checkLog(snapshots, [CRASH_KEY.verifier]);
      expect(log.problems).toEqual([]);
      // Each entry is a snapshot that was there, and each checkpoint counts one more than those before it.
      expect(log.entries.filter(({ state }) => state !== 'held')).toEqual([]);
    },
  );
});
