import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { quickDamage, readCurrent, readManifest, snapshotPath } from '../../snapshot/format/versions/current.ts';
import { snapshotFiles } from '../../snapshot/format/versions/manifest.ts';
import { readState } from '../../snapshot/format/versions/state.ts';
import { quietEffects } from '../../test/builders/working-database.ts';
import { copied, type PublishedTwice, publishTwice } from '../../test/support/board/shared-store.ts';
import { oneOfEachKind } from '../../test/support/faults/instants.ts';
import { folderOfFile } from '../../test/support/folders.ts';
import { onlyNewest } from '../../test/support/snapshots/publisher.ts';
import { type FakeS3, startS3 } from '../../tools/cluster/loopback-s3.ts';
import { setCurrent } from '../publish/commit.ts';
import { gc } from '../publish/retention/gc.ts';
import { damagedFiles } from '../publish/verify/damage.ts';
import { push } from './push.ts';
import { Replica } from './replica.ts';
import { Store } from './store.ts';

const root = folderOfFile();
let published: PublishedTwice;
/** Directories that may follow each other in the store: the second version, the first one served again, the second without the first. */
let later: string[];
beforeAll(async () => {
  published = await publishTwice(root.path);
  const { second, versions } = published;
  const [back, thinned] = [join(root.path, 'back'), join(root.path, 'thinned')];
  await copied(second, back);
  await setCurrent(back, versions[0], quietEffects());
  await copied(second, thinned);
  await gc(thinned, onlyNewest(1), quietEffects());
  later = [second, back, thinned];
});

type Act =
  | { kind: 'push'; directory: number }
  /** Looks, and is cut off at this checkpoint; null for never. */
  | { kind: 'look'; cutAt: number | null }
  /** Looks while an object has other bytes, fewer, or is gone. */
  | { kind: 'damaged'; object: number; how: number }
  /** Looks while the store names what it named earlier. */
  | { kind: 'stale'; generation: number };

const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ kind: fc.constant('push' as const), directory: fc.nat(2) }),
  fc.record({ kind: fc.constant('look' as const), cutAt: fc.option(fc.nat(60)) }),
  fc.record({ kind: fc.constant('damaged' as const), object: fc.nat(500), how: fc.nat(2) }),
  fc.record({ kind: fc.constant('stale' as const), generation: fc.nat(8) }),
);

/** A store with one publisher and one replica, and what may be said of them after each act. */
class World implements AsyncDisposable {
  readonly #s3: FakeS3;
  readonly #into: string;
  /** Pointers that the store held, by generation from 1 on. */
  readonly #named: { version: string; content: Buffer }[] = [];
  #generation = 0;
  /** Objects that were there at the last look. */
  #seen = new Set<string>();
  /** Checkpoints of the last look. */
  passed: string[] = [];

  constructor(s3: FakeS3, into: string) {
    this.#s3 = s3;
    this.#into = into;
  }

  #store(): Store {
    return Store.of(this.#s3.config, { now: () => new Date() });
  }

