import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readCurrent, readManifest, versionsIn } from '../../snapshot/format/versions/current.ts';
import { readGeneration } from '../../snapshot/format/versions/replica-status.ts';
import { identityOf, statementOf, statementText } from '../../snapshot/format/versions/statement.ts';
import { signerKey } from '../../snapshot/proof/note.ts';
import { quietEffects, temporaryDirectory } from '../../test/builders/working-database.ts';
import { copied, publishTwice } from '../../test/support/board/shared-store.ts';
import { CRASH_KEY } from '../../test/support/faults/crash-key.ts';
import { amountOf } from '../../test/support/runner/amount.ts';
import { type FakeS3, startS3 } from '../../tools/cluster/loopback-s3.ts';
import type { Effects } from '../effects.ts';
import { setCurrent } from '../publish/commit.ts';
import { walk } from '../publish/durable.ts';
import { gc } from '../publish/retention/gc.ts';
import { setPin } from '../publish/retention/pins.ts';
import { verify } from '../publish/verify/verify.ts';
import { sha256Of } from './layout.ts';
import { ObjectPointers } from './object-pointers.ts';
import { type Pushed, type PushOptions, push } from './push.ts';
import { keepStatus, Replica } from './replica.ts';
import { S3Client } from './s3-client.ts';
import { storeGc } from './store-gc.ts';

let root: Awaited<ReturnType<typeof temporaryDirectory>>;
/** The publisher's directory after its first publication, and after its second. */
let first: string;
let second: string;
let versions: string[];

beforeAll(async () => {
  root = await temporaryDirectory();
  ({ first, second, versions } = await publishTwice(root.path));
});
afterAll(() => root[Symbol.asyncDispose]());

let s3: FakeS3;
let into: string;
beforeEach(async () => {
  s3 = await startS3();
  into = join(root.path, 'into');
});
afterEach(async () => {
  await s3[Symbol.asyncDispose]();
  await rm(into, { recursive: true, force: true });
});

const client = () => new S3Client(s3.config, { partBytes: 5000, waitAfter: () => 1 });
const pointers = () => new ObjectPointers(client(), () => new Date());

function pushing(snapshotsDir: string, changes: Partial<PushOptions> = {}, effects = quietEffects()): Promise<Pushed> {
  return push({ client: client(), pointers: pointers(), snapshotsDir, fence: null, ...changes }, effects);
}

function replica(effects: Effects = quietEffects(), snapshotsDir = into): Replica {
  const trusted = [CRASH_KEY.verifier];
  return new Replica({ client: client(), pointers: pointers(), snapshotsDir, trusted, waitAfter: () => 1 }, effects);
}

/** Makes a version that agrees with itself and that nobody published. */
async function forge(dir: string): Promise<void> {
  const manifest = { ...(await readManifest(dir)), asOf: '2020-01-01' };
  const statement = statementText(statementOf(manifest)!);
  const text = JSON.stringify({ ...manifest, identity: identityOf(statement) });
  const forged: Record<string, string> = {
    'statement.json': statement,
    'manifest.json': text,
    'manifest.json.sha256': `${sha256Of(text)}  manifest.json\n`,
  };
  for (const [name, content] of Object.entries(forged)) await writeFile(join(dir, name), content);
  const sums = await readFile(join(dir, 'SHA256SUMS'), 'utf8');
  const changed = sums.replaceAll(/^[0-9a-f]{64}(?= {2}(.+)$)/gm, (sum, name: string) =>
    forged[name] === undefined ? sum : sha256Of(forged[name]),
  );
  await writeFile(join(dir, 'SHA256SUMS'), changed);
}

const files = async (dir: string) => (await walk(dir)).files;

