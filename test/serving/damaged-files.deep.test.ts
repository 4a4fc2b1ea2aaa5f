import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  SnapshotHolder,
  type SnapshotHolderFault,
  type SnapshotHolderOptions,
} from '../../index-server/snapshot/snapshot-holder.ts';
import { CURRENT_FILE } from '../../snapshot/format/versions/current-file.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { emptyManifest, identified, versionAt, writeManifest } from '../builders/manifest.ts';
import { imageOfStudies } from '../builders/serving-image.ts';
import { ofFile } from '../support/of-file.ts';

/** When the files of a snapshot are held against its manifest, and what follows. */

let [OLDEST, OLD, NEW] = ['', '', ''];
const DOCUMENTS = 'serving/documents-000.arrow';
/** As an image of gigabytes: hashed by a thread, at a start beside the first answers. */
const LARGE = { threadFromBytes: 0 };

const image = ofFile(() => imageOfStudies([{}]));
let snapshotsDir: string;
let faults: SnapshotHolderFault[];

beforeAll(() => {
  const times = ['20261119T031500Z', '20261120T031500Z', '20261121T031500Z'] as const;
  [OLDEST, OLD, NEW] = times.map((time) => versionAt(time, manifestOf(''))) as [string, string, string];
});
beforeEach(() => {
  snapshotsDir = mkdtempSync(join(tmpdir(), 'damaged-'));
  faults = [];
  return () => rmSync(snapshotsDir, { recursive: true, force: true });
});

function manifestOf(version: string, corpus: Manifest['corpus'] = 'registries'): Manifest {
  const serving = join(image.snapshotDir, 'serving');
  const files = readdirSync(serving).map((name) => {
    const bytes = readFileSync(join(serving, name));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { path: `serving/${name}`, bytes: bytes.length, sha256 };
  });
  return identified({ ...emptyManifest(version), corpus, serving: { imageVersion: 1, files } });
}

/** Publishes the image as a version, or at the time of that version as one of another corpus. */
function publish(version: string, corpus: Manifest['corpus'] = 'registries'): void {
  const [time = ''] = version.split('-');
  const name = versionAt(time, manifestOf(version, corpus));
  const dir = join(snapshotsDir, name);
  cpSync(image.snapshotDir, dir, { recursive: true });
  writeManifest(dir, manifestOf(name, corpus));
}

function point(version: string): void {
  writeFileSync(join(snapshotsDir, CURRENT_FILE), `${version}\n`);
}

/** Overwrites bytes in the middle and keeps the length. */
function overwrite(version: string, file = DOCUMENTS): void {
  const path = join(snapshotsDir, version, file);
  const bytes = readFileSync(path);
  bytes.fill(0x5a, bytes.length / 2, bytes.length / 2 + 8);
  writeFileSync(path, bytes);
}

const open = (options: Partial<SnapshotHolderOptions> = {}): SnapshotHolder =>
  new SnapshotHolder({ snapshotsDir, onFault: (fault) => faults.push(fault), ...options });

describe('a large snapshot', () => {
  it('is served at once at a start and hashed beside; then its time is known', async () => {
    publish(NEW);
    point(NEW);
    await using holder = open(LARGE);
    await holder.check();
    expect([holder.version, holder.checkedAt]).toEqual([NEW, null]);
    await holder.hashed;
    expect(holder.checkedAt).toBeInstanceOf(Date);
    expect(faults).toEqual([]);
  });

  it('stops being served as soon as the hashes show damage, and the one before takes its place once it is hashed', async () => {
    for (const version of [OLD, NEW]) publish(version);
    overwrite(NEW);
    point(NEW);
    await using holder = open(LARGE);
    await holder.check();
    using lease = holder.acquire()!;
    expect(lease.manifest.version).toBe(NEW);
    await holder.hashed;
    await holder.check();
    expect([holder.version, holder.checkedAt]).toEqual([OLD, expect.any(Date)]);
    expect(holder.refused).toBe(
      `CURRENT names ${NEW}, but its file ${DOCUMENTS} is not as published; the log says more`,
    );
    expect(faults.map(({ version }) => version)).toEqual([NEW]);
    // A request that began with it may still end.
    expect(lease.image.released).toBe(false);
  });

  it('is hashed before it replaces another one, which stays, degraded, where the new one is damaged', async () => {
    for (const version of [OLD, NEW]) publish(version);
    overwrite(NEW, 'serving/terms.arrow');
    point(OLD);
    const changes: string[] = [];
    await using holder = open({ ...LARGE, onChange: (version) => changes.push(version) });
    await holder.check();
    await holder.hashed;
    point(NEW);
    await holder.check();
    await holder.check();
    using lease = holder.acquire()!;
    expect([holder.version, changes, faults.length]).toEqual([OLD, [OLD], 1]);
    expect(lease.manifest.registries.map(({ degraded }) => degraded)).toEqual([true, true]);
    expect(lease.manifest.registries[0]!.degradedReason).toContain('serving/terms.arrow is not as published');
  });
});

