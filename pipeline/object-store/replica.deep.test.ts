import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readCurrent, readManifest, versionsIn } from '../../snapshot/format/versions/current.ts';
import { signerKey } from '../../snapshot/proof/note.ts';
import { identified, versionAt, writeOwnFiles } from '../../test/builders/manifest.ts';
import { quietEffects } from '../../test/builders/working-database.ts';
import { copied, publishTwice } from '../../test/support/board/shared-store.ts';
import { CRASH_KEY } from '../../test/support/faults/crash-key.ts';
import { folderOfFile, folderOfTest } from '../../test/support/folders.ts';
import { onlyNewest } from '../../test/support/snapshots/publisher.ts';
import { type FakeS3, startS3 } from '../../tools/cluster/loopback-s3.ts';
import type { Effects } from '../effects.ts';
import { setCurrent } from '../publish/commit.ts';
import { walk } from '../publish/durable.ts';
import { gc, setPin } from '../publish/retention/gc.ts';
import { verify } from '../publish/verify/verify.ts';
import { type Pushed, type PushOptions, push } from './push.ts';
import { Replica } from './replica.ts';
import { Store } from './store.ts';

const root = folderOfFile();
/** The publisher's directory after its first publication, and after its second. */
let first: string;
let second: string;
let versions: string[];

beforeAll(async () => {
  ({ first, second, versions } = await publishTwice(root.path));
});

const folder = folderOfTest();
let s3: FakeS3;
let into: string;
/** What the push of the first version gave, before each test. */
let pushed: Pushed;
beforeEach(async () => {
  s3 = await startS3();
  into = join(folder.path, 'into');
  pushed = await pushing(first);
});
afterEach(() => s3[Symbol.asyncDispose]());

const store = () => Store.of(s3.config, quietEffects({ now: () => new Date() }));

function pushing(snapshotsDir: string, changes: Partial<PushOptions> = {}, effects = quietEffects()): Promise<Pushed> {
  return push({ store: store(), snapshotsDir, ...changes }, effects);
}

function replica(effects: Effects = quietEffects(), snapshotsDir = into): Replica {
  const trusted = [CRASH_KEY.verifier];
  return new Replica({ store: store(), snapshotsDir, trusted, waitAfter: () => 1 }, effects);
}

/** Makes a version that agrees with itself and that nobody published. Returns its name. */
async function forge(snapshots: string, of: string): Promise<string> {
  const stated = identified({ ...(await readManifest(join(snapshots, of))), asOf: '2020-01-01' });
  const version = versionAt(of.slice(0, of.indexOf('-')), stated);
  await rename(join(snapshots, of), join(snapshots, version));
  writeOwnFiles(join(snapshots, version), stated);
  return version;
}

/** A copy of snapshots that the test may change. */
async function copyOf(snapshots: string): Promise<string> {
  const copy = join(folder.path, randomUUID());
  await copied(snapshots, copy);
  return copy;
}

/** The publisher's directory after its second publication, where gc removed the first version. */
async function thinnedCopy(): Promise<string> {
  const thinned = await copyOf(second);
  await gc(thinned, onlyNewest(1), quietEffects());
  return thinned;
}

const files = async (dir: string) => (await walk(dir)).files;

