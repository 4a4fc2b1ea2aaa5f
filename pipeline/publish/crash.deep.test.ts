import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readCurrent } from '../../snapshot/format/versions/current.ts';
import { buildTestImage, publishInputs, quietEffects, tinyCorpus } from '../../test/builders/working-database.ts';
import { CRASH_KEY } from '../../test/support/faults/crash-key.ts';
import { oneOfEachKind } from '../../test/support/faults/instants.ts';
import { COMPILE_CACHE } from '../../test/support/runner/compile-cache.ts';
import { TestPublisher } from '../../test/support/snapshots/publisher.ts';
import { openWorkingDatabase } from '../store/database.ts';
import { checkLog } from './checks/check-log.ts';
import { publish } from './publish.ts';

const CHILD = fileURLToPath(new URL('../../test/support/faults/crash-process.ts', import.meta.url));

/** Publishes in a process that dies at a checkpoint; the signal that ended it, else its exit code. */
async function runChild(root: string, killAt: number): Promise<number | NodeJS.Signals | null> {
  const env = { PATH: process.env.PATH, ...COMPILE_CACHE };
  const child = spawn(process.execPath, [CHILD, root, String(killAt)], { stdio: 'inherit', env });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return signal ?? code;
}

// This tests recovery as well: a publish after a kill starts from what the killed one left, and is itself killed a little later.
test('a kill at any checkpoint leaves CURRENT at the old or the new snapshot, whole, and the next publish works', async () => {
  await using publisher = await TestPublisher.of();
  const { path, snapshots } = publisher;
  const publishHere = async (checkpoint: (name: string) => void = () => undefined): Promise<string> => {
    await using db = await openWorkingDatabase(publisher.dataDir);
    const inputs = publishInputs(path, tinyCorpus, { signers: [CRASH_KEY] });
    return (await publish(inputs, db, buildTestImage, quietEffects({ checkpoint }))).version;
  };
  await publisher.close();
  const checkpoints: string[] = [];
  await publishHere();
  await publishHere((name) => checkpoints.push(name));
  // A killed child writes no compile cache for the next one; this child exits normally and writes it.
  expect(await runChild(path, Number.MAX_SAFE_INTEGER)).toBe(0);
  let old = (await readCurrent(snapshots))!;
  const indexes = oneOfEachKind(checkpoints);
  expect(indexes.length).toBeGreaterThanOrEqual(15);

  for (const index of indexes) {
    const name = checkpoints[index]!;
    const known = new Set(await readdir(snapshots));
    expect(await runChild(path, index + 1), name).toBe('SIGKILL');
    const current = (await readCurrent(snapshots))!;
    // The new snapshot becomes current at the rename of CURRENT, neither earlier nor later.
    expect(current !== old, name).toBe(['current:renamed', 'current:durable'].includes(name));
    expect(current === old || !known.has(current), name).toBe(true);
    // What is served is in the log, whose checkpoints hold, at every moment.
    expect(await publisher.problems(current, { trusted: [CRASH_KEY.verifier] }), name).toEqual([]);
    const left = (await readdir(snapshots)).flatMap((entry) => /^\.tmp-(\d+)/.exec(entry)?.[1] ?? []);
    expect(new Set(left).size, name).toBeLessThanOrEqual(1);
    old = current;
    // From these checkpoints on, each kill leaves a different state.
    if (!/^(synced:\/|snapshot:|log:|current:)/.test(name)) continue;
    old = await publishHere();
    expect(await readCurrent(snapshots), name).toBe(old);
    expect((await readdir(snapshots)).filter((entry) => entry.startsWith('.tmp-'))).toEqual([]);
  }
  expect(await runChild(path, checkpoints.length + 1)).toBe(0);
  expect(await publisher.problems((await readCurrent(snapshots))!)).toEqual([]);
  const log = await checkLog(snapshots, [CRASH_KEY.verifier]);
  expect(log.problems).toEqual([]);
  // Each entry is a snapshot that was there, and each checkpoint counts one more than those before it.
  expect(log.entries.filter(({ state }) => state !== 'held')).toEqual([]);
});