describe('a snapshot that is served', () => {
  it('is refused at the next look where a mapped file became shorter, and nothing touches the mapping', async () => {
    for (const version of [OLD, NEW]) publish(version);
    point(NEW);
    await using holder = open();
    await holder.check();
    truncateSync(join(snapshotsDir, NEW, DOCUMENTS), 16);
    await holder.check();
    expect(holder.version).toBe(OLD);
    expect(faults.map(({ error }) => error.message)).toEqual([
      expect.stringMatching(
        /^serving\/documents-000\.arrow of .* is not as published: found 16 bytes, expected \d+ bytes$/,
      ),
    ]);
  });

  it('is hashed again where a file was written, and once a day', async () => {
    for (const version of [OLD, NEW]) publish(version);
    point(NEW);
    await using holder = open({ recheckMs: 0 });
    await holder.check();
    await holder.hashed;
    const first = holder.checkedAt!;
    await holder.check();
    await holder.hashed;
    expect(holder.checkedAt!.getTime()).toBeGreaterThanOrEqual(first.getTime());
    expect(holder.checkedAt).not.toBe(first);

    await using daily = open();
    await daily.check();
    const before = daily.checkedAt;
    await daily.check();
    await daily.hashed;
    expect(daily.checkedAt).toBe(before);
    overwrite(NEW);
    await daily.check();
    await daily.hashed;
    await daily.check();
    expect(daily.version).toBe(OLD);
  });

  it('stays where its directory is removed: the mapping has its bytes', async () => {
    for (const version of [OLD, NEW]) publish(version);
    point(NEW);
    await using holder = open();
    await holder.check();
    rmSync(join(snapshotsDir, NEW), { recursive: true });
    for (let look = 0; look < 3; look += 1) {
      await holder.check();
      await holder.hashed;
    }
    using lease = holder.acquire()!;
    expect([lease.manifest.version, lease.image.trials, faults.length]).toEqual([NEW, 1, 1]);
  });
});

describe('in place of a damaged snapshot', () => {
  it('the newest sound one before it is served, never a later one and never synthetic data for real', async () => {
    publish(OLDEST);
    publish(OLD, 'sample');
    publish(NEW);
    publish('20261122T031500Z-00000003');
    overwrite(NEW);
    point(NEW);
    await using holder = open();
    await holder.check();
    expect(holder.version).toBe(OLDEST);
  });

  it('nothing is served where none is sound; a file that is mended is found without a restart', async () => {
    for (const version of [OLD, NEW]) publish(version);
    const path = join(snapshotsDir, NEW, DOCUMENTS);
    const sound = readFileSync(path);
    overwrite(NEW);
    overwrite(OLD);
    point(NEW);
    await using holder = open();
    for (let look = 0; look < 3; look += 1) await holder.check();
    expect([holder.version, holder.acquire(), faults.map(({ version }) => version)]).toEqual([null, null, [NEW, OLD]]);
    writeFileSync(path, sound);
    await holder.check();
    expect([holder.version, holder.refused]).toEqual([NEW, null]);
  });
});