describe('a replica', () => {
  it('has what was pushed, byte for byte, with the log beside it', async () => {
    const pushed = await pushing(first);
    expect(pushed).toMatchObject({ unchanged: false, lagging: [], pointer: { generation: 1, version: versions[0] } });
    expect(await replica().step()).toMatchObject({ generation: 1, swapped: versions[0] });
    const expected = (await files(first)).filter((path) => !path.startsWith('.'));
    expect((await files(into)).filter((path) => !path.startsWith('.'))).toEqual(expected);
    for (const path of expected)
      expect((await readFile(join(into, path))).equals(await readFile(join(first, path))), path).toBe(true);
    const { problems } = await verify(into, versions[0]!, quietEffects(), { trusted: [CRASH_KEY.verifier] });
    expect(problems).toEqual([]);
  });

  it('fetches of the next version what it lacks alone, and the publisher sends what the store lacks alone', async () => {
    await pushing(first);
    await replica().step();
    const before = new Set(s3.objects.keys());
    const pushed = await pushing(second);
    expect(pushed.pointer.generation).toBe(2);
    // The listing and the release are objects too, and no files.
    const added = [...s3.objects.keys()].filter((key) => !before.has(key)).map((key) => key.replace('boards/', ''));
    expect(added.length).toBe(pushed.sentFiles + 2);
    expect(pushed.sentFiles).toBeLessThan(pushed.files);
    s3.asked = [];
    expect(await replica().step()).toMatchObject({ generation: 2, swapped: versions[1] });
    expect(await readCurrent(into)).toBe(versions[1]);
    expect((await verify(into, versions[1]!, quietEffects())).problems).toEqual([]);
    const fetched = s3.asked.filter((line) => line.startsWith('GET objects/')).map((line) => line.slice(4));
    // The keys of the log are read with each release, so that they can be held against each other.
    const keys = sha256Of(await readFile(join(first, 'log', 'keys')));
    expect(fetched.filter((key) => before.has(`boards/${key}`))).toEqual([`objects/${keys}`]);
    expect(await replica().step()).toMatchObject({ generation: 2, swapped: null });
  });

  it('keeps the old version or has the new one, whichever step of a pull is cut off, and then goes on', async () => {
    await pushing(first);
    await replica().step();
    const begun = join(root.path, 'begun');
    await copied(into, begun);
    await pushing(second);
    const names: string[] = [];
    const noting = (name: string) => void names.push(name);
    await replica(quietEffects({ checkpoint: noting })).step();
    expect(names).toEqual(expect.arrayContaining(['snapshot:renamed', 'current:renamed', 'generation:durable']));
    const wanted = amountOf({ quick: names.filter((_, index) => index % 6 === 0), deep: names });
    const seen = new Set<string | null>();
    for (const cut of wanted) {
      await rm(into, { recursive: true });
      await copied(begun, into);
      const checkpoint = (name: string) => {
        if (name === cut) throw new Error(`cut off at ${name}`);
      };
      await expect(replica(quietEffects({ checkpoint })).step()).rejects.toThrow(`cut off at ${cut}`);
      const served = await readCurrent(into);
      seen.add(served);
      expect(versions, cut).toContain(served);
      expect((await verify(into, served!, quietEffects())).problems, cut).toEqual([]);
      expect((await replica().step()).generation, cut).toBe(2);
      expect(await readCurrent(into)).toBe(versions[1]);
      expect(
        (await readdir(into)).filter((name) => /^\.(?:pull|tmp|trash)/.test(name)),
        cut,
      ).toEqual([]);
    }
    expect(seen.size).toBe(2);
    await rm(begun, { recursive: true });
  });

  it('takes no object whose bytes are others, fewer or gone, and takes it once it is mended', async () => {
    await pushing(first);
    await replica().step();
    const before = new Set(s3.objects.keys());
    await pushing(second);
    const added = [...s3.objects.keys()].filter((key) => !before.has(key));
    const damages: ((content: Buffer) => Buffer | null)[] = [
      (content) => Buffer.concat([content.subarray(0, -1), Buffer.from([content.at(-1)! ^ 1])]),
      (content) => content.subarray(0, -1),
      () => null,
    ];
    for (const key of amountOf({ quick: added.slice(0, 4), deep: added })) {
      const sound = s3.objects.get(key)!;
      for (const damage of damages) {
        const content = damage(sound.content);
        if (content === null) s3.objects.delete(key);
        else s3.objects.set(key, { ...sound, content });
        // What the last try brought whole is not asked for again.
        for (const name of await readdir(into))
          if (name.startsWith('.pull-')) await rm(join(into, name), { recursive: true });
        await expect(replica().step(), key).rejects.toThrow(/SHA-256|no objects|no such file|HTTP 416/);
        expect(await readCurrent(into)).toBe(versions[0]);
        expect((await readGeneration(into))?.generation).toBe(1);
      }
      s3.objects.set(key, sound);
    }
    expect((await verify(into, versions[0]!, quietEffects())).problems).toEqual([]);
    expect(await replica().step()).toMatchObject({ generation: 2 });
    expect((await verify(into, versions[1]!, quietEffects())).problems).toEqual([]);
  });

  it('never follows a pointer back, nor to another history of its generation', async () => {
    await pushing(first);
    const stale = s3.objects.get('boards/POINTER')!;
    await pushing(second);
    await replica().step();
    s3.objects.set('boards/POINTER', stale);
    await expect(replica().step()).rejects.toThrow(
      `names generation 1 (${versions[0]}), and this machine has generation 2`,
    );
    s3.objects.delete('boards/POINTER');
    await expect(replica().step()).rejects.toThrow('names no generation');
    const other = JSON.parse(stale.content.toString());
    other.pointer.generation = 2;
    s3.objects.set('boards/POINTER', { ...stale, content: Buffer.from(JSON.stringify(other)) });
    await expect(replica().step()).rejects.toThrow('two histories');
    expect(await readCurrent(into)).toBe(versions[1]);
  });

  it('has every version that the publisher holds, also when it comes late, and what is kept of those that were removed', async () => {
    await pushing(first);
    await replica().step();
    await pushing(second);
    const late = join(root.path, 'late');
    expect(await replica(quietEffects(), late).step()).toMatchObject({ swapped: versions[1], missing: 0 });
    expect(await versionsIn(late)).toEqual(versions.toReversed());
    expect((await verify(late, versions[0]!, quietEffects())).problems).toEqual([]);

    const thinned = join(root.path, 'thinned');
    await copied(second, thinned);
    await gc(thinned, { keep: 1, daily: 0, weekly: 0, monthly: 0 }, quietEffects());
    expect((await pushing(thinned)).pointer).toMatchObject({ generation: 3, version: versions[1] });
    for (const dir of [into, late]) {
      expect(await replica(quietEffects(), dir).step()).toMatchObject({ generation: 3, missing: 0 });
      expect(await versionsIn(dir)).toEqual([versions[1]]);
      const kept = await files(join(thinned, 'removed'));
      expect(kept).toContain(`${versions[0]}/removal.json`);
      expect(await files(join(dir, 'removed'))).toEqual(kept);
      for (const path of kept)
        expect(
          (await readFile(join(dir, 'removed', path))).equals(await readFile(join(thinned, 'removed', path))),
        ).toBe(true);
    }
    for (const dir of [late, thinned]) await rm(dir, { recursive: true });
  });

  it('removes no version that the store never named, nor a pinned one', async () => {
    await pushing(first);
    await replica().step();
    const own = '20260101T000000Z-00000000';
    await copied(join(into, versions[0]!), join(into, own));
    await setPin(into, versions[0]!, true, quietEffects());
    const thinned = join(root.path, 'thinned');
    await copied(second, thinned);
    await gc(thinned, { keep: 1, daily: 0, weekly: 0, monthly: 0 }, quietEffects());
    await pushing(thinned);
    await replica().step();
    expect(await versionsIn(into)).toEqual([...versions.toReversed(), own]);
    await rm(thinned, { recursive: true });
  });

  it('goes back to an older version where the operator serves it, as a newer generation', async () => {
    await pushing(first);
    await pushing(second);
    await replica().step();
    const back = join(root.path, 'back');
    await copied(second, back);
    await setCurrent(back, versions[0]!, quietEffects());
    expect((await pushing(back)).pointer).toMatchObject({ generation: 3, version: versions[0] });
    expect(await replica().step()).toMatchObject({ generation: 3, swapped: versions[0] });
    expect(await readCurrent(into)).toBe(versions[0]);
    await rm(back, { recursive: true });
  });

  it('keeps what it serves while the store is away', async () => {
    await pushing(first);
    await replica().step();
    const follower = replica();
    await s3[Symbol.asyncDispose]();
    await expect(follower.step()).rejects.toThrow('no whole answer (ECONNREFUSED');
    expect(await readCurrent(into)).toBe(versions[0]);
    s3 = await startS3();
  });

  it('takes no version that no trusted key vouches for', async () => {
    await pushing(first);
    const trusted = [signerKey('example.org/other', Buffer.alloc(32, 2)).verifier];
    const distrusting = new Replica(
      { client: client(), pointers: pointers(), snapshotsDir: into, trusted },
      quietEffects(),
    );
    await expect(distrusting.step()).rejects.toThrow('is not signed by a trusted key');
    expect((await readdir(into)).filter((name) => !name.startsWith('.'))).toEqual([]);
  });

  it('takes no older version that the log does not hold, nor such a one as the served one, and says so', async () => {
    const forging = join(root.path, 'forging');
    await copied(second, forging);
    await forge(join(forging, versions[0]!));
    await pushing(forging, { all: true });
    const told: string[] = [];
    const effects = quietEffects({ notice: (text) => void told.push(text) });
    const distrusting = replica(effects);
    expect(await distrusting.step()).toMatchObject({ swapped: versions[1], missing: 0, refused: 1 });
    expect(await distrusting.step()).toMatchObject({ missing: 0, refused: 1 });
    expect(await versionsIn(into)).toEqual([versions[1]]);
    expect(told).toEqual([
      `${versions[0]} of the store is not brought: no trusted key vouches for it: its identity is not in the log of publications`,
    ]);
    await setCurrent(forging, versions[0]!, quietEffects());
    await pushing(forging);
    await expect(replica().step()).rejects.toThrow(`${versions[0]} of the store is not taken over: no trusted key`);
    expect(await readCurrent(into)).toBe(versions[1]);
    await rm(forging, { recursive: true });
  });
});

