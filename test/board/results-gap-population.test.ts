import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { SnapshotFollower } from '../../board-server/kit/snapshot-follower.ts';
import { counterOf, currentCounter } from '../../board-server/results-gap/counter.ts';
import { Population } from '../../board-server/results-gap/population.ts';
import { ReportLog } from '../../board-server/results-gap/report-log.ts';
import { RESULTS_GAP_FILE } from '../../snapshot/format/results-gap.ts';
import { readCurrent } from '../../snapshot/format/versions/current.ts';
import { emptyManifest, versionAt, writeManifest } from '../builders/manifest.ts';
import { populationOf } from '../support/board/results-gap.ts';

describe('the population of the board server', () => {
  it('follows CURRENT, and keeps the one before it while the new one is damaged', async () => {
    const snapshots = inject('sampleSnapshots');
    const version = (await readCurrent(snapshots))!;
    const root = await mkdtemp(join(tmpdir(), 'gap-population-'));
    try {
      const faults: string[] = [];
      // It looks when the test says so: a look of its own could see half of a copy.
      using holder = new SnapshotFollower({
        snapshotsDir: root,
        open: Population.open,
        onFault: ({ message }) => faults.push(message),
      });
      await holder.check();
      expect(holder.current).toBeNull();
      await cp(join(snapshots, version), join(root, version), { recursive: true });
      await writeFile(join(root, 'CURRENT'), `${version}\n`);
      await holder.check();
      expect(holder.current?.size).toBeGreaterThan(0);

      const damaged = '20300101T000000Z-00000000';
      await cp(join(root, version), join(root, damaged), { recursive: true });
      await writeFile(join(root, damaged, 'serving', RESULTS_GAP_FILE), 'cut off');
      await writeFile(join(root, 'CURRENT'), `${damaged}\n`);
      await holder.check();
      await holder.check();
      expect([holder.current?.snapshot, faults.length]).toEqual([version, 1]);

      const older = versionAt('20300101T000001Z');
      await mkdir(join(root, older));
      writeManifest(join(root, older), emptyManifest(older));
      await writeFile(join(root, 'CURRENT'), `${older}\n`);
      await holder.check();
      expect(holder.current).toBeNull();
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });

  it('is counted on the day of the snapshot, and anew over another snapshot', async () => {
    const ledger = new ReportLog('name');
    const trials = [{ nctId: 'NCT00000013', completed: '2025-01-10' }];
    const { current: before } = await populationOf(trials, '2026-07-09');
    const { current: after } = await populationOf(trials, '2026-07-10');
    const { current: none } = await populationOf([{ nctId: 'NCT00000013', completed: null }], '2026-07-10');
    const asked = [
      [before, '2026-07-09', 0],
      [after, '2026-07-10', 1],
      [after, '2026-07-10', 1],
      [none, '2026-07-10', 0],
      [before, '2026-07-09', 0],
    ] as const;
    for (const [population, asOf, size] of asked) {
      const guide = currentCounter(population, ledger);
      expect([guide.asOf, guide.population, guide]).toEqual([asOf, size, counterOf(population, ledger)]);
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