  async push(snapshotsDir: string): Promise<void> {
    const { pointer } = await push({ store: this.#store(), snapshotsDir }, quietEffects());
    const { content } = this.#s3.objects.get('boards/CURRENT')!;
    this.#named[pointer.generation - 1] = { version: pointer.version, content };
  }

  async look(cutAt: number | null = null): Promise<void> {
    this.passed = [];
    const checkpoint = (name: string) => {
      if (this.passed.length === cutAt) throw new Error('cut off');
      this.passed.push(name);
    };
    const options = { store: this.#store(), snapshotsDir: this.#into, trusted: null, waitAfter: () => 1 };
    await new Replica(options, quietEffects({ checkpoint })).step();
    this.#seen = new Set(this.#s3.objects.keys());
  }

  /** Carries out an act; a look may fail, whatever it says. */
  async carryOut(one: Act): Promise<void> {
    if (one.kind === 'push') return this.push(later[one.directory]!);
    if (one.kind === 'look') return this.look(one.cutAt).catch(() => undefined);
    const all = [...this.#s3.objects.keys()].filter((key) => /versions\/|releases\//.test(key)).sort();
    const lacking = all.filter((key) => !this.#seen.has(key));
    const keys = lacking.length > 0 ? lacking : all;
    const key = one.kind === 'stale' ? 'boards/CURRENT' : keys[one.object % keys.length]!;
    const sound = this.#s3.objects.get(key)!;
    const content =
      one.kind === 'stale'
        ? this.#named[one.generation % this.#named.length]!.content
        : damaged(sound.content, one.how);
    if (content === null) this.#s3.objects.delete(key);
    else this.#s3.objects.set(key, { ...sound, content });
    await this.look().catch(() => undefined);
    this.#s3.objects.set(key, sound);
  }

  /** The old version or the new one, whole, and no generation back. */
  async check(): Promise<void> {
    const generation = (await readState(this.#into)).generation?.generation ?? 0;
    expect(generation).toBeGreaterThanOrEqual(this.#generation);
    this.#generation = generation;
    const served = await readCurrent(this.#into);
    if (served === null) return expect(generation).toBe(0);
    expect(this.#named.slice(Math.max(0, generation - 1)).map(({ version }) => version)).toContain(served);
    const dir = snapshotPath(this.#into, served);
    expect(await quickDamage(dir)).toBeNull();
    expect(await damagedFiles(dir, snapshotFiles(await readManifest(dir)))).toEqual([]);
  }

  /** With nothing in its way, the replica comes to what counts. */
  async settle(): Promise<void> {
    for (let looks = 0; looks < 3; looks += 1) await this.look();
    await this.check();
    expect(this.#generation).toBe(this.#named.length);
    expect(await readCurrent(this.#into)).toBe(this.#named.at(-1)!.version);
    expect((await readdir(this.#into)).filter((name) => /^\.(?:pull|tmp|trash)/.test(name))).toEqual([]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#s3[Symbol.asyncDispose]();
    await rm(this.#into, { recursive: true, force: true });
  }
}

function damaged(content: Buffer, how: number): Buffer | null {
  if (how === 0) return null;
  if (how === 1) return content.subarray(0, -1);
  return Buffer.concat([content.subarray(0, -1), Buffer.from([(content.at(-1) ?? 0) ^ 1])]);
}

const open = async (): Promise<World> => new World(await startS3(), join(root.path, 'into'));

test('cut off at any step of a pull, and with any object damaged, the old version stays or the new one is there, and it goes on', async () => {
  const [push, look]: Act[] = [
    { kind: 'push', directory: 0 },
    { kind: 'look', cutAt: null },
  ];
  const steps = await (async () => {
    await using world = await open();
    await world.push(published.first);
    await world.look();
    await world.carryOut(push!);
    await world.look();
    return world.passed;
  })();
  expect(steps).toEqual(expect.arrayContaining(['snapshot:renamed', 'current:renamed', 'state:durable']));
  const cuts = oneOfEachKind(steps).map((cutAt): Act => ({ kind: 'look', cutAt }));
  const damages = Array.from({ length: 9 }, (_, object): Act => ({ kind: 'damaged', object, how: object % 3 }));
  for (const one of [...cuts, ...damages]) {
    await using world = await open();
    await world.push(published.first);
    for (const act of [look!, push!, one]) {
      await world.carryOut(act);
      await world.check();
    }
    await world.settle();
  }
});

test('whatever happens to publisher, store and pull, a replica serves a version that counted, whole, and never goes back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 3, maxLength: 9 }), async (acts) => {
      await using world = await open();
      await world.push(published.first);
      for (const one of acts) {
        await world.carryOut(one);
        await world.check();
      }
      await world.settle();
    }),
    { numRuns: 8, seed: 24 },
  );
});