describe('a replica', () => {
  it('has what was pushed, byte for byte, with the log beside it', async () => {
    expect(pushed).toMatchObject({ unchanged: false, pointer: { generation: 1, version: versions[0] } });
    expect(await replica().step()).toMatchObject({ generation: 1, swapped: versions[0] });
    const expected = (await files(first)).filter((path) => !path.startsWith('.'));
    expect((await files(into)).filter((path) => !path.startsWith('.'))).toEqual(expected);
    for (const path of expected)
      expect((await readFile(join(into, path))).equals(await readFile(join(first, path))), path).toBe(true);
    const { problems } = await verify(into, versions[0]!, quietEffects(), { trusted: [CRASH_KEY.verifier] });
    expect(problems).toEqual([]);
  });

  it('fetches of the next version what it lacks alone', async () => {
    await replica().step();
    pushed = await pushing(second);
    expect(pushed.pointer.generation).toBe(2);
    s3.asked = [];
    expect(await replica().step()).toMatchObject({ generation: 2, swapped: versions[1] });
    expect(await readCurrent(into)).toBe(versions[1]);
    expect((await verify(into, versions[1]!, quietEffects())).problems).toEqual([]);
    const fetched = s3.asked.filter((line) => line.startsWith(`GET versions/${versions[1]}/`));
    expect(fetched.length).toBeGreaterThan(4);
    expect(fetched.length).toBeLessThan(pushed.files);
    expect(await replica().step()).toMatchObject({ generation: 2, swapped: null });
  });

  it('never follows a pointer back, nor to another history of its generation', async () => {
    const stale = s3.objects.get('boards/CURRENT')!;
    await pushing(second);
    await replica().step();
    s3.objects.set('boards/CURRENT', stale);
    await expect(replica().step()).rejects.toThrow(
      `names generation 1 (${versions[0]}), and this machine has generation 2`,
    );
    s3.objects.delete('boards/CURRENT');
    await expect(replica().step()).rejects.toThrow('names no generation');
    const other = JSON.parse(stale.content.toString());
    other.generation = 2;
    s3.objects.set('boards/CURRENT', { ...stale, content: Buffer.from(JSON.stringify(other)) });
    await expect(replica().step()).rejects.toThrow('two histories');
    expect(await readCurrent(into)).toBe(versions[1]);
  });

  it('has every version that the publisher holds, also when it comes late, and what is kept of those that were removed', async () => {
    await replica().step();
    await pushing(second);
    const late = join(folder.path, 'late');
    expect(await replica(quietEffects(), late).step()).toMatchObject({ swapped: versions[1], missing: 0 });
    expect(await versionsIn(late)).toEqual(versions.toReversed());
    expect((await verify(late, versions[0]!, quietEffects())).problems).toEqual([]);

    const thinned = await thinnedCopy();
    expect((await pushing(thinned)).pointer).toMatchObject({ generation: 3, version: versions[1] });
    for (const dir of [into, late]) {
      expect(await replica(quietEffects(), dir).step()).toMatchObject({ generation: 3, missing: 0 });
      expect(await versionsIn(dir)).toEqual([versions[1]]);
      const kept = await files(join(thinned, 'removed'));
      expect(kept).toContain(`${versions[0]}/removal.json`);
      expect(await files(join(dir, 'removed'))).toEqual(kept);
      for (const path of kept)
        expect(await readFile(join(dir, 'removed', path))).toEqual(await readFile(join(thinned, 'removed', path)));
    }
  });

  it('removes no version that the store never named, nor a pinned one', async () => {
    await replica().step();
    const own = '20260101T000000Z-00000000';
    await copied(join(into, versions[0]!), join(into, own));
    await setPin(into, versions[0]!, true, quietEffects());
    const thinned = await thinnedCopy();
    await pushing(thinned);
    await replica().step();
    expect(await versionsIn(into)).toEqual([...versions.toReversed(), own]);
  });

  it('keeps what it serves while the store is away', async () => {
    await replica().step();
    const follower = replica();
    await s3[Symbol.asyncDispose]();
    await expect(follower.step()).rejects.toThrow('no whole answer (ECONNREFUSED');
    expect(await readCurrent(into)).toBe(versions[0]);
    s3 = await startS3();
  });

  it('takes no version that no trusted key vouches for', async () => {
    const trusted = [signerKey('example.org/other', Buffer.alloc(32, 2)).verifier];
    const distrusting = new Replica({ store: store(), snapshotsDir: into, trusted }, quietEffects());
    await expect(distrusting.step()).rejects.toThrow('is not signed by a trusted key');
    expect((await readdir(into)).filter((name) => !name.startsWith('.'))).toEqual([]);
  });

  it('takes no older version that the log does not hold, nor such a one as the served one, and says so', async () => {
    const forging = await copyOf(second);
    const forged = await forge(forging, versions[0]!);
    s3.objects.clear();
    await pushing(forging, { all: true });
    const told: string[] = [];
    const effects = quietEffects({ notice: (text) => void told.push(text) });
    const distrusting = replica(effects);
    expect(await distrusting.step()).toMatchObject({ swapped: versions[1], missing: 0, refused: 1 });
    expect(await distrusting.step()).toMatchObject({ missing: 0, refused: 1 });
    expect(await versionsIn(into)).toEqual([versions[1]]);
    expect(told).toEqual([
      expect.stringMatching(
        `^${forged} of the store is not brought: .* its identity [0-9a-f]{64} is not in the log of publications`,
      ),
    ]);
    await setCurrent(forging, forged, quietEffects());
    await pushing(forging);
    await expect(replica().step()).rejects.toThrow('is not in the log of publications');
    expect(await readCurrent(into)).toBe(versions[1]);
  });
});

describe('a publisher', () => {
  it('that was overtaken, or went on from a state of its own, changes nothing', async () => {
    const overtaking = quietEffects({
      checkpoint: (name) => {
        if (name !== 'push:sent') return;
        const { content, changedAt } = s3.objects.get('boards/CURRENT')!;
        const state = JSON.parse(content.toString());
        state.generation = 2;
        s3.objects.set('boards/CURRENT', { content: Buffer.from(JSON.stringify(state)), changedAt });
      },
    });
    await expect(pushing(second, {}, overtaking)).rejects.toThrow('this one began at generation 1, and now it is 2');
    const other = await copyOf(first);
    await writeFile(join(other, 'log', 'identities'), `${'0'.repeat(64)}\n`);
    await expect(pushing(other)).rejects.toThrow('does not continue the one of s3://snapshots/boards');
    expect(await store().pointer()).toMatchObject({ generation: 2, version: versions[0] });
  });

  it('does nothing twice: a push of what counts already sends nothing and flips nothing', async () => {
    const before = [...s3.objects.keys()];
    expect(await pushing(first)).toMatchObject({ unchanged: true, sentFiles: 0, pointer: { generation: 1 } });
    expect([...s3.objects.keys()]).toEqual(before);
  });

  it('sends again what no release needs, since a gc beside it may remove that; a gc leaves what is needed or young', async () => {
    await pushing(second);
    const thinned = await thinnedCopy();
    await pushing(thinned);
    const collect = () => store().gc({ dryRun: false }, quietEffects());
    expect(await collect()).toMatchObject({ removed: 0, leftovers: 0 });
    for (const one of s3.objects.values()) one.changedAt = new Date(Date.now() - 25 * 3_600_000);

    // Everything of the first version that the second one does not share is old and needed by nobody: it is sent anew.
    const again = await pushing(first, { all: true }).catch((error: Error) => error.message);
    expect(again).toContain('does not continue the one of');
    const back = await copyOf(second);
    const sent = await pushing(back, { all: true });
    expect(sent.sentFiles).toBeGreaterThan(5);
    expect((await collect()).removed).toBeGreaterThan(0);
    expect(await replica().step()).toMatchObject({ swapped: versions[1], missing: 0 });
    expect(await versionsIn(into)).toEqual(versions.toReversed());
    expect((await verify(into, versions[0]!, quietEffects())).problems).toEqual([]);
  });
});
