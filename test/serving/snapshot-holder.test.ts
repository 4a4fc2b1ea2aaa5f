import { cpSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { SnapshotHolder, type SnapshotHolderFault } from '../../index-server/snapshot/snapshot-holder.ts';
import { CURRENT_FILE } from '../../snapshot/format/versions/current-file.ts';
import { emptyManifest, versionAt, writeManifest } from '../builders/manifest.ts';
import { type BuiltImage, imageOfStudies } from '../builders/serving-image.ts';
import { ofFile } from '../support/of-file.ts';
import { NEWER, twoSnapshots } from '../support/snapshots/two-snapshots.ts';

const OLD = versionAt('20261120T031500Z');
const NEW = versionAt('20261121T031500Z');

let snapshotsDir: string;
let faults: SnapshotHolderFault[];

const one = ofFile(() => imageOfStudies([{}]));
const two = ofFile(() => imageOfStudies([{}, {}]));
beforeEach(() => {
  snapshotsDir = mkdtempSync(join(tmpdir(), 'holder-'));
  faults = [];
  publish(OLD, one);
  publish(NEW, two);
  return () => rmSync(snapshotsDir, { recursive: true, force: true });
});

function publish(version: string, { snapshotDir }: BuiltImage): void {
  cpSync(snapshotDir, join(snapshotsDir, version), { recursive: true });
  writeManifest(join(snapshotsDir, version), emptyManifest(version));
}

function point(version: string): void {
  writeFileSync(join(snapshotsDir, 'CURRENT.next'), `${version}\n`);
  renameSync(join(snapshotsDir, 'CURRENT.next'), join(snapshotsDir, CURRENT_FILE));
}

const newHolder = (): SnapshotHolder => new SnapshotHolder({ snapshotsDir, onFault: (fault) => faults.push(fault) });

describe('SnapshotHolder', () => {
  it('serves nothing before the first snapshot and the first one as soon as CURRENT names it', async () => {
    await using holder = newHolder();
    point('none');
    await holder.check();
    expect([holder.version, holder.acquire(), holder.fault]).toEqual([null, null, null]);
    point(OLD);
    await holder.check();
    using lease = holder.acquire()!;
    expect([lease.image.trials, lease.manifest.version]).toEqual([1, OLD]);
  });

  it('lets a request finish on the snapshot it began with, and unmaps that one when the last request ends', async () => {
    await using holder = newHolder();
    point(OLD);
    await holder.check();
    const first = holder.acquire()!;
    const second = holder.acquire()!;
    point(NEW);
    await holder.check();
    using later = holder.acquire()!;
    expect([first.image.trials, later.image.trials, later.manifest.version]).toEqual([1, 2, NEW]);
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    expect(Buffer.from(second.image.slice(0, 'head')).toString()).toContain('"canonicalId":"wt_000000000001"');
    second[Symbol.dispose]();
    expect(second.image.released).toBe(true);
    expect(later.image.released).toBe(false);
  });

  it('turns a late read of a released snapshot into an empty one or an error, never into a crash', async () => {
    await using holder = newHolder();
    point(OLD);
    await holder.check();
    const lease = holder.acquire()!;
    const { status } = lease.image.columns;
    lease[Symbol.dispose]();
    await holder.close();
    expect([status.length, status[0], lease.image.columns.status.length]).toEqual([0, undefined, 0]);
    expect(() => lease.image.slice(0, 'head')).toThrow(/documents-000\.arrow was released/);
    expect(() => lease.image.retain()).toThrow(/already released/);
    expect(() => lease.image.release()).toThrow(/released more often/);
  });

  it('has a snapshot prepared before it takes the place of another, and serves the first one at once', async () => {
    const prepared: unknown[] = [];
    await using holder = new SnapshotHolder({
      snapshotsDir,
      onFault: (fault) => faults.push(fault),
      prepare: async ({ version }, isWanted) => void prepared.push([version, holder.version, isWanted()]),
    });
    point(OLD);
    await holder.check();
    expect([holder.version, prepared]).toEqual([OLD, []]);
    point(NEW);
    await holder.check();
    expect([holder.version, prepared]).toEqual([NEW, [[NEW, OLD, true]]]);
  });

  it('keeps the old snapshot when the new one is broken, reports that once, and recovers when it is repaired', async () => {
    await using holder = newHolder();
    point(OLD);
    await holder.check();
    const broken = join(snapshotsDir, NEW, 'serving', 'rows.arrow');
    renameSync(broken, `${broken}.away`);
    point(NEW);
    await holder.check();
    await holder.check();
    expect([holder.version, holder.fault?.version, faults.length]).toEqual([OLD, NEW, 1]);
    expect(faults[0]?.error.message).toMatch(/ENOENT.*rows\.arrow/);
    renameSync(`${broken}.away`, broken);
    await holder.check();
    expect([holder.version, holder.fault]).toEqual([NEW, null]);
  });

  it('keeps the old snapshot when CURRENT itself is no version', async () => {
    await using holder = newHolder();
    point(OLD);
    await holder.check();
    point('../elsewhere');
    await holder.check();
    expect([holder.version, holder.fault?.version, faults.length]).toEqual([OLD, null, 1]);
  });

  it('shows the registries of the last check of the served version, and of no other', async () => {
    await using holder = newHolder();
    const shown = (): unknown[] => {
      using lease = holder.acquire()!;
      return lease.manifest.registries.map(({ lastSuccessAt }) => lastSuccessAt);
    };
    const note = (version: string, at: string): void => {
      const registries = emptyManifest(OLD).registries.map((registry) => ({ ...registry, lastSuccessAt: at }));
      writeFileSync(join(snapshotsDir, 'LAST_CHECK.json'), JSON.stringify({ version, checkedAt: at, registries }));
    };
    point(OLD);
    await holder.check();
    const published = shown();
    note(NEW, '2026-11-22T03:15:00.000Z');
    await holder.check();
    expect(shown()).toEqual(published);
    note(OLD, '2026-11-23T03:15:00.000Z');
    await holder.check();
    expect(shown()).toEqual(published.map(() => '2026-11-23T03:15:00.000Z'));
  });

  it('says what is wrong with CURRENT and which version is sound, without what the file holds', async () => {
    using copies = twoSnapshots();
    const said: (string | null)[] = [];
    await using holder = new SnapshotHolder({ snapshotsDir: copies.snapshotsDir, onFault: () => undefined });
    for (const text of [null, '/home/someone\n', '20300101T000000Z-00000000\n']) {
      if (text === null) rmSync(copies.path('.', CURRENT_FILE));
      else writeFileSync(copies.path('.', CURRENT_FILE), text);
      await holder.check();
      said.push(holder.refused);
    }
    const way = `the newest sound version is ${NEWER}, and \`pipeline current ${NEWER}\` makes it the served one`;
    expect(said).toEqual([
      `CURRENT is missing; ${way}`,
      `CURRENT names no version; ${way}`,
      `CURRENT names 20300101T000000Z-00000000, which does not exist; ${way}`,
    ]);
  });
});
