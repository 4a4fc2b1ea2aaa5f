import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { Population } from '../../board-server/results-gap/population.ts';
import { SnapshotFollower } from '../../board-server/snapshot-follower.ts';
import { readCurrent } from '../../snapshot-format/current.ts';
import { RESULTS_GAP_FILE } from '../../snapshot-format/results-gap.ts';
import { populationOf } from '../support/results-gap.ts';

describe('the population of the board server', () => {
  it('follows CURRENT, and keeps the one before it while the new one is damaged', async () => {
    const snapshots = inject('sampleSnapshots');
    const version = (await readCurrent(snapshots))!;
    const root = await mkdtemp(join(tmpdir(), 'gap-population-'));
    try {
      const faults: string[] = [];
      using holder = await SnapshotFollower.follow({
        snapshotsDir: root,
        open: Population.open,
        onFault: ({ message }) => faults.push(message),
      });
      expect(holder.current).toBeNull();
      const serving = (name: string) => join(root, name, 'serving');
      await cp(join(snapshots, version, 'serving', RESULTS_GAP_FILE), join(serving(version), RESULTS_GAP_FILE));
      await writeFile(join(root, 'CURRENT'), `${version}\n`);
      await holder.check();
      expect(holder.current?.size).toBeGreaterThan(0);

      const damaged = '20300101T000000Z-00000000';
      await cp(serving(version), serving(damaged), { recursive: true });
      await writeFile(join(serving(damaged), RESULTS_GAP_FILE), 'cut off');
      await writeFile(join(root, 'CURRENT'), `${damaged}\n`);
      await holder.check();
      await holder.check();
      expect([holder.current?.snapshot, faults.length]).toEqual([version, 1]);

      const older = '20300101T000001Z-00000000';
      await writeFile(join(root, 'CURRENT'), `${older}\n`);
      await holder.check();
      expect(holder.current).toBeNull();
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });

  it('finds every row by its id and none by another', async () => {
    const ids = ['NCT00000013', 'NCT00000026', 'NCT00000039', 'NCT00000052', 'NCT00000065'];
    const { current } = await populationOf(ids.toReversed().map((nctId) => ({ nctId, completed: '2020-01' })));
    expect(current).toBeInstanceOf(Population);
    expect(ids.map((id) => current.rowOf(id))).toEqual([0, 1, 2, 3, 4]);
    expect(['NCT00000000', 'NCT00000027', 'NCT99999999'].map((id) => current.rowOf(id))).toEqual([null, null, null]);
  });
});