describe('a publisher', () => {
  it('waits until every live replica has the version ready, and none serves it before', async () => {
    await pushing(first);
    const dirs = ['a', 'b'].map((name) => join(root.path, `replica-${name}`));
    const replicas = dirs.map((dir) => replica(quietEffects(), dir));
    const looks = async (index: number) => {
      const { generation, swapped, staged } = await replicas[index]!.step();
      await pointers().report({ name: `replica-${index}`, generation, version: versions[0]!, staged });
      return swapped;
    };
    await looks(0);
    await looks(1);
    let turn = 0;
    const pause = async () => {
      turn += 1;
      // The first replica looks at once, the second one only at the third look of the publisher.
      await looks(0);
      expect(await readCurrent(dirs[0]!)).toBe(versions[0]);
      if (turn === 3) await looks(1);
    };
    expect((await pushing(second, { pause })).lagging).toEqual([]);
    expect(turn).toBe(3);
    s3.asked = [];
    expect([await looks(0), await looks(1)]).toEqual([versions[1], versions[1]]);
    // What lay ready is not fetched again.
    expect(s3.asked.filter((line) => line.startsWith('GET objects/')).length).toBeLessThan(16);
    for (const dir of dirs) expect(await readCurrent(dir)).toBe(versions[1]);
    for (const dir of dirs) await rm(dir, { recursive: true });
  });

  it('flips after a limit and names who lagged; one that reports no more is not waited for', async () => {
    await pushing(first);
    const { pointer } = await pointers().state();
    await pointers().report({ name: 'slow', generation: 1, version: versions[0]!, staged: pointer!.release });
    await pointers().report({ name: 'starting', generation: 0, version: null, staged: null });
    // The follower of the publisher's own directory, which cannot look while the publisher works.
    const own = { store: 's3://snapshots/boards', name: 'own', generation: 1, storeGeneration: 1 };
    const standing = { stagedVersion: null, missingVersions: 0, answeredAt: null, fault: null };
    const publisher = join(root.path, 'publisher');
    await copied(second, publisher);
    await keepStatus(publisher, { ...own, ...standing, writtenAt: '2026-11-26T10:00:00.000Z' });
    await pointers().report({ name: 'own', generation: 1, version: versions[0]!, staged: pointer!.release });
    let seconds = 0;
    const pause = async () => {
      seconds += 2;
    };
    const now = () => new Date(Date.UTC(2026, 10, 26) + seconds * 1000);
    const told: string[] = [];
    const effects = quietEffects({ now, notice: (text) => void told.push(text) });
    const pushed = await pushing(publisher, { pause, waitMs: 60_000 }, effects);
    expect([pushed.lagging, seconds]).toEqual([['slow'], 60]);
    expect(told).toEqual([expect.stringContaining('slow did not have')]);
    await rm(publisher, { recursive: true });
    s3.aheadSeconds = 61;
    expect(await pointers().liveReplicas()).toEqual([]);
  });

  it('that was overtaken, or went on from a state of its own, changes nothing', async () => {
    await pushing(first);
    const overtaking = quietEffects({
      checkpoint: (name) => {
        if (name !== 'push:sent') return;
        const { content, changedAt } = s3.objects.get('boards/POINTER')!;
        const state = JSON.parse(content.toString());
        state.pointer.generation = 2;
        s3.objects.set('boards/POINTER', { content: Buffer.from(JSON.stringify(state)), changedAt });
      },
    });
    await expect(pushing(second, {}, overtaking)).rejects.toThrow('this one began at generation 1, and now it is 2');
    const other = join(root.path, 'other');
    await copied(first, other);
    await writeFile(join(other, 'log', 'identities'), `${'0'.repeat(64)}\n`);
    await expect(pushing(other)).rejects.toThrow('does not continue the one of s3://snapshots/boards');
    expect((await pointers().state()).pointer).toMatchObject({ generation: 2, version: versions[0] });
    await rm(other, { recursive: true });
  });

  it('does nothing twice: a push of what counts already sends nothing and flips nothing', async () => {
    await pushing(first);
    const before = [...s3.objects.keys()];
    expect(await pushing(first)).toMatchObject({ unchanged: true, sentFiles: 0, pointer: { generation: 1 } });
    expect([...s3.objects.keys()]).toEqual(before);
  });

  it('sends again what no release needs, since a gc beside it may remove that; a gc leaves what is needed or young', async () => {
    await pushing(first);
    await pushing(second);
    const thinned = join(root.path, 'thinned');
    await copied(second, thinned);
    await gc(thinned, { keep: 1, daily: 0, weekly: 0, monthly: 0 }, quietEffects());
    await pushing(thinned);
    const collect = () => storeGc({ client: client(), pointers: pointers() }, { dryRun: false }, quietEffects());
    expect(await collect()).toMatchObject({ removed: 0, leftovers: 0 });
    s3.uploads.set('given-up', { key: `boards/objects/${'0'.repeat(64)}`, parts: new Map() });
    await pointers().report({ name: 'gone', generation: 1, version: versions[0]!, staged: null });
    for (const one of s3.objects.values()) one.changedAt = new Date(Date.now() - 25 * 3_600_000);

    // Everything of the first version that the second one does not share is old and needed by nobody: it is sent anew.
    const again = await pushing(first, { all: true }).catch((error: Error) => error.message);
    expect(again).toContain('does not continue the one of');
    const back = join(root.path, 'back');
    await copied(second, back);
    const sent = await pushing(back, { all: true });
    expect(sent.sentFiles).toBeGreaterThan(5);
    expect((await collect()).removed).toBeGreaterThan(0);
    expect([...s3.objects.keys()].filter((key) => key.includes('replicas/'))).toEqual([]);
    expect(await replica().step()).toMatchObject({ swapped: versions[1], missing: 0 });
    expect(await versionsIn(into)).toEqual(versions.toReversed());
    expect((await verify(into, versions[0]!, quietEffects())).problems).toEqual([]);
    for (const dir of [thinned, back]) await rm(dir, { recursive: true });
  });
});
