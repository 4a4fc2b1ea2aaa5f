import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { SnapshotFollower } from '../../board-server/kit/snapshot-follower.ts';
import { TrialIds } from '../../board-server/kit/trial-ids.ts';
import { Population } from '../../board-server/results-gap/population.ts';
import { RESULTS_GAP_FILE } from '../../snapshot/format/results-gap.ts';
import { IDS_FILE } from '../../snapshot/format/serving.ts';
import { readCurrent } from '../../snapshot/format/versions/current.ts';
import { emptyManifest, versionAt, writeManifest } from '../builders/manifest.ts';
import { openGateway } from '../support/gateway.ts';
import { sampleTrialIds } from '../support/snapshots/trial-ids.ts';

describe('the trial ids of the board server', () => {
  it('lead where the index leads, for ids of every kind and spelling, and nowhere else', async () => {
    const { current } = await sampleTrialIds();
    await using gateway = await openGateway();
    const { body } = await gateway.get('/api/v1/trials/search?pageSize=30');
    const ids: string[] = body.data.trials.flatMap(
      ({ canonicalId, identifiers }: { canonicalId: string; identifiers: { value: string; inIndex: boolean }[] }) => [
        canonicalId,
        ...identifiers.filter(({ inIndex }) => inIndex).map(({ value }) => value),
      ],
    );
    expect(ids.length).toBeGreaterThan(30);
    expect(ids.filter((id) => !current!.has(id))).toEqual([]);
    expect(ids.filter((id) => !current!.has(` ${id.toLowerCase()} `))).toEqual([]);
    for (const id of ['', 'NCT00000000', 'wt_000000000000', 'NCT', 'x'.repeat(80), '\ud800', 'NCT0'])
      expect(current!.has(id), id).toBe(false);
  });
});

const FOLLOWED = [
  ['trial ids', TrialIds.open, IDS_FILE],
  ['population', Population.open, RESULTS_GAP_FILE],
] as const;

it.each(FOLLOWED)('the %s follow CURRENT and stay while the next are damaged', async (_what, openFile, name) => {
  const snapshots = inject('sampleSnapshots');
  const version = (await readCurrent(snapshots))!;
  const root = await mkdtemp(join(tmpdir(), 'followed-'));
  try {
    const faults: string[] = [];
    const onFault = ({ message }: Error) => faults.push(message);
    // It looks when the test says so: a look of its own could begin before CURRENT is written, or see half of it.
    using followed = new SnapshotFollower<{ size: number; snapshot: string }>({
      snapshotsDir: root,
      open: openFile,
      onFault,
    });
    await followed.check();
    expect(followed.current).toBeNull();
    await cp(join(snapshots, version), join(root, version), { recursive: true });
    await writeFile(join(root, 'CURRENT'), `${version}\n`);
    await followed.check();
    expect(followed.current?.size).toBeGreaterThan(0);
    const damaged = '20300101T000000Z-00000000';
    await cp(join(root, version), join(root, damaged), { recursive: true });
    const path = join(root, damaged, 'serving', name);
    const bytes = await readFile(path);
    bytes.write('wt_', bytes.indexOf('NCT'));
    await writeFile(path, bytes);
    await writeFile(join(root, 'CURRENT'), `${damaged}\n`);
    await followed.check();
    await followed.check();
    expect([followed.current?.snapshot, faults]).toEqual([version, [expect.stringContaining('is not as published')]]);
    const older = versionAt('20300101T000001Z');
    await mkdir(join(root, older));
    writeManifest(join(root, older), emptyManifest(older));
    await writeFile(join(root, 'CURRENT'), `${older}\n`);
    await followed.check();
    expect(followed.current).toBeNull();
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
